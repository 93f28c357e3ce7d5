import Diagnostics

/// The part of a text that belongs to a summary, between two comments; the rest is others', byte for byte.
struct SummaryRegion {
    /// What the region is called: the app and the release.
    let app: String
    let release: String
    /// Whether another release, day or week of the app has a region of its own.
    var isOfSubject = false

    /// Why the marks in a text cannot be trusted.
    enum Fault: Error { case unpaired, several }

    private static let end = "<!-- plimsoll:end -->"
    private var name: String { "<!-- plimsoll:begin app=\(word(app)) release=\(word(release)) " }
    private var opening: String { isOfSubject ? name : "<!-- plimsoll:begin app=\(word(app)) " }

    /// The region as it is written, with the line ends of the text around it.
    func text(_ summary: String, lineEnd: String = "\n") -> String {
        let clean = summary.replacing("<!-- plimsoll:", with: "<!-- ")
        let inner = trimmed(clean).map(String.init)
        let sha = digest(inner.joined(separator: "\n")).prefix(12)
        let lines = ["\(name)sha=\(sha) -->"] + inner + [Self.end]
        return lines.joined(separator: lineEnd)
    }

    /// How many characters the region has besides the summary.
    var overhead: Int { text("").utf16.count + 4 }

    /// The text with the region in it: in the place of the one that is there, else behind an empty line at the end.
    func placed(_ summary: String, in body: String) throws(Fault) -> String {
        let lineEnd = body.contains("\r\n") ? "\r\n" : "\n"
        let region = text(summary, lineEnd: lineEnd)
        guard let place = try place(in: body) else {
            if body.isEmpty { return region }
            // A carriage return and a line feed are one character of a string.
            let gap = body.utf8.last == UInt8(ascii: "\n") ? lineEnd : lineEnd + lineEnd
            return body + gap + region
        }
        return body.replacingBytes(in: place, with: region)
    }

    /// The region that is there now; nil when there is none.
    func current(in body: String) throws(Fault) -> String? {
        try place(in: body).map { String(decoding: Array(body.utf8)[$0], as: UTF8.self) }
    }

    /// Where the region is, as offsets of bytes.
    private func place(in body: String) throws(Fault) -> Range<Int>? {
        let bytes = Array(body.utf8)
        let begin = Array("<!-- plimsoll:begin".utf8), end = Array(Self.end.utf8)
        var (start, found): (Int?, Range<Int>?) = (nil, nil)
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: begin) {
                guard start == nil else { throw .unpaired }
                start = index
                index += begin.count
            } else if bytes[index...].starts(with: end) {
                guard let begun = start else { throw .unpaired }
                index += end.count
                if bytes[begun...].starts(with: opening.utf8) {
                    guard found == nil else { throw .several }
                    found = begun..<index
                }
                start = nil
            } else {
                index += 1
            }
        }
        guard start == nil else { throw .unpaired }
        return found
    }

    private func trimmed(_ summary: String) -> [Substring] {
        var lines = summary.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// A name without what would end a comment or a word of it.
    private func word(_ text: String) -> String {
        text.map { $0.isWhitespace || $0 == ">" || $0 == "<" ? "_" : String($0) }.joined()
            .replacing("--", with: "-_")
    }
}

extension String {
    fileprivate func replacingBytes(in range: Range<Int>, with text: String) -> String {
        var bytes = Array(utf8)
        bytes.replaceSubrange(range, with: text.utf8)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension SummaryRegion.Fault {
    /// What to report of a text with such marks.
    func diagnostic(at place: String) -> Diagnostic {
        let what =
            switch self {
            case .unpaired: "a begin or an end without the other, or one region within another"
            case .several: "several regions of the same app"
            }
        return .error(
            "attach.marks", "The text at \(place) has damaged marks; nothing was written",
            details: ["found: \(what)"],
            hints: ["remove the lines with '<!-- plimsoll:' there, and attach again"])
    }
}
