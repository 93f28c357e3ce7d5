import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its sessions must come, and the list of issues where it has no sessions; what
/// else is missing is said in a warning.
struct SentryRun {
    private(set) var configuration: SentryConfiguration
    let now: Instant
    var parts: PartialFetch
    /// How many requests were made for the health of releases.
    var sessionRequests = 0
    /// For how many issues each part was not requested, and why.
    private var skipped: [String: (count: Int, why: ServiceFault?)] = [:]
    /// The issues that this run's list named; nil where it did not come, or is not believed.
    private(set) var listed: SentryIssueList?
    /// Whether the list is empty where it cannot be: then an empty list of a day says nothing either.
    private(set) var doubtsIssues = false
    /// How far back the service keeps events.
    var reach = SentryReach()
    /// The days on which a response lacked releases.
    var daysOfCuts: Set<CivilDate> = []
    /// What earlier runs kept of days that do not change any more.
    let kept: KeptBytes?
    let stored: SentryStored
    private var readIssues: KnownIssues?

    init(
        configuration: SentryConfiguration, sender: AuthenticatedClient, kept: KeptBytes? = nil,
        stored: SentryStored = SentryStored(), now: Instant
    ) {
        self.configuration = configuration
        self.kept = kept
        self.stored = stored
        self.now = now
        parts = PartialFetch(configuration.client(at: now, over: sender))
    }

    /// The whole days that are requested; the last is yesterday.
    var days: DaySpan {
        DaySpan(days: min(max(configuration.days, 1), 90), endingOn: now.date.advanced(by: -1))
    }

    /// The issues that are stored of the source, with their days; read once.
    mutating func storedIssues() -> KnownIssues {
        let issues = readIssues ?? stored.issues()
        readIssues = issues
        return issues
    }

    mutating func snapshot(of app: App) async throws(ServiceFault) -> Snapshot {
        try checkEnvironment()
        let found = try await project()
        parts.add(found.warnings)
        let items = try await releaseItems(of: found.id)
        let scope = configuration.scope(project: found.id)
        var snapshot = Snapshot(app: app, source: sentrySource(configuration), capturedAt: now)
        snapshot.releases = releases(items)
        // Sessions of a project that had some are requested also where a list of projects says once that it has none.
        let mayHaveSessions = found.project.hasSessions?.value != false || provided(.sessions)
        let hasSessions = try await addHealth(of: scope, hasSessions: mayHaveSessions, to: &snapshot)
        let ranked = await addIssues(of: scope, to: &snapshot)
        await addUsersOfIssues(of: scope, to: &snapshot)
        if hasSessions { await addReleaseHealth(of: scope, known: items, to: &snapshot) }
        await addUsersOfSpans(of: scope, to: &snapshot)
        await addDetails(of: ranked, to: &snapshot)
        if hasSessions { await addHours(of: scope, to: &snapshot) }
        await addCrashTotals(of: scope, to: &snapshot)
        await addReleasesOfIssues(of: scope, to: &snapshot)
        takeBackGone(in: &snapshot)
        await addNotes(of: ranked, to: &snapshot)
        try parts.checkRun()
        snapshot.warnings = parts.warnings
        return snapshot
    }

    private mutating func project() async throws(ServiceFault) -> FoundProject {
        do throws(ServiceFault) {
            return try await parts.client.project(
                configuration.project, of: "\(configuration.organization)/\(configuration.project)",
                from: SentryEndpoint.projects(organization: configuration.organization),
                or: SentryEndpoint.project(configuration.project, organization: configuration.organization),
                most: configuration.mostProjectPages)
        } catch {
            throw stored.source() == nil ? error : error.ofKnownSource
        }
    }

    /// Whether the source had it in its last run.
    private func provided(_ capability: Capability) -> Bool {
        stored.source()?.capabilities.contains(capability) == true
    }

    /// The releases, or none and a warning. They are requested first: an environment that the organization does not
    /// have is refused there as everywhere, and all environments are reported then, unless what is stored is of one: its
    /// days would become those of all.
    private mutating func releaseItems(
        of project: String
    ) async throws(ServiceFault) -> [SentryReleaseItem] {
        let scope = configuration.scope(project: project)
        do throws(ServiceFault) {
            return try await releaseItems(at: .releases(scope))
        } catch {
            guard error.status == 404, let environment = scope.environment else {
                parts.addMissing(SentryEndpoint.releases(scope).part, error)
                return []
            }
            if stored.source().flatMap(reportedEnvironment) != nil { throw error }
            configuration.environment = nil
            let all = SentryEndpoint.releases(configuration.scope(project: project))
            do throws(ServiceFault) {
                let items = try await releaseItems(at: all)
                addNoEnvironment(environment)
                return items
            } catch {
                configuration.environment = environment
                parts.addMissing(all.part, error)
                return []
            }
        }
    }

