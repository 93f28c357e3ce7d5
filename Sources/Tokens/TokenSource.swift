package import Diagnostics
import Synchronization
package import Transport

/// Keeps one access token and renews it shortly before it ends, once for all that wait.
///
/// What trying again would not change is remembered: every later call throws it without a request.
package actor TokenSource {
    /// Makes a fresh token; `now` is in seconds since 1970.
    package typealias Mint = @Sendable (_ now: Int) async throws(TokenError) -> AccessToken

    /// After so many fresh tokens that the service refused in a row nothing more is sent.
    package static let mostRefusals = 2

    private struct Exchange {
        var number: Int
        var task: Task<Result<AccessToken, TokenError>, Never>
        var waiting: Int
    }

    private let mint: Mint
    private let now: @Sendable () -> Int
    private var current: AccessToken?
    private var exchange: Exchange?
    private var exchanges = 0
    private var refusals = 0
    private var stop: TokenError?

    /// A source that makes its tokens with `mint`.
    package init(now: @escaping @Sendable () -> Int = Pacing.system.now, mint: @escaping Mint) {
        self.now = now
        self.mint = mint
    }

    /// A token that is good now.
    package func token() async throws(TokenError) -> AccessToken {
        if let stop { throw stop }
        if let current, current.isGood(at: now()) { return current }
        return try await renewed().get()
    }

    /// The service responded with 401 to this token. Several requests with one token count once.
    package func refused(_ token: AccessToken) {
        guard current == token else { return }
        current = nil
        refusals += 1
        if refusals >= Self.mostRefusals { stop = .rejected(times: refusals) }
    }

    /// The service took the token.
    package func accepted() {
        refusals = 0
    }
}

// MARK: One exchange for all that wait

extension TokenSource {
    private func renewed() async -> Result<AccessToken, TokenError> {
        let joined = join()
        return await withTaskCancellationHandler {
            await joined.task.value
        } onCancel: {
            Task { await self.leave(joined.number) }
        }
    }

    private func join() -> Exchange {
        exchange?.waiting += 1
        if let exchange { return exchange }
        exchanges += 1
        let number = exchanges
        let started = Exchange(number: number, task: Task { await self.run(number) }, waiting: 1)
        exchange = started
        return started
    }

    /// The exchange is called off when no one waits for it any more.
    private func leave(_ number: Int) {
        guard exchange?.number == number else { return }
        exchange?.waiting -= 1
        guard let left = exchange, left.waiting <= 0 else { return }
        exchange = nil
        left.task.cancel()
    }

    private func run(_ number: Int) async -> Result<AccessToken, TokenError> {
        let result = await made()
        guard exchange?.number == number else { return result }
        exchange = nil
        switch result {
        case .success(let token): current = token
        case .failure(let error): if error.isLasting { stop = error }
        }
        return result
    }

    private func made() async -> Result<AccessToken, TokenError> {
        do throws(TokenError) {
            return .success(try await mint(now()))
        } catch {
            return .failure(error)
        }
    }
}

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

/// The token sources of one run: those with the same key, for the same scopes and at the same token server,
/// share one and so have one token.
package final class SharedTokens: Sendable {
    private struct Purpose: Hashable {
        var key: String
        var scopes: [String]
        var address: Address
    }

    private let sources = Mutex<[Purpose: TokenSource]>([:])

    /// Nothing is shared yet.
    package init() {}

    /// The source for this key and these scopes; the first that requests it gives the sender and the clock.
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

/// Why there is no access token. Nothing in it holds a key or a token.
package enum TokenError: Error, Hashable, Sendable {
    /// The token server did not respond.
    case transport(TransportError)
    /// The token server says no, in the words of RFC 6749 §5.2.
    case refused(TokenRefusal)
    /// The token server says no in no words that are known.
    case status(HTTPStatusError)
    /// The token server's response holds no token.
    case unreadable(address: String)
    /// The assertion could not be signed.
    case signing(JWTError)
    /// The service refused so many fresh tokens in a row with 401.
    case rejected(times: Int)

    /// Whether trying again would bring the same.
    package var isLasting: Bool {
        switch self {
        case .transport, .unreadable: false
        case .refused(let refusal): refusal.status != 429 && refusal.status < 500
        case .status(let error): error.status != 429 && error.status < 500
        case .signing, .rejected: true
        }
    }

    /// Whether the run was called off.
    package var isCanceled: Bool {
        if case .transport(let error) = self {
            error.endsRun
        } else {
            false
        }
    }
}

extension TokenError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .transport(let error): Self.noToken(error.diagnostic)
        case .refused(let refusal): refusal.diagnostic
        case .status(let error): Self.noToken(error.diagnostic)
        case .unreadable(let address):
            .error(
                "token.unreadable", "Response of the token server has no access token",
                at: .address(address),
                hints: ["check whether a proxy or login page responded"])
        case .signing(let error): error.diagnostic
        case .rejected(let times):
            .error(
                "token.rejected", "Service refused \(times) fresh access tokens in a row",
                details: ["requests with this account stopped for this run"],
                hints: [
                    "check that the account still exists and has the permissions this service needs"
                ])
        }
    }

    private static func noToken(_ why: Diagnostic) -> Diagnostic {
        .error(
            "token.unavailable", "No access token: \(why.summary)", details: why.details, quotes: why.quotes,
            at: why.location, hints: why.hints)
    }
}
