package import AppHealth

/// What is known of one issue at the end of the report.
package struct IssueFacts: Hashable, Codable, Sendable {
    /// The issue.
    package internal(set) var issue: Issue
    /// When the newest of its figures was captured; nil when that is not known.
    package let capturedAt: Instant?
    /// The last day of its figures: that of the report, or the one on which it had been quiet for long.
    package let lastDay: CivilDate
    /// Its place among all issues, from 1: most events first, then most users, then by id.
    package internal(set) var rank: Int
    /// Its events over the days of the window of lists on which they are known; nil when there is none.
    package let windowEvents: Int?
    /// On how many days of the window they are known.
    package let windowDays: Int
    /// The events that lists show: those of the window, or of its life where the source has no days.
    package let listedEvents: Int?
    /// Its events against the sessions of the same days, those of the window of which both are known.
    package internal(set) var share: Fraction?
    /// Its events of each day of the window; nil for a day on which they are not known, and as a whole when the
    /// source has no days of it.
    package let values: [Double?]?
    /// What its days show of its course; nil without days.
    package let trend: IssueTrend?
    /// The states it had, oldest first.
    package let states: [IssueStateChange]
    /// What marks it: events of the last seven days, its trend, and mutes that name it.
    package internal(set) var signals: [IssueSignal]
    /// Its days, all releases together; nil when the source has none of it.
    package internal(set) var days: [IssueDay]?
    /// Its days in single releases.
    package internal(set) var releaseDays: [IssueDay]
    /// What it did in each release over the window, the newest version first.
    package internal(set) var releases: [IssueInRelease]
    /// The events about it, newest first.
    package internal(set) var events: [Event]
    /// The muted events about it, newest first.
    package internal(set) var muted: [MutedEvent]
    /// The notes about it, newest first.
    package internal(set) var notes: [Note]

    /// The share of its events that name a user: of those that its users are counted from, or of its days with users
    /// on which some do not, the lowest; nil when all do, or the source does not say.
    package var namedShare: Double? {
        issue.namedShare
            ?? (days ?? []).filter { $0.date <= lastDay && $0.users != nil }.compactMap(\.namedShare).min()
    }

    /// The same without its place, which changes with other issues.
    package var unranked: IssueFacts {
        var facts = self
        facts.rank = 0
        return facts
    }

    /// Its state as snapshots had it until the day after a day; nil when none had been captured by then.
    package func state(on day: CivilDate) -> Issue.State? { states.state(on: day) }

    /// What events of the seven days to a day mark it with.
    package func signals(on day: CivilDate) -> [IssueSignal] {
        let first = day.advanced(by: 1 - ActivitySection.signalSpan)
        let recent = events.filter { $0.occasion.day >= first && $0.occasion.day <= day }
        return Set(recent.compactMap(\.signal)).sorted { $0.rawValue < $1.rawValue }
    }

    /// The labels of the first version it was seen in and of the last one up to a day, where days are known by release.
    package func versions(through day: CivilDate) -> SeenVersions {
        let seen = releaseDays.filter { $0.date <= day && ($0.events ?? 0) > 0 }.compactMap(\.version)
        let last = seen.map { Version($0) }.max()?.label
        return SeenVersions(
            first: issue.firstVersion?.label ?? seen.map { Version($0) }.min()?.label, last: last)
    }

    /// The labels of the first and the last version it was seen in, as its source says.
    package var versions: SeenVersions {
        SeenVersions(first: issue.firstVersion?.label, last: issue.lastVersion?.label)
    }

    /// Its users in a release: only all its users are known, so that it must have been seen in no other.
    package func users(inRelease label: String) -> Int? {
        releaseDays.allSatisfy { $0.version == label } ? issue.users : nil
    }
}

extension [IssueStateChange] {
    /// The state as snapshots had it until the day after a day; nil when none had been captured by then.
    func state(on day: CivilDate) -> Issue.State? {
        let end = Instant(startOf: day.advanced(by: 2))
        return last { $0.capturedAt < end }?.state
    }
}

