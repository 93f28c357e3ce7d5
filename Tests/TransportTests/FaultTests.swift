import Diagnostics
import LoopbackServer
import Testing

@testable import Transport

/// A way for a server to fail, and what the client must make of it.
enum Fault: CaseIterable {
    case refused, resetMidBody, resetAtOnce, closedAtOnce, truncated, truncatedChunk, silent, slow, endless,
        bomb
    case announced, manyHeaders, notHTTP, wrongEncoding, noSuchHost

    var expected: TransportError.Kind {
        switch self {
        case .refused: .refused
        case .resetMidBody, .resetAtOnce, .closedAtOnce: .reset
        case .truncated, .truncatedChunk: .truncated
        case .silent, .slow: .timeout
        case .endless, .bomb, .announced, .manyHeaders: .tooLarge
        case .notHTTP: .malformed
        case .wrongEncoding: .encoding
        case .noSuchHost: .resolve
        }
    }

    func start() throws -> FaultServer? {
        let head = "HTTP/1.1 200 OK\r\n"
        switch self {
        case .refused, .noSuchHost: return nil
        case .resetMidBody:
            return try .start(.text(head + "Content-Length: 1000\r\n\r\npart"), .reset)
        case .resetAtOnce: return try .start(.reset)
        case .closedAtOnce: return try .start()
        case .truncated: return try .start(.text(head + "Content-Length: 1000\r\n\r\npart"))
        case .truncatedChunk: return try .start(.text(head + "Transfer-Encoding: chunked\r\n\r\n100\r\npart"))
        case .silent: return try .start(.stall)
        case .slow:
            return try .start(
                .text(head + "Content-Length: 100000\r\n\r\n"), .drip([65], everyMilliseconds: 50))
        case .endless:
            let chunk = "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n"
            return try .start(
                .text(head + "Transfer-Encoding: chunked\r\n\r\n"), .sendForever(Array(chunk.utf8)))
        case .bomb: return try .start(.text(head + "Content-Encoding: gzip\r\n\r\n"), .send(bombOfZeros))
        case .announced: return try .start(.text(head + "Content-Length: 1000000000\r\n\r\n"), .stall)
        case .manyHeaders:
            return try .start(.text(head), .sendForever(Array("X-Filler: 0123456789\r\n".utf8)))
        case .notHTTP: return try .start(.text("SSH-2.0-OpenSSH_9.2\r\n"))
        case .wrongEncoding:
            return try .start(
                .text(head + "Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n01234567890123456789"))
        }
    }

    func origin(_ server: FaultServer?) throws -> String {
        // A label of more than 63 bytes (RFC 1035 §2.3.4) fails before a name server is queried.
        if self == .noSuchHost { return "http://\(String(repeating: "x", count: 70)).invalid" }
        return try server?.origin ?? "http://127.0.0.1:\(FaultServer.refusedPort())"
    }
}

/// A gzip stream of one deflate block with fixed codes (RFC 1951 §3.2.6): a zero, then 1 MiB of copies of it
/// in about 6,600 bytes.
let bombOfZeros: [UInt8] = {
    var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
    for _ in 0..<4064 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    for start in stride(from: 0, to: bits.count, by: 8) {
        let byte = bits[start..<min(start + 8, bits.count)]
        bytes.append(byte.enumerated().reduce(0) { $0 | $1.element << UInt8($1.offset) })
    }
    return bytes
}()

struct FaultTests {
    private func outcome(_ fault: Fault) async throws -> TransportError? {
        let server = try fault.start()
        var request = try Request.make("\(fault.origin(server))/x?token=in+the+query&page=2") { limits in
            limits.bodyBytes = 100_000
            limits.totalMilliseconds = fault == .silent ? 200 : 300_000
            (limits.slowBytesPerSecond, limits.slowSeconds) = (1000, 1)
        }
        try request.headers.append("Authorization", prefix: "Bearer ", secret("s3cr3t/t0ken"))
        return await failure(of: request, by: Client.make())
    }

    @Test(arguments: Fault.allCases)
    func reportsEachFaultWithoutSecrets(fault: Fault) async throws {
        let error = try #require(try await outcome(fault))
        #expect(error.kind == fault.expected, "\(error)")
        let diagnostic = error.diagnostic
        #expect(diagnostic.id == "transport.\(fault.expected.rawValue)" && diagnostic.hints.count == 1)
        #expect(error.code?.hasPrefix("CURLE_") == true && !error.text.isEmpty)
        var dumped = ""
        dump(error, to: &dumped)
        let reported = consoleText(of: diagnostic) + "\(error)" + dumped
        #expect(!reported.contains("s3cr3t") && !reported.contains("in+the+query"))
        #expect(error.address.hasSuffix("/x?token=<redacted>&page=2"))
    }

