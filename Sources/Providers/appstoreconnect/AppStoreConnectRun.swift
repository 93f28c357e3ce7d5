import AppHealth
import Diagnostics

/// One fetch of one app.
struct AppStoreConnectRun {
    var requests: AppStoreConnectRequests
    /// What to tell beside what came.
    private(set) var warnings: [Diagnostic] = []
    /// How many of the parts came.
    private var parts = 0
    private var firstFault: ServiceFault?
    let today: CivilDate

    init(_ requests: AppStoreConnectRequests, at now: Instant) {
        self.requests = requests
        today = now.date
    }

    mutating func snapshot(
        of app: App, source: Source, at now: Instant
    ) async throws(ServiceFault) -> Snapshot {
        var snapshot = Snapshot(app: app, source: source, capturedAt: now)
        let id = try await appID()
        let reports = try await reports(of: id)
        var days: [AppStoreConnectReport: AppStoreConnectDays] = [:]
        for report in AppStoreConnectReport.allCases {
            days[report] = try await self.days(of: report, in: reports, app: id)
        }
        let builds = try await builds(of: id)
        if parts == 0, let firstFault { throw firstFault }
        let (sessions, crashes) = (days[.sessions] ?? .init(), days[.crashes] ?? .init())
        snapshot.usage = appStoreConnectUsage(sessions: sessions, installs: days[.installs] ?? .init())
        (snapshot.issues, snapshot.issueDays) = appStoreConnectCrashes(crashes)
        snapshot.releases = appStoreConnectReleases(builds, seen: sessions.versions.union(crashes.versions))
        snapshot.warnings = warnings
        return snapshot
    }

    /// Names a part that did not come; a run that was called off ends.
    mutating func missing(_ part: String, _ fault: ServiceFault) throws(ServiceFault) {
        if fault.isCancelled { throw fault }
        firstFault = firstFault ?? fault
        let why = fault.diagnostic
        warn(
            "part-missing", "\(part) are missing from this fetch", details: [why.summary] + why.details,
            at: why.location, hints: why.hints)
    }

    mutating func came(_ more: [Diagnostic] = []) {
        parts += 1
        warnings += more
    }

    mutating func tell(_ more: [Diagnostic]) {
        warnings += more
    }

    mutating func warn(
        _ id: String, _ summary: String, details: [String] = [], at location: Location? = nil,
        hints: [String] = []
    ) {
        let name = AppStoreConnectProvider.name
        warnings.append(
            .warning("\(name).\(id)", "\(name): \(summary)", details: details, at: location, hints: hints))
    }

    private mutating func appID() async throws(ServiceFault) -> String {
        let wanted = requests.configuration.app
        if isAppleID(wanted) { return wanted }
        let pages = try await requests.pages(
            AppStoreConnectPage<AppStoreConnectApp>.self, .apps(bundleID: wanted))
        // The filter finds ids that begin alike too.
        let found = pages.elements.first { $0.attributes?.bundleId?.text == wanted }
        if let found { return found.id.text }
        let known = pages.elements.compactMap { $0.attributes?.bundleId?.nonEmpty }
        throw requests.fault(.notFound(what: "app", name: wanted, among: known))
    }

    private mutating func builds(of app: String) async throws(ServiceFault) -> [Release] {
        do throws(ServiceFault) {
            let pages = try await requests.pages(AppStoreConnectBuilds.self, .builds(app: app))
            came(pages.warnings)
            return pages.elements
        } catch {
            try missing("builds", error)
            return []
        }
    }
}
