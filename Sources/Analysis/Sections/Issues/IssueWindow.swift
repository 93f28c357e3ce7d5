package import AppHealth

/// What the days of an issue show up to one of them: the counts of the window of lists that ends with it, and its
/// course.
package struct IssueWindow: Hashable, Codable, Sendable {
    /// The day with which it ends.
    package let lastDay: CivilDate
    /// Its events over the days of the window on which they are known; nil when there is none.
    package let events: Int?
    /// On how many days of the window they are known.
    package let knownDays: Int
    /// Its events of each day of the window, less than 0 for a day on which they are not known; nil when the source has no
    /// days of it. A number takes half the memory of an optional one.
    package let counts: [Int]?
    /// The sessions that it is in at most, of those of the days of the window on which its events are known too.
    package internal(set) var share: Fraction?
    /// What it did in each release over the window, the newest version first.
    package internal(set) var releases: [IssueInRelease]
    /// What its days show of its course; nil without days.
    package let trend: IssueTrend?

    /// Its events of each day of the window; nil for a day on which they are not known, and as a whole when the
    /// source has no days of it.
    package var values: [Double?]? { counts?.map { $0 < 0 ? nil : Double($0) } }
}

/// What one issue did in one release.
package struct IssueInRelease: Hashable, Codable, Sendable {
    /// The label of the release; empty when the source does not say.
    package let label: String
    /// Its events in it.
    package let events: Int
    /// The same of the sessions of the release; nil when there is none.
    package internal(set) var share: Fraction?
}

/// Counts issues over windows; events may be added up over days, users may not.
struct IssueWindows {
    let index: HistoryIndex

    /// The days of the window that ends with a day.
    static func days(through last: CivilDate) -> [CivilDate] {
        (0..<AppFacts.listSpan).map { last.advanced(by: $0 + 1 - AppFacts.listSpan) }
    }

    /// The window of an issue that ends with a day.
    func window(of id: String, through last: CivilDate, _ trend: IssueTrend?) -> IssueWindow {
        let days = Self.days(through: last)
        let counts = index.issues.days[id].map { _ in index.issues.events(of: id, on: days) }
        let known = (counts ?? []).compactMap(\.self)
        return IssueWindow(
            lastDay: last, events: known.isEmpty ? nil : known.reduce(0, &+), knownDays: known.count,
            counts: counts?.map { $0.map { max($0, 0) } ?? -1 }, share: share(of: id, counts ?? [], days),
            releases: releases(of: id, on: days), trend: trend)
    }

    /// When the newest figure of a window that ends with a day was captured; nil when it has none.
    ///
    /// The zeros that follow the last row of the issue are as new as the last day of which it is known that it had none.
    func capture(of id: String, through last: CivilDate) -> Instant? {
        let own = index.issues.source?.captures.issues[id]
        guard let rows = index.issues.days[id] else { return own }
        let seen = rows.last { $0.date <= last }?.date ?? last.advanced(by: -AppFacts.listSpan)
        let silent = Self.days(through: last).last { $0 > seen && index.issues.isWhole(of: id, on: $0) }
        let captures = index.issues.source?.captures
        let known = silent.flatMap { captures?.days[$0] ?? captures?.first[$0] }
        return [own, known].compactMap(\.self).max()
    }

    /// The sessions that an issue is in at most, of those of the same days; nil where it has events, and all of them are of
    /// days without sessions: of these days none would be said.
    private func share(
        of id: String, in release: String? = nil, _ counts: [Int?], _ days: [CivilDate]
    ) -> Fraction? {
        var (met, all) = (0, 0)
        var hasEvents = (onCountedDays: false, onOthers: false)
        for (events, day) in zip(counts, days) {
            let isSeen = (events ?? 0) > 0
            guard
                let sessions = index.mostSessionsOfAll(
                    meeting: IssueDay(issue: id, date: day, version: release, events: events, users: nil))
            else {
                hasEvents.onOthers = hasEvents.onOthers || isSeen
                continue
            }
            (met, all) = (met &+ sessions.met, all &+ sessions.all)
            hasEvents.onCountedDays = hasEvents.onCountedDays || isSeen
        }
        guard hasEvents.onCountedDays || !hasEvents.onOthers else { return nil }
        return Fraction(met, of: all)
    }

    /// What an issue did in each release.
    private func releases(of id: String, on days: [CivilDate]) -> [IssueInRelease] {
        guard let first = days.first, let last = days.last else { return [] }
        let rows = (index.issues.releaseDays[id] ?? []).filter { $0.date >= first && $0.date <= last }
        let byRelease = Dictionary(grouping: rows) { $0.version ?? "" }
        return byRelease.sorted { Version($0.key) > Version($1.key) }.map { label, rows in
            let events = rows.reduce(0) { $0 &+ ($1.events ?? 0) }
            // The days without it count too, where they are known: their sessions did not meet it.
            let counts = days.map { date -> Int? in
                let row = rows.first { $0.date == date }
                return row?.events ?? (index.issues.releaseCoverage(on: date).isComplete ? 0 : nil)
            }
            return IssueInRelease(
                label: label, events: events, share: share(of: id, in: label, counts, days))
        }
    }

    /// The windows with which the pages of issues end, of those that end before the last complete day.
    ///
    /// An issue whose course is another one on the last day is followed to it, so that its page and the lists mark it
    /// alike.
    func pages(_ trends: [String: IssueTrend]) -> [String: IssueWindow] {
        let ends = IssueEnds(index)
        let past = Dictionary(grouping: index.issues.byID.ids.map { (id: $0, day: ends[$0]) }, by: \.day)
        var windows: [String: IssueWindow] = [:]
        for (day, issues) in past where day < index.lastDay {
            let past = IssueTrends.past(of: issues.map(\.id), through: day, index)
            for (id, _) in issues where past[id]?.signals ?? [] == trends[id]?.signals ?? [] {
                windows[id] = window(of: id, through: day, past[id])
            }
        }
        return windows
    }
}
