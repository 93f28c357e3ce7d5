package import AppHealth
import Formatting
import Statistics

/// How subjects move in a ranking over days.
package struct RankChart: Chart, Hashable {
    /// One subject.
    package struct Line: Hashable, Sendable {
        /// Its name; foreign text.
        package let label: String
        /// Its rank from 1 on each day, nil when it was not ranked.
        package let ranks: [Int?]

        /// Makes a line.
        package init(label: String, ranks: [Int?]) {
            self.label = label
            self.ranks = ranks
        }
    }

    package var name: String
    package var title: String
    /// The days of the ranking, in order.
    package let days: [CivilDate]
    /// The subjects that are shown, those of the newest ranking first.
    package let lines: [Line]
    /// The lowest rank that is shown.
    package let limit: Int

    /// Makes a chart; ranks outside 1…limit are left out, and so are lines that have none.
    package init(name: String, title: String, days: [CivilDate], lines: [Line], limit: Int = 8) {
        self.name = name
        self.title = title
        let kept = Array(days.suffix(28))
        self.days = kept
        let limit = min(max(limit, 1), 20)
        self.limit = limit
        let skipped = days.count - kept.count
        self.lines = lines.map { line in
            let ranks = line.ranks.prefix(days.count).dropFirst(skipped).map { rank in
                rank.flatMap { (1...limit).contains($0) ? $0 : nil }
            }
            // Days that a line does not tell are days on which it was not ranked.
            let rest = [Int?](repeating: nil, count: max(kept.count - ranks.count, 0))
            return Line(label: line.label, ranks: ranks + rest)
        }.filter { $0.ranks.contains { $0 != nil } }
    }

    package var description: String {
        guard let first = days.first, let last = days.last, !lines.isEmpty else { return "No ranking." }
        let now = lines.filter { $0.ranks.last != .some(nil) }.sorted { place($0) < place($1) }
        let top = now.first.map {
            "\(displayText($0.label, limit: 60)) is first on \(last.shortText)."
        }
        let risen = now.max { climb($0) < climb($1) }.flatMap { line in
            climb(line) > 0
                ? "Rose most: \(displayText(line.label, limit: 60)), from \(start(line)) to \(place(line))."
                : nil
        }
        let entered = now.count(where: isNew)
        let new =
            entered == 0
            ? nil : "\(entered) of \(now.count) \(entered == 1 ? "was" : "were") not ranked before."
        let span = "\(first.longText) to \(last.longText):"
        return [span, top ?? "nothing is ranked on the last day.", risen, new].compactMap(\.self)
            .joined(separator: " ")
    }

    package func text() -> String {
        let first = lines.first?.ranks.map { $0.map { Double(limit - $0) } } ?? []
        return sparkText(first, domain: Interval(lower: 0, upper: Double(limit - 1))) + "\n" + description
    }

    package var table: ChartTable {
        ChartTable(
            columns: ["Day"] + lines.map { displayText($0.label, limit: 60) },
            cells: days.enumerated().map { index, day in
                [.day(day)]
                    + lines.map { line in
                        let rank = index < line.ranks.count ? line.ranks[index] : nil
                        return .value(rank.map(Double.init), .count, PercentFormat(decimals: 0))
                    }
            })
    }
}

extension RankChart {
    /// Its newest rank, or one beyond the last when it has none.
    func place(_ line: Line) -> Int { line.ranks.last.flatMap(\.self) ?? limit + 1 }

    /// Its first rank.
    func start(_ line: Line) -> Int { line.ranks.lazy.compactMap(\.self).first ?? limit + 1 }

    /// Whether it was never ranked before its newest run of days.
    func isNew(_ line: Line) -> Bool {
        guard line.ranks.first == .some(nil), let start = line.ranks.firstIndex(where: { $0 != nil }) else {
            return false
        }
        return line.ranks[start...].allSatisfy { $0 != nil }
    }

    /// How many places it rose since its first rank; negative when it fell.
    func climb(_ line: Line) -> Int {
        line.ranks.last == .some(nil) ? 0 : start(line) - place(line)
    }
}
