import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its issues must come; what else is missing is said in a warning.
struct GlitchtipRun {
    var parts: PartialFetch
    private let configuration: GlitchtipConfiguration
    private let now: Instant

    init(configuration: GlitchtipConfiguration, sender: AuthenticatedClient, now: Instant) {
        self.configuration = configuration
        self.now = now
        parts = PartialFetch(configuration.client(at: now, over: sender))
    }

    mutating func snapshot(of app: App) async throws(ServiceFault) -> Snapshot {
        let organization = configuration.organization
        let found = try await parts.client.project(
            configuration.project, from: GlitchtipEndpoint.projects(organization: organization),
            most: configuration.mostProjectPages)
        parts.add(found.warnings)
        let project = found.id
        var snapshot = Snapshot(app: app, source: glitchtipSource(configuration), capturedAt: now)
        var list = try await issues(of: project)
        // Totals count reports of content policies too.
        snapshot.issues = list.issues + list.policies
        if snapshot.issues.isEmpty, doubtsEmptyList(of: project) { list.isWhole = false }
        let asked: Set<String>
        (snapshot.issueDays, asked) = await days(of: snapshot.issues.map(\.id))
        snapshot.coverage = coverage(of: list, days: snapshot.issueDays, asked: asked, at: now)
        await addTotals(of: project, to: &snapshot)
        snapshot.countCrashesAlone(
            areKindsKnown: true, on: (1..<glitchtipIssueDays).map { now.date.advanced(by: -$0) })
        if let edge = edge(of: snapshot) {
            snapshot.keepMost(of: configuration.knownIssues().days, on: edge)
        }
        snapshot.drop(Set(list.policies.map(\.id)))
        snapshot.releases = await releases(of: project)
        await addPlaces(to: &snapshot)
        snapshot.notes = await notes(on: list.noted)
        await addTags(to: &snapshot)
        try parts.checkRun()
        snapshot.warnings = parts.warnings
        return snapshot
    }
}

// MARK: Issues

extension Snapshot {
    /// Leaves some issues out.
    fileprivate mutating func drop(_ ids: Set<String>) {
        guard !ids.isEmpty else { return }
        issues.removeAll { ids.contains($0.id) }
        issueDays.removeAll { ids.contains($0.issue) }
    }
}

/// The issues of a project, as two lists report them.
struct GlitchtipIssues {
    /// Those with most events first, then those that only the list by time names.
    var issues: [Issue] = []
    /// Reports of a browser's content policy: nothing in the app failed.
    var policies: [Issue] = []
    /// The ids of those with notes.
    var noted: [String] = []
    /// Whether a list was read to its end.
    var isWhole = false
    /// Every issue that was seen since then is among them; nil when no list reports.
    var seenSince: Instant?
}

extension GlitchtipRun {
    /// The issues with most events, and, when that list is cut, those that were seen last; without the second list the
    /// first is a part.
    private mutating func issues(of project: String) async throws(ServiceFault) -> GlitchtipIssues {
        var result = GlitchtipIssues()
        // An issue may be in both lists, and a list that moves may show one twice.
        var seen: Set<String> = []
        var (noted, policies): (Set<String>, Set<String>) = ([], [])
        for sort in ["-count", "-last_seen"] where !result.isWhole {
            let pages: ServicePages<Issue>
            do throws(ServiceFault) {
                pages = try await parts.client.pages(
                    from: GlitchtipEndpoint.issues(
                        organization: configuration.organization, project: project,
                        environment: configuration.environment, sort: sort),
                    by: .cursor(of: GlitchtipIssue.self), most: configuration.mostPages
                ) { item -> Issue? in
                    guard let issue = issue(item) else { return nil }
                    if isPolicy(item) { policies.insert(issue.id) }
                    if item.noteCount?.value?.value ?? 0 > 0, !isPolicy(item),
                        noted.insert(issue.id).inserted
                    {
                        result.noted.append(issue.id)
                    }
                    return issue
                }
            } catch {
                guard sort == "-last_seen" else { throw error }
                parts.addMissing("issues that were seen last", error)
                break
            }
            parts.add(pages.warnings)
            let new = pages.elements.filter { seen.insert($0.id).inserted }
            result.issues += new.filter { !policies.contains($0.id) }
            result.policies += new.filter { policies.contains($0.id) }
            let isEachOnce = Set(pages.elements.map(\.id)).count == pages.elements.count
            result.isWhole = pages.isWhole { $0.id }
            if sort == "-last_seen", !pages.hasLostElements, isEachOnce {
                result.seenSince = pages.elements.compactMap(\.lastSeen).min()
            }
        }
        return result
    }

