import Diagnostics
import Transport

/// The elements of a list that came in pages.
struct ServicePages<Element: Sendable>: Sendable {
    let provider: String
    /// All elements, in the order of the pages.
    private(set) var elements: [Element] = []
    /// How many pages were read.
    private(set) var count = 0
    /// What was left out, and why the list ends early when it does.
    private(set) var warnings: [Diagnostic] = []
    /// Whether there is more than was read.
    private(set) var isCut = false

    init(provider: String) {
        self.provider = provider
    }

    mutating func add(_ page: [Element], _ losses: SkippedValues) {
        elements += page
        count += 1
        warnings += losses.warnings
    }

    /// The list ends early for a fault on a later page.
    mutating func end(by fault: ServiceFault) {
        let why = fault.diagnostic
        cut(details: [why.summary] + why.details, at: why.location, hints: why.hints)
    }

    /// The list ends early for a reason of its own.
    mutating func end(because reason: String, at address: String) {
        cut(details: [reason], at: .address(address), hints: [])
    }

    private mutating func cut(details: [String], at location: Location?, hints: [String]) {
        isCut = true
        warnings.append(
            .warning(
                "\(provider).pages-cut",
                "\(provider): a list ends after page \(count), with \(elements.count) elements",
                details: details, at: location, hints: hints))
    }
}
