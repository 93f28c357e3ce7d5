/// How CommonMark becomes HTML.
package struct CommonMarkOptions: Sendable, Hashable {
    /// How many levels deeper each heading is shown; 2 makes `#` an `<h3>`. The deepest level is 6.
    package var headingShift = 0
    /// The level on which the highest heading is shown, with the others as much deeper as they are; nil where the shift
    /// says so.
    package var highestHeading: Int?
    /// Whether headings get an id made from their text.
    package var anchors = true
    /// What the ids begin with, so that two texts can stand in one page.
    package var anchorPrefix = ""
    /// Ids that the page around the text has, so that no heading takes them.
    package var takenAnchors: Set<String> = []
    /// Whether images keep their addresses; without them their words stay.
    package var images = true

    /// A page of its own: headings as they are, with ids.
    package init(
        headingShift: Int = 0, highestHeading: Int? = nil, anchors: Bool = true, anchorPrefix: String = "",
        takenAnchors: Set<String> = [], images: Bool = true
    ) {
        self.headingShift = headingShift
        self.highestHeading = highestHeading
        self.anchors = anchors
        self.anchorPrefix = anchorPrefix
        self.takenAnchors = takenAnchors
        self.images = images
    }
}

/// One heading of a CommonMark text, for a table of contents.
package struct Heading: Sendable, Hashable {
    /// The level as shown, 1 to 6.
    package let level: Int
    /// The text without its markup; not escaped.
    package let text: String
    /// The id in the HTML, unique in the text; empty when anchors are off.
    package let id: String
}

/// A CommonMark text as HTML, with its headings in order.
package struct CommonMarkPage: Sendable, Hashable {
    /// The HTML.
    package let html: Markup
    /// The headings, in order.
    package let headings: [Heading]
}

/// A CommonMark text, with the tables of GitHub, as HTML with its headings.
///
/// Raw HTML is skipped. Links keep http, https, mailto, relative and fragment addresses; images relative ones: an
/// image from another host becomes a link, any other its words. Links with other addresses become what is in
/// them. The first word after a fence becomes a class of its code when it is the plain name of a language. Text
/// beyond 8 MiB is skipped.
package func commonMarkPage(_ text: String, options: CommonMarkOptions = .init()) -> CommonMarkPage {
    guard let tree = CommonMarkTree(parsing: text) else {
        return CommonMarkPage(html: Markup(trusted: "", language: .html), headings: [])
    }
    tree.replaceTables(of: text, in: .html)
    tree.replaceForeignAddresses(images: options.images)
    tree.keepPlainLanguages()
    let shift =
        if let highest = options.highestHeading {
            tree.headingShift(toHighest: highest)
        } else {
            options.headingShift
        }
    let headings = anchored(tree.shiftHeadings(by: shift), options: options)
    let html = options.anchors ? insertIDs(of: headings, in: tree.html()) : tree.html()
    return CommonMarkPage(html: Markup(trusted: html, language: .html), headings: headings)
}

/// The heading of the first level with which a text begins.
package struct LeadingHeading: Sendable, Hashable {
    /// The text without its markup; not escaped.
    package let text: String
    /// How many lines of the text end with it.
    package let lines: Int
}

/// The heading of the first level that a CommonMark text begins with; nil when anything else comes first, and when it has
/// no words.
package func leadingHeading(inCommonMark text: String) -> LeadingHeading? {
    guard let (words, start) = CommonMarkTree(parsing: text)?.leadingHeading() else { return nil }
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    let isOneLine = all[start - 1].drop { $0 == " " }.hasPrefix("#")
    // The parser counts the line after an underlined heading as one of its lines.
    guard
        let end = isOneLine ? start - 1 : all.indices.dropFirst(start).first(where: { isUnderline(all[$0]) })
    else { return nil }
    // Definitions of links are no nodes of the tree. They may be above a heading, and within the lines of one that is
    // underlined, and would go with it.
    let definesLinks = all[...end].enumerated().contains { index, line in
        index < start - 1 ? !line.allSatisfy(\.isWhitespace) : end > start && line.contains("]:")
    }
    let heading = withSingleSpaces(words)
    return heading.isEmpty || definesLinks ? nil : LeadingHeading(text: heading, lines: end + 1)
}

/// Whether a line makes the lines above it a heading of the first level.
private func isUnderline(_ line: Substring) -> Bool {
    let signs = line.filter { !$0.isWhitespace }
    return !signs.isEmpty && signs.allSatisfy { $0 == "=" }
}

