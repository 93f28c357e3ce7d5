import Diagnostics

/// What people wrote between the marks of a summary, by the digest of the summary that the marks state.
enum LinesOfOthers: Equatable {
    /// Nothing.
    case none
    /// Lines in one place, between those of the summary.
    case added([String])
    /// Everything: lines of the summary were changed or removed.
    case mixed([String])

    /// More bytes are not searched for what was added.
    private static let mostBytes = 16 << 20

    /// Finds what people wrote in a text.
    ///
    /// - Parameters:
    ///   - text: what is between the marks.
    ///   - stated: the digest of the summary; what is no digest says nothing.
    init(in text: String, digest stated: Substring?) {
        let raw = linesBetweenMarks(text)
        let lines = raw.map { $0.trimmingEnd() }
        guard let stated, stated.utf8.count == 12, stated.utf8.allSatisfy(isHexadecimal),
            digestOfLines(lines) != stated,
            // As versions before 0.2.0 counted it.
            digest(raw.joined(separator: "\n")).prefix(12) != stated
        else {
            self = .none
            return
        }
        guard let place = Self.added(to: lines, stated) else {
            self = .mixed(raw)
            return
        }
        let added = raw[place]
        self = added.allSatisfy(\.isBlank) ? .none : .added(withoutBlankEnds(added))
    }

    /// The lines without which the others are the summary.
    private static func added(to lines: [String], _ stated: Substring) -> Range<Int>? {
        let bytes = lines.reduce(1) { $0 + $1.utf8.count + 1 }
        var room = mostBytes
        for count in 1...max(1, lines.count) where count <= lines.count {
            for start in 0...(lines.count - count) {
                room -= bytes
                guard room > 0 else { return nil }
                let rest = lines[..<start] + lines[(start + count)...]
                if digestOfLines(Array(rest)) == stated { return start..<(start + count) }
            }
        }
        return nil
    }

    /// The lines that go behind the end mark, for nothing of them to be lost.
    var kept: [String] {
        switch self {
        case .none: []
        case .added(let lines): [""] + lines
        case .mixed(let lines):
            ["", "<details><summary>Earlier summary, edited by hand</summary>", ""] + lines
                + ["", "</details>"]
        }
    }
}

/// The digest of a summary as its marks state it: without white space at the ends of lines, which editors drop.
func digestOfLines(_ lines: [String]) -> Substring {
    var lines = lines.map { $0.trimmingEnd() }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return digest(lines.joined(separator: "\n")).prefix(12)
}

/// The lines of a text, whatever its line ends. A line separator, as a title may have, ends none: Markdown knows none.
func textLines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
}

/// Whether two texts are the same to a service: they keep line ends as they like, and drop white space at the end.
func isSameText(_ first: String, _ second: String) -> Bool {
    func plain(_ text: String) -> String { text.replacing("\r\n", with: "\n").trimmingEnd() }
    return plain(first) == plain(second)
}

/// The lines between two marks, which are lines of their own.
private func linesBetweenMarks(_ text: String) -> [String] {
    var lines = textLines(text)
    if lines.first?.isBlank == true { lines.removeFirst() }
    while lines.last?.isBlank == true { lines.removeLast() }
    return lines
}

private func withoutBlankEnds(_ lines: ArraySlice<String>) -> [String] {
    var lines = lines.drop(while: \.isBlank)
    while lines.last?.isBlank == true { lines.removeLast() }
    return Array(lines)
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
