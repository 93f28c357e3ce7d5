package import AppHealth

/// What is known of one issue at the end of the report.
package struct IssueFacts: Hashable, Codable, Sendable {
    /// The issue; where its source names no first version, with the release that its days show to be the first.
    package internal(set) var issue: Issue
    /// When the newest figure was captured that its page is made from; nil when that is not known.
    package let capturedAt: Instant?
    /// Its place among all issues, from 1: most events first, then most users, then by id.
    package internal(set) var rank: Int
    /// What its days show up to the last complete one, as lists have it.
    package internal(set) var window: IssueWindow
    /// The same up to the day with which its page ends; nil when that is the last complete day too.
    package internal(set) var pageWindow: IssueWindow?
    /// The events that lists show: those of the window, or of its life where the source has no days.
    package internal(set) var listedEvents: Int?
    /// The states it had, oldest first.
    package let states: [IssueStateChange]
    /// What marks it: events of the last seven days, its trend, and mutes that name it.
    package internal(set) var signals: [IssueSignal]
    /// Its days, all releases together; nil when the source has none of it.
    package internal(set) var days: [IssueDay]?
    /// Its days in single releases.
    package internal(set) var releaseDays: [IssueDay]
    /// The days on which its source could know it, where it replaced another one or was replaced.
    package let span: IssueSpan?
    /// The events about it, newest first.
    package internal(set) var events: [Event]
    /// The days on which it was new or came back, whatever is reported of them, newest first.
    package let marks: [IssueMark]
    /// The muted events about it, newest first.
    package internal(set) var muted: [MutedEvent]
    /// The notes about it, newest first.
    package internal(set) var notes: [Note]

    /// The share of its events that name a user: of those that its users are counted from, or of its days with users
    /// on which some do not, the lowest; nil when all do, or the source does not say.
    package var namedShare: Double? {
        issue.namedShare
            ?? (days ?? []).filter { $0.date <= window.lastDay && $0.users != nil }.compactMap(\.namedShare)
            .min()
    }

    /// The same as its page has it: up to the day with which the page ends, and without its place among others. Its events
    /// are there with what their entries show.
    package var onPage: IssueFacts {
        var facts = self
        (facts.rank, facts.listedEvents, facts.events) = (0, nil, [])
        guard let pageWindow else { return facts }
        (facts.window, facts.pageWindow) = (pageWindow, nil)
        facts.days = days?.filter { $0.date <= pageWindow.lastDay }
        facts.releaseDays = releaseDays.filter { $0.date <= pageWindow.lastDay }
        return facts
    }

    /// Its state as snapshots had it until the day after a day; nil when none had been captured by then.
    package func state(on day: CivilDate) -> Issue.State? { states.state(on: day) }

    /// Its events on a day, from its days in their order; nil when they are not known. A day on which every issue is known
    /// and that has no row is a zero.
    func count(_ rows: [IssueDay], on day: CivilDate, whole: DaySet) -> Int? {
        guard let row = rows.rows(on: day).first else {
            return whole.contains(day) && span?.contains(day) != false ? 0 : nil
        }
        return row.events
    }

    /// What the seven days to a day mark it with.
    package func signals(on day: CivilDate) -> [IssueSignal] {
        let first = day.advanced(by: 1 - ActivitySection.signalSpan)
        let recent = (events.compactMap { IssueMark($0) } + marks).filter { $0.day >= first && $0.day <= day }
        return Set(recent.map(\.signal)).sorted { $0.rawValue < $1.rawValue }
    }

    /// The labels of the first version it was seen in and of the last one up to a day, where days are known by release.
    package func versions(through day: CivilDate) -> SeenVersions {
        let seen = seenVersions { $0 <= day }
        return SeenVersions(first: issue.firstVersion?.label ?? seen.min()?.label, last: seen.max()?.label)
    }

    /// The labels of the first and the last version it was seen in: as its source says, or as its days show them.
    package var versions: SeenVersions {
        let first = issue.firstVersion?.label
        let last = issue.lastVersion?.label
        guard first != nil, last == nil else { return SeenVersions(first: first, last: last) }
        return SeenVersions(first: first, last: seenVersions { _ in true }.max()?.label)
    }

    /// The versions that its days show on some days, as far as it is known which came first.
    private func seenVersions(on isWanted: (CivilDate) -> Bool) -> [Version] {
        let labels = releaseDays.filter { isWanted($0.date) && ($0.events ?? 0) > 0 }.compactMap(\.version)
        return Set(labels).map { Version($0) }.inOrder
    }

    /// Its users in a release: only all its users are known, so that it must have been seen in no other. Where its source
    /// does not count it by release, the first and the last version say so.
    package func users(inRelease label: String) -> Int? {
        let named = [versions.first, versions.last].compactMap(\.self)
        let isKnown = !releaseDays.isEmpty || named.count == 2
        return isKnown && (releaseDays.compactMap(\.version) + named).allSatisfy { $0 == label }
            ? issue.users : nil
    }
}

extension [IssueStateChange] {
    /// The state as snapshots had it until the day after a day; nil when none had been captured by then.
    func state(on day: CivilDate) -> Issue.State? {
        let end = Instant(startOf: day.advanced(by: 2))
        return last { $0.capturedAt < end }?.state
    }
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
    package private(set) var wholeDays: DaySet
    /// The days of which a part of the issues is known.
    package private(set) var partialDays: DaySet
    /// How many days of the window cover any issue, and how many of them cover all.
    package let windowDays: WindowDays
    /// Whether its days that are not whole are of a steady share of everybody: no issue is missing on them, and users are.
    package let isOfShare: Bool
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
    package var mayLackSome: Bool { countsDays && windowDays.whole < windowDays.any && !isOfShare }

