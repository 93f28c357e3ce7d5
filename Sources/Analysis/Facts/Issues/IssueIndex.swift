package import AppHealth

/// The issues of an app, with their days and hours, from one source.
package struct IssueIndex: Sendable {
    /// Their source; nil when no source has any.
    package let source: SourceHistory?
    /// The issues by the source's id.
    package let byID: IssuesByID
    /// Days of issues, all releases together, by issue; ordered by date.
    package let days: [String: [IssueDay]]
    /// Days of issues in single releases, by issue; ordered by date, then by label.
    package let releaseDays: [String: [IssueDay]]
    /// Issues by hours; nil when the source counts none.
    package var hours: IssueHours?
    /// The days on which the source of an issue knew it, where another one came before or after.
    let spans: IssueSpans
    /// The last day of the source that is whole; nil without a source.
    let lastDay: CivilDate?

    /// Those of the first source that has any, in the order of the configuration.
    init(_ known: [SourceHistory], spans: IssueSpans, asOf: Instant) {
        let source = known.first { $0.source.capabilities.contains(.issues) }
        let rows = source?.issueDays ?? []
        let last = source?.lastWholeDay(at: asOf)
        func isOver(_ row: IssueDay) -> Bool { last.map { row.date <= $0 } == true }
        self.source = source
        self.spans = spans
        byID = IssuesByID(source?.issues ?? [])
        days = byIssue(rows) { isOver($0) && $0.version == nil }
        releaseDays = byIssue(rows) { isOver($0) && $0.version != nil }
        hours = source.flatMap { IssueHours(of: $0, asOf: asOf) }
        lastDay = last
    }

    /// The day of an instant for their source.
    func day(of instant: Instant) -> CivilDate { source?.day(of: instant) ?? instant.date }

    /// Whether the source counts them by day.
    var countsDays: Bool { source?.source.capabilities.contains(.issueDays) == true }

    /// The last day of which any issue is known, or that there was none.
    var lastKnownDay: CivilDate? {
        let covered = source?.coverage.days(of: .issueDays).last { day in lastDay.map { day <= $0 } ?? false }
        return [covered, days.values.compactMap(\.last?.date).max()].compactMap(\.self).max()
    }
}

extension IssueIndex {
    /// How much the source reported of their events on a day.
    package func coverage(on day: CivilDate) -> Coverage { source?.coverage(.issueDays, on: day) ?? .unknown }

    /// Whether what it reported of a day are the events of a steady share of everybody: no issue is missing, and users are.
    func countsShareOfUsers(on day: CivilDate) -> Bool {
        source?.source.countsSteadyShare == true && coverage(on: day).isOfUnknownSize
    }

    /// Whether that holds for all of some days of which not every event is known, and for any.
    func countsShareOfUsers(on days: some Sequence<CivilDate>) -> Bool {
        let parts = days.filter { coverage(on: $0).isPartial }
        return !parts.isEmpty && parts.allSatisfy { countsShareOfUsers(on: $0) }
    }

    /// How much it reported of their events by release on a day.
    func releaseCoverage(on day: CivilDate) -> Coverage {
        source?.coverage(.issueReleases, on: day) ?? .unknown
    }

    /// Whether an issue without a row had nothing on every one of the days.
    func areWhole(_ days: some Sequence<CivilDate>) -> Bool {
        days.allSatisfy { coverage(on: $0).isComplete }
    }

    /// Whether an issue without a row had nothing on a day.
    func isWhole(of issue: String, on day: CivilDate) -> Bool {
        spans.contains(day, of: issue) && coverage(on: day).isComplete
    }

    /// Whether the issues of a release are known on every day of its life, so that their events may be held against
    /// all its sessions.
    ///
    /// - Parameter lastDay: The last one of the report.
    func countsAll(of release: Release, _ days: [HealthDay], through lastDay: CivilDate) -> Bool {
        let dates = days.map(\.date)
        guard let first = dates.min() ?? release.releaseDay, first <= lastDay else { return false }
        let last = dates.max() ?? lastDay
        return (0...min(first.days(to: last), HistoryIndex.longestSpan)).allSatisfy {
            releaseCoverage(on: first.advanced(by: $0)).isComplete
        }
    }

    /// The events of an issue by day, in the order of the days: nil where it has no row and its day is not whole.
    func events(of issue: String, on days: [CivilDate]) -> [Int?] {
        guard let first = days.min() else { return [] }
        // Of a long history only the newest days are looked through.
        let rows = Dictionary(
            (self.days[issue] ?? []).reversed().prefix { $0.date >= first }.map { ($0.date, $0.events) },
            uniquingKeysWith: { newer, _ in newer })
        return days.map { day in rows[day] ?? (isWhole(of: issue, on: day) ? 0 : nil) }
    }

    /// How many days between two others are known to be whole for issues, or have a row of the issue.
    func quietDays(of issue: String, between first: CivilDate, and second: CivilDate) -> Int {
        guard first.days(to: second) > 1 else { return 0 }
        let rows = Set((days[issue] ?? []).map(\.date))
        return (1..<min(first.days(to: second), HistoryIndex.longestSpan)).count { place in
            let day = first.advanced(by: place)
            return rows.contains(day) || isWhole(of: issue, on: day)
        }
    }
}

/// The wanted rows of each issue, by date, then by label. Rows of one issue nearly always follow each other in that
/// order; of many rows no second copy is held.
private func byIssue(
    _ rows: [IssueDay], where isWanted: (IssueDay) -> Bool
) -> [String: [IssueDay]] {
    var result: [String: [IssueDay]] = [:]
    var start = 0
    while start < rows.count {
        let issue = rows[start].issue
        let end = rows[start...].firstIndex { $0.issue != issue } ?? rows.count
        let all = rows[start..<end]
        var some: [IssueDay] = []
        // No more memory than the rows take: there may be hundreds of thousands.
        some.reserveCapacity(all.count(where: isWanted))
        for row in all where isWanted(row) { some.append(row) }
        if !some.isEmpty { result[issue] = result[issue].map { $0 + some } ?? some }
        start = end
    }
    for (issue, days) in result where !zip(days, days.dropFirst()).allSatisfy({ isBefore($0, $1) }) {
        result[issue] = days.sorted(by: isBefore)
    }
    return result
}

private func isBefore(_ first: IssueDay, _ second: IssueDay) -> Bool {
    first.date != second.date ? first.date < second.date : (first.version ?? "") < (second.version ?? "")
}
