package import Diagnostics
import Publishing

/// A place that summaries are attached to.
package protocol AttachTarget: Sendable {
    /// Where it is, free of secrets: `example/sketchbook on GitHub`.
    var place: String { get }
    /// What no other place has. It may be a secret: only a digest of it is kept.
    var address: String { get }
    /// What a second sending of the same thing does there.
    var repetition: Repetition { get }
    /// When it gets a summary; nil for a place of releases, which gets those of the newest.
    var schedule: AttachSchedule? { get }
    /// Whether there is room for the newest summary of an app alone, whatever was missed before it.
    var holdsNewestOnly: Bool { get }
    /// How many of the newest releases are kept up to date there, where it is a place of releases.
    var releases: Int { get }
    /// Whether each reader gets a copy of their own, which no one else can delete.
    var givesCopies: Bool { get }

    /// What sets the place of the summary of a release apart there, such as its tag; nil where each has a place of its own.
    func slot(of summary: AttachedSummary) -> String?

    /// Exactly what would be sent, without asking the place.
    func draft(_ summary: AttachedSummary) throws(Diagnostic) -> String

    /// What of it is compared with what was sent before: without what differs with every sending.
    func fingerprint(_ summary: AttachedSummary) throws(Diagnostic) -> String

    /// Whether everybody may read what is there; nil when the place does not say.
    func isPublic() async throws(AttachFailure) -> Bool?

    /// Sends a summary.
    ///
    /// - Parameters:
    ///   - remotes: what the service calls that which it takes the place of, as far as that is remembered.
    ///   - isDryRun: whether it only finds out what there is to do.
    func send(
        _ summary: AttachedSummary, over remotes: Set<String>, isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt

    /// What would hinder an attachment, found out without changing anything.
    func obstacles() async -> [Diagnostic]
}

extension AttachTarget {
    package var address: String { place }
    package var releases: Int { 0 }
    package var givesCopies: Bool { false }
    package func slot(of summary: AttachedSummary) -> String? { nil }
    package var holdsNewestOnly: Bool { repetition == .replaces }
    package func fingerprint(_ summary: AttachedSummary) throws(Diagnostic) -> String { try draft(summary) }
    package func isPublic() async throws(AttachFailure) -> Bool? { nil }
    package func obstacles() async -> [Diagnostic] { [] }
}

/// Which of the summaries that arrived are still at a place.
package enum KeptSummaries: Sendable {
    /// Each of them.
    case all
    /// The one of each app that arrived last.
    case lastOfApp
    /// None: it begins empty with each run.
    case none
}

extension AttachTarget {
    /// Which of the summaries that arrived are still there.
    package var keeps: KeptSummaries {
        guard schedule != nil, repetition == .replaces else { return .all }
        return holdsNewestOnly ? .lastOfApp : .none
    }
}

/// What a second sending of the same thing does at a place.
package enum Repetition: Sendable {
    /// It takes the place of the first, which is found there.
    case replaces
    /// It takes the place of the first when the name that the service gave it is known, and the first is still there;
    /// else there are two.
    case edits
    /// There are two.
    case appends
}

/// What a place did with a summary, or would do.
package struct AttachReceipt: Sendable, Equatable {
    /// What became of it.
    package enum Change: Sendable, Equatable {
        /// It is new there.
        case created
        /// It took the place of an older one.
        case replaced
        /// It was there already.
        case none
        /// There is nothing to attach it to; why, as a sentence without a period.
        case absent(String)
    }

    /// What became of it.
    package var change: Change
    /// What the service calls it; nil where it calls it nothing.
    package var remote: String?
    /// Who did not get it although others did; nil when it arrived everywhere.
    package var shortfall: Diagnostic?
    /// Whether what it was to take the place of is there no more; nothing was sent then.
    package private(set) var isGone = false

    /// Makes a receipt.
    package init(_ change: Change, remote: String? = nil, shortfall: Diagnostic? = nil) {
        self.change = change
        self.remote = remote
        self.shortfall = shortfall
    }

    /// That what a summary was to take the place of is there no more, and nothing was sent.
    static func gone(_ why: String) -> AttachReceipt {
        var receipt = AttachReceipt(.absent(why))
        receipt.isGone = true
        return receipt
    }
}

/// Why a summary was not attached.
package struct AttachFailure: Error, Sendable {
    /// What to report.
    package var diagnostic: Diagnostic
    /// Whether it may have arrived all the same: the response was lost.
    package var isLost: Bool
    /// The status that the service answered with; nil where there was none.
    package var status: Int?
    /// Whether the place is down or wants no more for now: whatever else is sent would fare the same.
    package var endsTarget: Bool

    /// Makes a failure.
    package init(
        _ diagnostic: Diagnostic, isLost: Bool = false, status: Int? = nil, endsTarget: Bool = false
    ) {
        self.diagnostic = diagnostic
        self.isLost = isLost
        self.status = status
        self.endsTarget = endsTarget
    }
}
