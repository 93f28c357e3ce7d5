import AppHealth
import Formatting

extension IssueTotals {
    /// What the head of a column of users says next to it.
    var columnText: String {
        switch self {
        case .unstated: "per source"
        case .lifetime: "lifetime"
        case .days(let count): countedText(count, "day")
        }
    }

    /// What the users of the issues of a list are.
    var usersSentence: String {
        switch self {
        case .unstated: "Users: as the source counts them."
        case .lifetime: "Users: unique over the issue’s lifetime, per source."
        case .days(let count): "Users: unique over the newest \(countedText(count, "day")), per source."
        }
    }

    /// Over which time a number of these is.
    var windowText: String { self == .unstated ? "as the source has it" : columnText }

    /// What a list without days of issues is counted over.
    var listText: String {
        switch self {
        case .unstated: "what the source counts"
        case .lifetime: "the lifetime of each issue"
        case .days(let count): "the newest \(countedText(count, "day")), as the source counts them"
        }
    }

    /// The number of days that is counted, where it is not all of them.
    var countedDays: Int? { if case .days(let count) = self { count } else { nil } }
}