    /// Whether a list without any issue is no answer, with a warning where it is none.
    private mutating func doubtsEmptyList(of project: String) -> Bool {
        let endpoint = GlitchtipEndpoint.issues(
            organization: configuration.organization, project: project,
            environment: configuration.environment, sort: "-count")
        let first = now.date.advanced(by: 1 - glitchtipIssueDays)
        return parts.doubtsEmptyList(configuration.knownIssues(), at: endpoint) { [now] day in
            day >= first && day < now.date
        }
    }

    /// The counts by day, and the ids of the issues that they were reported of: a day without one had none, unless a part
    /// of the response was skipped.
    private mutating func days(of issues: [String]) async -> (days: [IssueDay], asked: Set<String>) {
        let first = now.date.advanced(by: -glitchtipIssueDays + 1)
        let known = Set(issues)
        var days: [IssueDay] = []
        var (seen, asked): (Set<String>, Set<String>) = ([], [])
        for start in stride(from: 0, to: issues.count, by: GlitchtipEndpoint.mostIssuesOfStats) {
            let some = Array(issues.dropFirst(start).prefix(GlitchtipEndpoint.mostIssuesOfStats))
            let endpoint = GlitchtipEndpoint.issueStats(
                organization: configuration.organization, issues: some)
            do throws(ServiceFault) {
                let (stats, losses) = try await parts.client.value(
                    LossyArray<GlitchtipIssueStats>.self, at: endpoint)
                parts.add(losses.warnings)
                for item in stats.values {
                    guard let id = item.id.text, known.contains(id), seen.insert(id).inserted else {
                        continue
                    }
                    let points = item.stats.days
                    days += issueDays(points.values, of: id, first: first, at: now)
                    let isCounted = points.skipped == 0 && points.values.allSatisfy { $0.count != nil }
                    if isCounted { asked.insert(id) }
                }
            } catch {
                parts.addMissing(endpoint.part, error)
            }
        }
        return (days, asked)
    }

    /// Adds the events of each day, all issues together. The server does not report them by environment.
    private mutating func addTotals(of project: String, to snapshot: inout Snapshot) async {
        guard configuration.environment == nil else { return }
        let first = now.date.advanced(by: 1 - GlitchtipEndpoint.totalDays)
        let endpoint = GlitchtipEndpoint.totals(
            organization: configuration.organization, project: project, first: first, end: now)
        guard let answer = await parts.value(GlitchtipTotals.self, at: endpoint) else { return }
        var losses = answer.losses
        let days = healthDays(answer.value, from: first, to: now.date, losses: &losses)
        parts.add(losses.warnings)
        snapshot.health = days
        snapshot.coverage += coverageSpans(.crashes, days.map(\.date))
    }

    private mutating func releases(of project: String) async -> [Release] {
        let endpoint = GlitchtipEndpoint.releases(
            organization: configuration.organization, project: project)
        let list = await parts.list(
            from: endpoint, by: .cursor(of: GlitchtipRelease.self), most: configuration.mostPages)
        return Providers.releases(list?.pages.elements ?? [])
    }