/// A CommonMark text as HTML; see `commonMarkPage`.
package func html(fromCommonMark text: String, options: CommonMarkOptions = .init()) -> Markup {
    commonMarkPage(text, options: options).html
}

/// The words of a CommonMark text on one line, for summaries; cut at a word with `…` when it is longer.
package func plainText(fromCommonMark text: String, limit: Int = .max) -> String {
    let words = CommonMarkTree(parsing: text)?.plainText() ?? ""
    guard limit < .max else { return withSingleSpaces(words) }
    var result = ""
    var count = 0
    var isAfterSpace = false
    // Of a long text no more is read than is shown.
    for character in words where count <= limit {
        if character.isWhitespace {
            isAfterSpace = !result.isEmpty
            continue
        }
        if isAfterSpace { result.append(" ") }
        result.append(character)
        count += isAfterSpace ? 2 : 1
        isAfterSpace = false
    }
    guard count > limit else { return result }
    result = String(result.prefix(max(0, limit - 1)))
    if let space = result.lastIndex(of: " ") { result = String(result[..<space]) }
    return result + "…"
}

/// A text with one space where it has white space, and none around it.
func withSingleSpaces(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
        unsafe String(unsafeUninitializedCapacity: bytes.count) { result in
            var (count, index) = (0, 0)
            var isAfterSpace = false
            while index < bytes.count {
                let length = unsafe whiteSpaceLength(bytes, at: index)
                guard length == 0 else {
                    isAfterSpace = count > 0
                    index += length
                    continue
                }
                if isAfterSpace {
                    unsafe result[count] = 0x20
                    count += 1
                    isAfterSpace = false
                }
                unsafe result[count] = bytes[index]
                count += 1
                index += 1
            }
            return count
        }
    }
}

/// How many bytes the white space at the index has, as Unicode's property `White_Space` says; 0 for anything else.
func whiteSpaceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let lead = unsafe bytes[index]
    if lead < 0x80 { return lead == 0x20 || (0x9...0xD).contains(lead) ? 1 : 0 }
    guard lead <= 0xE3, index + 1 < bytes.count else { return 0 }
    let second = unsafe bytes[index + 1]
    if lead == 0xC2 { return second == 0x85 || second == 0xA0 ? 2 : 0 }
    guard lead >= 0xE1, index + 2 < bytes.count else { return 0 }
    let third = unsafe bytes[index + 2]
    switch (lead, second, third) {
    case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
        (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
        return 3
    default: return 0
    }
}

/// Gives each heading a unique id made from its text.
func anchored(_ headings: [(level: Int, text: String)], options: CommonMarkOptions) -> [Heading] {
    var used = options.takenAnchors
    // Where the search for a free number goes on, so that many equal headings cost no more than different ones.
    var next: [String: Int] = [:]
    return headings.map { heading in
        guard options.anchors else { return Heading(level: heading.level, text: heading.text, id: "") }
        let name = options.anchorPrefix + anchorName(of: heading.text)
        var id = name
        var number = next[name] ?? 2
        while !used.insert(id).inserted {
            id = "\(name)-\(number)"
            number += 1
        }
        next[name] = number
        return Heading(level: heading.level, text: heading.text, id: id)
    }
}

/// Letters and digits in lower case, everything between them as one hyphen.
private func anchorName(of text: String) -> String {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? "section" : String(words.joined(separator: "-").prefix(80))
}

/// Writes the ids into the heading tags, which come in the same order.
///
/// With raw HTML skipped, `<h1>` to `<h6>` in the output are headings and nothing else.
func insertIDs(of headings: [Heading], in html: String) -> String {
    let bytes = Array(html.utf8)
    var writer = ByteWriter(capacity: bytes.count + headings.count * 24)
    var waiting = headings[...]
    var (start, next) = (0, 0)
    while let heading = waiting.first, let index = bytes[next...].firstIndex(of: UInt8(ascii: "<")) {
        next = index + 1
        guard isHeadingTag(bytes[index...].prefix(4)) else { continue }
        waiting.removeFirst()
        writer.append(bytes: bytes[start..<index + 3])
        writer.append(" id=\"")
        writer.append(heading.id, escapedFor: .html)
        writer.append("\"")
        start = index + 3
    }
    writer.append(bytes: bytes[start...])
    return writer.text
}

private func isHeadingTag(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.elementsEqual("<h1>".utf8) { $0 == $1 || ($1 == 0x31 && (0x31...0x36).contains($0)) }
}
