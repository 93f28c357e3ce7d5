/// Sessions (or users) of a day and those of them that crashed.
package struct DayCount: Hashable, Codable, Sendable {
    /// All of them; zero when the app had no users.
    package let total: Int
    /// Those that crashed; 0…`total`.
    package let crashed: Int

    /// The counts; nil when they are impossible.
    package init?(total: Int, crashed: Int) {
        guard crashed >= 0, crashed <= total else { return nil }
        self.total = total
        self.crashed = crashed
    }

    /// Nothing was counted.
    package static let nothing = DayCount(trustedTotal: 0, crashed: 0)

    /// Both added up; a sum that no Int holds stays at the largest.
    package static func + (left: DayCount, right: DayCount) -> DayCount {
        let (total, overflow) = left.total.addingReportingOverflow(right.total)
        let crashed = left.crashed.addingReportingOverflow(right.crashed)
        return DayCount(
            trustedTotal: overflow ? .max : total, crashed: crashed.overflow ? .max : crashed.partialValue)
    }

    private init(trustedTotal total: Int, crashed: Int) {
        self.total = total
        self.crashed = crashed
    }
}