    /// How many are open.
    package var openCount: Int { all.count { $0.issue.state == .open } }

    /// Whether the issues of a day may still change: with the stability that their source reports, or by the
    /// age of the day where it reports none.
    package func isProvisional(_ day: CivilDate) -> Bool {
        guard let source, let capturedAt = source.capturedAt else { return false }
        return source.source.isProvisional(day, finality, capturedAt: capturedAt)
    }

    /// Its events of each day of a window that ends with a day; nil for a day on which they are not known, and as a
    /// whole when the source has no days of it.
    package func values(of issue: IssueFacts, through day: CivilDate) -> [Double?]? {
        issue.days.map { rows in
            let first = day.advanced(by: 1 - AppFacts.listSpan)
            return (0..<AppFacts.listSpan).map {
                issue.count(rows, on: first.advanced(by: $0), whole: wholeDays).map(Double.init)
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
            (issue.days, issue.releaseDays, issue.window.releases) = (nil, [], [])
            issue.pageWindow = nil
            (issue.events, issue.muted, issue.notes) = ([], [], [])
            return issue
        }
        kept.summaries = [:]
        kept.places = places.compactMapValues { chosen.firstIndex(of: $0) }
        return kept
    }

    /// Nothing but what is said of all.
    var ofRow: IssuesSection {
        var kept = self
        (kept.all, kept.summaries, kept.places, kept.covering) = ([], [:], [:], nil)
        (kept.wholeDays, kept.partialDays) = (DaySet([]), DaySet([]))
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
    init(
        _ index: HistoryIndex, _ sources: SourcesSection, _ activity: ActivitySection, _ seen: FoundIssues,
        _ firsts: FirstReleases, found: [Event]
    ) {
        let lately = index.figureDays.last.advanced(by: 1 - ActivitySection.signalSpan)
        let windows = IssueWindows(index: index)
        let trends = IssueTrends(index).byIssue
        let pages = windows.pages(trends)
        let known = index.issues.byID.all
        // By their places: of many issues no copy is made to sort them.
        let current = known.map { windows.window(of: $0.id, through: index.lastDay, trends[$0.id]) }
        let countsDays = index.issues.source?.source.capabilities.contains(.issueDays) == true
        func listed(_ place: Int) -> Int? { countsDays ? current[place].events : known[place].events }
        let ranked = known.indices.sorted { first, second in
            let left = (listed(first) ?? 0, known[first].users ?? 0)
            let right = (listed(second) ?? 0, known[second].users ?? 0)
            return left != right ? left > right : known[first].id < known[second].id
        }
        let notes = Dictionary(grouping: orderedNotes(index), by: \.subject.issue)
        all = ranked.enumerated().map { rank, place in
            let (issue, window) = (firsts.withFirstVersion(known[place]), current[place])
            let marks = (seen.byIssue[issue.id] ?? []).compactMap { IssueMark($0) }
            let recent = marks.filter { $0.day >= lately }.map(\.signal)
            return IssueFacts(
                issue: issue,
                capturedAt: windows.capture(of: issue.id, through: (pages[issue.id] ?? window).lastDay),
                rank: rank + 1,
                window: window, pageWindow: pages[issue.id], listedEvents: listed(place),
                states: index.issues.source?.issueStates[issue.id] ?? [],
                signals: signals(
                    of: issue, (activity.signals[issue.id] ?? []).union(recent), window.trend),
                days: index.issues.days[issue.id], releaseDays: index.issues.releaseDays[issue.id] ?? [],
                span: index.issues.spans[issue.id], events: activity.byIssue[issue.id] ?? [], marks: marks,
                muted: activity.mutedByIssue[issue.id] ?? [],
                notes: notes[issue.id] ?? [])
        }
        places = Dictionary(
            all.enumerated().map { ($1.issue.id, $0) }, uniquingKeysWith: { first, _ in first })
        source = sources.issues
        lack = sources.lack(of: .issues)
        lackOfDays = sources.lack(of: .issueDays)
        self.countsDays = countsDays
        countsReleases = !index.issues.releaseDays.isEmpty
        let span = IssueWindows.days(through: index.lastDay)
        window = index.lastDay.advanced(by: 1 - AppFacts.listSpan)...index.lastDay
        let reported = Set(index.issues.days.values.joined().lazy.map(\.date))
        let whole = DaySet(index.days.filter { index.issues.coverage(on: $0).isComplete })
        wholeDays = whole
        partialDays = DaySet(index.days.filter { index.issues.coverage(on: $0).isPartial })
        windowDays = WindowDays(
            any: span.count { reported.contains($0) || index.issues.coverage(on: $0).isKnown },
            whole: span.count { whole.contains($0) })
        isOfShare = index.issues.countsShareOfUsers(on: span)
        covering = countsDays ? TopCrashIssues(index, on: window) : nil
        summaries = [:]
        // Nearly each day has one, where there are any.
        summaries.reserveCapacity(min(index.days.count, found.count))
        for case .topIssues(let summary) in found { summaries[summary.occasion.day] = summary }
        finality = index.issues.source?.healthSettlement ?? [:]
    }
}

private func signals(of issue: Issue, _ recent: Set<IssueSignal>, _ trend: IssueTrend?) -> [IssueSignal] {
    // The state of the issue itself may say so already.
    let words = recent.subtracting(issue.state == .muted ? [.muted] : [])
    return words.union(trend?.signals ?? []).sorted { $0.rawValue < $1.rawValue }
}
