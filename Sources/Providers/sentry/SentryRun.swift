import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its sessions must come, where it has any; what else is missing is
/// said in a warning.
struct SentryRun {
    let configuration: SentryConfiguration
    let now: Instant
    var requests: SentryAPIRequests
    var warnings: [Diagnostic] = []
    /// How many requests were made for the health of releases.
    var sessionRequests = 0
    /// Of how many issues each part was not asked for.
    var leftOut: [String: Int] = [:]
    private var cancelled: SentryAPIFault?

    init(configuration: SentryConfiguration, sender: AuthenticatedClient, now: Instant) {
        self.configuration = configuration
        self.now = now
        self.requests = SentryAPIRequests(service: configuration.service, sender: sender, now: now)
    }

    /// The whole days that are asked for; the last is yesterday.
    var days: DaySpan {
        DaySpan(days: min(max(configuration.days, 1), 90), endingOn: now.date.advanced(by: -1))
    }

    mutating func snapshot(of app: App) async throws(SentryAPIFault) -> Snapshot {
        let (id, project, pages) = try await requests.project(
            configuration.project, from: SentryEndpoint.projects(organization: configuration.organization),
            most: configuration.mostProjectPages)
        warnings += pages.warnings
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
        if let cancelled { throw cancelled }
        snapshot.warnings = warnings
        return snapshot
    }

    mutating func missing(_ part: String, _ fault: SentryAPIFault) {
        if fault.isCancelled { cancelled = fault }
        let why = fault.diagnostic
        warnings.append(
            .warning(
                "sentry.part-missing", "sentry: \(part) are missing from this fetch",
                details: [why.summary] + why.details, at: why.location, hints: why.hints))
    }

    /// The elements of a list, or none and a warning that names the part.
    private mutating func list<Element: Decodable & Sendable>(
        _ type: Element.Type, from endpoint: SentryEndpoint
    ) async -> [Element] {
        do throws(SentryAPIFault) {
            let pages = try await requests.pages(of: type, from: endpoint, most: configuration.mostPages)
            warnings += pages.warnings
            return pages.elements
        } catch {
            missing(endpoint.part, error)
            return []
        }
    }
}

// MARK: Health

extension SentryRun {
    /// Adds the days of all releases together and answers whether there are sessions at all. A project without
    /// sessions, and a token without them, leaves them unknowable; any other fault ends the fetch.
    private mutating func addHealth(
        of scope: SentryScope, hasSessions: Bool, to snapshot: inout Snapshot
    ) async throws(SentryAPIFault) -> Bool {
        let health: Set<Capability> = [.sessions, .users, .releaseHealth, .usage, .hours]
        guard hasSessions else {
            snapshot.source.capabilities.subtract(health)
            return false
        }
        do throws(SentryAPIFault) {
            let sessions = try await sessions(of: scope)
            let users = await users(of: scope)
            snapshot.health = healthDays(sessions, users: users)
            snapshot.usage = usageDays(snapshot.health)
            return true
        } catch {
            guard error.status == 403 else { throw error }
            snapshot.source.capabilities.subtract(health)
            missing("sessions and users", error)
            return false
        }
    }

    private mutating func sessions(
        of scope: SentryScope
    ) async throws(SentryAPIFault) -> [CivilDate: SessionCounts] {
        let endpoint = SentryEndpoint.sessions(.statuses(byRelease: false), days, scope)
        var (answer, losses) = try await requests.value(SentrySessions.self, at: endpoint)
        let days = wholeDays(of: answer, at: now, losses: &losses)
        let counts = sessionCounts(of: answer, on: days, losses: &losses)
        guard let counts, let all = counts[""] else {
            // Servers of every version answer the statuses, with zeros where nothing was counted.
            throw requests.fault(.unusable(losses.unusable("a group for each session.status")))
        }
        warnings += losses.warnings
        return all
    }

    private mutating func users(of scope: SentryScope) async -> [CivilDate: UserCounts] {
        let endpoint = SentryEndpoint.sessions(.users(byRelease: false), days, scope)
        do throws(SentryAPIFault) {
            var (answer, losses) = try await requests.value(SentrySessions.self, at: endpoint)
            let days = wholeDays(of: answer, at: now, losses: &losses)
            let counts = userCounts(of: answer, on: days, losses: &losses)
            warnings += losses.warnings
            return counts[""] ?? [:]
        } catch {
            missing("users", error)
            return [:]
        }
    }
}

extension Losses {
    /// The groups of the answer are not what they have to be.
    func unusable(_ expected: String) -> DecodingFailure {
        DecodingFailure(
            provider: provider, endpoint: endpoint, path: "groups",
            problem: .mismatch(expected: expected, found: "others, or none"))
    }
}
