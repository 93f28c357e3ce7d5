import AppHealth

/// A text that must not stand in any file of a site.
package struct SensitiveText: Hashable, Sendable {
    /// Why it is left out.
    package let rule: RedactionRule
    /// The text as the source told it.
    package let text: String
    /// The id of the app that it belongs to; nil for what belongs to all.
    package let app: String?

    /// Makes one.
    package init(_ rule: RedactionRule, _ text: String, app: String?) {
        self.rule = rule
        self.text = text
        self.app = app
    }
}

/// What must not stand in any file of a site for one app.
package struct SensitiveFacts: Sendable {
    /// Texts, without twins.
    package var texts: Set<SensitiveText> = []
    /// Counts of users, sessions and events that are large enough to be told from other numbers.
    package var counts: Set<Int> = []
    /// Texts that every reader sees, so that no part of them is a secret: names, versions, shown titles.
    package var known: Set<String> = []

    /// Below this a count is not looked for: smaller numbers stand on a page for many reasons.
    package static let leastCount = 10_000

    /// Nothing.
    package init() {}

    /// Adds what belongs to another app.
    package mutating func formUnion(_ other: SensitiveFacts) {
        texts.formUnion(other.texts)
        counts.formUnion(other.counts)
        known.formUnion(other.known)
    }

    /// Adds a count when it is large and not round: a round number may be a constant of the methods.
    mutating func insert(_ count: Int?) {
        guard let count, count >= Self.leastCount else { return }
        var digits = count
        while digits % 10 == 0 { digits /= 10 }
        if digits >= 100 { counts.insert(count) }
    }
}
