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

    /// A server that repeats the password where the reply is cut.
    @Test(arguments: 270...300) func aCutLeavesNoPartOfASecret(length: Int) throws {
        var reply = ReplyLines(Redaction([try secret("s3cr3t/t0ken+value")]))
        reply.append("535-" + String(repeating: "x", count: length - 4))
        reply.append("535 s3cr3t/t0ken+value is wrong")
        #expect(reply.text.count <= 300 && !reply.text.contains("s3"))
    }
}
