import Testing

@testable import Transport

struct HeadersTests {
    @Test(arguments: ["x\r\nInjected: 1", "x\ny", "x\ry", "x\0y", "x\u{1B}[0m", "x\u{7F}"])
    func refusesValuesThatBreakOut(value: String) {
        var headers = Headers()
        #expect(throws: HeaderError.value(name: "X-A")) { try headers.append("X-A", value) }
        #expect(headers.pairs.isEmpty)
    }

    @Test(arguments: ["", "A B", "A:", "A\r\nB", "Ä", "A\0"])
    func refusesNamesThatAreNoTokens(name: String) {
        var headers = Headers()
        #expect(throws: HeaderError.name(name)) { try headers.append(name, "x") }
    }

    @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "Connection"])
    func refusesFraming(name: String) {
        var headers = Headers()
        #expect(throws: HeaderError.reserved(name)) { try headers.append(name, "x") }
    }

    @Test(arguments: [
        "Authorization", "Cookie", "auth-token", "X-ClickHouse-Key", "Private-Token", "X-Api-Key",
    ])
    func wantsSecretsForCredentials(name: String) throws {
        var headers = Headers()
        #expect(throws: HeaderError.needsSecret(name)) { try headers.append(name, "x") }
        try headers.append(name, secret("hidden"))
        #expect(headers[name] == "<redacted>" && !"\(headers)".contains("hidden"))
    }

    @Test func looksUpWithoutCaseAndKeepsRepeats() {
        let headers = Headers(received: ["Link: a\r\n", "link:b", "X: 1", " folded", "no colon", "Empty:"])
        #expect(headers["LINK"] == "a" && headers.values(for: "Link") == ["a", "b"])
        #expect(headers["x"] == "1 folded" && headers["empty"] == "" && headers["missing"] == nil)
    }
}
