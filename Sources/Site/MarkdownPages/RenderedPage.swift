import Diagnostics
import Markup
import Pages
import Templates

/// A page in both languages as it is written.
struct RenderedPage {
    let html: [UInt8]
    /// The Markdown as the templates write it, in GitHub's dialect and as long as it is.
    let source: [UInt8]
    /// The Markdown in the dialect of the site.
    let markdown: [UInt8]
    /// What does not agree on it.
    let failedChecks: [Diagnostic]
}

/// Renders a page; when something on it does not agree, the page says so.
func rendered<Page: FramedPage>(
    _ page: inout Page, _ templates: Twin<Page>, _ mismatches: [Mismatch], at path: SitePath,
    _ twins: MarkdownPageWriter, _ writer: inout ByteWriter
) -> RenderedPage {
    func bytes(_ template: Template<Page>) -> [UInt8] {
        writer.removeAll()
        template.render(page, into: &writer)
        return writer.bytes
    }
    let (html, source) = (bytes(templates.html), bytes(templates.markdown))
    let twin = twins.twin(source, at: path)
    let missing =
        twinMismatch(html: html, markdown: source)
        ?? (twin.isCut ? nil : twinMismatch(html: html, markdown: twin.bytes, in: twins.dialect))
    let told = mismatches + [missing].compactMap(\.self)
    guard !told.isEmpty else {
        return RenderedPage(html: html, source: source, markdown: twin.bytes, failedChecks: [])
    }
    let failed = told.map { $0.diagnostic(on: path) }
    let audience = page.frame.audience
    page.frame.failedChecks = failed.map { DiagnosticView($0.told(to: audience)) }
    let failing = bytes(templates.markdown)
    return RenderedPage(
        html: bytes(templates.html), source: failing, markdown: twins.twin(failing, at: path).bytes,
        failedChecks: failed)
}
