package import AppHealth

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
    /// The word that stands before the value.
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
