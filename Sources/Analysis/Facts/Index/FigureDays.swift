import AppHealth

/// The days that an app has figures of, whatever shows them.
struct FigureDays: Sendable {
    /// The first day on which the app was used or crashed, whatever shows it; nil when none does.
    let firstUse: CivilDate?
    /// The last day with a figure: of health where any source reports it, else of crashes, of issues or of use.
    ///
    /// Users, sessions and crashes often come one after the other, and a part of a fetch may fail: then the last day is
    /// that of the app's rate, or of its crashes where they are shown in place of one and known on most days, as long as it
    /// is no more than `longestLag` behind the others.
    let last: CivilDate
    /// The last day that was complete at the time of the report.
    let lastWhole: CivilDate
    /// Whether a day of the last four weeks has a rate, users or sessions with those that crashed, or for as long neither
    /// crashes nor events of issues are known either.
    ///
    /// Users or sessions without those that crashed are use: they take the place of no crashes. A row without anything is of
    /// a source of rates.
    let hasHealthLately: Bool

    init(
        _ sources: [SourceHistory], _ rates: RateIndex, _ issues: IssueIndex, _ crashes: CrashDays,
        lastWhole: CivilDate, asOf: Instant
    ) {
        self.lastWhole = lastWhole
        firstUse = firstDayOfUse(sources, rates, issues, crashes)
        hasHealthLately = isHealthKnownLately(rates, issues, crashes)
        let (healthy, counted) = (rates.health.keys.max(), crashes.counts.keys.max())
        func lastOfOthers() -> CivilDate? {
            [counted, issues.lastKnownDay, sources.lastUsageDay(through: lastWhole, asOf: asOf)]
                .compactMap(\.self).max()
        }
        let others = hasHealthLately ? nil : lastOfOthers()
        // Rates that ended long ago keep no report back from what is shown in their place.
        let isOver =
            healthy.flatMap { day in others.map { day.days(to: $0) > HistoryIndex.longestLag } } == true
        let newest = isOver ? others : healthy ?? others
        if !isOver, let healthy, let rated = rates.lastRatedDay,
            rated.days(to: healthy) <= HistoryIndex.longestLag
        {
            last = rated
        } else if let newest, let counted, !hasHealthLately,
            (0...HistoryIndex.longestLag).contains(counted.days(to: newest)),
            areCrashesUsual(crashes, issues, through: newest)
        {
            last = counted
        } else {
            last = newest ?? lastWhole
        }
    }
}

private func isHealthKnownLately(_ rates: RateIndex, _ issues: IssueIndex, _ crashes: CrashDays) -> Bool {
    let rated = rates.health.values.filter { day in
        Basis.allCases.contains { $0.isRated(day) } || !day.hasCounts
    }
    guard let last = rated.map(\.date).max() else { return false }
    return (crashes.counts.keys.max() ?? issues.lastKnownDay).map {
        last.days(to: $0) < HistoryIndex.latelySpan
    } ?? true
}

/// Whether crashes are known on at least half of those of the last four weeks' days that have crashes or events of issues:
/// where a list is whole now and then, the days between go on.
private func areCrashesUsual(_ crashes: CrashDays, _ issues: IssueIndex, through last: CivilDate) -> Bool {
    let known = (0..<HistoryIndex.latelySpan).map { last.advanced(by: -$0) }.filter {
        crashes.counts[$0] != nil || issues.coverage(on: $0) != .unknown
    }
    return known.count { crashes.counts[$0] != nil } * 2 >= known.count
}

private func firstDayOfUse(
    _ sources: [SourceHistory], _ rates: RateIndex, _ issues: IssueIndex, _ crashes: CrashDays
) -> CivilDate? {
    let used = rates.health.values.filter { [$0.users, $0.sessions].contains { ($0 ?? 0) > 0 } }.map(\.date)
    let crashed = crashes.counts.filter { $0.value > 0 }.keys
    let met = [issues.days, issues.releaseDays].flatMap { rows in
        rows.values.compactMap { $0.first(where: \.isSeen)?.date }
    }
    let active = sources.flatMap { source in
        source.usage.filter { ($0.activeUsers ?? 0) > 0 || ($0.newUsers ?? 0) > 0 }.map(\.date)
    }
    let seen = issues.byID.all.compactMap { issue in issue.firstSeen.map { issues.day(of: $0) } }
    return [used.min(), crashed.min(), met.min(), active.min(), seen.min()].compactMap(\.self).min()
}
