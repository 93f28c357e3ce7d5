import Diagnostics
import Files
import Markup
import Pages
import Templates

/// A page that makes its files, with those next to it, on demand.
struct PageFile: Sendable {
    /// Where the page is.
    let path: SitePath
    /// The name by which a build knows what the one before made of the same.
    let name: String
    /// Whether it is a page that the sitemap lists.
    let isListed: Bool
    /// Gathers what it is made from.
    let prepare: @Sendable () -> PreparedPage
    /// Makes the Markdown as the theme's templates write it.
    let markdown: @Sendable (inout ByteWriter) -> [UInt8]

    /// A page in both languages, with the data next to it.
    ///
    /// The page is checked before it is written; what does not agree is shown on it and reported.
    ///
    /// - Parameter textAlone: whether it has no files next to it, and is not held against those.
    init<Page: FramedPage>(
        _ path: SitePath, _ templates: PageTemplates<Page>, isListed: Bool = true, textAlone: Bool = false,
        data: (@Sendable () -> DataDocument)? = nil,
        checks: @escaping @Sendable (Page) -> [Mismatch] = { _ in [] }, page: @escaping @Sendable () -> Page
    ) {
        self.init(path, isListed: isListed) {
            var rendering = Rendering(path, templates) {
                let model = page()
                return PageParts(
                    page: model, data: model.frame.hasData && !textAlone ? data?() : nil,
                    mismatches: textAlone ? [] : checks(model))
            }
            rendering.textAlone = textAlone
            return rendering
        }
    }

    /// A page that is a function of a value, so that it need not be made again from an equal one.
    ///
    /// - Parameter summary: makes the summary next to the page, if it has one.
    init<Inputs: PageInputs, Page: FramedPage>(
        _ path: SitePath, _ templates: PageTemplates<Page>, from inputs: @escaping @Sendable () -> Inputs,
        _ facts: FactsDigests, data: (@Sendable (Inputs) -> DataDocument)? = nil,
        checks: @escaping @Sendable (Inputs, Page) -> [Mismatch] = { _, _ in [] },
        summary: (@Sendable (Inputs) -> String)? = nil, page: @escaping @Sendable (Inputs) -> Page
    ) {
        self.init(
            path, templates, from: inputs, digest: facts.digest, data: data, checks: checks, summary: summary,
            page: page)
    }

    /// The same of a value that is all that the page is made from besides what every page of the site shares.
    ///
    /// - Parameter digest: a digest of the value.
    init<Inputs: Sendable, Page: FramedPage>(
        _ path: SitePath, _ templates: PageTemplates<Page>, from inputs: @escaping @Sendable () -> Inputs,
        digest: @escaping @Sendable (Inputs) -> String?, data: (@Sendable (Inputs) -> DataDocument)? = nil,
        checks: @escaping @Sendable (Inputs, Page) -> [Mismatch] = { _, _ in [] },
        summary: (@Sendable (Inputs) -> String)? = nil, page: @escaping @Sendable (Inputs) -> Page
    ) {
        self.init(path, isListed: true) {
            let inputs = inputs()
            var rendering = Rendering(path, templates) {
                let model = page(inputs)
                return PageParts(
                    page: model, data: model.frame.hasData ? data?(inputs) : nil,
                    mismatches: checks(inputs, model))
            }
            // The Markdown of main pages goes into a file of the whole site.
            if !isMainPage(path) { rendering.digest = { digest(inputs) } }
            if let summary { rendering.summary = { summary(inputs) } }
            return rendering
        }
    }

    private init<Page: FramedPage>(
        _ path: SitePath, isListed: Bool, _ rendering: @escaping @Sendable () -> Rendering<Page>
    ) {
        self.path = path
        self.name = path.stem
        self.isListed = isListed
        self.markdown = { writer in
            rendering().rendered(MarkdownPageWriter(), &writer, needsMarkdown: true).page.source
        }
        self.prepare = {
            let rendering = rendering()
            return PreparedPage(digest: rendering.digest) { rendering.made($0, &$1) }
        }
    }
}

/// Where the summary next to a page is.
private func summaryPath(_ page: SitePath) -> String { page.folder + "summary.md" }

/// A page of which all that it is made from is at hand.
struct PreparedPage {
    /// A digest of all that it is made from besides what the site shares; nil for what is made with each build.
    var digest: (@Sendable () -> String?)?
    /// Makes the files; the writer is empty and is reused.
    let make: @Sendable (MarkdownPageWriter, inout ByteWriter) -> MadePage
}

