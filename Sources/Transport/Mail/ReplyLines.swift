/// A reply of a mail server, whose lines but the last have a hyphen behind the code (RFC 5321 §4.2).
struct ReplyLines {
    /// How much of several lines is kept, in characters.
    private static let most = 300

    private let redaction: Redaction
    /// The code with the words of all lines, free of secrets.
    private(set) var text = ""
    private(set) var isWhole = true

    init(_ redaction: Redaction) { self.redaction = redaction }

    var isRefusal: Bool { text.hasPrefix("4") || text.hasPrefix("5") }

    mutating func append(_ line: String) {
        // Masked before it is cut: the cut could leave half a secret that no longer matches. The code is none.
        let code = line.prefix(3).allSatisfy { "0"..."9" ~= $0 } ? line.prefix(4) : ""
        let words = redaction.masked(String(line.dropFirst(code.count)))
        text = isWhole ? code + words : String("\(text) \(words)".prefix(Self.most))
        isWhole = !line.dropFirst(3).hasPrefix("-")
    }
}
