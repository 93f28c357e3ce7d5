import Synchronization
package import Transport

/// The token sources of one run: what asks with the same key, for the same scopes and at the same token server,
/// shares one source and so one token.
package final class SharedTokens: Sendable {
    private struct Purpose: Hashable {
        var key: String
        var scopes: [String]
        var address: Address
    }

    private let sources = Mutex<[Purpose: TokenSource]>([:])

    /// Nothing is shared yet.
    package init() {}

    /// The source for this key and these scopes; the first that asks for it gives the sender and the clock.
    package func source(
        _ key: ServiceAccountKey, scopes: [String], sender: some Sender,
        now: @escaping @Sendable () -> Int = Pacing.system.now
    ) -> TokenSource {
        let purpose = Purpose(
            key: "\(key.email) \(key.fingerprint)", scopes: scopes.sorted(), address: key.tokenAddress)
        return sources.withLock { sources in
            if let source = sources[purpose] { return source }
            let source = TokenSource(key, scopes: scopes, sender: sender, now: now)
            sources[purpose] = source
            return source
        }
    }
}
