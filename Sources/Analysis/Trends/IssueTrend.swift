/// What the days of an issue show of its course: words for lists, not events.
package struct IssueTrend: Hashable, Codable, Sendable {
    /// What its days count, of all issues of the app the same.
    package let unit: Unit
    /// What the last week, or the silence of the last days, shows.
    package let change: Change?
    /// Whether the last 28 days rise or fall, whatever the shape.
    package let course: Course?
    /// Its place among the issues of the last 7 days, from 1; nil when it was not seen in them.
    package let rank: Int?
    /// Its place among the issues of the 7 days before; nil when it was not seen in them.
    package let rankBefore: Int?
    /// Whether these places are among all events: each of the days has every issue, and most days are known.
    package let isRankedByAll: Bool
    /// How many places it rose (more than zero) or fell, where the counts bear it out; nil otherwise.
    package let move: Int?

    /// What is counted over days.
    package enum Unit: String, Hashable, Codable, Sendable {
        case events
        /// The users of each day, where no events are known: who comes on two days counts twice.
        case userDays
    }

    /// A change that chance and the issue's own scatter do not explain.
    package enum Change: Hashable, Codable, Sendable {
        /// Seen so often in the last 7 days, expected from the 28 days before, and the p-value adjusted for all
        /// issues that were seen.
        case rising(count: Int, expected: Double, adjustedP: Double)
        /// Not seen for so many days, in which so many were to be expected at its former rate, and how likely
        /// such a silence was.
        case gone(days: Int, expected: Double, pValue: Double)
    }

    /// A monotone trend.
    package struct Course: Hashable, Codable, Sendable {
        /// Whether it rises; else it falls.
        package let rises: Bool
        /// What more it counts from one day to the next: the median of the slopes between all pairs of days.
        package let slope: Double
        /// The two-sided p-value of the Mann–Kendall test.
        package let pValue: Double
    }

    /// What marks it in lists.
    package var signals: [IssueSignal] {
        switch change {
        case .rising: [.rising]
        case .gone: [.gone]
        case nil: []
        }
    }
}

/// How lists mark an issue.
package enum IssueSignal: String, Codable, Sendable, CaseIterable {
    case gone, muted, new, regressed, rising, velocity
}

extension IssueTrend.Change {
    /// How many times the expected number was counted; of less than half an expected event, as of half a one.
    package static func ratio(_ count: Int, expected: Double) -> Double {
        Double(count) / max(expected, 0.5)
    }
}