/// What one issue did in one release.
package struct IssueInRelease: Hashable, Codable, Sendable {
    /// The label of the release; empty when the source does not say.
    package let label: String
    /// Its events in it.
    package let events: Int
    /// Events of the sessions of the release on the days of which both are known; nil when there is none.
    package internal(set) var share: Fraction?
}

/// The issues of an app.
package struct IssuesSection: Hashable, Codable, Sendable {
    /// Every issue by rank.
    package internal(set) var all: [IssueFacts]
    /// The source; nil when no source has any.
    package internal(set) var source: SourceFacts?
    /// Why there are no issues; nil when a source knows them.
    package internal(set) var lack: Nothing?
    /// Why there are no issues by day; nil when a source counts them.
    package internal(set) var lackOfDays: Nothing?
    /// Whether the source counts them by day, so that lists count a window and not a life.
    package let countsDays: Bool
    /// Whether the source counts any of them by release.
    package let countsReleases: Bool
    /// The days on which every issue is known: without a row it had nothing.
    package let wholeDays: Set<CivilDate>
    /// The days of which a part of the issues is known.
    package let partialDays: Set<CivilDate>
    /// How many days of the window cover any issue, and how many of them cover all.
    package let windowDays: WindowDays
    /// The days of the window.
    package let window: ClosedRange<CivilDate>
    /// The fewest issues that explain most crashes of the window; nil when the source has no days.
    package internal(set) var covering: TopCrashIssues?
    /// The top issues of each day that has them.
    package internal(set) var summaries: [CivilDate: TopIssuesSummary]
    /// Whether each day is settled, where the source says so.
    let finality: [CivilDate: DayFinality]
    private var places: [String: Int]

    /// An issue by the source's id.
    package subscript(id: String) -> IssueFacts? { places[id].map { all[$0] } }

    /// The ids of all issues.
    package var ids: Set<String> { Set(places.keys) }

    /// Whether the source may have issues that it did not list: of a day of the window not all are known.
    package var mayLackSome: Bool { countsDays && windowDays.whole < windowDays.any }

    /// How many are open.
    package var openCount: Int { all.count { $0.issue.state == .open } }

    /// Whether the issues of a day may still change: with the stability that their source reports, or by the
    /// age of the day where it reports none.
    package func isProvisional(_ day: CivilDate) -> Bool {
        guard let source, let capturedAt = source.capturedAt else { return false }
        if let settled = finality[day] { return settled.doubt != nil }
        let end = Instant(startOf: day.advanced(by: 1))
        return end.seconds(to: capturedAt) < source.source.settling.settlesAfterHours * 3600
    }

    /// Its events of each day of a window that ends with a day; nil for a day on which they are not known, and as a
    /// whole when the source has no days of it.
    package func values(of issue: IssueFacts, through day: CivilDate) -> [Double?]? {
        issue.days.map { rows in
            let first = day.advanced(by: 1 - AppFacts.listSpan)
            var counts: [CivilDate: Int?] = [:]
            for row in rows.reversed() where row.date <= day {
                guard row.date >= first else { break }
                counts[row.date] = row.events
            }
            return (0..<AppFacts.listSpan).map { place in
                let day = first.advanced(by: place)
                return (counts[day] ?? (wholeDays.contains(day) ? 0 : nil)).map(Double.init)
            }
        }
    }

    /// The top issues and those that the newest notes are about, as rows; their days and events are on their pages.
    func ofOverview(noted notes: [Note]) -> IssuesSection {
        let noted = notes.prefix(Overview.noteLimit).compactMap { note in
            if case .issue(let id) = note.subject { places[id] } else { nil }
        }
        let chosen = Set(noted).union(all.indices.prefix(Overview.issueLimit)).sorted()
        var kept = self
        kept.all = chosen.map { place in
            var issue = all[place]
            (issue.days, issue.releaseDays, issue.releases) = (nil, [], [])
            (issue.events, issue.muted, issue.notes) = ([], [], [])
            return issue
        }
        kept.summaries = [:]
        kept.places = places.compactMapValues { chosen.firstIndex(of: $0) }
        return kept
    }

    /// The same issues under other ids.
    mutating func rename(_ id: (String) -> String) {
        places = Dictionary(places.map { (id($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

/// How much of the window of lists is known.
package struct WindowDays: Hashable, Codable, Sendable {
    /// The days that cover any issue.
    package let any: Int
    /// The days that cover all.
    package let whole: Int
}

extension IssuesSection {
    init(_ index: HistoryIndex, _ sources: SourcesSection, _ activity: ActivitySection, found: [Event]) {
        let ends = IssueEnds(index)
        let counts = IssueCounts(index, ends)
        let trends = IssueTrends(index)
        let countsDays = index.issues?.source.capabilities.contains(.issueDays) == true
        func listed(_ issue: Issue) -> Int? { countsDays ? counts.events[issue.id] : issue.events }
        let ranked = index.issuesByID.values.sorted { first, second in
            let left = (listed(first) ?? 0, first.users ?? 0)
            let right = (listed(second) ?? 0, second.users ?? 0)
            return left != right ? left > right : first.id < second.id
        }
        let notes = Dictionary(grouping: orderedNotes(index)) { note -> String? in
            if case .issue(let id) = note.subject { id } else { nil }
        }
        all = ranked.enumerated().map { place, issue in
            let trend = trends.byIssue[issue.id]
            return IssueFacts(
                issue: issue, capturedAt: index.issues?.captures.issues[issue.id],
                lastDay: ends[issue.id], rank: place + 1, windowEvents: counts.events[issue.id],
                windowDays: counts.knownDays(of: issue.id),
                listedEvents: listed(issue), share: counts.share(of: issue.id),
                values: counts.values(of: issue.id), trend: trend,
                states: index.issues?.issueStates[issue.id] ?? [],
                signals: signals(of: issue, activity.signals[issue.id] ?? [], trend),
                days: index.issueDays[issue.id], releaseDays: index.issueReleaseDays[issue.id] ?? [],
                releases: counts.releases(of: issue.id, index), events: activity.byIssue[issue.id] ?? [],
                muted: activity.mutedByIssue[issue.id] ?? [], notes: notes[issue.id] ?? [])
        }
        places = Dictionary(
            ranked.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        source = sources.issues
        lack = sources.lack(of: .issues)
        lackOfDays = sources.lack(of: .issueDays)
        self.countsDays = countsDays
        countsReleases = !index.issueReleaseDays.isEmpty
        window = counts.window
        let reported = Set(index.issueDays.values.joined().lazy.map(\.date))
        let whole = Set(index.days.filter { index.issueCoverage(on: $0).isComplete })
        let span = (0..<AppFacts.listSpan).map { counts.window.lowerBound.advanced(by: $0) }
        wholeDays = whole
        partialDays = Set(index.days.filter { index.issueCoverage(on: $0).isPartial })
        windowDays = WindowDays(
            any: span.count { reported.contains($0) || index.issueCoverage(on: $0).isKnown },
            whole: span.count { whole.contains($0) })
        covering = countsDays ? TopCrashIssues(index, on: counts.window) : nil
        summaries = [:]
        for case .topIssues(let summary) in found { summaries[summary.occasion.day] = summary }
        finality = index.issues?.healthSettlement ?? [:]
    }
}

private func signals(of issue: Issue, _ recent: Set<IssueSignal>, _ trend: IssueTrend?) -> [IssueSignal] {
    // The state of the issue itself may say so already.
    let words = recent.subtracting(issue.state == .muted ? [.muted] : [])
    return words.union(trend?.signals ?? []).sorted { $0.rawValue < $1.rawValue }
}

/// Counts of issues over the window that lists show; events may be added up over days, users may not.
private struct IssueCounts {
    let window: ClosedRange<CivilDate>
    /// Events in the window, by issue; missing when they are known on no day.
    let events: [String: Int]
    private let counts: [String: [Int?]]
    private let health: [CivilDate: HealthDay]
    private let ends: IssueEnds

    /// Adds up the window that ends with the last complete day, of a quiet issue that which ends with its last day.
    init(_ index: HistoryIndex, _ ends: IssueEnds) {
        self.counts = Dictionary(
            index.issueDays.keys.map {
                ($0, index.events(of: $0, on: windowDays(through: ends[$0])))
            },
            uniquingKeysWith: { first, _ in first })
        self.window = index.lastDay.advanced(by: 1 - AppFacts.listSpan)...index.lastDay
        self.ends = ends
        self.health = index.health
        self.events = counts.compactMapValues { counts in
            let known = counts.compactMap(\.self)
            return known.isEmpty ? nil : known.reduce(0, &+)
        }
    }

    /// Events of each day of the window; nil for a day on which they are not known.
    func values(of id: String) -> [Double?]? { counts[id]?.map { $0.map(Double.init) } }

    /// On how many days of the window the events of an issue are known.
    func knownDays(of id: String) -> Int { counts[id]?.count { $0 != nil } ?? 0 }

    /// The events of an issue against the sessions of the same days.
    func share(of id: String) -> Fraction? {
        let both = zip(counts[id] ?? [], windowDays(through: ends[id])).compactMap { events, day in
            events.flatMap { events in health[day]?.sessions.map { (events: events, sessions: $0) } }
        }
        return Fraction(both.reduce(0) { $0 &+ $1.events }, of: both.reduce(0) { $0 &+ $1.sessions })
    }

    /// What an issue did in each release.
    func releases(of id: String, _ index: HistoryIndex) -> [IssueInRelease] {
        let first = ends[id].advanced(by: 1 - AppFacts.listSpan)
        let days = (index.issueReleaseDays[id] ?? []).filter { $0.date >= first }
        let byRelease = Dictionary(grouping: days) { $0.version ?? "" }
        let dates = (0...window.lowerBound.days(to: window.upperBound)).map {
            window.lowerBound.advanced(by: $0)
        }
        return byRelease.sorted { Version($0.key) > Version($1.key) }.map { label, days in
            let events = days.reduce(0) { $0 &+ ($1.events ?? 0) }
            // The days without it count too, where they are known: their sessions did not meet it.
            let both = dates.compactMap { date -> (events: Int, sessions: Int)? in
                let row = days.first { $0.date == date }
                let events = row?.events ?? (index.releaseIssueCoverage(on: date).isComplete ? 0 : nil)
                let sessions = index.releaseHealth[.init(date: date, version: label)]?.sessions
                return events.flatMap { events in sessions.map { (events, $0) } }
            }
            let share = Fraction(
                both.reduce(0) { $0 &+ $1.events }, of: both.reduce(0) { $0 &+ $1.sessions })
            return IssueInRelease(label: label, events: events, share: share)
        }
    }
}

/// The days of a window that ends with a day.
private func windowDays(through last: CivilDate) -> [CivilDate] {
    (0..<AppFacts.listSpan).map { last.advanced(by: $0 + 1 - AppFacts.listSpan) }
}

/// What was counted of each issue in each release.
struct SeenIssues {
    /// An issue in a release.
    struct Count {
        /// Its events on the days on which it was seen, added up; nil when the source counts none.
        var events: Int?
        /// The most users of one day: at least as many met it. Users of days are never added up.
        var mostUsers: Int?
        /// Whether anything was counted of it on any day.
        var isSeen = false
        /// The events of all of its rows, those with nothing in them too.
        var rowEvents: Int?
    }

    private let byRelease: [String: [String: Count]]

    /// Reads the days of all issues in single releases.
    init(_ index: HistoryIndex) {
        var byRelease: [String: [String: Count]] = [:]
        for (id, days) in index.issueReleaseDays {
            for day in days {
                guard let label = day.version else { continue }
                byRelease[label, default: [:]][id, default: Count()].add(day)
            }
        }
        self.byRelease = byRelease
    }

    /// The issues that have rows in a release, by id.
    func rows(in label: String) -> [String: Count] { byRelease[label] ?? [:] }

    /// The issues that were seen in a release, by id.
    func issues(in label: String) -> [String: Count] { rows(in: label).filter(\.value.isSeen) }
}

extension SeenIssues.Count {
    fileprivate mutating func add(_ day: IssueDay) {
        if let more = day.events { rowEvents = (rowEvents ?? 0) &+ more }
        guard (day.events ?? 0) > 0 || (day.users ?? 0) > 0 else { return }
        isSeen = true
        if let more = day.events { events = (events ?? 0) &+ more }
        if let users = day.users { mostUsers = max(mostUsers ?? 0, users) }
    }
}