    private mutating func releaseItems(
        at endpoint: SentryEndpoint
    ) async throws(ServiceFault) -> [SentryReleaseItem] {
        let pages = try await parts.client.pages(
            from: endpoint, by: .cursor(of: SentryReleaseItem.self), most: configuration.mostPages)
        parts.came(pages.warnings)
        return pages.elements
    }

    private mutating func addNoEnvironment(_ environment: String) {
        parts.add(
            .warning(
                "sentry.environment",
                "sentry: the organization has no environment '\(printable(environment))'",
                details: ["all environments are reported together"],
                at: .address(configuration.base.description),
                hints: ["correct 'environment', or set it in the app's SDK"]))
    }
}

// MARK: Health

extension SentryRun {
    /// Adds the days of all releases together and returns whether there are sessions at all. A project without
    /// sessions, and a token that never had them, leaves them unknowable; any other fault ends the fetch, as does a
    /// refusal of what was provided before.
    private mutating func addHealth(
        of scope: SentryScope, hasSessions: Bool, to snapshot: inout Snapshot
    ) async throws(ServiceFault) -> Bool {
        let health: Set<Capability> = [.sessions, .users, .releaseHealth, .usage, .hours]
        guard hasSessions else {
            snapshot.source.capabilities.subtract(health)
            return false
        }
        do throws(ServiceFault) {
            let sessions = try await sessions(of: scope)
            let users = await users(of: scope)
            snapshot.health = healthDays(sessions, users: users)
            snapshot.usage = usageDays(snapshot.health)
            snapshot.coverage += coverage(of: snapshot.health, users: snapshot.usage)
            await addSilence(sessions, of: scope)
            return true
        } catch {
            guard error.status == 403, !provided(.sessions) else { throw error }
            snapshot.source.capabilities.subtract(health)
            parts.addMissing("sessions and users", error)
            return false
        }
    }

    private mutating func sessions(
        of scope: SentryScope
    ) async throws(ServiceFault) -> [CivilDate: SessionCounts] {
        let endpoint = SentryEndpoint.sessions(.statuses(byRelease: false), days, scope)
        var (answer, losses) = try await parts.client.value(SentrySessions.self, at: endpoint)
        let days = wholeDays(of: answer, at: now, losses: &losses)
        let counts = sessionCounts(of: answer, on: days, losses: &losses)
        guard let counts, let all = counts[""] else {
            // Servers of every version return the statuses, with zeros where nothing was counted.
            throw parts.client.fault(.decoding(losses.unusable(sentryStatusGroups)))
        }
        // Days of which none can be read are not days without sessions.
        guard days.isEmpty || !all.isEmpty else {
            throw parts.client.fault(.decoding(losses.unusable("whole numbers of sessions on some day")))
        }
        parts.add(losses.warnings)
        // What the service no longer keeps is zero there, as days before the first session are.
        guard let first = all.filter({ $0.value.all > 0 }).keys.min() else { return [:] }
        return all.filter { $0.key >= first }
    }

    private mutating func users(of scope: SentryScope) async -> [CivilDate: UserCounts] {
        let endpoint = SentryEndpoint.sessions(.users(byRelease: false), days, scope)
        do throws(ServiceFault) {
            var (answer, losses) = try await parts.client.value(SentrySessions.self, at: endpoint)
            let days = wholeDays(of: answer, at: now, losses: &losses)
            let counts = userCounts(of: answer, on: days, losses: &losses)
            parts.add(losses.warnings)
            return counts[""] ?? [:]
        } catch {
            parts.addMissing("users", error)
            return [:]
        }
    }
}

extension SkippedValues {
    /// The groups of the response are not what they have to be.
    func unusable(_ expected: String) -> DecodingFailure {
        DecodingFailure(
            provider: provider, endpoint: endpoint, path: "groups",
            problem: .mismatch(expected: expected, found: "others, or none"))
    }
}

/// What earlier runs stored of the source.
struct SentryStored: Sendable {
    /// The source as its last run described it.
    var source: @Sendable () -> Source? = { nil }
    /// Its issues, with their days.
    var issues: @Sendable () -> KnownIssues = { KnownIssues() }
}

/// An issue of the list that may be fetched in detail.
struct RankedIssue: Sendable {
    /// Its place in the snapshot.
    var index: Int
    var id: String
    var hasNotes: Bool
}

