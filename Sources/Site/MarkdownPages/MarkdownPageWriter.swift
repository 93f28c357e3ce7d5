import Markup
import Pages
import Settings

/// Writes the Markdown versions of pages in the dialect of a site.
struct MarkdownPageWriter: Sendable {
    /// The dialect.
    let dialect: MarkdownDialect
    /// The site's own address, when it has one.
    private let baseURL: String?
    /// Where on its host the site lies.
    private let root: String
    private let links: MarkdownLinks
    /// The numbers in the words of the theme.
    let literals: [ShownNumber]

    /// A writer that leaves the Markdown of the templates as it is, as long as it fits.
    init() { self.init(.github, baseURL: nil) }

    /// The writer for a site.
    init(_ facts: SiteFacts, literals: [ShownNumber] = []) {
        self.init(facts.markdown, baseURL: facts.baseURL, facts.outputs, literals: literals)
    }

    /// A writer for a dialect.
    init(
        _ dialect: MarkdownDialect, baseURL: String?, _ outputs: Outputs = .standard,
        literals: [ShownNumber] = []
    ) {
        (self.dialect, self.baseURL) = (dialect, baseURL)
        root = baseURL.map(pathOnHost) ?? "/"
        links = MarkdownLinks(outputs, root: root)
        self.literals = literals
    }

    /// The Markdown of the templates, its links to pages without Markdown leading to their HTML.
    func source(_ markdown: [UInt8], at path: SitePath) -> [UInt8] { links.led(markdown, on: path) }

    /// The Markdown of a page in the dialect; `isCut` when it is longer than the dialect admits.
    func version(_ markdown: [UInt8], at path: SitePath) -> (bytes: [UInt8], isCut: Bool) {
        if dialect == .github, dialect.limit.map({ markdown.count <= $0 }) ?? true {
            return (markdown, false)
        }
        let page = text(String(decoding: markdown, as: UTF8.self), at: path)
        return (Array(page.text.utf8), page.isCut)
    }

    /// The same as text. A message knows no relative address: in Slack's dialect links are whole, or words alone when
    /// the site has no address.
    func text(_ markdown: String, at path: SitePath) -> PageText {
        guard dialect == .slack else { return pageText(markdown, in: dialect) }
        return pageText(markdown, in: dialect) { address in
            if isOutward(address) { return address }
            guard let baseURL, let top = addressFromTop(address, on: path, root: root) else { return nil }
            return baseURL + pageAddress(top)
        }
    }
}

/// The address of the HTML page of a Markdown version: what is linked in a message is opened by a browser.
private func pageAddress(_ address: String) -> String {
    let (markdown, page) = ("index.md", "index.html")
    let path = address.prefix { $0 != "#" }
    guard path == markdown || path.hasSuffix("/" + markdown) else { return address }
    return path.dropLast(markdown.count) + page + address[path.endIndex...]
}

/// An address on a page as an address from the top of the site; nil when it leads above it.
///
/// - Parameter root: where on its host the site lies, such as `/reports/`.
func addressFromTop(_ address: String, on path: SitePath, root: String = "/") -> String? {
    if isOutward(address) { return address }
    if address.hasPrefix("/") {
        guard address.hasPrefix(root) else { return nil }
        return String(address.dropFirst(root.count).drop { $0 == "/" })
    }
    if address.hasPrefix("#") { return path.stem + ".html" + address }
    var folders = path.folder.split(separator: "/")[...]
    var parts = address.split(separator: "/", omittingEmptySubsequences: false)[...]
    while let first = parts.first, first == "." || first == ".." {
        if first == "..", folders.popLast() == nil { return nil }
        parts = parts.dropFirst()
    }
    return (folders + parts).joined(separator: "/")
}
