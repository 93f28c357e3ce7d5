/// Sessions (or users) of a day and those of them that crashed.
package struct DayCount: Hashable, Codable, Sendable {
    /// All of them; zero when the app had no users.
    package let total: Int
    /// Those that crashed; 0…`total`.
    package let crashed: Int
    /// The relative standard error of `total` where that is counted approximately; nil where it is exact.
    package let deviation: Double?
    /// By what the counts of a sample were multiplied, more than 1; nil where they are no sample. By chance they vary as
    /// `seen` does.
    package let sampling: Double?

    /// The counts; nil when they are impossible.
    package init?(total: Int, crashed: Int, deviation: Double? = nil, sampling: Double? = nil) {
        guard crashed >= 0, crashed <= total else { return nil }
        self.init(trustedTotal: total, crashed: crashed, deviation: deviation, sampling: sampling)
    }

    /// Nothing was counted.
    package static let nothing = DayCount(trustedTotal: 0, crashed: 0, deviation: nil, sampling: nil)

    /// The same counts as those of a sample that was multiplied.
    package func multiplied(by factor: Double?) -> DayCount {
        DayCount(trustedTotal: total, crashed: crashed, deviation: deviation, sampling: factor)
    }

    /// The counts that were really seen: those of the sample, where they are of one.
    package var seen: DayCount {
        guard let sampling else { return self }
        let total = Int((Double(total) / sampling).rounded())
        return DayCount(
            trustedTotal: total, crashed: min(total, Int((Double(crashed) / sampling).rounded())),
            deviation: deviation, sampling: nil)
    }

    /// Both added up; a sum that no Int holds stays at the largest. Its error is at most as if both missed in one
    /// direction; of samples the variances by chance add up.
    package static func + (left: DayCount, right: DayCount) -> DayCount {
        let (total, overflow) = left.total.addingReportingOverflow(right.total)
        let crashed = left.crashed.addingReportingOverflow(right.crashed)
        return DayCount(
            trustedTotal: overflow ? .max : total, crashed: crashed.overflow ? .max : crashed.partialValue,
            deviation: deviation(left, right), sampling: sampling(left, right))
    }

    private static func deviation(_ left: DayCount, _ right: DayCount) -> Double? {
        if left.deviation == nil, right.deviation == nil { return nil }
        let parts = [left, right].map { ($0.deviation ?? 0) * Double($0.total) }
        let whole = Double(left.total) + Double(right.total)
        return whole > 0 ? (parts[0] + parts[1]) / whole : nil
    }

    private static func sampling(_ left: DayCount, _ right: DayCount) -> Double? {
        if left.sampling == right.sampling { return left.sampling }
        let parts = [left, right].map { ($0.sampling ?? 1) * Double($0.total) }
        let whole = Double(left.total) + Double(right.total)
        return whole > 0 ? (parts[0] + parts[1]) / whole : nil
    }

    private init(trustedTotal total: Int, crashed: Int, deviation: Double?, sampling: Double?) {
        self.total = total
        self.crashed = crashed
        self.deviation = deviation
        self.sampling = sampling.flatMap { $0 > 1 && $0.isFinite ? $0 : nil }
    }
}
