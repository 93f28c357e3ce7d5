import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its trend must come, and its errors where it has no trend; what else is
/// missing is said in a warning.
struct BugsnagRun {
    var parts: PartialFetch
    let configuration: BugsnagConfiguration
    let describedBefore: @Sendable () -> Source?
    private let knownIssues: @Sendable () -> KnownIssues

    init(
        configuration: BugsnagConfiguration, sender: AuthenticatedClient,
        describedBefore: @escaping @Sendable () -> Source? = { nil },
        knownIssues: @escaping @Sendable () -> KnownIssues = { KnownIssues() }
    ) {
        self.configuration = configuration
        self.describedBefore = describedBefore
        self.knownIssues = knownIssues
        parts = PartialFetch(
            ServiceClient(
                .bugsnag, base: configuration.base, limits: configuration.limits,
                most: configuration.mostRequests, over: .sender(sender)),
            needing: { part, why in
                // The stored list would go on as if it were new.
                part == BugsnagEndpoint.errors(project: "", stage: nil).part
                    && [401, 403].contains(why.status) && !knownIssues().issues.isEmpty
            })
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        let project = try await knownProject()
        let source = bugsnagSource(configuration.id, configuration.stages)
        var snapshot = Snapshot(app: app, source: source, capturedAt: now)
        try await addHealth(of: project, to: &snapshot)
        snapshot.releases = await releases(of: project)
        let fields = await eventFields(of: project)
        let stage = fields.hasStage ? configuration.releaseStage : nil
        let (listed, isWhole) = await errors(
            of: project, stage: stage, at: now,
            isNeeded: snapshot.source.capabilities.contains(.sessions) ? nil : true)
        let (errors, unstated) =
            fields.hasUnhandled == false
            ? (listed, [])
            : await markingCrashes(
                among: listed, of: project, stage: stage, mayRequest: fields.hasUnhandled == true)
        addIssues(errors, isWhole: isWhole, at: now, to: &snapshot)
        snapshot.unstatedKinds = unstated
        let commented = errors.filter { $0.comments > 0 }.map(\.issue.id)
        await addUsers(
            of: ListedErrors(
                project: project, stage: stage, areAll: isWhole, hasUnhandled: fields.hasUnhandled),
            at: now, leaving: min(commented.count, configuration.notesReserve), to: &snapshot)
        snapshot.notes = await notes(on: commented, of: project, at: now)
        try parts.checkRun()
        snapshot.warnings = parts.warnings
        return snapshot
    }
}

// MARK: Lists

extension BugsnagRun {
    mutating func pages<Element: Decodable & Sendable>(
        of type: Element.Type, from endpoint: BugsnagEndpoint, most: Int,
        until isEnough: ([Element]) -> Bool = { _ in false }
    ) async throws(ServiceFault) -> ServicePages<Element> {
        try await parts.client.pages(
            from: endpoint, by: .linkHeader(of: type), most: most, until: isEnough)
    }

    /// The elements of a list, or none and a warning that names the part.
    mutating func list<Element: Decodable & Sendable>(
        _ type: Element.Type, from endpoint: BugsnagEndpoint, most: Int
    ) async -> [Element] {
        await parts.list(from: endpoint, by: .linkHeader(of: type), most: most)?.pages.elements ?? []
    }
}

// MARK: Project

extension BugsnagRun {
    mutating func project() async throws(ServiceFault) -> BugsnagProject {
        let wanted = configuration.project
        var projects: [BugsnagProject] = []
        var fault: ServiceFault?
        var isCut = false
        for organization in try await organizations() {
            do throws(ServiceFault) {
                let pages = try await self.pages(
                    of: BugsnagProject.self, from: .projects(organization: organization.id.text),
                    most: configuration.mostProjectPages,
                    until: { $0.contains { $0.id.text == wanted || $0.slug?.text == wanted } })
                projects += pages.elements
                isCut = isCut || pages.isCut
                parts.add(pages.warnings)
            } catch {
                fault = fault ?? error
            }
        }
        if projects.isEmpty, let fault { throw fault }
        let found = try named(
            wanted,
            of: .projects(organization: configuration.organization ?? "{organization}"),
            in: projects.map {
                NamedElement(id: $0.id.text, slug: $0.slug?.text, name: $0.name?.text, value: $0)
            }, isCut: isCut)
        if let fault { parts.addMissing("the projects of another organization", fault) }
        return found
    }

