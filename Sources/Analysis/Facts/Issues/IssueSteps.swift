import AppHealth
import Statistics

/// What an issue counts by day.
struct IssueDayCounts {
    /// What is counted.
    enum Unit {
        /// Users where they are known, else events.
        case users
        /// Events.
        case events
        /// Events where any are known, else the users of each day.
        case trend
    }

    /// The days of the history.
    private(set) var days: [CivilDate]
    /// Sessions by day; nil for a gap, and 1 for a covered day of an app that reports no sessions at all.
    private(set) var sessions: [Int?]
    /// Whether sessions are known.
    let knowsSessions: Bool
    /// How much was reported of issues on the days of which anything was.
    let coverage: [CivilDate: Coverage]
    /// Whether all issues are known of each day; those with days by release alone have days of their own.
    private var whole: [Bool]
    private var wholeByRelease: [Bool]
    /// The rows of each issue that is listed. On other days it had nothing where the day is whole.
    private var rows: [String: Row]
    /// The issues of which users are counted; of the others events are.
    private let ofUsers: Set<String>
    /// The days on which each issue could be known.
    private let spans: IssueSpans
    /// Whether users are counted though events were wanted: no events are known.
    let countsUserDays: Bool

    /// Takes the counts of the last `span` days out of a history; issues that reach `least` on no three days
    /// in a row are skipped, so that a long list of rare ones costs nothing.
    ///
    /// - Parameters:
    ///   - ids: the issues; nil for all.
    ///   - last: the last of the days; nil for that of the history.
    init(
        _ index: HistoryIndex, of ids: [String]? = nil, through last: CivilDate? = nil, least: Int,
        span: Int = .max, unit: Unit = .users
    ) {
        let through = last.map { last in index.days.prefix { $0 <= last } } ?? index.days[...]
        let days = Array(through.suffix(span))
        let whole = days.map { index.issues.coverage(on: $0).isComplete }
        let wholeByRelease = days.map { index.issues.releaseCoverage(on: $0).isComplete }
        let places = Dictionary(days.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var covered = whole
        var listed: [String: Row] = [:]
        countsUserDays = unit == .trend && !index.issues.knowsEvents(from: days.first)
        let wantsUsers = unit == .users || countsUserDays
        var ofUsers: Set<String> = []
        for id in ids ?? Array(index.issues.byID.ids) {
            let rows = DayRows(of: id, index, wantsUsers: wantsUsers)
            let found = rows.counts.compactMap { date, count in places[date].map { (place: $0, count: count) }
            }
            for (place, count) in found where count != nil { covered[place] = true }
            guard Self.reaches(least, found) else { continue }
            listed[id] = Row(areByRelease: rows.areByRelease, counts: found)
            if rows.areUsers { ofUsers.insert(id) }
        }
        self.ofUsers = ofUsers
        spans = index.issues.spans
        let reported = days.map { day in
            index.rates.sources.sessions.isOver(day) ? index.rates.health[day]?.sessions : nil
        }
        let isCounted = zip(days, covered).map { $1 && index.issues.source.isOver($0) }
        knowsSessions = reported.contains { ($0 ?? 0) > 0 }
        let steps = knowsSessions ? reported : days.map { _ in 1 }
        sessions = index.rates.sources.sessions.withoutPartialDays(
            zip(steps, isCounted).map { $1 ? $0 : nil }, of: days, total: { $0 })
        self.days = days
        coverage = Dictionary(
            days.map { ($0, index.issues.coverage(on: $0)) }.filter(\.1.isKnown),
            uniquingKeysWith: { first, _ in first })
        (self.whole, self.wholeByRelease, self.rows) = (whole, wholeByRelease, listed)
    }

    /// The issues that are listed, in order.
    var ids: [String] { rows.keys.sorted() }

    /// The counts of an issue by day; nil where the count is not known.
    func counts(of id: String) -> [Int?] {
        guard let row = rows[id] else { return [] }
        var counts: [Int?] = (row.areByRelease ? wholeByRelease : whole).map { $0 ? 0 : nil }
        for place in counts.indices where !spans.contains(days[place], of: id) { counts[place] = nil }
        for (place, count) in row.counts { counts[place] = count }
        return counts
    }

    /// Whether the counts of an issue are users of each day.
    func countsUsers(of id: String) -> Bool { ofUsers.contains(id) }

    /// The same without the days of which counts of listed issues may be parts. Where a list was cut off, those of the issues
    /// in it are whole, and the others have no row.
    var listedDaysOnly: IssueDayCounts {
        var table = self
        for (place, day) in days.enumerated() where coverage[day]?.hasWholeListedCounts != true {
            table.sessions[place] = nil
        }
        return table
    }

    /// The same without the days before the first that was counted, which teach nothing.
    var fromTheFirstCoveredDay: IssueDayCounts {
        let first = sessions.firstIndex { $0 != nil } ?? 0
        guard first > 0 else { return self }
        var table = self
        table.days.removeFirst(first)
        table.sessions.removeFirst(first)
        table.whole.removeFirst(first)
        table.wholeByRelease.removeFirst(first)
        table.rows = rows.mapValues { row in
            Row(
                areByRelease: row.areByRelease,
                counts: row.counts.filter { $0.place >= first }.map { ($0.place - first, $0.count) })
        }
        return table
    }

    private static func reaches(_ least: Int, _ found: [(place: Int, count: Int?)]) -> Bool {
        found.indices.contains { place in
            let last = found[place].place
            let near = found[max(0, place - 2)...place].filter { last - $0.place < 3 }
            return near.reduce(0) { $0 + ($1.count ?? 0) } >= least
        }
    }
}

extension IssueDayCounts {
    /// The days on which an issue has a row, in order, as their places among all days.
    private struct Row {
        let areByRelease: Bool
        let counts: [(place: Int, count: Int?)]
    }
}

extension Coverage {
    /// Whether what is listed was counted as a whole: all issues, or so many of them.
    fileprivate var hasWholeListedCounts: Bool {
        switch self {
        case .complete, .approximate: true
        case .partial(let counted, _, _): counted != nil
        case .unknown: false
        }
    }
}

extension IssueIndex {
    /// Whether the events of any issue are known on or after a day.
    fileprivate func knowsEvents(from first: CivilDate?) -> Bool {
        guard let first else { return true }
        return [days, releaseDays].contains { issues in
            issues.values.contains { rows in
                rows.reversed().prefix { $0.date >= first }.contains { $0.events != nil }
            }
        }
    }
}

/// What was counted of an issue on the days on which it has a row.
private struct DayRows {
    /// The counts by day, in order; nil where the day does not say.
    let counts: [(date: CivilDate, count: Int?)]
    /// Whether its days are known by release alone.
    let areByRelease: Bool
    /// Whether they are users; else events.
    let areUsers: Bool

    /// - Parameter wantsUsers: Users where they are known on all days, else events.
    init(of id: String, _ index: HistoryIndex, wantsUsers: Bool) {
        let whole = index.issues.days[id] ?? []
        let releases = index.issues.releaseDays[id] ?? []
        areByRelease = whole.isEmpty && !releases.isEmpty
        if whole.isEmpty {
            // Users of several releases overlap, events do not.
            let byDay = Dictionary(grouping: releases, by: \.date)
            counts = byDay.map { ($0, sum(of: $1.map(\.events))) }.sorted { $0.0 < $1.0 }
            areUsers = false
        } else {
            // Of no user next to an event the event names none.
            let areUsers =
                wantsUsers && whole.allSatisfy { ($0.events ?? 0) == 0 || ($0.users ?? 0) > 0 }
            counts = whole.map { ($0.date, areUsers ? $0.users ?? $0.events : $0.events) }
            self.areUsers = areUsers
        }
    }
}

/// Nil where one of them is unknown.
private func sum(of counts: [Int?]) -> Int? {
    let known = counts.compactMap(\.self)
    return known.count == counts.count ? known.reduce(0, PlausibleCount.sum) : nil
}
