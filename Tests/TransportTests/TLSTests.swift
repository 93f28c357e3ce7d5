import Diagnostics
import Foundation
import Testing

@testable import Transport

@Suite(.enabled(if: TLSServer.openssl != nil, "openssl is not installed"))
struct TLSTests {
    private func request(_ server: TLSServer, host: String = "127.0.0.1") throws -> Request {
        try Request.make("https://\(host):\(server.port)/?token=s3cr3t")
    }

    /// A refusal of trust is reported at once: another attempt would change nothing.
    private func check(
        _ request: Request, _ client: Client, code: String? = nil, says: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let pacing = Pacing(now: { 0 }, random: { 0 }, sleep: { _ in })
        let error = try #require(
            await failure(of: request, by: RetryingClient(client, pacing: pacing)),
            sourceLocation: sourceLocation)
        #expect(error.kind == .tls && error.attempts == 1, "\(error)", sourceLocation: sourceLocation)
        #expect(error.text.contains(says), "\(error)", sourceLocation: sourceLocation)
        if let code { #expect(error.code == code, sourceLocation: sourceLocation) }
        let reported = consoleText(of: error.diagnostic)
        #expect(!reported.contains("s3cr3t") && !reported.contains("sesame"), sourceLocation: sourceLocation)
    }

    private let untrusted = "CURLE_PEER_FAILED_VERIFICATION (60)"

    @Test func trustsOnlyWhatItShould() async throws {
        let server = try await TLSServer.start()
        let request = try request(server)
        try await check(request, .make(), code: untrusted, says: "certificate")
        let trusting = Client.make { $0.certificateFile = server.authority }
        #expect(try await trusting.send(request).status == 200)
        try await check(self.request(server, host: "localhost"), trusting, code: untrusted, says: "localhost")
        try await check(request, .make { $0.certificateFile = "/does/not/exist.pem" }, says: "exist.pem")
    }

    @Test func refusesAnExpiredCertificate() async throws {
        let server = try await TLSServer.start(.expired)
        try await check(
            request(server), .make { $0.certificateFile = server.authority }, code: untrusted, says: "expired"
        )
    }

    @Test func refusesACertificateForAnotherHost() async throws {
        let server = try await TLSServer.start(.wrongHost)
        try await check(
            request(server), .make { $0.certificateFile = server.authority }, code: untrusted,
            says: "127.0.0.1")
    }

    @Test func showsItsCertificateWhereItIsRequested() async throws {
        let server = try await TLSServer.start(asksForCertificate: true)
        let request = try request(server)
        func client(_ passphrase: String = "open_sesame", at origin: Origin? = nil, key: String? = nil) throws
            -> Client
        {
            let own = ClientCertificate(
                certificateFile: server.clientCertificate, keyFile: key ?? server.clientKey,
                passphrase: try secret(passphrase))
            return .make {
                $0.certificateFile = server.authority
                $0.clientCertificates = [origin ?? request.address.origin: own]
            }
        }
        #expect(try await client().send(request).status == 200)
        try await check(request, .make { $0.certificateFile = server.authority }, says: "alert")
        let other = Origin(scheme: .https, host: "127.0.0.1", port: 1)
        try await check(request, client(at: other), says: "alert")
        try await check(request, client("wrong_sesame"), code: "CURLE_SSL_CERTPROBLEM (58)", says: "key")
        try await check(
            request, client(key: "/does/not/exist.key"), code: "CURLE_SSL_CERTPROBLEM (58)", says: "key")
    }
}