    private mutating func organizations() async throws(ServiceFault) -> [BugsnagOrganization] {
        let pages = try await self.pages(
            of: BugsnagOrganization.self, from: .organizations, most: configuration.mostProjectPages)
        parts.add(pages.warnings)
        guard let wanted = configuration.organization else { return pages.elements }
        return [
            try named(
                wanted, of: .organizations,
                in: pages.elements.map {
                    NamedElement(id: $0.id.text, slug: $0.slug?.text, name: $0.name?.text, value: $0)
                }, isCut: pages.isCut)
        ]
    }

    private func named<Value>(
        _ wanted: String, of endpoint: BugsnagEndpoint, in all: [NamedElement<Value>], isCut: Bool
    ) throws(ServiceFault) -> Value {
        try parts.client.element(
            called: wanted, what: String(endpoint.part.dropLast()), in: all, isCut: isCut,
            at: .address(endpoint.text(below: configuration.base)))
    }
}

// MARK: Health

extension BugsnagRun {
    /// Adds the days. A plan without stability, a project without a primary stage and one that has no sessions yet
    /// leave sessions and users unknowable; any other fault ends the fetch, as does a refusal of what was provided before.
    private mutating func addHealth(
        of project: BugsnagProject, to snapshot: inout Snapshot
    ) async throws(ServiceFault) {
        let stored = storedStages()
        // A night without days leaves the stored ones, and what is known of them.
        if let stored { describe(stored, in: &snapshot) }
        do throws(ServiceFault) {
            let endpoint = BugsnagEndpoint.stabilityTrend(project: project.id.text)
            guard let answer = try await parts.client.valueIfAny(BugsnagTrend.self, at: endpoint) else {
                return addNoSessions(at: endpoint, to: &snapshot)
            }
            let trend = answer.value
            var losses = answer.losses
            let stage = trend.stage?.nonEmpty ?? configuration.releaseStage
            if let stored, stored.areReplaced(by: stage, configured: configuration.releaseStage) {
                guard stored.configured == configuration.releaseStage else { throw reconfigured(stored) }
                return addForeignTrend(of: stage, after: stored, at: endpoint)
            }
            snapshot.health = healthDays(of: trend, losses: &losses)
            snapshot.coverage += coverage(of: snapshot.health)
            parts.add(losses.warnings)
            describe(stages(counted: stage, after: stored), in: &snapshot)
            addStageWarning(of: stage, after: stored, at: endpoint)
        } catch {
            guard [403, 404].contains(error.status), !providedBefore().contains(.sessions) else {
                throw error
            }
            snapshot.source.capabilities.subtract([.sessions, .users])
            parts.addMissing("sessions and users", error)
        }
    }

    /// What was provided before stays: the days that are known are no less known in a night without sessions.
    private mutating func addNoSessions(at endpoint: BugsnagEndpoint, to snapshot: inout Snapshot) {
        snapshot.source.capabilities.subtract(
            Set([Capability.sessions, .users]).subtracting(providedBefore()))
        parts.add(
            .warning(
                "bugsnag.no-sessions", "bugsnag: the project has no sessions yet",
                at: .address(endpoint.text(below: configuration.base)),
                hints: ["turn on session tracking in the app's notifier"]))
    }

    /// The trend is about the project's primary stage, whatever was requested.
    private func describe(_ stages: BugsnagStages, in snapshot: inout Snapshot) {
        let source = bugsnagSource(configuration.id, stages)
        snapshot.source.sessionDefinition = source.sessionDefinition
        snapshot.source.userDefinition = source.userDefinition
    }
}

/// An error that was seen in the stage.
struct BugsnagSeenError: Sendable {
    var issue: Issue
    var comments: Int
    /// The buckets of its events; nil when the response has none.
    var buckets: [BugsnagError.Bucket]?
}

extension BugsnagRun {
    mutating func releases(of project: BugsnagProject) async -> [Release] {
        let stage = configuration.releaseStage
        let groups = await list(
            BugsnagReleaseGroup.self, from: .releaseGroups(project: project.id.text, stage: stage),
            most: configuration.mostPages)
        let builds = await list(
            BugsnagBuild.self, from: .releases(project: project.id.text, stage: stage),
            most: configuration.mostPages)
        return Providers.releases(groups: groups, builds: builds, stage: stage)
    }

