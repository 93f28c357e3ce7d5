import Diagnostics
import Files
import Markup
import Pages
import Templates

/// Something to be written: it makes its files on demand, one at a time.
struct PageFile: Sendable {
    /// Where the page is.
    let path: SitePath
    /// Whether it is a page that the sitemap lists.
    let isListed: Bool
    /// Makes the files; the writer is empty and is reused.
    let write: @Sendable (StagedSite, MarkdownPageWriter, inout ByteWriter) throws(FileFailure) -> Tally
    /// Makes the Markdown as the theme's templates write it; nil for what is no page.
    let markdown: (@Sendable (inout ByteWriter) -> [UInt8])?

    /// A page in both languages, with the data next to it.
    ///
    /// The page is checked before it is written; what does not agree is shown on it and reported in the tally.
    init<Page: FramedPage>(
        _ path: SitePath, _ templates: PageTemplates<Page>, isListed: Bool = true,
        data: (@Sendable () -> DataDocument)? = nil,
        checks: @escaping @Sendable (Page) -> [Mismatch] = { _ in [] }, page: @escaping @Sendable () -> Page
    ) {
        self.path = path
        self.isListed = isListed
        @Sendable func render(
            _ model: inout Page, _ document: DataDocument?, _ markdownWriter: MarkdownPageWriter,
            _ writer: inout ByteWriter
        ) -> RenderedPage {
            var mismatches = checks(model) + (document.map(shareMismatches) ?? [])
            if let charted = model as? any ChartedPage { mismatches += charted.chartFileMismatches }
            return rendered(&model, templates, mismatches, at: path, markdownWriter, &writer)
        }
        self.markdown = { writer in
            var model = page()
            return render(&model, data?(), MarkdownPageWriter(), &writer).source
        }
        self.write = { site, markdownWriter, writer throws(FileFailure) in
            let document = data?()
            var model = page()
            let rendered = render(&model, document, markdownWriter, &writer)
            var tally = Tally(pages: 1, files: 2, bytes: rendered.html.count + rendered.markdown.count)
            tally.failedChecks = rendered.failedChecks
            if isMainPage(path) { tally.mainPages[path] = rendered.source }
            try site.write("\(path.stem).html", rendered.html)
            try site.write("\(path.stem).md", rendered.markdown)
            if let charted = model as? any ChartedPage {
                tally += try emitCharts(charted.charts, path.folder, site)
            }
            guard let document else { return tally }
            for (name, bytes) in [("data.json", jsonBytes(document))] + csvFiles(document) {
                try site.write(path.folder + name, bytes)
                tally += Tally(files: 1, bytes: bytes.count)
            }
            return tally
        }
    }

    /// One Markdown file next to a page.
    init(
        summaryNextTo path: SitePath, _ summary: SummaryWriter,
        page: @escaping @Sendable () -> SummaryDocument
    ) {
        self.path = path
        self.isListed = false
        self.markdown = nil
        self.write = { site, _, _ throws(FileFailure) in
            let text = summary.text(of: page(), in: .github)
            try site.write(path.folder + "summary.md", text.utf8)
            return Tally(files: 1, bytes: text.utf8.count)
        }
    }
}

/// Counts of what was written.
struct Tally: Sendable {
    var pages = 0
    var files = 0
    var bytes = 0
    /// Mismatches on pages.
    var failedChecks: [Diagnostic] = []
    /// The Markdown of the main pages as the templates write it.
    var mainPages: [SitePath: [UInt8]] = [:]

    static func += (left: inout Tally, right: Tally) {
        left.pages += right.pages
        left.files += right.files
        left.bytes += right.bytes
        left.failedChecks += right.failedChecks
        left.mainPages.merge(right.mainPages) { first, _ in first }
    }
}

/// The drawing and the numbers of each chart, next to the page.
private func emitCharts(
    _ charts: [ChartView], _ folder: String, _ site: StagedSite
) throws(FileFailure) -> Tally {
    var tally = Tally()
    for chart in charts {
        for file in chart.files {
            try site.write(folder + file.name, file.text.utf8)
            tally += Tally(files: 1, bytes: file.text.utf8.count)
        }
    }
    return tally
}

private func emit<Page: TemplateModel>(
    _ page: Page, _ template: Template<Page>, _ path: String, _ site: StagedSite, _ writer: inout ByteWriter
) throws(FileFailure) -> Tally {
    writer.removeAll()
    template.render(page, into: &writer)
    try site.write(path, writer.bytes)
    return Tally(files: 1, bytes: writer.count)
}
