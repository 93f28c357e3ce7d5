import Analysis
package import AppHealth
package import Diagnostics
package import Markup
package import Pages
import Templates

/// The Markdown of one page of a site, made without the others.
package struct MarkdownPage: Sendable {
    /// The page.
    package let path: SitePath
    /// The Markdown as the theme's templates write it.
    package let markdown: String
    private let baseURL: String?

    /// Makes the Markdown of a page. Failed checks of other pages do not stand on the page of sources.
    ///
    /// - Parameters:
    ///   - folders: the folders of its address; none for the entry page.
    ///   - history: reads what the archive knows of an app.
    /// - Throws: what is wrong with the theme or the content, or that there is no such page, with the nearest address.
    package init(
        at folders: [String], of input: SiteInput, history: (App) throws(Diagnostics) -> AppHistory
    ) throws(Diagnostics) {
        let (loaded, problems) = ThemeTemplates.load(input.theme)
        guard let templates = loaded else { throw Diagnostics(problems) }
        let apps = input.apps.map { "apps/\($0.app.id)" }
        var files: [PageFile]
        if folders.first == "apps", folders.count > 1 {
            guard let (app, targets) = input.apps.first(where: { $0.app.id.text == folders[1] }) else {
                throw unknownPage("show", folders, among: apps)
            }
            let analysis = try report(of: app, targets, input, history)
            files =
                [overviewFile(analysis.overview, templates, input.facts)]
                + appFiles(analysis, templates, input.facts)
        } else {
            files = try siteWideFiles(input, templates, history)
        }
        files.removeAll { !$0.isListed }
        let stem = (folders + ["index"]).joined(separator: "/")
        guard let page = files.first(where: { $0.path.stem == stem }) else {
            throw unknownPage("show", folders, among: files.map { String($0.path.folder.dropLast()) } + apps)
        }
        var writer = ByteWriter(capacity: 1 << 16)
        self.path = page.path
        self.markdown = String(decoding: page.markdown(&writer), as: UTF8.self)
        self.baseURL = input.facts.baseURL
    }

    /// The page in a dialect, as its file in a site of that dialect.
    package func text(in dialect: MarkdownDialect) -> String {
        MarkdownPageWriter(dialect, baseURL: baseURL).text(markdown, at: path).text
    }

    /// The page for a terminal: without folded parts, pictures and links, its verdicts in the tone of their signs.
    package var blocks: [Block] { toned(compactBlocks(ofMarkdown: markdown) { _ in nil }, signTone) }
}

/// What a piece of text means that begins with the sign of a verdict, such as `▼ below target`.
private func signTone(_ text: String) -> Span.Tone {
    if text.hasPrefix("▲ ") { return .good }
    return text.hasPrefix("▼ ") || text.hasPrefix("▼▼ ") ? .bad : .plain
}

private func report(
    of app: App, _ targets: Targets, _ input: SiteInput,
    _ history: (App) throws(Diagnostics) -> AppHistory
) throws(Diagnostics) -> AppAnalysis {
    var known = try history(app)
    known.notes = input.content.notes(of: app.id)
    return AppAnalysis(
        known, targets: targets, asOf: input.facts.asOf, control: input.control,
        audience: input.facts.audience)
}

private func siteWideFiles(
    _ input: SiteInput, _ templates: ThemeTemplates, _ history: (App) throws(Diagnostics) -> AppHistory
) throws(Diagnostics) -> [PageFile] {
    var digests: [AppSummaryRow] = []
    var live = LiveContent(input.content)
    for (app, targets) in input.apps {
        let analysis = try report(of: app, targets, input, history)
        live.gather(from: analysis)
        digests.append(AppSummaryRow(analysis))
    }
    try live.finish(with: digests)
    let mutes = muteProblems(input.control.mutes, digests.flatMap(\.muteUses))
    return siteFiles(digests, live, input, templates) + [sourcesFile(digests, mutes, [], input, templates)]
}