    /// Adds users and versions of the issues with most events, one request each, as far as the requests last.
    private mutating func addTags(to snapshot: inout Snapshot) async {
        let ranked = snapshot.issues.indices.sorted { first, second in
            let (left, right) = (snapshot.issues[first].events ?? 0, snapshot.issues[second].events ?? 0)
            return (right, first) < (left, second)
        }
        .prefix(max(0, configuration.mostTaggedIssues))
        for (place, index) in ranked.enumerated() {
            let id = snapshot.issues[index].id
            for key in GlitchtipTagKey.allCases {
                let endpoint = GlitchtipEndpoint.tags(issue: id, key: key)
                if let refusal = parts.client.refusal(of: endpoint) {
                    return parts.addSkipped(endpoint.part, ranked.count - place, because: refusal)
                }
                do throws(ServiceFault) {
                    let (tags, losses) = try await parts.client.value(
                        LossyArray<GlitchtipTag>.self, at: endpoint)
                    parts.add(losses.warnings)
                    add(tags.values, of: key, to: &snapshot.issues[index])
                } catch {
                    parts.addMissing("\(endpoint.part) of issue \(printable(id))", error)
                    // What is not there may be so for one issue; anything else is so for all.
                    if error.status != 404 { return }
                }
            }
        }
    }

    /// The places of the issues with most events.
    private mutating func addPlaces(to snapshot: inout Snapshot) async {
        let ranked = snapshot.issues.indices.sorted { first, second in
            let (left, right) = (snapshot.issues[first].events ?? 0, snapshot.issues[second].events ?? 0)
            return (right, first) < (left, second)
        }
        for index in ranked.prefix(max(0, configuration.mostDetailedIssues)) {
            let endpoint = GlitchtipEndpoint.latestEvent(issue: snapshot.issues[index].id)
            guard parts.client.allows(endpoint) else { return }
            do throws(ServiceFault) {
                let (event, losses) = try await parts.client.value(SentryAPIEvent.self, at: endpoint)
                parts.add(losses.warnings)
                snapshot.issues[index].place = place(of: event) ?? snapshot.issues[index].place
            } catch {
                // An event that its server no longer keeps costs nothing but the line.
                if error.status != 404 { parts.addMissing(endpoint.part, error) }
            }
        }
    }

    private mutating func notes(on issues: [String]) async -> [Note] {
        var notes: [Note] = []
        var skipped = 0
        var why: ServiceFault?
        for id in issues {
            let endpoint = GlitchtipEndpoint.comments(issue: id)
            if let refusal = parts.client.refusal(of: endpoint) {
                skipped += 1
                why = refusal
                continue
            }
            do throws(ServiceFault) {
                let pages = try await parts.client.pages(
                    from: endpoint, by: .cursor(of: SentryAPINote.self), most: 1)
                parts.add(pages.warnings)
                notes += Providers.notes(pages.elements, on: id)
            } catch {
                parts.addMissing(endpoint.part, error)
            }
        }
        if skipped > 0 { parts.addSkipped("notes", skipped, because: why) }
        return notes
    }
}

/// The oldest day with events of issues, where these are a part: the server may have dropped some hours of it.
private func edge(of snapshot: Snapshot) -> CivilDate? {
    let day = snapshot.issueDays.lazy.filter { ($0.events ?? 0) > 0 }.map(\.date).min()
    return day.flatMap { CoverageHistory(snapshot.coverage)(.issueDays, on: $0).isComplete ? nil : $0 }
}

/// What the days of issues cover: all issues that may have had events, or so many of them. The list by time of the last
/// event is whole for days that begin after its end.
///
/// The server drops the events of a day after some time, and sends nothing for it then, as for a day without events. Before
/// the oldest day with events, a day on which no issue was about had none; of any other nothing is known.
private func coverage(
    of list: GlitchtipIssues, days rows: [IssueDay], asked: Set<String>, at now: Instant
) -> [CoverageSpan] {
    let oldest = rows.lazy.filter { ($0.events ?? 0) > 0 }.map(\.date).min() ?? now.date
    let issues = list.issues + list.policies
    let dates = (1..<glitchtipIssueDays).map { now.date.advanced(by: -$0) }
        .filter { date in date >= oldest || !issues.contains { $0.mayHaveEvents(on: date) } }
    func days(isWhole: Bool) -> [CivilDate: Coverage] {
        activeCoverage(of: list.issues, isWhole: isWhole, on: dates) { issue, _ in asked.contains(issue.id) }
    }
    let (whole, cut) = (days(isWhole: true), days(isWhole: false))
    let covered = dates.map { date in
        let isWhole = list.isWhole || list.seenSince.map { $0 < Instant(startOf: date) } == true
        return (date, (isWhole ? whole : cut)[date] ?? .unknown)
    }
    return coverageSpans(.issueDays, Dictionary(covered) { first, _ in first }.known)
}

