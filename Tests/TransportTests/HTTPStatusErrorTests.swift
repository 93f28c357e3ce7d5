import Diagnostics
import LoopbackServer
import Testing

@testable import Transport

struct HTTPStatusErrorTests {
    private func failure(_ status: Int, _ body: String = "", _ headers: [String] = []) throws
        -> HTTPStatusError?
    {
        let response = Response(
            status: status, headers: Headers(received: headers), body: Array(body.utf8),
            address: try Address("https://a.b/x?token=abc"), redaction: Redaction([try secret("s3cr3t")]))
        do throws(HTTPStatusError) {
            try response.checked()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (401, "token"), (403, "scopes"), (404, "names"), (429, "wait"), (500, "later"), (503, "later"),
        (400, "response"),
        (302, "final"),
    ])
    func hintsAtWhatToDo(status: Int, word: String) throws {
        let diagnostic = try #require(try failure(status)).diagnostic
        #expect(
            diagnostic.id == "transport.status-\(status)" && diagnostic.hints.first?.contains(word) == true)
        #expect(diagnostic.summary == "Server returned \(status): https://a.b/x?token=<redacted>")
    }

    @Test(arguments: [200, 204, 299, 304])
    func letsGoodStatusesThrough(status: Int) throws {
        #expect(try failure(status) == nil)
    }

    @Test func excerptIsPrintableMaskedAndShort() throws {
        let body = "<p>\u{1B}[31mno\r\n\t s3cr3t \u{202E}x\0</p>" + String(repeating: "é", count: 300)
        let error = try #require(try failure(500, body, ["Retry-After: 7"]))
        #expect(error.excerpt.hasPrefix("<p>[31mno <redacted> x</p>éé") && error.excerpt.count == 200)
        #expect(error.retryAfter == "7" && error.diagnostic.details.contains("Retry-After: 7"))
        #expect(error.diagnostic.details.last == "after 1 attempt and 0 ms")
        #expect(!consoleText(of: error.diagnostic).contains("s3cr3t"))
    }

    /// Host and path, which may name a file, are shown as a whole, with the first parameters; the rest of a long address may
    /// be a whole query.
    @Test(arguments: [
        ("https://a.b/x?token=<redacted>&page=2", "https://a.b/x?token=<redacted>&page=2"),
        (
            "https://a.b:8443/?database=crashes&wait_end_of_query=1&query_id=0a1b&param_issues="
                + String(repeating: "1,", count: 300),
            "https://a.b:8443/?database=crashes&wait_end_of_query=1&query_id=0a1b…"
        ),
        (
            "https://a.b/x?q=" + String(repeating: "select%20", count: 40),
            "https://a.b/x…"
        ),
        (
            "https://a.b/" + String(repeating: "p", count: 300) + "?q=1",
            "https://a.b/" + String(repeating: "p", count: 300) + "…"
        ),
        (
            "file:///" + String(repeating: "folder/", count: 30) + "2026-11-19.json",
            "file:///" + String(repeating: "folder/", count: 30) + "2026-11-19.json"
        ),
    ])
    func longAddressesAreShortened(address: String, shown: String) throws {
        let error = HTTPStatusError(
            status: 500, address: address, excerpt: "", retryAfter: nil, attempts: 1, milliseconds: 1)
        #expect(error.diagnostic.summary == "Server returned 500: \(shown)")
        #expect(error.diagnostic.location == .address(shown))
        let lost = TransportError(.reset, try Address("https://a.b/"), doing: "testing")
        var far = lost
        far.address = address
        #expect(far.diagnostic.summary == "Connection lost: \(shown)")
        #expect(far.diagnostic.location == .address(shown))
    }

    @Test func comesFromRealAnswers() async throws {
        let server = try await LoopbackServer.start(
            answering: .json(#"{"detail":"Invalid token s3cr3t"}"#, status: 401))
        let response = try await Client.make().send(.make(server.origin).with("Auth-Token", secret("s3cr3t")))
        let error = #expect(throws: HTTPStatusError.self) { try response.checked() }
        #expect(error?.excerpt == #"{"detail":"Invalid token <redacted>"}"#)
        await server.stop()
    }
}
