import CCmark
import Diagnostics

/// A CommonMark text with other destinations of its links; everything else stays as it is written.
///
/// Code blocks, code spans and brackets behind a backslash are left alone. Titles of links stay.
///
/// - Parameter destination: the new destination of a link, or nil to leave it. It gets what a parser reads: without
///   backslashes, and with the characters that entities mean.
package func rewritingLinks(
    inCommonMark text: String, _ destination: (Substring) -> String?
) -> String {
    guard text.utf8.contains(UInt8(ascii: "]")), let tree = CommonMarkTree(parsing: text) else { return text }
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for part in linkParts(of: lines, owners: tree.owners(of: lines)) {
        if part.lines.lowerBound > 0 { result.append(0x0A) }
        let bytes = Array(lines[part.lines].joined(separator: [0x0A]))
        guard part.owner != .code, bytes.contains(UInt8(ascii: "]")) else {
            result += bytes
            continue
        }
        var scanner = LinkScanner(bytes, haveCode: part.owner != .none)
        result += scanner.rewritten(destination)
    }
    return String(decoding: result, as: UTF8.self)
}

/// What a line belongs to.
private enum LineOwner: Hashable {
    /// No words: definitions of links, and what no link is in.
    case none
    /// A code block, or raw HTML.
    case code
    /// The words of a block, by its number.
    case words(Int)
}

/// The lines in which a link, or a code span, can begin and end.
private struct LinkPart {
    let lines: Range<Int>
    let owner: LineOwner
}

/// Cuts a text where its lines have other owners, and at empty lines.
private func linkParts(of lines: [Substring.UTF8View], owners: [LineOwner]) -> [LinkPart] {
    var parts: [LinkPart] = []
    var start = 0
    for line in lines.indices {
        let end = line + 1
        let goesOn =
            end < lines.count && owners[end] == owners[start]
            && (owners[start] == .code || lines[end].contains { $0 != 0x20 && $0 != 0x09 })
        if goesOn { continue }
        parts.append(LinkPart(lines: start..<end, owner: owners[start]))
        start = end
    }
    return parts
}

extension CommonMarkTree {
    /// What each line of the parsed text belongs to; of a table each line is one of its own.
    fileprivate func owners(of lines: [Substring.UTF8View]) -> [LineOwner] {
        var owners = [LineOwner](repeating: .none, count: lines.count)
        var number = 0
        unsafe forEachNode { node, entering in
            guard entering, let node = unsafe node else { return }
            let type = unsafe cmark_node_get_type(node)
            let isCode = type == CMARK_NODE_CODE_BLOCK || type == CMARK_NODE_HTML_BLOCK
            guard isCode || type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING else { return }
            let isTable =
                unsafe type == CMARK_NODE_PARAGRAPH && TableCells(sourceLines(of: node, in: lines)) != nil
            let first = unsafe max(1, Int(cmark_node_get_start_line(node)))
            let last = unsafe min(lines.count, max(first, Int(cmark_node_get_end_line(node))))
            number += 1
            // The parser counts the line after some blocks as theirs; what comes later takes it back.
            for line in first..<max(first, last + 1) {
                owners[line - 1] = isCode ? .code : .words(number)
                if isTable { number += 1 }
            }
        }
        return owners
    }
}

/// Reads the links of some lines.
private struct LinkScanner {
    private let text: [UInt8]
    /// Whether backticks are the signs of code.
    private let haveCode: Bool
    /// Where the last run of so many backticks begins.
    private var lastRuns: [Int: Int] = [:]
    private var index = 0
    private var result: [UInt8] = []
    /// The brackets that are open: whether each is that of an image.
    private var brackets: [Bool] = []
    /// How many of them are around a link: of those only images can still be one.
    private var aroundLink = 0
    /// Whether the line began with a bracket that is not closed, as the definition of a link does.
    private var isDefinition = false

    init(_ text: [UInt8], haveCode: Bool) {
        (self.text, self.haveCode) = (text, haveCode)
        guard haveCode else { return }
        var index = 0
        while index < text.count {
            let length = run(at: index)
            if length > 0 { lastRuns[length] = index }
            index += max(length, 1)
        }
    }

    mutating func rewritten(_ destination: (Substring) -> String?) -> [UInt8] {
        isDefinition = beginsWithBracket(isFirstLine: true)
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): copy(index + 1 < text.count && isSign(text[index + 1]) ? 2 : 1)
            case UInt8(ascii: "`") where haveCode: copyCode()
            case UInt8(ascii: "["):
                brackets.append(index > 0 && text[index - 1] == UInt8(ascii: "!"))
                copy(1)
            case UInt8(ascii: "]"): closeBracket(destination)
            case 0x0A:
                copy(1)
                // The word that is defined may go on.
                isDefinition = isDefinition && !brackets.isEmpty || beginsWithBracket(isFirstLine: false)
            default: copy(1)
            }
        }
        return result
    }

    private mutating func copy(_ count: Int) {
        result += text[index..<index + count]
        index += count
    }

    /// Copies a code span, or the backticks that begin none.
    private mutating func copyCode() {
        let length = run(at: index)
        var end = index + length
        if lastRuns[length, default: 0] >= end {
            while run(at: end) != length { end += max(run(at: end), 1) }
            end += length
        }
        copy(end - index)
    }

    private mutating func closeBracket(_ destination: (Substring) -> String?) {
        let isImage = brackets.popLast()
        // No link is within another one.
        let canLead = isImage.map { $0 || brackets.count >= aroundLink } ?? false
        aroundLink = min(aroundLink, brackets.count)
        let place = canLead ? LinkPlace(in: text, after: index, isDefinition: isDefinition) : nil
        isDefinition = false
        copy(1)
        guard let place else { return }
        if isImage == false { aroundLink = brackets.count }
        copy(place.start - index)
        if let other = destination(Substring(place.address)) {
            result += plainDestination(other)
            index = place.end
        } else {
            copy(place.end - index)
        }
    }

    /// How many backticks are here, 0 where there is none.
    private func run(at place: Int) -> Int { text[place...].prefix { $0 == UInt8(ascii: "`") }.count }

    /// Whether the line begins with a bracket, behind the marks of the quotations and lists that hold it.
    private func beginsWithBracket(isFirstLine: Bool) -> Bool {
        let marks = isFirstLine || !haveCode ? " \t>-+*0123456789.)" : " \t>"
        return text[index...].drop { marks.utf8.contains($0) }.first == UInt8(ascii: "[")
    }
}