/// Reports that there is no such page, with the nearest address, or the span of the days or weeks that there are.
package func unknownPage(_ command: String, _ folders: [String], among known: [String]) -> Diagnostics {
    let address = folders.joined(separator: "/")
    let hint =
        spanHint(folders, among: known) ?? nearestHint(for: address, among: known)
        ?? choiceHint(known.map { $0.isEmpty ? "/" : $0 })
    return Diagnostics([
        .usage("\(command).unknown-page", "Unknown page '\(printable(address))'", hints: [hint])
    ])
}

/// For a day or a week that has no page, from which to which there are some: the nearest spelling is another one at
/// random. Nil for other pages, and where there are none.
private func spanHint(_ folders: [String], among known: [String]) -> String? {
    guard let name = folders.last, CivilDate(name) != nil || CivilWeek(name) != nil else { return nil }
    let place = folders.dropLast().map { $0 + "/" }.joined()
    let siblings = known.filter { $0.hasPrefix(place) }.map { String($0.dropFirst(place.count)) }
        .filter {
            (CivilDate($0) != nil) == (CivilDate(name) != nil)
                && (CivilWeek($0) != nil) == (CivilWeek(name) != nil)
        }
        .sorted()
    guard let first = siblings.first, let last = siblings.last else { return nil }
    return first == last ? "use '\(place)\(last)'" : "use a page from '\(place)\(first)' to '\(place)\(last)'"
}

/// A page in both languages as it is written.
struct RenderedPage {
    let html: [UInt8]
    /// The Markdown as the templates write it, in GitHub's dialect and as long as it is.
    let source: [UInt8]
    /// The Markdown in the dialect of the site.
    let markdown: [UInt8]
    /// What does not agree on it.
    let failedChecks: [Diagnostic]
    /// Why the page was given up; nil when it is whole.
    var fault: Diagnostic?
}

/// How a page is rendered.
struct PageForm<Page: FramedPage> {
    let path: SitePath
    let templates: PageTemplates<Page>
    /// What does not agree among its numbers.
    let mismatches: [Mismatch]
    /// Whether its Markdown is needed; it is empty otherwise.
    let hasMarkdown: Bool
}

/// Renders a page; when something on it does not agree, the page says so.
func rendered<Page: FramedPage>(
    _ page: inout Page, in form: PageForm<Page>, _ markdownWriter: MarkdownPageWriter,
    _ writer: inout ByteWriter
) -> RenderedPage {
    let (path, templates, hasMarkdown) = (form.path, form.templates, form.hasMarkdown)
    var fault: Diagnostic?
    func bytes(_ template: Template<Page>) -> [UInt8] {
        writer.removeAll()
        fault = template.render(page, into: &writer)?.diagnostic ?? fault
        // A copy as long as the page: the writer keeps its own, larger memory for the next one.
        return writer.bytes.fitted
    }
    func markdown() -> [UInt8] {
        hasMarkdown ? markdownWriter.source(bytes(templates.markdown), at: path) : []
    }
    let (html, source) = (bytes(templates.html), markdown())
    if let fault {
        return RenderedPage(html: [], source: [], markdown: [], failedChecks: [], fault: fault)
    }
    let version = markdownWriter.version(source, at: path)
    let literals = markdownWriter.literals
    // Most sites have the Markdown of the templates, which is checked once.
    let isOther = !version.isCut && (markdownWriter.dialect != .github || version.bytes != source)
    let missing: Mismatch? =
        if hasMarkdown {
            markdownMismatch(html: html, markdown: source, literals: literals)
                ?? (isOther
                    ? markdownMismatch(
                        html: html, markdown: version.bytes, in: markdownWriter.dialect, literals: literals)
                    : nil)
        } else { nil }
    let found = form.mismatches + [missing].compactMap(\.self)
    guard !found.isEmpty else {
        return RenderedPage(html: html, source: source, markdown: version.bytes, failedChecks: [])
    }
    let failed = found.map { $0.diagnostic(on: path) }
    let audience = page.frame.audience
    page.frame.failedChecks = failed.map { DiagnosticView($0.shown(to: audience)) }
    let failing = markdown()
    return RenderedPage(
        html: bytes(templates.html), source: failing,
        markdown: markdownWriter.version(failing, at: path).bytes,
        failedChecks: failed)
}
