import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its sessions must come, where it has any; what else is missing is
/// said in a warning.
struct SentryRun {
    let configuration: SentryConfiguration
    let now: Instant
    var parts: PartialFetch
    /// How many requests were made for the health of releases.
    var sessionRequests = 0
    /// Of how many issues each part was not asked for.
    var leftOut: [String: Int] = [:]

    init(configuration: SentryConfiguration, sender: AuthenticatedClient, now: Instant) {
        self.configuration = configuration
        self.now = now
        parts = PartialFetch(configuration.client(at: now, over: sender))
    }

    /// The whole days that are asked for; the last is yesterday.
    var days: DaySpan {
        DaySpan(days: min(max(configuration.days, 1), 90), endingOn: now.date.advanced(by: -1))
    }

    mutating func snapshot(of app: App) async throws(ServiceFault) -> Snapshot {
        let (id, project, pages) = try await parts.client.project(
            configuration.project,
            from: SentryEndpoint.projects(organization: configuration.organization),
            most: configuration.mostProjectPages)
        parts.add(pages.warnings)
        let scope = configuration.scope(project: id)
        var snapshot = Snapshot(app: app, source: sentrySource(configuration), capturedAt: now)
        let hasSessions = try await addHealth(
            of: scope, hasSessions: project.hasSessions?.value != false, to: &snapshot)
        let items = await list(SentryReleaseItem.self, from: .releases(scope))
        snapshot.releases = releases(items)
        let ranked = await addIssues(of: scope, to: &snapshot)
        if hasSessions { await addReleaseHealth(of: scope, known: items, to: &snapshot) }
        await addUsersOfSpans(of: scope, to: &snapshot)
        await addDetails(of: ranked, to: &snapshot)
        if hasSessions { await addHours(of: scope, to: &snapshot) }
        try parts.checkRun()
        snapshot.warnings = parts.warnings
        return snapshot
    }

    /// The elements of a list, or none and a warning that names the part.
    private mutating func list<Element: Decodable & Sendable>(
        _ type: Element.Type, from endpoint: SentryEndpoint
    ) async -> [Element] {
        await parts.list(from: endpoint, by: .cursor(of: type), most: configuration.mostPages)?.pages
            .elements
            ?? []
    }
}

// MARK: Health

extension SentryRun {
    /// Adds the days of all releases together and answers whether there are sessions at all. A project without
    /// sessions, and a token without them, leaves them unknowable; any other fault ends the fetch.
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
            return true
        } catch {
            guard error.status == 403 else { throw error }
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
            // Servers of every version answer the statuses, with zeros where nothing was counted.
            throw parts.client.fault(.decoding(losses.unusable("a group for each session.status")))
        }
        parts.add(losses.warnings)
        return all
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
    /// The groups of the answer are not what they have to be.
    func unusable(_ expected: String) -> DecodingFailure {
        DecodingFailure(
            provider: provider, endpoint: endpoint, path: "groups",
            problem: .mismatch(expected: expected, found: "others, or none"))
    }
}
