import Markup
import Site

/// The file of a site that an address means.
struct SiteAddress {
    /// The path from the top of the site; nil when the address leads above it.
    let path: String?
    /// What is after `#`, decoded.
    let anchor: String?

    /// Resolves an address that is in a file; nil when it leads to another site or is none.
    ///
    /// - Parameters:
    ///   - baseURL: the address of the site, with `/` at its end.
    ///   - isFile: whether a path is that of a file; a folder means its `index.html`.
    init?(_ text: String, from file: String, baseURL: String?, isFile: (String) -> Bool) {
        var text = text
        var folder = file.split(separator: "/").dropLast().map(String.init)
        if let baseURL, let inner = rest(of: text, below: baseURL) {
            text = inner.isEmpty ? "./" : inner
            folder = []
        } else if let root = baseURL.flatMap(pathOnHost), let inner = rest(of: text, below: root) {
            text = "/" + inner
        }
        guard !text.isEmpty, !isOutward(text) else { return nil }
        let (beforeAnchor, anchor) = divided(text, at: "#")
        let path = divided(beforeAnchor, at: "?").0
        self.anchor = anchor.map(percentDecoded)
        guard !path.isEmpty else {
            self.path = file
            return
        }
        if path.hasPrefix("/") { folder = [] }
        let parts = percentDecoded(path).split(separator: "/", omittingEmptySubsequences: true)
        for part in parts where part != "." {
            guard part == ".." else {
                folder.append(String(part))
                continue
            }
            guard folder.popLast() != nil else {
                self.path = nil
                return
            }
        }
        let whole = folder.joined(separator: "/")
        let index = whole.isEmpty ? "index.html" : whole + "/index.html"
        let isFolder = path.hasSuffix("/") || whole.isEmpty || (!isFile(whole) && isFile(index))
        self.path = isFolder ? index : whole
    }
}

/// What is behind an address with `/` at its end, however its signs are encoded in the text; nil when the text does not
/// begin with it.
private func rest(of text: String, below address: String) -> String? {
    var slashes = address.utf8.count { $0 == UInt8(ascii: "/") }
    let end = text.utf8.firstIndex { byte in
        if byte == UInt8(ascii: "/") { slashes -= 1 }
        return slashes == 0
    }
    guard let end, percentDecoded(String(text[...end])) == percentDecoded(address) else { return nil }
    return String(text[text.utf8.index(after: end)...])
}

/// The path of an address, with `/` at both ends: `https://host/report/` has `/report/`.
private func pathOnHost(_ address: String) -> String? {
    guard let scheme = address.firstRange(of: "://") else { return nil }
    let rest = address[scheme.upperBound...]
    return rest.firstIndex(of: "/").map { String(rest[$0...]) }
}

private func divided(_ text: String, at mark: Character) -> (String, String?) {
    guard let index = text.firstIndex(of: mark) else { return (text, nil) }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
}

private func percentDecoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%"), rest.count >= 2,
            let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        else {
            bytes.append(byte)
            continue
        }
        bytes.append(decoded)
        rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// A file of a built site, read for the checks.
struct BuiltFile {
    /// What the file is, by its ending.
    enum Kind {
        case html, markdown, style, xml, other
    }

    /// The path from the top of the site.
    let path: String
    let bytes: [UInt8]
    let kind: Kind
    /// The tags of HTML and XML; of Markdown those of the HTML that it means, without lines.
    let tags: [MarkupTag]

    /// - Parameter dialect: that of the Markdown versions; a text without CommonMark's links has no tags.
    init(path: String, bytes: [UInt8], dialect: MarkdownDialect = .github) {
        self.path = path
        self.bytes = bytes
        kind =
            switch path[(path.lastIndex(of: ".") ?? path.startIndex)...] {
            case ".html", ".htm": .html
            case ".md": dialect.isMarkdown || path.hasSuffix("summary.md") ? .markdown : .other
            case ".txt" where path.hasSuffix("llms.txt") || path == mainPagesFile: .markdown
            case ".css": .style
            case ".xml", ".svg": .xml
            default: .other
            }
        tags =
            switch kind {
            case .html, .xml: markupTags(bytes)
            case .markdown: markupTags(Array(commonMark(bytes).utf8))
            case .style, .other: []
            }
    }

    /// Where a tag is, for a message.
    func line(of tag: MarkupTag) -> Int? { kind == .markdown ? nil : tag.line }
}

extension MarkdownDialect {
    /// Whether a CommonMark parser reads it.
    fileprivate var isMarkdown: Bool { self == .github || self == .commonmark }
}

private func commonMark(_ bytes: [UInt8]) -> String {
    html(fromCommonMark: String(decoding: bytes, as: UTF8.self)).text
}
