import AppHealth
import Statistics

extension RateIndex {
    /// By what the counts of each of `days` were multiplied, as far as the source says that they are of a sample; else 1.
    func sampling(_ basis: Basis) -> [Double] { days.map { sources[basis].statedFactor(basis, on: $0) } }

    /// By what the sessions of each day were multiplied, as the source says or the counts themselves show.
    var sessionSampling: DailySampling {
        DailySampling(days, sampleFactors(of: crashSeries(.sessions), stated: sampling(.sessions)))
    }

    /// By what the counts of issues of each day were multiplied: as the sessions, where all events and users of all issues
    /// on it and on so many days before it are multiples of that; else 1.
    ///
    /// One count is a multiple of a small number by accident, so that one alone decides nothing.
    func sampling(of issues: IssueIndex, span: Int) -> DailySampling {
        let samples = sessionSampling
        guard samples.isOfSamples else { return samples }
        let rows = [issues.days, issues.releaseDays].lazy.flatMap(\.values).joined()
        let others = rows.filter { day in
            [day.events, day.users].contains { !isMultiple($0 ?? 0, of: samples[day.date]) }
        }
        return samples.withoutSamples(on: Set(others.map(\.date)), span: span)
    }
}
