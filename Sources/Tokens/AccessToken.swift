package import Transport

/// A token that opens a service for a while.
package struct AccessToken: Hashable, Sendable {
    /// The token.
    package let secret: Secret
    /// When it was asked for, in seconds since 1970.
    package let issuedAt: Int
    /// For how many seconds it was promised; never negative.
    package let lifetime: Int

    /// A token with what was promised of it.
    package init(_ secret: Secret, issuedAt: Int, lifetime: Int) {
        self.secret = secret
        self.issuedAt = issuedAt
        self.lifetime = max(0, min(lifetime, 1 << 31))
    }

    /// Whether it may still be used: not in its last minute (or last half, when that is shorter), and not
    /// when the clock was set back by more than five minutes since.
    package func isGood(at now: Int) -> Bool {
        let age = now &- issuedAt
        return age >= -300 && age < lifetime - min(60, lifetime / 2)
    }
}
