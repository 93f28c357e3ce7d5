package import Transport

extension TokenSource {
    /// Tokens of a service account: a signed assertion is exchanged for each (RFC 7523 §2.1).
    ///
    /// Source: developers.google.com/identity/protocols/oauth2/service-account.
    package init(
        _ key: ServiceAccountKey, scopes: [String], sender: some Sender,
        now: @escaping @Sendable () -> Int = Pacing.system.now
    ) {
        let exchange = AssertionExchange(key: key, scopes: scopes, sender: sender)
        self.init(now: now) { now throws(TokenError) in try await exchange.token(at: now) }
    }

    /// Tokens that the signer makes itself and the service takes as they are, such as App Store Connect's.
    /// - Parameter lifetime: Seconds from `iat` to `exp`.
    package init(
        _ signer: JWTSigner, claims: [String: JWTClaim], lifetime: Int,
        now: @escaping @Sendable () -> Int = Pacing.system.now
    ) {
        self.init(now: now) { now throws(TokenError) in
            let times: [String: JWTClaim] = ["iat": .number(now), "exp": .number(now &+ lifetime)]
            do throws(JWTError) {
                let secret = try signer.token(claims.merging(times) { $1 })
                return AccessToken(secret, issuedAt: now, lifetime: lifetime)
            } catch {
                throw .signing(error)
            }
        }
    }
}
