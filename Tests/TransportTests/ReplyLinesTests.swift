import Foundation
import Testing

@testable import Transport

struct ReplyLinesTests {
    @Test func linesOfAReplyAreOne() {
        var reply = ReplyLines(Redaction())
        reply.append("550-5.1.1 no such user")
        #expect(!reply.isWhole && reply.isRefusal)
        reply.append("550 ask the postmaster")
        #expect(reply.isWhole && reply.text == "550-5.1.1 no such user ask the postmaster")
        reply.append("250 ok")
        #expect(reply.text == "250 ok" && !reply.isRefusal)
    }

    /// A server that quotes the line it got, of users of each length.
    @Test(arguments: ["a", "ab", "abc", "report@example.org"])
    func aQuotedLoginShowsNoPassword(user: String) throws {
        var reply = ReplyLines(Redaction([try secret("hunter2secretpw")]))
        let login = Data("\0\(user)\0hunter2secretpw".utf8).base64EncodedString()
        reply.append("535 5.7.8 authentication failed: AUTH PLAIN \(login)")
        #expect(reply.text.hasPrefix("535 5.7.8 authentication failed: AUTH PLAIN "))
        let rest = reply.text.split(separator: " ").last.map(String.init) ?? ""
        #expect(rest.hasSuffix("<redacted>"), "\(reply.text)")
        #expect(rest.dropLast("<redacted>".count).count <= (user.utf8.count + 2) * 8 / 6, "\(reply.text)")
    }

    /// What has no code is masked from its first character on.
    @Test func aLineWithoutACodeIsMasked() throws {
        var reply = ReplyLines(Redaction([try secret("hunter2secretpw")]))
        reply.append("hunter2secretpw is wrong")
        #expect(reply.text == "<redacted> is wrong")
    }

    /// A server that repeats the password where the reply is cut.
    @Test(arguments: 270...300) func aCutLeavesNoPartOfASecret(length: Int) throws {
        var reply = ReplyLines(Redaction([try secret("s3cr3t/t0ken+value")]))
        reply.append("535-" + String(repeating: "x", count: length - 4))
        reply.append("535 s3cr3t/t0ken+value is wrong")
        #expect(reply.text.count <= 300 && !reply.text.contains("s3"))
    }
}
