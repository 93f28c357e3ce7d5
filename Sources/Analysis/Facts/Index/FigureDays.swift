import AppHealth

/// The days that an app has figures of, whatever shows them.
struct FigureDays: Sendable {
    /// The first day on which the app was used or crashed, whatever shows it; nil when none does.
    let firstUse: CivilDate?
    /// The last day with a figure: of health where any source reports it, else of crashes, of issues or of use.
    ///
    /// Users, sessions and crashes often come one after the other, and a part of a fetch may fail: then the last day is
    /// that of the app's rate, as long as it is no more than `longestLag` behind the others.
    let last: CivilDate
    /// The last day that was complete at the time of the report.
    let lastWhole: CivilDate

    init(
        _ sources: [SourceHistory], _ rates: RateIndex, _ issues: IssueIndex, _ crashes: CrashDays,
        lastWhole: CivilDate, asOf: Instant
    ) {
        self.lastWhole = lastWhole
        firstUse = firstDayOfUse(sources, rates, issues, crashes)
        let newest = rates.health.keys.max()
        func lastOfOthers() -> CivilDate? {
            [
                crashes.counts.keys.max(), issues.lastKnownDay,
                sources.lastUsageDay(through: lastWhole, asOf: asOf),
            ].compactMap(\.self).max()
        }
        if let newest, let rated = rates.lastRatedDay, rated.days(to: newest) <= HistoryIndex.longestLag {
            last = rated
        } else {
            last = newest ?? lastOfOthers() ?? lastWhole
        }
    }
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
