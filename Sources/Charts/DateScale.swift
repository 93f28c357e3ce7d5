import AppHealth

/// Maps the days of a domain to horizontal positions in tenths of a unit; every day has a column of equal
/// width.
struct DateScale: Hashable, Sendable {
    let domain: DateDomain
    let left: Int
    let right: Int
    private let step: Double

    init(domain: DateDomain, left: Int, right: Int) {
        self.domain = domain
        self.left = left
        self.right = right
        self.step = Double(right - left) / Double(domain.count)
    }

    /// The width of one day.
    var columnWidth: Double { step }

    /// The middle of a day's column.
    @inline(__always)
    func center(_ index: Int) -> Int { left + Int(((Double(index) + 0.5) * step).rounded()) }

    /// Where a day's column begins; the index after the last day gives the right end.
    @inline(__always)
    func edge(_ index: Int) -> Int { left + Int((Double(index) * step).rounded()) }
}