    @Test func statesTheStatusReceived() async throws {
        let error = try #require(try await outcome(.truncated))
        #expect(error.status == 200 && error.doing == "reading the response")
        #expect(try await outcome(.refused)?.doing == "connecting")
    }

    /// What libcurl says of a failure of TLS.
    @Test(
        arguments: [
            ("getpeername() failed with errno 107: Transport endpoint is not connected", .reset),
            ("OpenSSL SSL_connect: Connection reset by peer in connection to 127.0.0.1:443", .reset),
            ("error:0A000126:SSL routines::unexpected eof while reading", .reset),
            ("error:0A00010B:SSL routines::wrong version number", .noTLS), ("", .tls),
        ] as [(String, TransportError.Kind)])
    func aBrokenHandshakeIsNoDoubtfulCertificate(text: String, kind: TransportError.Kind) {
        #expect(CurlCode(rawValue: 35).kind(saying: text) == kind)
    }

    /// A connection that breaks during the handshake says nothing of trust, and is worth another attempt.
    @Test func aHandshakeThatBreaksIsAReset() async throws {
        for steps: [FaultServer.Step] in [[.reset], []] {
            let server = try FaultServer.start(readsRequest: false, scripts: [steps])
            let client = RetryingClient(
                Client.make(), pacing: Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }))
            let request = try Request.make("https://127.0.0.1:\(server.port)/")
            let error = try #require(await failure(of: request, by: client))
            // A reset that comes before curl has checked the new connection is a refusal to it.
            #expect([.reset, .refused].contains(error.kind) && error.attempts == 10, "\(error)")
        }
    }

    /// A server that speaks plain HTTP shows no certificate that could be doubted, and does so every time.
    @Test func aPortWithoutTLSIsNoDoubtfulCertificate() async throws {
        let server = try FaultServer.start(
            readsRequest: false, .text("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
        let client = RetryingClient(
            Client.make(), pacing: Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }))
        let request = try Request.make("https://127.0.0.1:\(server.port)/")
        let error = try #require(await failure(of: request, by: client))
        #expect(error.kind == .noTLS && error.attempts == 1)
        #expect(error.diagnostic.hints == ["correct the scheme or the port of the URL"])
    }

    @Test func refusesTheAnnouncedSizeBeforeTheBody() async throws {
        let error = try #require(try await outcome(.announced))
        #expect(error.code == "CURLE_FILESIZE_EXCEEDED (63)")
    }

    @Test func hidesSecretsNamedByTheRequest() async throws {
        let port = try FaultServer.refusedPort()
        var request = try Request.make("http://127.0.0.1:\(port)/s3cr3t/x?q=s3cr3t")
        request.conceal(try secret("s3cr3t"))
        let error = await failure(of: request, by: Client.make())
        #expect(error?.address == "http://127.0.0.1:\(port)/<redacted>/x?q=<redacted>")
    }

    @Test func goesOnAfterEveryFault() async throws {
        let good = try await LoopbackServer.start(answering: .text("ok"))
        let client = Client.make()
        for fault in [Fault.resetMidBody, .truncated, .endless, .notHTTP, .wrongEncoding] {
            let server = try fault.start()
            let request = try Request.make(fault.origin(server)) { $0.bodyBytes = 10_000 }
            #expect(await failure(of: request, by: client)?.kind == fault.expected)
            #expect(try await client.send(.make(good.origin)).text == "ok")
        }
        await good.stop()
    }

    @Test func bodyOfExactlyTheLimitIsTaken() async throws {
        let server = try await LoopbackServer.start(answering: .text("12345"))
        #expect(try await Client.make().send(.make(server.origin) { $0.bodyBytes = 5 }).text == "12345")
        #expect(
            await failure(of: try .make(server.origin) { $0.bodyBytes = 4 }, by: Client.make())?.kind
                == .tooLarge)
        await server.stop()
    }

    @Test(arguments: TransportError.Kind.allCases)
    func everyKindHasHeadlineAndHint(kind: TransportError.Kind) throws {
        let diagnostic = TransportError(kind, try Address("https://a.b/"), doing: "testing").diagnostic
        #expect(diagnostic.id == "transport.\(kind.rawValue)" && diagnostic.hints.allSatisfy { !$0.isEmpty })
        #expect(
            !diagnostic.summary.hasSuffix(".")
                && diagnostic.details == ["while testing", "after 1 attempt and 0 ms"])
    }
}
