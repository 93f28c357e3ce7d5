/// Whose requests a service counts together: an account at an origin. Two tokens have a limit each.
package struct RateLimitKey: Hashable, Sendable {
    /// Who is asked.
    package var origin: Origin
    /// What tells the account from others, such as a fingerprint of its credential; empty without one. Holds no
    /// secret.
    package var account: String

    /// An account at an origin.
    package init(_ origin: Origin, account: String = "") {
        self.origin = origin
        self.account = account
    }
}