/// An address as it is written without marks around it: without entities, blanks and signs that would end it.
private func plainDestination(_ address: String) -> [UInt8] {
    let signs = address.utf8.filter { $0 != UInt8(ascii: "\\") }
    let isPaired = endOfAddress(0, in: signs) == signs.count
    var result: [UInt8] = []
    for byte in withoutEntities(address).utf8 {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"):
            result += percentCode(of: byte).utf8
        case UInt8(ascii: "("), UInt8(ascii: ")"): result += isPaired ? [byte] : [UInt8(ascii: "\\"), byte]
        default: result.append(byte)
        }
    }
    return result
}

/// Where a text leads: `](guide.md`, `](<guide.md>`, `]: guide.md`.
private struct LinkPlace {
    /// Where the address begins, with the marks around it.
    let start: Int
    /// Behind these marks.
    let end: Int
    /// The address as a parser reads it.
    let address: String

    /// Nil where no link is.
    ///
    /// - Parameters:
    ///   - bracket: where the bracket is closed.
    ///   - isDefinition: whether that ends the first word of its line.
    init?(in text: [UInt8], after bracket: Int, isDefinition: Bool) {
        let mark = bracket + 1 < text.count ? text[bracket + 1] : 0
        guard mark == UInt8(ascii: "(") || isDefinition && mark == UInt8(ascii: ":") else { return nil }
        start = indexAfterBlanks(bracket + 2, in: text)
        let rest = text[start...]
        let words: ArraySlice<UInt8>
        if rest.first == UInt8(ascii: "<") {
            words = rest.dropFirst().prefix { !"<>\n".utf8.contains($0) }
            guard words.endIndex < text.count, text[words.endIndex] == UInt8(ascii: ">") else { return nil }
            end = words.endIndex + 1
        } else {
            guard let behind = endOfAddress(start, in: text) else { return nil }
            words = text[start..<behind]
            end = behind
        }
        guard !words.isEmpty else { return nil }
        if mark == UInt8(ascii: "(") {
            // Behind the address there is a title at most.
            let next = indexAfterBlanks(end, in: text)
            guard next < text.count,
                text[next] == UInt8(ascii: ")") || next > end && "\"'(".utf8.contains(text[next])
            else { return nil }
        }
        address = readAddress(words)
    }
}

/// Behind an address without marks around it; nil where its parentheses do not pair, or are more than 31 deep, as in
/// CommonMark.
private func endOfAddress(_ start: Int, in text: [UInt8]) -> Int? {
    var (index, depth) = (start, 0)
    scan: while index < text.count, text[index] > 0x20, text[index] != UInt8(ascii: ">") {
        switch text[index] {
        case UInt8(ascii: "\\") where index + 1 < text.count && isSign(text[index + 1]): index += 1
        case UInt8(ascii: "("):
            depth += 1
            if depth == 32 { return nil }
        case UInt8(ascii: ")"):
            if depth == 0 { break scan }
            depth -= 1
        default: break
        }
        index += 1
    }
    return depth == 0 ? index : nil
}

/// The place of what comes next, perhaps on the next line behind the marks of quotations.
private func indexAfterBlanks(_ start: Int, in text: [UInt8]) -> Int {
    let line = text[min(start, text.count)...].drop { $0 == 0x20 || $0 == 0x09 }
    guard line.first == 0x0A else { return line.startIndex }
    return line.dropFirst().drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ">") }.startIndex
}

/// An address as a parser reads it. The names of entities are the parser's own.
private func readAddress(_ words: ArraySlice<UInt8>) -> String {
    guard words.contains(UInt8(ascii: "&")) else { return withoutBackslashes(words) }
    let link = "[a](<\(String(decoding: words, as: UTF8.self))>)"
    return CommonMarkTree(parsing: link)?.firstAddress() ?? withoutBackslashes(words)
}

/// An address in which a parser finds no entity.
private func withoutEntities(_ address: String) -> String {
    address.replacing(/&(?=#?[A-Za-z0-9]+;)/, with: "&amp;")
}

private func withoutBackslashes(_ words: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    var rest = words
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), let next = rest.first, isSign(next) {
            rest.removeFirst()
            result.append(next)
        } else {
            result.append(byte)
        }
    }
    return String(decoding: result, as: UTF8.self)
}

/// The punctuation that a backslash makes text.
private func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
}