/// The hours put together to days in UTC by their intervals. Null is nothing; an hour that is absent had events of other
/// projects alone. A day with an interval that is no hour is skipped.
///
/// A server keeps its hours for some time only, and one that is gone looks like one without events: days are known that
/// begin no earlier than the first hour with an event.
func healthDays(
    _ answer: GlitchtipTotals, from first: CivilDate, to last: CivilDate, losses: inout SkippedValues
) -> [HealthDay] {
    guard answer.groups.count == 1, let events = answer.groups.first?.series.events,
        events.count == answer.intervals.count, !answer.intervals.isEmpty
    else {
        losses.refuse(
            "groups", expected: "one group with a count for each of \(answer.intervals.count) intervals",
            found: "\(answer.groups.count) with \(answer.groups.first?.series.events.count ?? 0)")
        return []
    }
    var days: [CivilDate: Int] = [:]
    for place in 0...max(0, first.days(to: last)) { days[first.advanced(by: place)] = 0 }
    var seen: Set<Instant> = []
    var damaged: Set<CivilDate> = []
    var oldest: Instant?
    for (index, (interval, count)) in zip(answer.intervals, events).enumerated() {
        let date = interval.instant.date
        guard let sum = days[date] else { continue }
        let isHour = UTCHour(of: interval.instant).start == interval.instant
        guard isHour, seen.insert(interval.instant).inserted else {
            losses.refuse(
                "intervals[\(index)]", expected: "the beginning of another hour", found: "\(interval.instant)"
            )
            damaged.insert(date)
            continue
        }
        let events = count.value?.value ?? 0
        if events > 0 { oldest = min(oldest ?? interval.instant, interval.instant) }
        days[date] = sum.addingCapped(events)
    }
    guard let oldest else { return [] }
    return days.filter { Instant(startOf: $0.key) >= oldest && !damaged.contains($0.key) }
        .sorted { $0.key < $1.key }.map { HealthDay(date: $0.key, crashes: $0.value) }
}

/// One release for each label, with its newest build and the date of its first one, newest first.
func releases(_ list: [GlitchtipRelease]) -> [Release] {
    let known = list.compactMap { entry in
        version(ofRelease: entry.version.text).map {
            (version: $0, date: entry.released?.value?.instant ?? entry.created?.instant)
        }
    }
    return Dictionary(grouping: known, by: \.version.label).values.compactMap { builds in
        builds.map(\.version).max().map {
            Release(version: $0, releasedAt: builds.compactMap(\.date).min())
        }
    }
    .sorted { $0.version > $1.version }
}

/// A key by which the events of an issue are distinguished.
enum GlitchtipTagKey: String, CaseIterable, Sendable {
    case user = "user.id"
    case release
}

/// The issue with what the values of a key report: distinct users, or the oldest and the newest version.
private func add(_ tags: [GlitchtipTag], of key: GlitchtipTagKey, to issue: inout Issue) {
    guard let tag = tags.first(where: { $0.key.text == key.rawValue }) else { return }
    switch key {
    case .user:
        if let users = tag.uniqueValues?.value?.value, users > 0 { issue.users = users }
    case .release:
        let versions = (tag.topValues?.values ?? []).compactMap { version(ofRelease: $0.value.text) }
        (issue.firstVersion, issue.lastVersion) = (versions.min(), versions.max())
    }
}

/// Whether an element of the list is a report of a browser's content policy.
private func isPolicy(_ item: GlitchtipIssue) -> Bool { item.type?.value?.text == "csp" }

/// One element of the list as an issue.
func issue(_ item: GlitchtipIssue) -> Issue? {
    guard let id = item.id.text else { return nil }
    return Issue(
        id: id,
        title: item.title?.nonEmpty ?? item.culprit?.nonEmpty ?? item.shortID?.nonEmpty ?? id,
        kind: kind(of: item), state: state(item.status?.text),
        place: place(of: item.metadata?.value), firstSeen: item.firstSeen?.instant,
        lastSeen: item.lastSeen?.instant, events: item.count?.value, users: nil,
        url: page(item.page?.value?.text))
}

