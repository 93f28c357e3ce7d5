package import Diagnostics

/// One try to fetch one source of one app, successful or not.
package struct FetchAttempt: Hashable, Sendable {
    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        /// A snapshot was stored, with these warnings.
        case succeeded(warnings: [Diagnostic])
        /// Nothing was stored.
        case failed(Diagnostic)
    }

    /// When the source was asked, or when it says its answer was made.
    package var at: Instant
    /// How it ended.
    package var outcome: Outcome

    /// Makes an attempt.
    package init(at: Instant, outcome: Outcome) {
        self.at = at
        self.outcome = outcome
    }

    /// Why it failed, when it did.
    package var failure: Diagnostic? {
        if case .failed(let why) = outcome { why } else { nil }
    }
}
