package import AppHealth
package import Estimates
import Formatting

/// One day of a series: a value, or the reason why there is none.
package struct ChartPoint: Hashable, Sendable {
    /// Why a day has no value.
    package enum Absence: String, Hashable, Sendable, CaseIterable {
        /// The source gave nothing for this day.
        case missing
        /// The fetch went wrong.
        case failed
        /// The source was not queried about this day.
        case notCollected
        /// The source responded: there were no sessions, so there is no rate.
        case noSessions
        /// There were too few to say anything of a rate.
        case belowMinimum
    }

    /// What is known of the day.
    package enum Content: Hashable, Sendable {
        /// A finite value, with its interval when there is one.
        case value(Double, interval: Interval?)
        /// No value.
        case absent(Absence)
    }

    /// The day.
    package let date: CivilDate
    /// What is known of it.
    package let content: Content
    /// Whether late data may still change the day.
    package let provisional: Bool

    /// A day with a value; one that is not finite, or beyond ±10^18, counts as missing.
    package init(_ date: CivilDate, _ value: Double?, interval: Interval? = nil, provisional: Bool = false) {
        self.date = date
        self.provisional = provisional
        if let value, value.magnitude <= 1e18 {
            self.content = .value(value, interval: interval)
        } else {
            self.content = .absent(.missing)
        }
    }

    /// A day without a value.
    package init(_ date: CivilDate, absent: Absence, provisional: Bool = false) {
        self.date = date
        self.content = .absent(absent)
        self.provisional = provisional
    }

    /// The value, when there is one.
    package var value: Double? { if case .value(let value, _) = content { value } else { nil } }

    /// The interval, when there is one.
    package var interval: Interval? { if case .value(_, let interval) = content { interval } else { nil } }

    /// Why there is no value, when there is none.
    package var absence: Absence? { if case .absent(let absence) = content { absence } else { nil } }
}

extension ChartPoint.Absence {
    /// The label in legends and tables.
    package var text: String {
        switch self {
        case .missing: "No data"
        case .failed: "Fetch failed"
        case .notCollected: "Not fetched"
        case .noSessions: "No sessions"
        case .belowMinimum: "Too little data"
        }
    }

    /// The word in a sentence that counts days without data.
    var word: String { self == .missing ? "missing" : text.lowercased() }

    /// The character that means the state where only text can.
    package var glyph: Character {
        switch self {
        case .missing: "•"
        case .failed: "×"
        case .notCollected: "–"
        case .noSessions: "○"
        case .belowMinimum: "▿"
        }
    }
}

/// A row of block glyphs from ▁ to █, one for each value; a dot means a gap.
///
/// The glyphs span the given domain, or the least and the greatest value; all equal values stand half high, but for
/// zeros in a domain that begins with zero.
/// Values that are not finite are gaps.
package func sparkText(_ values: [Double?], domain: Interval? = nil) -> String {
    let present = values.compactMap { $0 }.filter(\.isFinite)
    guard let least = present.min(), let greatest = present.max() else {
        return String(repeating: "·", count: values.count)
    }
    let low = domain?.lower ?? least
    let high = domain?.upper ?? greatest
    /// The height of a value in eighths, from 1; nil for a gap.
    func eighths(_ value: Double?) -> UInt8? {
        guard let value, value.isFinite else { return nil }
        guard high > low, (high - low).isFinite else { return domain == .zero ? 1 : 4 }
        let share = min(max((value - low) / (high - low), 0), 1)
        return UInt8(min(Int(share * 8), 7) + 1)
    }
    var text: [UInt8] = []
    text.reserveCapacity(3 * values.count)
    for value in values {
        // U+2581 ▁ to U+2588 █, and U+00B7 ·.
        if let height = eighths(value) {
            text.append(0xE2)
            text.append(0x96)
            text.append(0x80 + height)
        } else {
            text.append(0xC2)
            text.append(0xB7)
        }
    }
    return String(decoding: text, as: UTF8.self)
}

/// The glyphs of a series: its newest days, as many as fit on a line of text.
func glyphLine(_ series: DaySeries, fromZero: Bool = false) -> String {
    let values = series.points.suffix(60).map(\.value)
    let greatest = values.compactMap { $0 }.max()
    return sparkText(values, domain: fromZero ? greatest.map { Interval(lower: 0, upper: $0) } : nil)
}

/// What the values of a chart measure.
package enum ChartUnit: Hashable, Sendable {
    /// A rate in 0…1, shown in percent; values outside count as missing.
    case rate
    /// A number of things.
    case count
}

extension ChartUnit {
    /// Whether a value can be one of this unit.
    func admits(_ value: Double) -> Bool {
        self == .rate ? value >= 0 && value <= 1 : value.magnitude <= 1e18
    }

    /// The value in the unit of the axis: percent for a rate.
    func onAxis(_ value: Double) -> Double { self == .rate ? value * 100 : value }

    /// A value as text, with as many decimals as its precision allows.
    func text(_ value: Double, _ precision: PercentFormat) -> String {
        switch self {
        case .rate: precision.text(value)
        case .count where value == value.rounded() && value.magnitude < 1e15: countText(Int(value))
        case .count: decimalText(value, decimals: value.magnitude < 1e15 ? 1 : 0)
        }
    }

    /// A level that a person set, with no more decimals than it has: `99.5%`.
    func levelText(_ value: Double) -> String {
        self == .rate ? PercentFormat.levelText(value) : text(value, PercentFormat(decimals: 2))
    }
}

/// A level that a series is held against.
package struct LevelRule: Hashable, Sendable {
    /// What the level means.
    package enum Kind: Hashable, Sendable {
        /// What should be kept.
        case target
        /// Below this it is an emergency.
        case critical
    }

    /// What the level means.
    package let kind: Kind
    /// The level, in the unit of the chart.
    package let value: Double
    /// The word that is before the value.
    package let label: String

    /// Makes a rule.
    package init(_ kind: Kind, _ value: Double, label: String) {
        self.kind = kind
        self.value = value
        self.label = label
    }

    /// The target that should be kept.
    package static func target(_ value: Double) -> LevelRule { LevelRule(.target, value, label: "Target") }

    /// The level below which it is an emergency.
    package static func critical(_ value: Double) -> LevelRule {
        LevelRule(.critical, value, label: "Critical")
    }
}

/// A day on which a release came out.
package struct ReleaseMark: Hashable, Sendable {
    /// The day.
    package let date: CivilDate
    /// The version label.
    package let label: String

    /// Makes a mark.
    package init(_ date: CivilDate, label: String) {
        self.date = date
        self.label = label
    }
}

/// A second series behind the first, such as the week before or another release, on the same days.
package struct ComparisonLine: Hashable, Sendable {
    /// What it is.
    package let label: String
    /// Its points; intervals and states are not drawn.
    package let points: [ChartPoint]

    /// Makes a comparison.
    package init(label: String, points: [ChartPoint]) {
        self.label = label
        self.points = points
    }
}
