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
        parts = PartialFetch(
            configuration.client(at: now, over: sender),
            needing: { [knownIssues = configuration.knownIssues] part, why in
                // Without them no new crash is counted, while the stored ones look as if they were the newest.
                switch part {
                case GlitchtipEndpoint.totalsPart where why.status != 404 && why.status != 405,
                    GlitchtipEndpoint.daysPart:
                    !knownIssues().days.isEmpty
                default: false
                }
            })
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
        snapshot.coverage = glitchtipCoverage(of: list, days: snapshot.issueDays, asked: asked, at: now)
        await addTotals(of: project, to: &snapshot)
        snapshot.countCrashesAlone(
            areKindsKnown: true, on: (1..<glitchtipIssueDays).map { now.date.advanced(by: -$0) })
        if let edge = snapshot.oldestDayOfPart {
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
                    guard let issue = glitchtipIssue(item) else { return nil }
                    if item.isPolicy { policies.insert(issue.id) }
                    if item.noteCount?.value?.value ?? 0 > 0, !item.isPolicy,
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

    /// Whether a list without any issue is not believed, with a warning where it is not.
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
        let days = glitchtipHealthDays(answer.value, from: first, to: now.date, losses: &losses)
        parts.add(losses.warnings)
        snapshot.health = days
        snapshot.coverage += coverageSpans(.crashes, days.map(\.date))
    }

    private mutating func releases(of project: String) async -> [Release] {
        let endpoint = GlitchtipEndpoint.releases(
            organization: configuration.organization, project: project)
        let list = await parts.list(
            from: endpoint, by: .cursor(of: GlitchtipRelease.self), most: configuration.mostPages)
        return glitchtipReleases(list?.pages.elements ?? [])
    }

    /// The places of the issues in the list, those with most events first.
    private func rankedIssues(of snapshot: Snapshot) -> [Int] {
        snapshot.issues.indices.sorted { first, second in
            let (left, right) = (snapshot.issues[first].events ?? 0, snapshot.issues[second].events ?? 0)
            return (right, first) < (left, second)
        }
    }

    /// Adds users and versions of the issues with most events, one request each, as far as the requests last.
    private mutating func addTags(to snapshot: inout Snapshot) async {
        let ranked = rankedIssues(of: snapshot).prefix(max(0, configuration.mostTaggedIssues))
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
                    snapshot.issues[index].add(tags.values, of: key)
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
        for index in rankedIssues(of: snapshot).prefix(max(0, configuration.mostDetailedIssues)) {
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
