import AppHealth
import Statistics

extension HistoryIndex {
    /// By what the counts of each of `days` were multiplied, as far as the source says that they are of a sample; else 1.
    func sampling(_ basis: Basis) -> [Double] {
        healthDays.map { statedFactor(of: rates[basis], basis, on: $0) }
    }

    /// By what the sessions of each day were multiplied, as the source says or the counts themselves show.
    var sessionSampling: DailySampling {
        DailySampling(
            healthDays, sampleFactors(of: crashSeries(.sessions), stated: sampling(.sessions)))
    }

    /// By what the counts of issues of each day were multiplied: as the sessions, where all events and users of all issues
    /// on it and on so many days before it are multiples of that; else 1.
    ///
    /// One count is a multiple of a small number by accident, so that one alone decides nothing.
    func issueSampling(span: Int) -> DailySampling {
        let samples = sessionSampling
        guard samples.isOfSamples else { return samples }
        let rows = [issueDays, issueReleaseDays].lazy.flatMap(\.values).joined()
        let others = rows.filter { day in
            [day.events, day.users].contains { !isMultiple($0 ?? 0, of: samples[day.date]) }
        }
        return samples.withoutSamples(on: Set(others.map(\.date)), span: span)
    }

    /// By what the counts of releases of each day were multiplied. The totals of their source show it: those of one release
    /// may be too few.
    var samplingOfReleases: DailySampling {
        let first = Self.firstDay(until: lastDay)
        let known = releaseTotals.keys.lazy.filter { $0 >= first && $0 <= lastDay }
        guard let start = known.min(), let end = known.max() else { return DailySampling([], []) }
        let days = (0...start.days(to: end)).map { start.advanced(by: $0) }
        let counts = days.map { releaseTotals[$0].flatMap(releaseBasis.count) }
        let stated = days.map { statedFactor(of: rates.releases, releaseBasis, on: $0) }
        return DailySampling(days, sampleFactors(of: counts, stated: stated))
    }
}

private func statedFactor(of source: SourceHistory?, _ basis: Basis, on day: CivilDate) -> Double {
    let coverage = source?.coverage(basis == .users ? .users : .sessions, on: day)
    guard case .partial(let counted?, let all?, _) = coverage, counted > 0, all > counted else { return 1 }
    let factor = Double(all) / Double(counted)
    return factor <= largestFactor ? factor : 1
}

/// A share of less than one in so many is no sample.
private let largestFactor = 1e9

/// By what the counts of each day were multiplied: 1 where they are no sample.
struct DailySampling: Sendable {
    private let first: CivilDate?
    private let factors: [Double]

    /// - Parameter days: Successive ones.
    init(_ days: [CivilDate], _ factors: [Double]) {
        first = days.first
        self.factors = factors.contains { $0 > 1 } ? factors : []
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