/// How a page becomes files.
private struct Rendering<Page: FramedPage>: Sendable {
    let path: SitePath
    let templates: PageTemplates<Page>
    let parts: @Sendable () -> PageParts<Page>
    var digest: (@Sendable () -> String?)?
    var summary: (@Sendable () -> String)?
    /// Whether the page has no files next to it.
    var textAlone = false

    init(
        _ path: SitePath, _ templates: PageTemplates<Page>, _ parts: @escaping @Sendable () -> PageParts<Page>
    ) {
        (self.path, self.templates, self.parts) = (path, templates, parts)
    }

    func rendered(
        _ markdownWriter: MarkdownPageWriter, _ writer: inout ByteWriter, needsMarkdown: Bool
    ) -> (model: Page, data: DataDocument?, page: RenderedPage) {
        let parts = parts()
        var model = parts.page
        var mismatches = parts.mismatches + (parts.data.map(shareMismatches) ?? [])
        if !model.frame.hasChartFiles, var charted = model as? any ChartedPage {
            charted.leaveOutChartFiles()
            if let left = charted as? Page { model = left }
        }
        if !textAlone, let charted = model as? any ChartedPage { mismatches += charted.chartFileMismatches }
        let form = PageForm(
            path: path, templates: templates, mismatches: mismatches,
            hasMarkdown: needsMarkdown || model.frame.hasMarkdown)
        let page = Site.rendered(&model, in: form, markdownWriter, &writer)
        return (model, parts.data, page)
    }

    func made(_ markdownWriter: MarkdownPageWriter, _ writer: inout ByteWriter) -> MadePage {
        // The Markdown of main pages goes into a file of the whole site too.
        let (model, document, page) = rendered(markdownWriter, &writer, needsMarkdown: isMainPage(path))
        var made = MadePage(failedChecks: page.failedChecks, fault: page.fault)
        if isMainPage(path) { made.source = page.source }
        made.files = [("\(path.stem).html", page.html)]
        if model.frame.hasMarkdown { made.files.append(("\(path.stem).md", page.markdown)) }
        if textAlone { return made }
        for file in (model as? any ChartedPage)?.charts.flatMap(\.files) ?? [] {
            made.files.append((path.folder + file.name, Array(file.text.utf8)))
        }
        if let document {
            let json = model.frame.hasJSON ? [("data.json", jsonBytes(document))] : []
            let tables = model.frame.hasCSV ? csvFiles(document) : []
            made.files += (json + tables).map { (path.folder + $0.0, $0.1) }
        }
        if let summary { made.files.append((summaryPath(path), Array(summary().utf8))) }
        return made
    }
}

/// What a page is rendered from.
private struct PageParts<Page> {
    let page: Page
    let data: DataDocument?
    let mismatches: [Mismatch]
}

/// What was made of a page.
struct MadePage {
    /// Its files with their paths from the top of the site.
    var files: [(path: String, bytes: [UInt8])] = []
    /// Mismatches on it.
    var failedChecks: [Diagnostic] = []
    /// Why the page was given up; nil when it is whole.
    var fault: Diagnostic?
    /// The Markdown as the templates write it, of a main page.
    var source: [UInt8]?
}

/// A digest of a value by its bytes; nil when it has none.
package func digestOfValue(_ value: some Encodable) -> String? {
    (try? ValueEncoder.bytes(of: value)).map { contentHash($0) }
}

/// Counts of what was written.
struct Tally: Sendable {
    var pages = 0
    /// How many of the pages are those of the site before, without being made again.
    var keptPages = 0
    var files = 0
    var bytes = 0
    /// Mismatches on pages.
    var failedChecks: [Diagnostic] = []
    /// Why a page was given up.
    var fault: Diagnostic?
    /// The Markdown of the main pages as the templates write it.
    var mainPages: [SitePath: [UInt8]] = [:]
    /// What the next build may keep.
    var kept: [String: KeptPage] = [:]

    static func + (left: Tally, right: Tally) -> Tally {
        var sum = left
        sum += right
        return sum
    }

    static func += (left: inout Tally, right: Tally) {
        left.pages += right.pages
        left.keptPages += right.keptPages
        left.files += right.files
        left.bytes += right.bytes
        left.failedChecks += right.failedChecks
        left.fault = left.fault ?? right.fault
        left.mainPages.merge(right.mainPages) { first, _ in first }
        left.kept.merge(right.kept) { first, _ in first }
    }
}