/// The issues that a list over some whole days named.
struct SentryIssueList: Sendable {
    var ids: Set<String>
    var days: DaySpan
    /// Whether the service has no other issue with an event on these days.
    var isWhole: Bool
    /// The issues of a list that is cut that are not there any more, by the service's own word.
    var gone: Set<String> = []

    /// Whether one of the issues, which all had events on a day once, is not there any more: it was merged into
    /// another, which has its events and users now, or deleted.
    func lacks(_ issues: some Sequence<String>, on day: CivilDate) -> Bool {
        !issues.allSatisfy { isWhole(on: day) ? ids.contains($0) : !gone.contains($0) }
    }

    /// Whether the list names every issue with an event on a day.
    func isWhole(on day: CivilDate) -> Bool { isWhole && covers(day) }

    /// Whether a day is one of the list's.
    func covers(_ day: CivilDate) -> Bool { day >= days.first && day <= days.last }
}

/// The issues of some whole days, and where they came from.
private struct IssueList {
    var days: DaySpan
    var endpoint: SentryEndpoint
    /// The name of the time line.
    var key: String
    var pages: ServicePages<SentryIssue>

    /// Whether the buckets of the time lines are days: they begin at midnight UTC.
    var hasWholeDays: Bool {
        pages.elements.allSatisfy { item in
            (item.stats?.value?.days?.values ?? []).allSatisfy { $0.seconds % 86_400 == 0 }
        }
    }
}

extension SentryRun {
    /// Adds the issues and their days; returns them in the order of the service, those with most events first.
    mutating func addIssues(of scope: SentryScope, to snapshot: inout Snapshot) async -> [RankedIssue] {
        let list: IssueList
        do throws(ServiceFault) {
            list = try await issueList(of: scope)
        } catch {
            addMissingIssues(error, to: &snapshot.source)
            let days = DaySpan(days: sentryListDays, endingOn: now.date.advanced(by: -1))
            await addReach(of: scope, list: days, issues: [], days: [])
            return []
        }
        snapshot.source.issueTotals = .days(list.days.count)
        parts.add(list.pages.warnings)
        var losses = SkippedValues(
            provider: SentryProvider.name, endpoint: list.endpoint.text(below: configuration.base))
        var ranked: [RankedIssue] = []
        // A list that moves while its pages are read may show one issue twice.
        var seen: Set<String> = []
        var withoutDays = 0
        for item in list.pages.elements {
            guard let issue = issue(item, losses: &losses), seen.insert(issue.id).inserted else {
                continue
            }
            let hasNotes = (item.noteCount?.value?.value ?? 0) > 0
            ranked.append(RankedIssue(index: snapshot.issues.count, id: issue.id, hasNotes: hasNotes))
            snapshot.issues.append(issue)
            guard let days = item.stats?.value?.days?.values else {
                withoutDays += 1
                continue
            }
            snapshot.issueDays += issueDays(days, of: issue.id, first: list.days.first, at: now)
        }
        if withoutDays > 0 {
            losses.refuse(
                "[…].stats[\"\(list.key)\"]", expected: "the days of each issue",
                found: "none for \(withoutDays) of \(ranked.count) issues")
        }
        parts.add(losses.warnings)
        let isWhole = list.pages.isWhole { $0.id.text }
        await addReach(of: scope, list: list.days, issues: snapshot.issues, days: snapshot.issueDays)
        if ranked.isEmpty {
            let stored = storedIssues()
            doubtsIssues = parts.doubtsEmptyList(stored, at: list.endpoint) { [reach] day in
                day >= list.days.first && day <= list.days.last && reach.mayHold(day)
            }
            if doubtsIssues { return [] }
        }
        var named = SentryIssueList(ids: Set(ranked.map(\.id)), days: list.days, isWhole: isWhole)
        named.gone = await gone(from: named, in: scope)
        listed = named
        addCoverage(ofList: list.days, of: ranked.count, isWhole: isWhole, to: &snapshot)
        return ranked
    }

    /// Names the list that did not come. Without sessions the fetch has failed; so it has where issues that are stored are
    /// refused, for what they were would go on as if it were new. A token that never could read them does not provide them.
    private mutating func addMissingIssues(_ error: ServiceFault, to source: inout Source) {
        let isRefused = [401, 403].contains(error.status)
        if isRefused, !provided(.issues), source.capabilities.contains(.sessions) {
            source.capabilities.subtract([.issues, .issueDays, .notes])
        }
        let areLost = isRefused && provided(.issues) && !storedIssues().issues.isEmpty
        parts.addMissing(
            "issues", error, isNeeded: areLost || !source.capabilities.contains(.sessions))
    }

