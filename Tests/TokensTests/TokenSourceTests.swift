import Diagnostics
import GoogleStub
import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import Tokens

/// A clock that a test turns.
final class TurnedClock: Sendable {
    private let seconds: Mutex<Int>
    init(_ seconds: Int) { self.seconds = Mutex(seconds) }
    var now: Int { seconds.withLock { $0 } }
    func turn(by more: Int) { seconds.withLock { $0 += more } }
}

struct TokenSourceTests {
    static let start = 1_795_154_400

    /// A token server and an API on one port; a fault that responds goes first.
    private func stub(
        lifetime: Int = 3599, serverClock: (@Sendable () -> Int)? = nil, clock: TurnedClock,
        _ fault: @escaping @Sendable (RecordedRequest, StubTokenServer) async throws -> StubResponse? = {
            _, _ in nil
        }
    ) async throws -> (server: LoopbackServer, tokens: StubTokenServer) {
        let tokens = StubTokenServer(lifetime: lifetime, clock: serverClock ?? { clock.now })
        let server = try await LoopbackServer.start { request in
            if let answer = try await fault(request, tokens) { return answer }
            if request.path == "/token" {
                return tokens.answer(request, address: "http://\(request.header("Host") ?? "")/token")
            }
            return tokens.admits(request) ? .json("{}") : .json("{}", status: 401)
        }
        return (server, tokens)
    }

    private func source(_ server: LoopbackServer, _ clock: TurnedClock) throws -> TokenSource {
        let file = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        return TokenSource(
            try ServiceAccountKey(json: file), scopes: ["https://www.googleapis.com/auth/firebase"],
            sender: client(), now: { clock.now })
    }

    private func client() -> Client {
        var options = Client.Options(version: "test")
        options.usesProxy = false
        return Client(options)
    }

    private func failure(_ source: TokenSource) async -> TokenError? {
        do throws(TokenError) {
            _ = try await source.token()
            return nil
        } catch {
            return error
        }
    }