    /// The errors that were seen in the stage, and whether the service reported of all.
    ///
    /// - Parameter isNeeded: Whether the fetch has failed without them; nil where only a refusal of stored ones is a failure.
    mutating func errors(
        of project: BugsnagProject, stage: String?, at now: Instant, isNeeded: Bool?
    ) async -> (errors: [BugsnagSeenError], isWhole: Bool) {
        let endpoint = BugsnagEndpoint.errors(project: project.id.text, stage: stage)
        let pages = await parts.list(
            from: endpoint, by: .linkHeader(of: BugsnagError.self), most: configuration.mostErrorPages,
            isNeeded: isNeeded)?.pages
        // A list that moves while its pages are read may show one error twice.
        let errors = (pages?.elements ?? []).compactMap { error in
            issue(error, stage: configuration.releaseStage, projectPage: project.page?.value?.nonEmpty)
                .map {
                    BugsnagSeenError(
                        issue: $0, comments: error.commentCount?.value ?? 0,
                        buckets: error.trend?.value?.values)
                }
        }
        .uniqued(by: \.issue.id)
        guard let pages, pages.isWhole(namedBy: { $0.id.text }) else { return (errors, false) }
        let days = Self.datesOfTrend(at: now)
        let isNone =
            errors.isEmpty && parts.doubtsEmptyList(knownIssues(), at: endpoint, covers: days.contains)
        return (errors, !isNone)
    }

    /// Makes crashes of the errors that have an event which nothing handled, and no others: a handled error may be as
    /// severe. What a list that is cut does not say has the kind of its severity, as all have when the list does not come;
    /// these are named, for a kind that is known from another night says more.
    private mutating func markingCrashes(
        among errors: [BugsnagSeenError], of project: BugsnagProject, stage: String?, mayRequest: Bool
    ) async -> (errors: [BugsnagSeenError], unstated: Set<String>) {
        let all = Set(errors.map(\.issue.id))
        guard mayRequest, !errors.isEmpty,
            let pages = await parts.list(
                from: BugsnagEndpoint.unhandledErrors(project: project.id.text, stage: stage),
                by: .linkHeader(of: BugsnagError.self), most: configuration.mostErrorPages)?.pages
        else { return (errors, all) }
        let unhandled = Set(pages.elements.map(\.id.text))
        let isWhole = pages.isWhole { $0.id.text }
        let marked = errors.map { error in
            var error = error
            if unhandled.contains(error.issue.id) {
                error.issue.kind = .crash
            } else if isWhole {
                error.issue.kind = .error
            }
            return error
        }
        return (marked, isWhole ? [] : all.subtracting(unhandled))
    }

    /// Which fields may be in a filter: requested by a field that the project does not have, the service refuses, or
    /// names all errors. When the fields do not come, the filter of the stage is sent: without it the counts would be
    /// others than those of the night before. Nil is not known.
    private mutating func eventFields(
        of project: BugsnagProject
    ) async -> (hasStage: Bool, hasUnhandled: Bool?) {
        guard parts.client.refusal == nil else { return (true, nil) }
        let endpoint = BugsnagEndpoint.eventFields(project: project.id.text)
        do throws(ServiceFault) {
            let pages = try await pages(
                of: BugsnagEventField.self, from: endpoint, most: configuration.mostPages)
            parts.add(pages.warnings)
            let fields = pages.elements.map(\.name.text)
            let hasStage = pages.isCut || fields.contains(BugsnagEventField.releaseStage)
            if !hasStage { addNoStageField(among: fields, at: endpoint.text(below: configuration.base)) }
            let hasUnhandled = fields.contains(BugsnagEventField.unhandled)
            return (hasStage, pages.isCut && !hasUnhandled ? nil : hasUnhandled)
        } catch {
            parts.addMissing(endpoint.part, error)
            return (true, nil)
        }
    }

    private mutating func addNoStageField(among fields: [String], at endpoint: String) {
        let name = BugsnagEventField.releaseStage
        let known = fields.prefix(20).map(printable).joined(separator: ", ")
        parts.add(
            .warning(
                "bugsnag.field-missing", "bugsnag: the project has no event field '\(name)'",
                details: [
                    "the counts of an issue are of all release stages together",
                    fields.isEmpty ? "the project has no event fields" : "its fields: \(known)",
                ],
                at: .address(endpoint),
                hints: ["set the release stage in the app's notifier, so that events carry it"]))
    }

    /// How many days before the current one a histogram of two weeks reaches.
    private static let trendDays = 14

