package import AppHealth
import Formatting

/// Weeks of days, each with a verdict: a shape beside every colour.
package struct CalendarChart: Chart, Hashable {
    /// What is said of a day.
    package enum Level: Hashable, Sendable, CaseIterable {
        /// It keeps the target: a tinted field.
        case meets
        /// It may or may not: an empty field.
        case unsure
        /// It misses the target: a stroked-out field.
        case misses
        /// It is critical: a crossed-out field.
        case critical
    }

    /// One day.
    package struct Day: Hashable, Sendable {
        /// The day.
        package let date: CivilDate
        /// What is said of it; nil when there is no value.
        package let level: Level?
        /// Why there is none; missing when nothing is said.
        package let absence: ChartPoint.Absence
        /// What the table says beside it, such as the rate.
        package let detail: String

        /// A day with a verdict.
        package init(_ date: CivilDate, _ level: Level, detail: String) {
            self.date = date
            self.level = level
            self.absence = .missing
            self.detail = detail
        }

        /// A day without one.
        package init(_ date: CivilDate, absent: ChartPoint.Absence) {
            self.date = date
            self.level = nil
            self.absence = absent
            self.detail = ""
        }
    }

    package var name: String
    package var title: String
    /// The days shown, at most 53 weeks.
    package let domain: DateDomain
    /// What is known, in any order; days without an entry are missing.
    package let days: [Day]

    /// Makes a chart.
    package init(name: String, title: String, domain: DateDomain, days: [Day]) {
        self.name = name
        self.title = title
        self.domain = DateDomain(last: domain.last, count: min(domain.count, 365))
        self.days = days
    }

    package var description: String { sentence(placed) }

    package func text() -> String {
        let days = placed
        let glyphs = days.suffix(60).map { day -> Character in
            switch day.level {
            case .meets: "■"
            case .unsure: "□"
            case .misses: "▨"
            case .critical: "▩"
            case nil: day.absence.glyph
            }
        }
        return String(glyphs) + "\n" + sentence(days)
    }

    package var table: ChartTable {
        ChartTable(
            columns: ["Day", "Weekday", "Verdict", "Detail"],
            cells: placed.map { day in
                [
                    .day(day.date), .text(day.date.weekdayName), .text(day.level?.text ?? day.absence.text),
                    .text(displayText(day.detail, limit: 120)),
                ]
            })
    }
}

extension CalendarChart {
    /// One entry for each day of the domain.
    var placed: [Day] {
        var placed = (0..<domain.count).map { Day(domain.first.advanced(by: $0), absent: .missing) }
        for day in days {
            if let index = domain.index(of: day.date) { placed[index] = day }
        }
        return placed
    }

    private func sentence(_ days: [Day]) -> String {
        let counts = Level.allCases.compactMap { level in
            let count = days.count { $0.level == level }
            return count == 0 ? nil : "\(count) \(level.text)"
        }
        let missing = days.count { $0.level == nil }
        let parts = counts + (missing == 0 ? [] : ["\(missing) without a value"])
        let worst = days.last { $0.level == .critical || $0.level == .misses }
        let last = worst.map { " The last of those below target is \($0.date.shortText)." } ?? ""
        return "\(domain.first.longText) to \(domain.last.longText), days: \(parts.joined(separator: ", "))."
            + last
    }
}

extension CalendarChart.Level {
    /// The words for keys and tables.
    var text: String {
        switch self {
        case .meets: "meets target"
        case .unsure: "not enough data"
        case .misses: "below target"
        case .critical: "critical"
        }
    }
}
