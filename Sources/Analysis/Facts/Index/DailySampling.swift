import AppHealth
import Statistics

/// By what the counts of each day were multiplied: 1 where they are no sample.
struct DailySampling: Sendable {
    private let first: CivilDate?
    private let factors: [Double]

    /// - Parameter days: Successive ones.
    init(_ days: [CivilDate], _ factors: [Double]) {
        first = days.first
        self.factors = factors.contains { $0 > 1 } ? factors : []
    }

    /// Of the counts of all releases together, as their source says or the totals show: those of one release may be too
    /// few.
    ///
    /// - Parameter lastDay: The last one of the report.
    init(
        of totals: [CivilDate: HealthDay], _ basis: Basis, from source: SourceHistory?,
        through lastDay: CivilDate
    ) {
        let first = firstReportDay(until: lastDay)
        let known = totals.keys.lazy.filter { $0 >= first && $0 <= lastDay }
        guard let start = known.min(), let end = known.max() else {
            self.init([], [])
            return
        }
        let days = (0...start.days(to: end)).map { start.advanced(by: $0) }
        let counts = days.map { totals[$0].flatMap(basis.count) }
        let stated = days.map { source.statedFactor(basis, on: $0) }
        self.init(days, sampleFactors(of: counts, stated: stated))
    }

    /// Whether the counts of any day are a sample.
    var isOfSamples: Bool { !factors.isEmpty }

    /// The same without samples on some days and on so many days after each of them.
    func withoutSamples(on others: Set<CivilDate>, span: Int) -> DailySampling {
        guard let first, !others.isEmpty else { return self }
        let days = factors.indices.map { first.advanced(by: $0) }
        var remaining = 0
        let known = zip(days, factors).map { day, factor in
            remaining = others.contains(day) ? span + 1 : max(0, remaining - 1)
            return remaining > 0 ? 1 : factor
        }
        return DailySampling(days, known)
    }

    /// The factor of a day; after the last one that of it.
    subscript(day: CivilDate) -> Double {
        guard let first, let last = factors.last else { return 1 }
        let place = first.days(to: day)
        return place < 0 ? 1 : place < factors.count ? factors[place] : last
    }
}

extension SourceHistory? {
    /// By what the counts of a day were multiplied, as far as the source says that they are of a sample; else 1.
    func statedFactor(_ basis: Basis, on day: CivilDate) -> Double {
        let coverage = self?.coverage(basis == .users ? .users : .sessions, on: day)
        guard case .partial(let counted?, let all?, _) = coverage, counted > 0, all > counted else {
            return 1
        }
        let factor = Double(all) / Double(counted)
        return factor <= largestFactor ? factor : 1
    }
}

/// A share of less than one in so many is no sample.
private let largestFactor = 1e9
