import Diagnostics
import Markup
import Pages
import Templates

/// A page in both languages as it is written.
struct RenderedPage {
    let html: [UInt8]
    let markdown: [UInt8]
    /// What does not agree on it.
    let failedChecks: [Diagnostic]
}

/// Renders a page; when something on it does not agree, the page says so.
func rendered<Page: FramedPage>(
    _ page: inout Page, _ templates: Twin<Page>, _ mismatches: [Mismatch], at path: SitePath,
    _ writer: inout ByteWriter
) -> RenderedPage {
    func bytes(_ template: Template<Page>) -> [UInt8] {
        writer.removeAll()
        template.render(page, into: &writer)
        return writer.bytes
    }
    let (html, markdown) = (bytes(templates.html), bytes(templates.markdown))
    let told = mismatches + [twinMismatch(html: html, markdown: markdown)].compactMap(\.self)
    guard !told.isEmpty else { return RenderedPage(html: html, markdown: markdown, failedChecks: []) }
    let failed = told.map { $0.diagnostic(on: path) }
    let audience = page.frame.audience
    page.frame.failedChecks = failed.map { DiagnosticView($0.told(to: audience)) }
    return RenderedPage(
        html: bytes(templates.html), markdown: bytes(templates.markdown), failedChecks: failed)
}
