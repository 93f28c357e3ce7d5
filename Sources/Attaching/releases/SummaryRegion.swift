import Diagnostics

/// The part of a text that belongs to a summary, between two comments; the rest is others', byte for byte.
struct SummaryRegion {
    /// What the region is called: the app and the release.
    let app: String
    let release: String
    /// Whether another release, day or week of the app has a region of its own.
    var isOfSubject = false
    /// The target, where others may have regions of the app in the same text; nil where the app is enough.
    var target: String?
    /// Whether what people changed may be kept as it was read: not where it was made for other readers.
    var keepsMixed = true

    /// Why a text cannot be written to.
    enum Fault: Error {
        /// A begin without an end, an end without a begin, or two regions of the same.
        case unclosed, unopened, several
        /// People changed lines that were made for other readers.
        case edited
    }

    private static let end = "<!-- plimsoll:end -->"
    private var name: String {
        let target = target.map { "target=\(word($0)) " } ?? ""
        return "<!-- plimsoll:begin app=\(word(app)) release=\(word(release)) \(target)"
    }

    /// The region as it is written, with the line ends of the text around it.
    func text(_ summary: String, lineEnd: String = "\n") -> String {
        let clean = summary.replacing("<!-- plimsoll:", with: "<!-- ")
        let inner = trimmed(clean)
        let lines = ["\(name)sha=\(digestOfLines(inner)) -->"] + inner + [Self.end]
        return lines.joined(separator: lineEnd)
    }

    /// How many characters the region has besides the summary.
    var overhead: Int { text("").utf16.count + 4 }

    /// The text with the region in it: in the place of the one that is there, else behind an empty line at the end. What
    /// people wrote into that goes behind it.
    func placed(_ summary: String, in body: String) throws(Fault) -> String {
        let lineEnd = body.contains("\r\n") ? "\r\n" : "\n"
        let region = text(summary, lineEnd: lineEnd)
        guard let place = try place(in: body) else {
            if body.isEmpty { return region }
            // A carriage return and a line feed are one character of a string.
            let gap = body.utf8.last == UInt8(ascii: "\n") ? lineEnd : lineEnd + lineEnd
            return body + gap + region
        }
        let kept = try kept(in: body).map { lineEnd + $0 }.joined()
        return body.replacingBytes(in: place, with: region + kept)
    }

    /// The lines that go behind the region when it is written, as people wrote them into it.
    func kept(in body: String) throws(Fault) -> [String] {
        guard let current = try current(in: body), let opened = current.firstRange(of: "-->") else {
            return []
        }
        let inner = current[opened.upperBound...].dropLast(Self.end.count)
        let lines = LinesOfOthers(in: String(inner), digest: words(of: current)["sha"])
        if case .mixed = lines, !keepsMixed { throw .edited }
        return lines.kept
    }

    /// The region that is there now; nil when there is none.
    func current(in body: String) throws(Fault) -> String? {
        try place(in: body).map { String(decoding: Array(body.utf8)[$0], as: UTF8.self) }
    }

    /// Where the region is, as offsets of bytes.
    private func place(in body: String) throws(Fault) -> Range<Int>? {
        let bytes = Array(body.utf8)
        var (own, older): (Range<Int>?, Range<Int>?) = (nil, nil)
        for place in try places(in: bytes) {
            let words = words(of: String(decoding: bytes[place], as: UTF8.self))
            guard words["app"] == word(app)[...], !isOfSubject || words["release"] == word(release)[...]
            else {
                continue
            }
            if words["target"] == target.map({ word($0)[...] }) {
                guard own == nil else { throw .several }
                own = place
            } else if words["target"] == nil {
                // As versions before 0.2.0 wrote it: that of whichever target comes first.
                guard older == nil else { throw .several }
                older = place
            }
        }
        return own ?? older
    }

    /// Where all regions are, of whatever app.
    private func places(in bytes: [UInt8]) throws(Fault) -> [Range<Int>] {
        let begin = Array("<!-- plimsoll:begin".utf8), end = Array(Self.end.utf8)
        var (start, found): (Int?, [Range<Int>]) = (nil, [])
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: begin) {
                guard start == nil else { throw .unclosed }
                start = index
                index += begin.count
            } else if bytes[index...].starts(with: end) {
                guard let begun = start else { throw .unopened }
                index += end.count
                found.append(begun..<index)
                start = nil
            } else {
                index += 1
            }
        }
        guard start == nil else { throw .unclosed }
        return found
    }

    /// What the mark of a region says of it, by the words before the equals signs.
    private func words(of region: String) -> [Substring: Substring] {
        let mark = region.firstRange(of: "-->").map { region[..<$0.lowerBound] } ?? region[...]
        let pairs = mark.split(separator: " ").compactMap { word -> (Substring, Substring)? in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private func trimmed(_ summary: String) -> [String] {
        var lines = textLines(summary)
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
    /// What to report of a text with such a region.
    func diagnostic(at place: String) -> Diagnostic {
        if case .edited = self {
            return .error(
                "attach.edited", "The summary at \(place) was edited by hand; nothing was written",
                details: ["it was made for other readers, and lines of it were changed or removed"],
                hints: [
                    "move what is yours below the summary, remove the summary with its marks, and attach again"
                ])
        }
        return .error(
            "attach.marks", "The text at \(place) has damaged marks; nothing was written",
            details: ["found: \(what)"], hints: ["\(remedy), and attach again"])
    }

    private var what: String {
        switch self {
        case .unclosed: "a begin without an end, or one region within another"
        case .unopened: "an end without a begin"
        case .several, .edited: "several regions of the same app"
        }
    }

    private var remedy: String {
        switch self {
        case .unclosed:
            "put '<!-- plimsoll:end -->' back on a line below the summary, or remove the summary with its mark"
        case .unopened: "remove the summary above '<!-- plimsoll:end -->', and this mark"
        case .several, .edited: "remove all of them but one, with the text between their marks"
        }
    }
}
