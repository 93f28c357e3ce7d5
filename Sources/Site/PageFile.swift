import Markup
import Pages
import Templates

/// Something to be written: it makes its files when it is asked to, one at a time.
struct PageFile: Sendable {
    /// Where the page stands.
    let path: SitePath
    /// Whether it is a page that the sitemap lists.
    let isListed: Bool
    /// Makes the files; the writer is empty and is reused.
    let write: @Sendable (StagedSite, inout ByteWriter) throws(FileFailure) -> Tally

    /// A page in both languages, with the data beside it.
    init<Page: TemplateModel>(
        _ path: SitePath, _ templates: Twin<Page>, isListed: Bool = true,
        data: (@Sendable () -> DataDocument)? = nil, page: @escaping @Sendable () -> Page
    ) {
        self.path = path
        self.isListed = isListed
        self.write = { site, writer throws(FileFailure) in
            let model = page()
            var tally = Tally(pages: 1)
            tally += try emit(model, templates.html, "\(path.stem).html", site, &writer)
            tally += try emit(model, templates.markdown, "\(path.stem).md", site, &writer)
            if let charted = model as? any ChartedPage {
                tally += try emitCharts(charted.charts, path.folder, site)
            }
            guard let document = data?() else { return tally }
            for (name, bytes) in [("data.json", jsonBytes(document))] + csvFiles(document) {
                try site.write(path.folder + name, bytes)
                tally += Tally(files: 1, bytes: bytes.count)
            }
            return tally
        }
    }

    /// One Markdown file beside a page.
    init(
        summaryBeside path: SitePath, _ summary: SummaryWriter,
        page: @escaping @Sendable () -> SummaryDocument
    ) {
        self.path = path
        self.isListed = false
        self.write = { site, _ throws(FileFailure) in
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

    static func += (left: inout Tally, right: Tally) {
        left.pages += right.pages
        left.files += right.files
        left.bytes += right.bytes
    }
}

/// The drawing and the numbers of each chart, beside the page.
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
