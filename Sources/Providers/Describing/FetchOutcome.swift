package import AppHealth
package import Diagnostics

/// What one fetch of one source brought: what arrived and what failed.
package struct FetchOutcome: Sendable {
    /// A try that stored nothing.
    package struct Failure: Hashable, Sendable {
        /// When the source was queried, or when the response that could not be read says it was made.
        package var at: Instant
        /// Why.
        package var why: Diagnostic
        /// Whether the figures are stale for it, whatever the same fetch brought.
        package var makesStale: Bool

        /// Makes a failure.
        package init(at: Instant, why: Diagnostic, makesStale: Bool = false) {
            self.at = at
            self.why = why
            self.makesStale = makesStale
        }
    }

    /// The snapshots in the order of their capture.
    package var snapshots: [Snapshot] = []
    /// The failures in the order of their times.
    package var failures: [Failure] = []
    /// Of a folder, the files of which nothing is to be said: a later fetch need not decode them once they are stored.
    package var files: [StoredFiles.File] = []
    /// How many snapshots an earlier fetch has stored, so that they were not decoded.
    package var storedBefore = 0
    /// What concerns no single snapshot, such as a file that belongs to no app.
    package var warnings: [Diagnostic] = []
    /// How many requests were made, or files read.
    package var requests = 0
    /// Time spent, in milliseconds; for the page of data sources only, never for a decision.
    package var milliseconds = 0

    /// An outcome without anything.
    package init() {}

    /// Everything as attempts, oldest first: a failure that comes last makes the figures stale.
    package var attempts: [FetchAttempt] {
        let good = snapshots.filter { $0.failure == nil }.map {
            FetchAttempt(at: $0.capturedAt, outcome: .succeeded(warnings: $0.warnings))
        }
        let bad = failures.map { FetchAttempt(at: $0.at, outcome: .failed($0.why)) }
        return inOrder(good + bad, by: \.at)
    }

    /// Brings snapshots and failures in the order of their times; what has the same time keeps its order.
    mutating func sort() {
        snapshots = inOrder(snapshots, by: \.capturedAt)
        failures = inOrder(failures, by: \.at)
    }
}

private func inOrder<Element>(_ elements: [Element], by time: KeyPath<Element, Instant>)
    -> [Element]
{
    elements.enumerated()
        .sorted { ($0.element[keyPath: time], $0.offset) < ($1.element[keyPath: time], $1.offset) }
        .map(\.element)
}
