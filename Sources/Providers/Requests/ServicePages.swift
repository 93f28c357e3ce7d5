import Diagnostics
import Transport

/// One page of a list that names the next one in its body.
protocol WirePage: Decodable, Sendable {
    associatedtype Element: Sendable

    /// The good elements of this page.
    var elements: [Element] { get }
    /// The address of the next page as it was sent; nil on the last.
    var next: String? { get }
}

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

    mutating func add(_ page: [Element], _ losses: Losses) {
        elements += page
        count += 1
        warnings += losses.warnings
    }

    /// The list ends early for a fault on a later page.
    mutating func end(by fault: ServiceFault) {
        let why = fault.diagnostic
        cut(details: [why.summary] + why.details, at: why.location, hints: why.hints)
    }

    /// The list goes on at an address that is not asked.
    mutating func end(at next: Address, isLoop: Bool) {
        let reason =
            isLoop ? "the next page is one that was read already" : "no more pages are read in one fetch"
        cut(details: [reason], at: .address(next.description), hints: [])
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
