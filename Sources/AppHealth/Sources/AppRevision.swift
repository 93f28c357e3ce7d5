/// A state of what is known about an app.
package struct AppRevision: Hashable, Sendable {
    /// What no other state has.
    package let mark: String
    /// The first instant after that of the report at which more is known already; nil when there is none.
    package let next: Instant?

    /// Makes one.
    package init(mark: String, next: Instant?) {
        self.mark = mark
        self.next = next
    }
}