    /// States how much of the days of the list is there. Zeros of days that are gone are dropped, and a day that is cut has
    /// no less than what was stored of it.
    private mutating func addCoverage(
        ofList days: DaySpan, of issues: Int, isWhole: Bool, to snapshot: inout Snapshot
    ) {
        snapshot.issueDays.removeAll { !reach.holds($0.date) && !reach.cuts($0.date) }
        let (whole, cut) = (days.days.filter(reach.holds), days.days.filter(reach.cuts))
        for day in cut { snapshot.keepMost(of: storedIssues().days, on: day) }
        snapshot.coverage += coverageSpans(
            .issueDays,
            dayCoverage(snapshot.issueDays, of: issues, isWhole: isWhole, on: whole)
                .merging(dayCoverage(snapshot.issueDays, of: issues, isWhole: false, on: cut)) { $1 })
    }

    /// The list of issues over four weeks, or over two where the server does not give the days of four.
    private mutating func issueList(of scope: SentryScope) async throws(ServiceFault) -> IssueList {
        let yesterday = now.date.advanced(by: -1)
        let days = DaySpan(days: sentryListDays, endingOn: yesterday)
        let asked = DaySpan(days: sentryListDays + 1, endingOn: now.date)
        do throws(ServiceFault) {
            let list = IssueList(
                days: days, endpoint: .issues(asked, scope), key: "auto",
                pages: try await issues(at: .issues(asked, scope)))
            if list.hasWholeDays { return list }
        } catch {
            guard error.status == 400 else { throw error }
        }
        let endpoint = SentryEndpoint.issuesOfFortnight(scope)
        return IssueList(
            days: DaySpan(days: sentryIssueDays - 1, endingOn: yesterday), endpoint: endpoint,
            key: "\(sentryIssueDays)d", pages: try await issues(at: endpoint))
    }

    private mutating func issues(
        at endpoint: SentryEndpoint
    ) async throws(ServiceFault) -> ServicePages<SentryIssue> {
        try await parts.client.pages(
            from: endpoint, by: .cursor(of: SentryIssue.self), most: configuration.mostPages)
    }

    /// Reads the first issues one by one, as far as the requests last.
    mutating func addDetails(of ranked: [RankedIssue], to snapshot: inout Snapshot) async {
        for issue in ranked.prefix(max(0, configuration.mostDetailedIssues)) {
            await addDetail(of: issue, to: &snapshot)
            await addPlace(of: issue, to: &snapshot)
        }
    }

    /// Reads the other issues that people wrote on, with the requests that nothing else needs.
    mutating func addNotes(of ranked: [RankedIssue], to snapshot: inout Snapshot) async {
        for issue in ranked.dropFirst(max(0, configuration.mostDetailedIssues)) where issue.hasNotes {
            await addDetail(of: issue, to: &snapshot)
        }
        addSkipped()
    }

    private mutating func addDetail(of issue: RankedIssue, to snapshot: inout Snapshot) async {
        let endpoint = SentryEndpoint.issue(issue.id, organization: configuration.organization)
        guard parts.client.allows(endpoint) else {
            return skip("notes and versions", at: endpoint)
        }
        do throws(ServiceFault) {
            let (detail, losses) = try await parts.client.value(SentryIssueDetail.self, at: endpoint)
            parts.add(losses.warnings)
            snapshot.issues[issue.index] = detailed(snapshot.issues[issue.index], by: detail)
            snapshot.notes += notes(detail.activity.values, on: issue.id)
        } catch {
            parts.addMissing(endpoint.part, error)
        }
    }

    private mutating func addPlace(of issue: RankedIssue, to snapshot: inout Snapshot) async {
        let endpoint = SentryEndpoint.latestEvent(
            issue: issue.id, organization: configuration.organization)
        guard parts.client.allows(endpoint) else {
            return skip("place and line", at: endpoint)
        }
        do throws(ServiceFault) {
            let (event, losses) = try await parts.client.value(SentryAPIEvent.self, at: endpoint)
            parts.add(losses.warnings)
            snapshot.issues[issue.index].place = place(of: event) ?? snapshot.issues[issue.index].place
        } catch {
            // An event that its server no longer keeps costs nothing but the line.
            if error.status != 404 { parts.addMissing(endpoint.part, error) }
        }
    }

    private mutating func skip(_ part: String, at endpoint: SentryEndpoint) {
        let before = skipped[part]
        skipped[part] = ((before?.count ?? 0) + 1, before?.why ?? parts.client.refusal(of: endpoint))
    }

    private mutating func addSkipped() {
        for (part, skipped) in skipped.sorted(by: { $0.key < $1.key }) {
            parts.addSkipped(part, skipped.count, because: skipped.why)
        }
    }
}
