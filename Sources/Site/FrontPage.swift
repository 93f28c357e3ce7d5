import Analysis
import AppHealth
import Files
import Markup
import Pages

/// The overview of an app as files. It alone of the app's pages shows the instant of the report, for which there are gaps:
/// a later build fills them, and makes no page for it.
struct FrontPage: Codable, Sendable {
    /// Its HTML, by its path.
    let html: [String: GappedText]
    /// Its Markdown as the templates write it.
    let source: GappedText
    /// The path of its Markdown, which is made from that; nil when it has none.
    let markdown: String?
    /// The paths of the files that do not show the instant.
    let plain: [String]

    /// Whether the gaps are for so many texts.
    func fits(_ count: Int) -> Bool { html.values.allSatisfy { $0.fits(count) } && source.fits(count) }

    /// The files that show the instant, with their texts.
    func files(
        _ texts: [String], at path: SitePath, _ writer: MarkdownPageWriter
    ) -> [(path: String, bytes: [UInt8])] {
        let pages = html.map { ($0.key, $0.value.filled(texts)) }
        guard let markdown else { return pages }
        return pages + [(markdown, writer.version(source.filled(texts), at: path).bytes)]
    }

    /// The gaps of an overview: it is made once more with a mark, letters alone, for each text that follows from the
    /// instant; nil when it would not become the page again, as where a template changes these texts.
    init?(
        _ page: MadePage, _ overview: Overview, _ templates: ThemeTemplates, _ site: SiteFacts,
        _ writer: MarkdownPageWriter
    ) {
        let texts = overview.instantTexts
        let marks = texts.indices.map { mark($0, overview.facts.app.id) }
        var bytes = ByteWriter(capacity: 1 << 14)
        // Data and charts are not made from these texts.
        let marked = overviewFile(overview, templates, site, textAlone: true) { $0.instantTexts = marks }
            .prepare().make(writer, &bytes)
        let codes = marks.map { Array($0.utf8) }
        let path = SitePath.app(overview.facts.app.id)
        source = GappedText(marked.source ?? [], marks: codes)
        var (html, plain): ([String: GappedText], [String]) = ([:], [])
        for file in marked.files where file.path != "\(path.stem).md" {
            let text = GappedText(file.bytes, marks: codes)
            if text.gaps.isEmpty { plain.append(file.path) } else { html[file.path] = text }
        }
        let remade = Set(marked.files.map(\.path))
        plain += page.files.map(\.path).filter { !remade.contains($0) }
        (self.html, self.plain) = (html, plain)
        markdown = page.files.first { $0.path == "\(path.stem).md" }?.path
        let made = Dictionary(page.files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        guard page.failedChecks.isEmpty, source.filled(texts) == page.source ?? [],
            made.count == html.count + plain.count + (markdown == nil ? 0 : 1),
            files(texts, at: path, writer).allSatisfy({ made[$0.path] == $0.bytes }),
            plain.allSatisfy({ made[$0] != nil })
        else { return nil }
    }
}

/// Letters that are on no page: where numbers of a page are compared, they are none.
private func mark(_ place: Int, _ app: Slug) -> String {
    "instant"
        + contentHash(Array("\(place) \(app)".utf8)).utf8.prefix(24).map { digit in
            let value =
                digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
            return String(UnicodeScalar(UInt8(ascii: "g") + value))
        }.joined()
}
