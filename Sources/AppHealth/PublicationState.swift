/// How the site got to one publish target, as far as is known at an instant.
package struct PublicationState: Hashable, Sendable {
    /// The name of the target.
    package var target: String
    /// When the site was last published there; nil when it never was.
    package var publishedAt: Instant?
    /// When the newest publication failed; nil when it did not, or there was none.
    package var failedAt: Instant?

    /// Makes a state.
    package init(target: String, publishedAt: Instant? = nil, failedAt: Instant? = nil) {
        self.target = target
        self.publishedAt = publishedAt
        self.failedAt = failedAt
    }
}
