import Files
import Markup
import Site

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

    /// How large a file is that links and tags are looked for in.
    private static let mostBytes = 64 << 20

    /// Reads a file of a site.
    ///
    /// - Parameters:
    ///   - dialect: that of the Markdown versions; a text without CommonMark's links has no tags.
    ///   - isSearched: whether what is hidden is looked for in it. Else a file without links or tags has no bytes.
    /// - Throws: `FileFailure`, also for one with links or tags, or with the state of the site, that is too large.
    init(
        _ path: String, of site: String, dialect: MarkdownDialect = .github, isSearched: Bool
    ) throws(FileFailure) {
        self.path = path
        kind = Kind(of: path, dialect)
        let place = "\(site)/\(path)"
        bytes =
            kind != .other || isSearched
            ? try readFile(place, limit: kind == .other && path != siteMarker ? .max : Self.mostBytes) : []
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

extension BuiltFile.Kind {
    fileprivate init(of path: String, _ dialect: MarkdownDialect) {
        self =
            switch path[(path.lastIndex(of: ".") ?? path.startIndex)...] {
            case ".html", ".htm": .html
            case ".md": dialect.isMarkdown || path.hasSuffix("summary.md") ? .markdown : .other
            case ".txt" where path.hasSuffix("llms.txt") || path == mainPagesFile: .markdown
            case ".css": .style
            case ".xml", ".svg": .xml
            default: .other
            }
    }
}

extension MarkdownDialect {
    /// Whether a CommonMark parser reads it.
    fileprivate var isMarkdown: Bool { self == .github || self == .commonmark }
}

private func commonMark(_ bytes: [UInt8]) -> String {
    html(fromCommonMark: String(decoding: bytes, as: UTF8.self)).text
}