    private static func datesOfTrend(at now: Instant) -> [CivilDate] {
        (1...trendDays).map { now.date.advanced(by: -$0) }
    }

    /// Adds the issues with their days. The buckets of an issue may be missing or make up no day: that is reported
    /// once.
    mutating func addIssues(
        _ errors: [BugsnagSeenError], isWhole: Bool, at now: Instant, to snapshot: inout Snapshot
    ) {
        snapshot.issues = errors.map(\.issue)
        var without = 0
        for error in errors {
            let days = issueDays(of: error.buckets ?? [], issue: error.issue.id, at: now)
            if days.isEmpty { without += 1 }
            snapshot.issueDays += days
        }
        let dates = Self.datesOfTrend(at: now)
        snapshot.coverage += coverageSpans(
            .issueDays, dayCoverage(snapshot.issueDays, of: errors.count, isWhole: isWhole, on: dates))
        guard without > 0 else { return }
        let endpoint = BugsnagEndpoint.errors(project: "{project}", stage: nil)
        var losses = SkippedValues(
            provider: BugsnagProvider.name, endpoint: endpoint.text(below: configuration.base))
        losses.refuse(
            "[…].trend", expected: "buckets that make up whole days in UTC",
            found: "none for \(without) of \(errors.count) issues")
        parts.add(losses.warnings)
    }

    /// What the list of errors was of.
    private struct ListedErrors {
        let project: BugsnagProject
        let stage: String?
        /// Whether an error that is not among the issues is none any more.
        let areAll: Bool
        /// Whether the service says which errors are unhandled; then the kind of one that only a day's list names is not
        /// known for certain.
        let hasUnhandled: Bool?
    }

    /// Adds the issues that most users met on each of the last days, with their events and users of it, one request a
    /// day. An app that reports no users gets no request for them.
    ///
    /// - Parameter left: How many requests are for others.
    private mutating func addUsers(
        of listed: ListedErrors, at now: Instant, leaving left: Int, to snapshot: inout Snapshot
    ) async {
        guard snapshot.issues.contains(where: { $0.users != nil }) else { return }
        var known = Set(snapshot.issues.map(\.id))
        let (stageName, project) = (configuration.releaseStage, listed.project)
        let page = project.page?.value?.nonEmpty
        var covered: [CivilDate: Coverage] = [:]
        for back in stride(from: 1, through: max(0, configuration.userDays), by: 1) {
            let day = now.date.advanced(by: -back)
            let endpoint = BugsnagEndpoint.errorsOfDay(
                "\(day)", project: project.id.text, stage: listed.stage)
            guard parts.client.left > left else {
                parts.addSkipped("users of issues", days: configuration.userDays - back + 1)
                break
            }
            guard parts.client.allows(endpoint) else { break }
            guard let (list, losses) = await parts.value(LossyArray<BugsnagError>.self, at: endpoint) else {
                break
            }
            parts.add(losses.warnings)
            let isWhole = list.items.count < BugsnagEndpoint.mostErrors && !losses.hasLostElements
            let counts = BugsnagDayCounts(list.values, isWhole: isWhole, of: known) { error in
                listed.areAll ? nil : issue(error, stage: stageName, projectPage: page)
            }
            snapshot.issues += counts.added
            known.formUnion(counts.added.map(\.id))
            if listed.hasUnhandled != false { snapshot.unstatedKinds.formUnion(counts.added.map(\.id)) }
            snapshot.issueDays = adding(counts, of: day, to: snapshot.issueDays)
            covered[day] = counts.coverage
        }
        snapshot.coverage += coverageSpans(.issueUsers, covered.known)
    }

    /// The notes on issues, as far as the requests last; of more issues than that, each day begins with others.
    mutating func notes(
        on commented: [String], of project: BugsnagProject, at now: Instant
    ) async -> [Note] {
        guard !commented.isEmpty else { return [] }
        let first = now.date.daysSinceEpoch * configuration.notesReserve % commented.count
        var notes: [Note] = []
        var requested = 0
        let fits = commented.count <= parts.client.left
        for error in fits ? commented : Array(commented[first...] + commented[..<first]) {
            guard parts.client.left > 0 else { break }
            requested += 1
            let comments = await list(
                BugsnagComment.self, from: .comments(project: project.id.text, error: error), most: 1)
            notes += comments.map { note($0, on: error) }
        }
        if requested < commented.count { parts.addSkipped("notes", commented.count - requested) }
        return notes
    }
}
