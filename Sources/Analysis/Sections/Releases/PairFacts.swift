package import AppHealth
import Statistics

/// Two releases held against each other.
package struct PairFacts: Hashable, Codable, Sendable {
    /// The one that came out later.
    package let later: Release
    /// The one that came out earlier.
    package let earlier: Release
    /// When the newest of their figures was captured; nil when that is not known.
    package let capturedAt: Instant?
    /// Both by days of their lives; nil when that cannot be reported.
    package let lives: ReleasePair?
    /// Their rates over each span.
    package internal(set) var rates: [PairRate]
    /// The issues seen in the later release alone, most events first.
    package internal(set) var onlyLater: [PairIssue]
    /// The issues seen in both, the greatest rise for each session first.
    package internal(set) var both: [PairIssue]
    /// The issues seen in the earlier release alone, most events first.
    package internal(set) var onlyEarlier: [PairIssue]

    /// Whether the issues of both are known on every day of their lives: else one that was not seen may have been there.
    package let knowsIssues: Bool
}

/// What the rates of two releases are counted over.
package enum PairSpan: String, Codable, Sendable, CaseIterable {
    /// Sessions of the same days of their lives.
    case sameAge
    /// As many first sessions of each.
    case sameSessions
    /// Sessions of all their lives.
    case life
    /// User-days of the same days of their lives, where users alone are counted.
    case userDaysAtAge
    /// As many first user-days of each, where users alone are counted.
    case sameUserDays
    /// Users of one day of their lives, the same of each.
    case usersAtAge
    /// Users of one day of the calendar.
    case usersOnDay

    /// What is counted.
    package var basis: Basis {
        switch self {
        case .sameAge, .sameSessions, .life: .sessions
        case .userDaysAtAge, .sameUserDays, .usersAtAge, .usersOnDay: .users
        }
    }

    /// Those of releases whose lives are counted in sessions, or in user-days.
    package static func all(of basis: Basis) -> [PairSpan] {
        basis == .sessions
            ? [.sameAge, .sameSessions, .life, .usersAtAge, .usersOnDay]
            : [.userDaysAtAge, .sameUserDays, .usersAtAge, .usersOnDay]
    }

    /// Whether it is that of a verdict: all days up to the same age of each.
    package var isMatched: Bool { self == .sameAge || self == .userDaysAtAge }
}

/// The crashed shares of two releases over the same span, each with its state.
package struct PairRate: Hashable, Codable, Sendable {
    /// What it is counted over.
    package let span: PairSpan
    /// Which days or sessions these were; nil when there are none.
    package let window: Window?
    /// The share of the later release.
    package internal(set) var later: Measured<Fraction>
    /// The share of the earlier release.
    package internal(set) var earlier: Measured<Fraction>
    /// The source of the counts.
    package internal(set) var source: SourceFacts?
    /// By what both were multiplied.
    package let sampling: PairSampling

    /// Days or sessions of the lives of two releases.
    package enum Window: Hashable, Codable, Sendable {
        /// The days from day 0 to an age, of which so many were counted of both.
        case ages(to: Int, counted: Int)
        /// So many first sessions of each.
        case firstSessions(Int)
        /// So many first user-days of each.
        case firstUserDays(Int)
        /// The life of each.
        case lives
        /// The day of an age of each.
        case age(Int)
        /// A day of the calendar.
        case day(CivilDate)
    }
}

/// An issue with what was counted of it in two releases.
package struct PairIssue: Hashable, Codable, Sendable {
    /// What it is to the later release.
    package enum Role: String, Codable, Sendable, CaseIterable {
        case regressed, new, fixed
    }

    /// The id of the issue.
    package internal(set) var id: String
    /// What it is to the later release; one that came back was not fixed.
    package let roles: [Role]
    /// Whether it was first seen in the later release; nil when that is not known.
    package let isNew: Bool?
    /// What was counted of it in the later release; nil when it was not seen there.
    package internal(set) var later: Count?
    /// What was counted of it in the earlier release.
    package internal(set) var earlier: Count?
    /// The events that the rate in the one release would have brought to the other, in which there were none; nil
    /// when it cannot be reported.
    package let expected: Double?

    /// An issue in one of two releases.
    package struct Count: Hashable, Codable, Sendable {
        /// Its events; nil when the source counts none.
        package let events: Int?
        /// The most users of one day: at least as many met it.
        package let mostUsers: Int?
        /// All its users, when it was seen in no other release.
        package let users: Int?
        /// Its events for each session of the release; nil when unknown.
        package internal(set) var share: Fraction?
    }
}

extension PairFacts {
    /// The labels of the two.
    package var names: RateDifference.Names {
        .init(later: later.version.label, earlier: earlier.version.label)
    }
}

extension PairRate {
    /// The difference of the crash-free rates; the worse state of the two is that of both.
    package func difference(_ names: RateDifference.Names) -> Measured<RateDifference> {
        guard let own = later.value else { return later.map(orAbsent: .noSessions) { _ in nil } }
        guard let other = earlier.value else { return earlier.map(orAbsent: .noSessions) { _ in nil } }
        let worse = if case .stale = earlier { earlier } else { later }
        return worse.map(orAbsent: .noSessions) { _ in
            RateDifference(later: own, earlier: other, names: names, sampling: sampling)
        }
    }
}
