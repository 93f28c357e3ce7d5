package import AppHealth
package import Diagnostics
package import Statistics

/// Whether a release may be rolled out further. Unknown is never go.
///
/// The first line that fits decides:
///
/// | verdict | when |
/// |---|---|
/// | unknown | no source counts its sessions by day |
/// | roll back | shown to crash more than the releases before it, and surely below the critical level |
/// | hold | shown to crash more than the releases before it, or surely below the target |
/// | go | surely at or above the target, after two days or more, on 1% of sessions or more, also with the crashes that are still expected; were it not that the newest fetch failed, or that no crash was counted where that is all but impossible, which makes it unknown |
/// | not enough data | otherwise |
///
/// "Surely" is by the bounds of `AlwaysValidInterval` at 95%, which hold at all looks together, widened by how the
/// days of the app varied in the eight weeks before it. "Shown to crash more" is by the e-process of `ReleaseRegressionTest` against the last three
/// releases, matched by age and again by number of sessions; both must claim it, and so must what these had on the same days where
/// that is enough to show a release that is twice as bad. A claim holds until the days after it show the contrary by all.
package enum ReleaseVerdict: Hashable, Codable, Sendable {
    /// Nothing speaks against it, and enough for it.
    case go
    /// It should not reach more people as it is.
    case hold
    /// It should be taken back.
    case rollBack
    /// It is too early; about so many more sessions are needed, nil when no number can be reported.
    case notEnoughData(needed: Int?)
    /// It cannot be judged.
    case unknown

    /// Its name in ids, data files and exit codes, which no rewording changes: `go`, `hold`, `roll back`,
    /// `not enough data`, `unknown`.
    package var name: String {
        switch self {
        case .go: "go"
        case .hold: "hold"
        case .rollBack: "roll back"
        case .notEnoughData: "not enough data"
        case .unknown: "unknown"
        }
    }

    /// Days of use before a release may be a go: the first one is seldom whole.
    package static let leastDays = 2
}

/// A verdict on a release with its reasons.
package struct ReleaseEvaluation: Hashable, Codable, Sendable {
    /// The label of the release.
    package let label: String
    /// The verdict.
    package let verdict: ReleaseVerdict
    /// Why it is what it is.
    package let grounds: Grounds
    /// The counts and comparisons behind it; nil when there are no counts.
    package internal(set) var basis: Basis?
    /// That no crash of it was counted though that is all but impossible, whatever the verdict; nil where it may be.
    package internal(set) var silence: CrashSilence?

    /// Why a verdict is what it is.
    package enum Grounds: Hashable, Codable, Sendable {
        /// The counts of `basis` decide.
        case counts
        /// The counts would make it a go, but the newest fetch failed, so what it does now is not known.
        case fetchFailed(Diagnostic)
        /// The counts would make it a go, but nothing new came since, so what it does now is not known.
        case overdue(since: Instant)
        /// The counts would make it a go, but no crash of it was counted though that is all but impossible.
        case noCrashes(CrashSilence)
        /// The counts would make it a go, and with the crashes that are expected of its newest days they would not: which part
        /// of their counts days had at the age of the newest one.
        case crashesComingIn(LateCounts)
        /// No source is configured.
        case noSource
        /// No source of crash-free rates has ever responded.
        case neverAnswered
        /// These providers responded, and none of them has crash-free rates.
        case notProvided(providers: [String])
        /// The provider does not count the sessions of a release by day.
        case notByDay(provider: String)
        /// How many of its sessions crashed is not known: it was not counted, or is more than there were.
        case noCrashCounts
        /// None of its sessions were counted.
        case noSessions
        /// How many of its users crashed was not counted, of a source that counts users alone.
        case noCrashedUsers
        /// None of its users were counted, of such a source.
        case noUsers
    }

    /// The counts behind a verdict.
    package struct Basis: Hashable, Codable, Sendable {
        /// The life of the release.
        package fileprivate(set) var life: ReleaseHistory
        /// The age in days on which it is judged; day 0 is the first.
        package let age: Int
        /// Its counts up to then.
        package internal(set) var total: DayCount
        /// The bounds of its crash-free rate that hold at every look.
        package internal(set) var crashFree: Interval
        /// Held against the releases before it; nil when there is none to compare.
        package internal(set) var comparison: ReleaseComparison?
        /// Releases before it that are no measure for it, the newest first: those passed over as they were worse than
        /// others, and where none is a measure all of the newest.
        package let unmatched: [UnmatchedRelease]
        /// The levels that it is judged by.
        package let targets: Targets
    }
}

/// An earlier release that a release is not compared with.
package struct UnmatchedRelease: Hashable, Codable, Sendable {
    /// Why it is no measure.
    package enum Reason: Hashable, Codable, Sendable, CaseIterable {
        /// It was in use before the first figures, so its age is not known.
        case beforeFigures
        /// Another label of its version was in use before it, so its age is not known.
        case sameVersion
        /// It never had the share of all sessions from which a release counts as in use.
        case belowShare
        /// It was surely below the critical level when the other one began.
        case critical
        /// It was shown to crash more than those before it, no longer than `haltedDays` before the other one began.
        case worse
        /// How many of its sessions crashed until then was not counted.
        case uncounted
        /// Another source counted it, which was replaced before the other one began.
        case otherSource
    }

    /// Its label.
    package let label: String
    /// Why it is no measure.
    package let reason: Reason

    /// For how many days after a release was shown to be worse others are not held against it: a hotfix comes within them.
    /// One that stays for longer was accepted.
    package static let haltedDays = 14
}

extension ReleaseEvaluation {
    /// The same without the days of the life after the one that is judged.
    var ofItsDay: ReleaseEvaluation {
        var evaluation = self
        if let basis { evaluation.basis?.life = basis.life.through(basis.age) }
        return evaluation
    }
}
