import Diagnostics

/// A comment with a summary between two marks. What people wrote above and below it stays; what they wrote into it goes
/// below it.
struct MarkedComment {
    /// The first mark, which is a line of its own.
    let mark: String
    /// Whether lines that people changed may be kept: not where they were made for other readers.
    var keepsMixed = true

    private static let end = "<!-- plimsoll:comment-end sha="

    /// The summary between its marks.
    func text(_ summary: String) -> String {
        let clean = summary.replacing("<!-- plimsoll:", with: "<!-- ")
        var lines = textLines(clean)
        while lines.last?.isEmpty == true { lines.removeLast() }
        let end = "\(Self.end)\(digestOfLines(lines)) -->"
        return ([mark] + lines + [end]).joined(separator: "\n")
    }

    /// How many characters the marks take.
    var overhead: Int { text("").utf16.count + 2 }

    /// Where the summary is in a comment; nil where it is none of ours.
    func parts(of body: String) -> Parts? {
        var lines = textLines(body)
        guard let start = lines.firstIndex(where: { $0.hasPrefix(mark) }) else { return nil }
        let above = Array(lines[..<start])
        lines.removeFirst(start + 1)
        guard let end = lines.firstIndex(where: { $0.hasPrefix(Self.end) }) else {
            // As versions before 0.2.0 wrote it: up to the end of the comment.
            return Parts(above: above, within: .none, below: [])
        }
        let sha = lines[end].dropFirst(Self.end.count).prefix { $0.isHexDigit }
        let within = LinesOfOthers(in: lines[..<end].joined(separator: "\n"), digest: sha)
        return Parts(above: above, within: within, below: Array(lines[(end + 1)...]))
    }

    /// What people wrote in a comment.
    struct Parts {
        let above: [String]
        let within: LinesOfOthers
        let below: [String]

        static let nothing = Parts(above: [], within: .none, below: [])

        /// How many characters stay besides the summary.
        var size: Int { (above + within.kept + below).reduce(0) { $0 + $1.utf16.count + 2 } }

        /// The comment with another summary, with the line ends that it has.
        func around(_ summary: String, like body: String) -> String {
            let lineEnd = body.contains("\r\n") ? "\r\n" : "\n"
            return (above + textLines(summary) + within.kept + below).joined(separator: lineEnd)
        }
    }
}
