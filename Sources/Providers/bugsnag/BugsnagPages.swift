import Diagnostics
import Transport

/// The elements of a list that came in pages.
struct BugsnagPages<Element: Sendable>: Sendable {
    /// All elements, in the order of the pages.
    private(set) var elements: [Element] = []
    /// How many pages were read.
    private(set) var count = 0
    /// What was left out, and why the list ends early when it does.
    private(set) var warnings: [Diagnostic] = []

    mutating func add(_ page: [Element], _ losses: Losses) {
        elements += page
        count += 1
        warnings += losses.warnings
    }

    /// The list ends early for a fault on a later page.
    mutating func end(by fault: BugsnagFault) {
        let why = fault.diagnostic
        warnings.append(
            .warning(
                "bugsnag.pages-cut",
                "bugsnag: a list ends after page \(count), with \(elements.count) elements",
                details: [why.summary] + why.details, at: why.location, hints: why.hints))
    }

    /// The list goes on at an address that is not asked.
    mutating func end(at next: Address, isLoop: Bool) {
        let reason =
            isLoop ? "the next page is one that was read already" : "no more pages are read in one fetch"
        warnings.append(
            .warning(
                "bugsnag.pages-cut",
                "bugsnag: a list ends after page \(count), with \(elements.count) elements",
                details: [reason], at: .address(next.description)))
    }
}
