import Diagnostics

/// The elements of a list that came in pages.
struct GooglePages<Element: Sendable>: Sendable {
    /// All elements, in the order of the pages, each with its key path on its page.
    private(set) var elements: [Placed<Element>] = []
    /// How many pages were read.
    private(set) var count = 0
    /// Why the list ends early, when it does.
    private(set) var cut: Diagnostic?
    /// What was left out.
    private(set) var warnings: [Diagnostic] = []

    mutating func add<Page: GooglePage>(_ page: Page, _ losses: Losses) where Page.Element == Element {
        elements += (page.elements?.items ?? []).map {
            Placed(path: "\(Page.key)[\($0.index)]", value: $0.value)
        }
        count += 1
        warnings += losses.warnings
    }

    /// The list ends before its last page.
    mutating func end(_ service: GoogleService, because why: Diagnostic) {
        cut = .warning(
            "\(service.name).pages-cut",
            "\(service.name): a list ends after page \(count), with \(elements.count) elements",
            details: [why.summary] + why.details, at: why.location, hints: why.hints)
    }
}
