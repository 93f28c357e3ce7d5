/// What single releases had, taken together: sessions, crashes and events add up, users do not, as one user may have used
/// several releases on a day.
extension Collection<HealthDay> {
    /// A day of all releases together from that of each of them; nil when nothing of it is known.
    package var ofAllReleases: HealthDay? {
        guard let date = first?.date else { return nil }
        var day = HealthDay(
            date: date, sessions: sum(map(\.sessions)), crashedSessions: sum(map(\.crashedSessions)),
            crashes: sum(map(\.crashes)))
        day.deviation = compactMap(\.deviation).max()
        let isKnown = day.sessions != nil || day.crashedSessions != nil || day.crashes != nil
        return isKnown ? day : nil
    }
}

extension Collection<IssueDay> {
    /// A day of an issue in all releases together from that in each of them; nil when its events are not known.
    package var ofAllReleases: IssueDay? {
        guard let first, let events = sum(map(\.events)) else { return nil }
        return IssueDay(issue: first.issue, date: first.date, events: events, users: nil)
    }
}

/// The sum of counts; nil when one is not known, or impossible.
private func sum(_ counts: [Int?]) -> Int? {
    counts.reduce(0) { sum, count in
        guard let sum, let count = PlausibleCount.known(count) else { return nil }
        return PlausibleCount.known(sum + count)
    }
}

extension AppHistory {
    /// With the counts of all releases together wherever a source gives those of single releases alone.
    package var withSumsOfReleases: AppHistory {
        var history = self
        history.sources = sources.map(\.withSumsOfReleases)
        return history
    }
}

extension SourceHistory {
    /// With the counts of all releases together on the days that have those of single releases alone, as far as all
    /// releases of the day are known.
    ///
    /// Where they are not, the day is not known: it is not a day without events.
    fileprivate var withSumsOfReleases: SourceHistory {
        var history = self
        history.addHealthOfAllReleases()
        history.addIssueDaysOfAllReleases()
        return history
    }

    private mutating func addHealthOfAllReleases() {
        let whole = Set(health.lazy.filter { $0.version == nil }.map(\.date))
        var sums: [CivilDate: HealthDay] = [:]
        let parts = health.lazy.filter { $0.version != nil && !whole.contains($0.date) }
        for (date, releases) in Dictionary(grouping: parts, by: \.date) {
            let known = coverage(.releaseHealth, on: date)
            guard known.isComplete, let sum = releases.ofAllReleases else { continue }
            sums[date] = sum
            if sum.sessions != nil { state(.sessions, on: date, known) }
            if sum.crashes != nil { state(.crashes, on: date, .complete) }
        }
        guard !sums.isEmpty else { return }
        health = health.flatMap { day in [sums.removeValue(forKey: day.date), day].compactMap(\.self) }
    }

    private mutating func addIssueDaysOfAllReleases() {
        guard issueDays.contains(where: { $0.version != nil }) else { return }
        let rows = issueDays.isInOrder ? issueDays : issueDays.sorted(by: isBefore)
        var (sums, unknown): ([(place: Int, day: IssueDay)], Set<CivilDate>) = ([], [])
        var start = 0
        while start < rows.count {
            let first = rows[start]
            let end =
                rows[start...].firstIndex { $0.date != first.date || $0.issue != first.issue } ?? rows.count
            if first.version != nil {
                if coverage(.issueReleases, on: first.date).isComplete,
                    let sum = rows[start..<end].ofAllReleases
                {
                    sums.append((start, sum))
                } else {
                    unknown.insert(first.date)
                }
            }
            start = end
        }
        for date in unknown where coverage(.issueDays, on: date).isComplete {
            coverage.state(CoverageSpan(.issueDays, date...date, .partial(counted: nil, of: nil)))
        }
        guard !sums.isEmpty else { return }
        var all: [IssueDay] = []
        all.reserveCapacity(rows.count + sums.count)
        for (sum, next) in zip(sums, sums.dropFirst().map(\.place) + [rows.count]) {
            if all.isEmpty { all += rows[..<sum.place] }
            all.append(sum.day)
            all += rows[sum.place..<next]
        }
        issueDays = all
    }

    /// States the coverage of a day that nothing was stated of.
    private mutating func state(_ fact: CoveredFact, on date: CivilDate, _ known: Coverage) {
        guard !coverage(fact, on: date).isKnown else { return }
        coverage.state(CoverageSpan(fact, date...date, known))
    }
}

extension [IssueDay] {
    /// Whether the rows of each day of an issue follow each other, that of all releases first.
    fileprivate var isInOrder: Bool {
        var issues: Set<String> = []
        guard let first else { return true }
        issues.insert(first.issue)
        return zip(self, dropFirst()).allSatisfy { before, row in
            before.issue == row.issue ? !isBefore(row, before) : issues.insert(row.issue).inserted
        }
    }
}

/// The order of rows by issue, then by day, that of all releases first; those of two releases are equal.
private func isBefore(_ first: IssueDay, _ second: IssueDay) -> Bool {
    if first.issue != second.issue { return first.issue < second.issue }
    if first.date != second.date { return first.date < second.date }
    return first.version == nil && second.version != nil
}
