package import AppHealth

/// What one source counts of single releases by day.
package struct ReleaseCounts: Sendable {
    /// The source; nil when no source has any.
    package let source: SourceHistory?
    /// Health of all releases together by day, as the source has it: the whole of which releases are parts.
    let totals: [CivilDate: HealthDay]
    /// Health of single releases by day and label.
    package let health: [ReleaseDay: HealthDay]
    /// The same by day, the releases of a day in any order.
    package let byDay: [CivilDate: [HealthDay]]
    /// What the lives of releases are counted in: users of single days where the source counts users alone.
    let basis: Basis

    init(_ source: SourceHistory?, asOf: Instant) {
        self.source = source
        totals = source.map { $0.totals(asOf: asOf) } ?? [:]
        health = source.map { $0.healthOfReleases(asOf: asOf) } ?? [:]
        byDay = Dictionary(grouping: health.values, by: \.date)
        basis = Array(newestDays(of: health)).basisOfRelease
    }

    /// Whether a release without a row had no session on a day.
    func isWhole(on day: CivilDate) -> Bool {
        source?.coverage(.releaseHealth, on: day).isComplete == true
    }

    /// The days that have less than four fifths of the crashes that they will have.
    var daysWithFewCrashes: Set<CivilDate> {
        Set(source.lateCounts(basis).filter { $0.value.crashedPart < RateIndex.inPart }.keys)
    }

    /// The days of which crashes may still come in: by what earlier days had, and by their age where that is not known.
    var daysComingIn: Set<CivilDate> {
        Set(source.lateCounts(basis).keys).union(byDay.keys.filter(source.isSettling))
    }
}

extension SourceHistory {
    /// Health of single releases, up to the last whole day.
    fileprivate func healthOfReleases(asOf: Instant) -> [ReleaseDay: HealthDay] {
        let last = lastWholeDay(at: asOf)
        return Dictionary(
            health.lazy.filter { $0.date <= last }.compactMap { day in
                day.version.map { (ReleaseDay(date: day.date, version: $0), day) }
            }, uniquingKeysWith: { $1 })
    }
}

/// What releases had on the last days with any of them: what was counted long ago, or by a source that ended, says nothing
/// of what is counted now.
private func newestDays(
    of rows: [ReleaseDay: HealthDay]
) -> some Sequence<HealthDay> {
    let first = Set(rows.keys.map(\.date)).sorted().suffix(HistoryIndex.longestLag).first
    return rows.values.filter { row in first.map { row.date >= $0 } ?? false }
}