    @Test func exchangesAnAssertionOnceForAllThatWait() async throws {
        let clock = TurnedClock(Self.start)
        let (server, tokens) = try await stub(clock: clock)
        let source = try source(server, clock)
        let secrets = try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<20 { group.addTask { try await source.token().secret } }
            return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
        }
        #expect(secrets == [try #require(Secret("ya29.stub-1"))])
        #expect(tokens.exchanges == 1)
        let request = try #require(server.requests.first)
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        await server.stop()
    }

    @Test func keepsATokenUntilShortlyBeforeItEnds() async throws {
        let clock = TurnedClock(Self.start)
        let (server, tokens) = try await stub(clock: clock)
        let source = try source(server, clock)
        _ = try await source.token()
        clock.turn(by: 3538)
        _ = try await source.token()
        #expect(tokens.exchanges == 1)
        clock.turn(by: 1)
        #expect(try await source.token().secret == Secret("ya29.stub-2"))
        clock.turn(by: -301)
        #expect(try await source.token().secret == Secret("ya29.stub-3"))
        await server.stop()
    }

    @Test(arguments: [(0, 0, false), (1, 0, true), (10, 4, true), (10, 5, false), (3600, 3539, true)])
    func aTokenIsGoodForItsTime(lifetime: Int, age: Int, isGood: Bool) throws {
        let token = AccessToken(try #require(Secret("t")), issuedAt: 100, lifetime: lifetime)
        #expect(token.isGood(at: 100 + age) == isGood)
    }

    @Test func aSkewedClockIsNamedAndNotRequestedAgain() async throws {
        let clock = TurnedClock(Self.start)
        let (server, tokens) = try await stub(serverClock: { Self.start + 1200 }, clock: clock)
        let source = try source(server, clock)
        let why = try #require(await failure(source)).diagnostic
        #expect(why.id == "token.invalid-grant")
        #expect(why.summary == "Token server refused the account \(StubAccount.shared.email): invalid_grant")
        #expect(why.quotes.first?.contains("reasonable timeframe") == true)
        #expect(why.details.last == "this machine's clock is 1200 seconds behind the server's")
        #expect(why.hints.first?.contains("clock") == true)
        _ = await failure(source)
        #expect(tokens.exchanges == 1)
        await server.stop()
    }

    private static let answers: [(StubResponse, String, isLasting: Bool)] = [
        (
            .json(#"{"error":"invalid_grant","error_description":"Account not found"}"#, status: 400),
            "token.invalid-grant", true
        ),
        (.json(#"{"error":"unauthorized_client"}"#, status: 401), "token.refused", true),
        (.json(#"{"error":"internal_failure"}"#, status: 500), "token.refused", false),
        (.text("<html>", status: 503), "token.unavailable", false),
        (.text("no", status: 404), "token.unavailable", true),
        (.text("<!doctype html>"), "token.unreadable", false),
        (.json(#"{"access_token":""}"#), "token.unreadable", false),
        (.json(#"{"access_token":"a\nb","expires_in":1}"#), "token.unreadable", false),
        (.json(#"{"access_token":"a","token_type":"mac"}"#), "token.unreadable", false),
        (.json(#"{"access_token":"a","expires_in":"soon"}"#), "token.unreadable", false),
        (.redirect(307, to: "http://127.0.0.1:1/"), "token.unavailable", true),
    ]

    @Test(arguments: answers.indices) func everyOtherAnswerIsOneClearError(index: Int) async throws {
        let (answer, id, isLasting) = Self.answers[index]
        let clock = TurnedClock(Self.start)
        let (server, _) = try await stub(clock: clock) { request, _ in
            request.path == "/token" ? answer : nil
        }
        let source = try source(server, clock)
        let why = try #require(await failure(source))
        #expect(why.diagnostic.id == id)
        _ = await failure(source)
        #expect(server.requests.count == (isLasting ? 1 : 2))
        await server.stop()
    }

    @Test func theAssertionIsInNoTextEvenWhenItIsEchoed() async throws {
        let clock = TurnedClock(Self.start)
        let (server, _) = try await stub(clock: clock) { request, _ in
            let assertion = request.text.split(separator: "=").last.map(String.init) ?? ""
            return .json(#"{"error":"invalid_grant","error_description":"\#(assertion)"}"#, status: 400)
        }
        let why = try #require(await failure(try source(server, clock)))
        let text = consoleText(of: why.diagnostic) + "\(why)" + String(reflecting: why)
        #expect(text.contains("<redacted>"))
        #expect(!text.contains("eyJ"))
        await server.stop()
    }

    @Test func aServerThatIsGoneIsATransportError() async throws {
        let port = try FaultServer.refusedPort()
        let file = StubAccount.shared.file(tokenAddress: "http://127.0.0.1:\(port)/token")
        let source = TokenSource(
            try ServiceAccountKey(json: file), scopes: [], sender: client(), now: { Self.start })
        #expect(await failure(source)?.diagnostic.summary.hasPrefix("No access token: Connection") == true)
    }

    @Test func anExchangeThatIsNoLongerAwaitedIsCalledOff() async throws {
        let clock = TurnedClock(Self.start)
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let hangs = Mutex(true)
        let (server, _) = try await stub(clock: clock) { _, _ in
            guard hangs.withLock({ $0 }) else { return nil }
            arrived.yield()
            try await Task.sleep(for: .seconds(3600))
            return nil
        }
        let source = try source(server, clock)
        let run = Task { await failure(source) }
        for await _ in arrivals { break }
        run.cancel()
        #expect(await run.value?.isCanceled == true)
        hangs.withLock { $0 = false }
        #expect(try await source.token().secret == Secret("ya29.stub-1"))
        await server.stop()
    }

    @Test func signsItsOwnTokensWhereTheServiceTakesThem() async throws {
        let signer = try JWTSigner(.rs256, pem: StubAccount.shared.pem)
        let clock = TurnedClock(Self.start)
        let source = TokenSource(signer, claims: ["aud": .text("x")], lifetime: 1140, now: { clock.now })
        let first = try await source.token()
        #expect(first.lifetime == 1140)
        clock.turn(by: 1079)
        #expect(try await source.token() == first)
        clock.turn(by: 1)
        #expect(try await source.token() != first)
    }

    @Test func severalRefusalsOfOneTokenCountOnce() async throws {
        let source = TokenSource(now: { Self.start }) { now throws(TokenError) in
            guard let secret = Secret("t") else { throw .unreadable(address: "") }
            return AccessToken(secret, issuedAt: now, lifetime: 3600)
        }
        let token = try await source.token()
        for _ in 0..<5 { await source.refused(token) }
        let fresh = try await source.token()
        await source.accepted()
        await source.refused(fresh)
        _ = try await source.token()
        await source.refused(fresh)
        #expect(await failure(source) == .rejected(times: 2))
    }

    // MARK: The sender

    private func request(_ origin: String, _ path: String = "/api") throws -> Request {
        Request(.get, try Address(origin + path))
    }

    @Test func sendsWithATokenToItsOriginOnly() async throws {
        let clock = TurnedClock(Self.start)
        let (server, tokens) = try await stub(clock: clock)
        let other = try await LoopbackServer.start(answering: .json("{}"))
        let sender = TokenSender(
            client(), origin: try Address(server.origin).origin, tokens: try source(server, clock))
        #expect(try await sender.send(request(server.origin)).status == 200)
        await #expect(throws: TransportError.self) { try await sender.send(try request(other.origin)) }
        #expect(other.requests.isEmpty)
        #expect(tokens.exchanges == 1)
        await server.stop()
        await other.stop()
    }

    @Test func aTokenThatEndedEarlyIsRenewedOnce() async throws {
        let clock = TurnedClock(Self.start)
        let (server, tokens) = try await stub(clock: clock) { request, tokens in
            let isOld = request.path == "/api" && tokens.tokens.count == 1
            return isOld ? .json("{}", status: 401) : nil
        }
        let sender = TokenSender(
            client(), origin: try Address(server.origin).origin, tokens: try source(server, clock))
        let response = try await sender.send(request(server.origin))
        #expect(response.status == 200)
        #expect(response.attempts == 2)
        #expect(tokens.exchanges == 2)
        await server.stop()
    }

    @Test func aRunOfRefusalsStopsWithOneError() async throws {
        let clock = TurnedClock(Self.start)
        let (server, tokens) = try await stub(clock: clock) { request, _ in
            request.path == "/api" ? .json("{}", status: 401) : nil
        }
        let sender = TokenSender(
            client(), origin: try Address(server.origin).origin, tokens: try source(server, clock))
        let request = try request(server.origin)
        for _ in 0..<3 {
            do throws(TokenSender.Fault) {
                _ = try await sender.response(to: request)
                Issue.record("there must be no answer")
            } catch {
                #expect(error == .token(.rejected(times: 2)))
            }
        }
        #expect(server.requests.filter { $0.path == "/api" }.count == 2)
        #expect(tokens.exchanges == 2)
        await server.stop()
    }
}
