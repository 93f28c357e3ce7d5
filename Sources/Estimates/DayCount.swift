/// Sessions (or users) of a day and those of them that crashed.
package struct DayCount: Hashable, Codable, Sendable {
    /// All of them; zero when the app had no users.
    package let total: Int
    /// Those that crashed; 0…`total`.
    package let crashed: Int
    /// The relative standard error of `total` where that is counted approximately; nil where it is exact.
    package let deviation: Double?

    /// The counts; nil when they are impossible.
    package init?(total: Int, crashed: Int, deviation: Double? = nil) {
        guard crashed >= 0, crashed <= total else { return nil }
        self.init(trustedTotal: total, crashed: crashed, deviation: deviation)
    }

    /// Nothing was counted.
    package static let nothing = DayCount(trustedTotal: 0, crashed: 0, deviation: nil)

    /// Both added up; a sum that no Int holds stays at the largest. Its error is at most as if both missed in one
    /// direction.
    package static func + (left: DayCount, right: DayCount) -> DayCount {
        let (total, overflow) = left.total.addingReportingOverflow(right.total)
        let crashed = left.crashed.addingReportingOverflow(right.crashed)
        return DayCount(
            trustedTotal: overflow ? .max : total, crashed: crashed.overflow ? .max : crashed.partialValue,
            deviation: deviation(left, right))
    }

    private static func deviation(_ left: DayCount, _ right: DayCount) -> Double? {
        if left.deviation == nil, right.deviation == nil { return nil }
        let parts = [left, right].map { ($0.deviation ?? 0) * Double($0.total) }
        let whole = Double(left.total) + Double(right.total)
        return whole > 0 ? (parts[0] + parts[1]) / whole : nil
    }

    private init(trustedTotal total: Int, crashed: Int, deviation: Double?) {
        self.total = total
        self.crashed = crashed
        self.deviation = deviation
    }
}
