import Transport

/// Keeps one access token and renews it shortly before it ends, once for all that wait.
///
/// What asking again would not change is remembered: every later call throws it without asking.
package actor TokenSource {
    /// Makes a fresh token; `now` is in seconds since 1970.
    package typealias Mint = @Sendable (_ now: Int) async throws(TokenError) -> AccessToken

    /// After so many fresh tokens that the service refused in a row nothing more is asked.
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

    /// The service answered 401 to this token. Several requests with one token count once.
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