/// The class shows a hang, for the type of an event is only `error` or `default`.
private func kind(of item: GlitchtipIssue) -> Issue.Kind {
    if isPolicy(item) { return .error }
    if let type = item.metadata?.value?.type?.value?.text, isSDKHang(type) { return .hang }
    return item.level?.text == "fatal" ? .crash : .error
}

private func state(_ status: String?) -> Issue.State {
    switch status {
    case "resolved": .closed
    case "ignored": .muted
    default: .open
    }
}

/// The server sends the words `Not implemented` where an address would stand.
private func page(_ text: String?) -> String? {
    guard let text, text.hasPrefix("https://") || text.hasPrefix("http://"),
        text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { return nil }
    return text
}

/// One address of GlitchTip's API.
enum GlitchtipEndpoint: ServiceEndpoint {
    case projects(organization: String)
    case issues(organization: String, project: String, environment: String?, sort: String)
    case issueStats(organization: String, issues: [String])
    /// Events by hour from midnight of a day on, all issues together.
    case totals(organization: String, project: String, first: CivilDate, end: Instant)
    case releases(organization: String, project: String)
    case tags(issue: String, key: GlitchtipTagKey)
    case comments(issue: String)
    case latestEvent(issue: String)

    /// How many issues one question about days may name.
    static let mostIssuesOfStats = 200
    /// How many days of hours one question may span, the current one included: the server admits 1,000 hours.
    static let totalDays = 41

    var call: ServiceCall {
        ServiceCall(segments: segments, query: query, part: what, group: family, endsWithSlash: true)
    }

    private var segments: [String] {
        switch self {
        case .projects(let organization): ["organizations", organization, "projects"]
        case .issues(let organization, _, _, _): ["organizations", organization, "issues"]
        case .issueStats(let organization, _): ["organizations", organization, "issues-stats"]
        case .totals(let organization, _, _, _): ["organizations", organization, "stats_v2"]
        case .releases(let organization, _): ["organizations", organization, "releases"]
        case .tags(let issue, _): ["issues", issue, "tags"]
        case .comments(let issue): ["issues", issue, "comments"]
        case .latestEvent(let issue): ["issues", issue, "events", "latest"]
        }
    }

    private var query: [(String, String)] {
        switch self {
        case .projects, .comments, .latestEvent: []
        case .totals(_, let project, let first, let end):
            // By days the server reports one hour of each.
            [
                ("project", project), ("category", "error"), ("field", "sum(quantity)"), ("interval", "1h"),
                ("start", "\(first)T00:00:00Z"), ("end", "\(end)"),
            ]
        case .releases(_, let project): [("project", project)]
        case .tags(_, let key): [("key", key.rawValue)]
        case .issues(_, let project, let environment, let sort):
            // Sentry's words for sorting are refused, and a start would be about the first time seen.
            [("project", project)] + (environment.map { [("environment", $0)] } ?? [])
                + [("sort", sort), ("limit", "100")]
        case .issueStats(_, let issues):
            issues.map { ("groups", $0) } + [("statsPeriod", "\(glitchtipIssueDays)d")]
        }
    }

    private var what: String {
        switch self {
        case .projects: "projects"
        case .issues: "issues"
        case .issueStats: "days of issues"
        case .totals: "crashes by day"
        case .releases: "releases"
        case .tags: "users and versions"
        case .comments(let issue): "notes on issue \(issue)"
        case .latestEvent(let issue): "place and line of issue \(issue)"
        }
    }

    /// What the service limits together; after a response of 429 no more of it is requested.
    private var family: String {
        switch self {
        case .projects: "projects"
        case .issues: "issues"
        case .issueStats: "stats"
        case .totals: "totals"
        case .releases: "releases"
        case .tags: "tags"
        case .comments: "comments"
        case .latestEvent: "event"
        }
    }
}

/// The days for which an issue's time line is requested.
let glitchtipIssueDays = 14
