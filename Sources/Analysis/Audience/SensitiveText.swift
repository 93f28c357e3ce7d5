import AppHealth

/// A text that must not stand in any file of a site.
package struct SensitiveText: Hashable, Codable, Sendable {
    /// Why it is skipped.
    package let rule: RedactionRule
    /// The text as the source reported it.
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
package struct SensitiveFacts: Codable, Sendable {
    /// Texts, each once.
    package var texts: Set<SensitiveText> = []
    /// Counts of users, sessions and events that are large enough to be reported from other numbers.
    package var counts: Set<Int> = []
    /// All other counts above 1: they are looked for where the words next to them say what was counted.
    package var smallCounts: Set<Int> = []
    /// Texts that every reader sees, so that no part of them is a secret: names, versions, shown titles.
    package var known: Set<String> = []

    /// Below this a count is looked for next to such words alone: smaller numbers stand on a page for many reasons.
    package static let leastCount = 10_000

    /// Nothing.
    package init() {}

    /// Adds what belongs to another app.
    package mutating func formUnion(_ other: SensitiveFacts) {
        texts.formUnion(other.texts)
        counts.formUnion(other.counts)
        smallCounts.formUnion(other.smallCounts)
        known.formUnion(other.known)
    }

    /// Adds a count; one that is small or round may be a constant of the methods as well.
    mutating func insert(_ count: Int?) {
        guard let count, count > 1 else { return }
        var digits = count
        while digits % 10 == 0 { digits /= 10 }
        if count >= Self.leastCount, digits >= 100 {
            counts.insert(count)
        } else {
            smallCounts.insert(count)
        }
    }
}
