import AppHealth

extension Snapshot {
    /// Makes totals of all events those of crashes, for services that count errors and hangs with them.
    ///
    /// From each day goes what the issues of other kinds had on it. A day on which that is not known has no total.
    ///
    /// - Parameter isWhole: whether the list of issues names all that had an event, and the kind of each is known.
    mutating func countCrashesAlone(isWhole: Bool) {
        let others = Set(issues.lazy.filter { $0.kind != .crash }.map(\.id))
        var counted: [CivilDate: [String: Int]] = [:]
        for day in issueDays where day.version == nil && others.contains(day.issue) {
            if let events = day.events { counted[day.date, default: [:]][day.issue] = events }
        }
        let stated = CoverageHistory(coverage)
        var unknown: Set<CivilDate> = []
        for index in health.indices {
            guard let total = health[index].crashes else { continue }
            let (date, known) = (health[index].date, counted[health[index].date] ?? [:])
            let isKnown = stated(.issueDays, on: date).isComplete || known.count == others.count
            let other = known.values.reduce(0) { min($0 + min(max($1, 0), total), total) }
            // A day without any event has no crash, whatever kinds its issues are of.
            health[index].crashes = isKnown && (isWhole || total == 0) ? total - other : nil
            if health[index].crashes == nil { unknown.insert(date) }
        }
        health.removeAll { $0 == HealthDay(date: $0.date, version: $0.version) }
        let totals = coverage.filter { $0.fact == .crashes }
        let gone = unknown.map { CoverageSpan(.crashes, $0...$0, .unknown) }
        coverage.removeAll { $0.fact == .crashes }
        coverage += CoverageHistory(totals + gone).spans.filter(\.coverage.isKnown)
    }

    /// States that the crashes of the days of issues are known in part: which issues are crashes is not, so that those which
    /// are do not add up to a day's. A day that has a total keeps it.
    mutating func stateThatCrashesAreOpen() {
        let stated = CoverageHistory(coverage)
        let open = stated.days(of: .issueDays).filter { !stated(.crashes, on: $0).isKnown }
        let crashes = coverage.filter { $0.fact == .crashes }
        coverage.removeAll { $0.fact == .crashes }
        coverage +=
            CoverageHistory(crashes + coverageSpans(.crashes, open, .partial(counted: nil, of: nil))).spans
    }
}
