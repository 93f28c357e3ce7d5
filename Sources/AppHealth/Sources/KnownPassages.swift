/// What the archive remembers of the passages that the owner of a public site wrote.
///
/// A passage that held nothing of what strangers chose when it was first seen is the owner's own: whoever sends an event
/// later that is called as the passage says it makes no quotation of it.
package struct KnownPassages: Hashable, Sendable {
    /// Those that are the owner's own.
    package var own: Set<String>
    /// Those that held such a text when they were first seen.
    package var quoting: Set<String>

    /// Makes it.
    package init(own: Set<String> = [], quoting: Set<String> = []) {
        (self.own, self.quoting) = (own, quoting)
    }
}

/// What one archive remembers of the passages that the owner wrote, and of which apps it knew the events meanwhile.
package struct PassageWitness: Hashable, Sendable {
    /// The apps that it holds.
    package var apps: Set<Slug>
    /// What it remembers.
    package var passages: KnownPassages

    /// Makes it.
    package init(apps: Set<Slug> = [], passages: KnownPassages = KnownPassages()) {
        (self.apps, self.passages) = (apps, passages)
    }
}
