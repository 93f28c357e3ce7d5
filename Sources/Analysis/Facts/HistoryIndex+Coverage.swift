package import AppHealth

extension HistoryIndex {
    /// How much the source of issues reported of their events on a day.
    package func issueCoverage(on day: CivilDate) -> Coverage {
        issues?.coverage(.issueDays, on: day) ?? .unknown
    }

    /// How much it reported of their events by release on a day.
    func releaseIssueCoverage(on day: CivilDate) -> Coverage {
        issues?.coverage(.issueReleases, on: day) ?? .unknown
    }

    /// Whether an issue without a row had nothing on every one of the days.
    func areWhole(_ days: some Sequence<CivilDate>) -> Bool {
        days.allSatisfy { issueCoverage(on: $0).isComplete }
    }

    /// Whether the issues of a release are known on every day of its life, so that their events may be held against
    /// all its sessions.
    func countsAllIssues(of release: Release, _ days: [HealthDay]) -> Bool {
        let dates = days.map(\.date)
        guard let first = dates.min() ?? release.releasedAt?.date, first <= lastDay else { return false }
        let last = dates.max() ?? lastDay
        return (0...min(first.days(to: last), Self.longestSpan)).allSatisfy {
            releaseIssueCoverage(on: first.advanced(by: $0)).isComplete
        }
    }

    /// The events of an issue by day, in the order of the days: nil where it has no row and its day is not whole.
    func events(of issue: String, on days: [CivilDate]) -> [Int?] {
        let rows = Dictionary(
            (issueDays[issue] ?? []).map { ($0.date, $0.events) }, uniquingKeysWith: { $1 })
        return days.map { day in rows[day] ?? (issueCoverage(on: day).isComplete ? 0 : nil) }
    }

    /// The last day with a figure: of health where any source tells it, else of crashes, of issues or of use.
    package var lastFigureDay: CivilDate {
        health.keys.max() ?? [crashes.keys.max(), lastIssueDay, lastUsageDay].compactMap(\.self).max()
            ?? lastDay
    }

    /// Whether the source of issues counts them by day.
    var countsIssueDays: Bool { issues?.source.capabilities.contains(.issueDays) == true }

    /// Whether any day has a figure.
    package var hasFigures: Bool { !days.isEmpty }

    private var lastIssueDay: CivilDate? { issueDays.values.compactMap(\.last?.date).max() }

    private var lastUsageDay: CivilDate? {
        let known = sources.first { $0.capturedAt != nil && $0.source.capabilities.contains(.usage) }
        return known?.usage.last { $0.date <= lastDay }?.date
    }
}

/// Crash events of an app by day, all issues together, from one source.
struct CrashDays {
    let source: SourceHistory?
    let counts: [CivilDate: Int]

    /// Totals of the source of issues, or the sum of its issues on days that are whole; the totals of the source of
    /// stability where the source of issues has none.
    init(
        issues: SourceHistory?, stability: SourceHistory?, byID: [String: Issue],
        rows: [String: [IssueDay]], lastDay: CivilDate
    ) {
        let own = issues.map { Self.totals(of: $0, lastDay) } ?? [:]
        let summed = issues.map { Self.sums(of: $0, byID, rows, lastDay) } ?? [:]
        let counts = summed.merging(own) { _, total in total }
        let others = counts.isEmpty ? stability.map { Self.totals(of: $0, lastDay) } ?? [:] : [:]
        self.counts = counts.isEmpty ? others : counts
        self.source = counts.isEmpty ? (others.isEmpty ? nil : stability) : issues
    }

    private static func totals(of source: SourceHistory, _ lastDay: CivilDate) -> [CivilDate: Int] {
        var totals: [CivilDate: Int] = [:]
        for day in source.health where day.version == nil && day.date <= lastDay {
            guard let crashes = day.crashes, crashes >= 0 else { continue }
            if case .partial = source.coverage(.crashes, on: day.date) { continue }
            totals[day.date] = min(crashes, HistoryIndex.largestCount)
        }
        return totals
    }

    private static func sums(
        of source: SourceHistory, _ issues: [String: Issue], _ rows: [String: [IssueDay]],
        _ lastDay: CivilDate
    ) -> [CivilDate: Int] {
        guard source.source.capabilities.contains(.issueDays) else { return [:] }
        let earliest = lastDay.advanced(by: 1 - HistoryIndex.longestSpan)
        let whole = source.coverage.days(of: .issueDays).filter {
            $0 >= earliest && $0 <= lastDay && source.coverage(.issueDays, on: $0).isComplete
        }
        var sums = Dictionary(whole.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
        var uncounted: Set<CivilDate> = []
        for (id, days) in rows where issues[id]?.kind == .crash {
            for day in days where sums[day.date] != nil {
                guard let events = day.events else {
                    uncounted.insert(day.date)
                    continue
                }
                sums[day.date, default: 0] = min(
                    HistoryIndex.largestCount,
                    sums[day.date, default: 0] + max(0, min(events, HistoryIndex.largestCount)))
            }
        }
        return sums.filter { !uncounted.contains($0.key) }
    }
}
