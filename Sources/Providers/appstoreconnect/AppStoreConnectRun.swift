import AppHealth
import Diagnostics
import Tokens
import Transport

/// One fetch of one app.
struct AppStoreConnectRun {
    var parts: PartialFetch
    let configuration: AppStoreConnectConfiguration
    /// For the files, which are elsewhere and need no credential.
    let plainSender: any Sender
    /// The files of instances that earlier fetches read; nil when every file is to be requested.
    let keptFiles: KeptBytes?
    let today: CivilDate

    init(
        _ configuration: AppStoreConnectConfiguration, sender: TokenSender, plainSender: any Sender,
        kept: KeptBytes?, at now: Instant
    ) {
        self.configuration = configuration
        self.plainSender = plainSender
        self.keptFiles = kept
        today = now.date
        parts = PartialFetch(
            ServiceClient(
                .appStoreConnect, base: configuration.base, limits: configuration.limits,
                most: configuration.mostRequests, over: .tokens(sender)))
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
        try parts.checkParts()
        let (sessions, crashes) = (days[.sessions] ?? .init(), days[.crashes] ?? .init())
        snapshot.usage = appStoreConnectUsage(sessions: sessions, installs: days[.installs] ?? .init())
        (snapshot.issues, snapshot.issueDays) = appStoreConnectCrashes(crashes)
        snapshot.releases = appStoreConnectReleases(
            builds, seen: sessions.versions.union(crashes.versions))
        snapshot.warnings = parts.warnings
        return snapshot
    }

    /// Names a part that did not come; a run that was called off ends.
    mutating func missing(_ part: String, _ fault: ServiceFault) throws(ServiceFault) {
        parts.addMissing(part, fault)
        try parts.checkRun()
    }

    /// The elements of a list over its pages.
    mutating func pages<Page: WirePage>(
        _ type: Page.Type, _ endpoint: AppStoreConnectEndpoint
    ) async throws(ServiceFault) -> ServicePages<Page.Element> {
        try await parts.client.pages(
            from: endpoint, by: .linkInBody(type), most: configuration.mostPages)
    }

    mutating func warn(
        _ id: String, _ summary: String, details: [String] = [], at location: Location? = nil,
        hints: [String] = []
    ) {
        let name = AppStoreConnectProvider.name
        parts.add(
            .warning("\(name).\(id)", "\(name): \(summary)", details: details, at: location, hints: hints)
        )
    }

    private mutating func appID() async throws(ServiceFault) -> String {
        let wanted = configuration.app
        if isAppleID(wanted) { return wanted }
        let pages = try await pages(
            AppStoreConnectPage<AppStoreConnectApp>.self, .apps(bundleID: wanted))
        // The filter finds ids that begin alike too.
        let found = pages.elements.first { $0.attributes?.bundleId?.text == wanted }
        if let found { return found.id.text }
        let known = pages.elements.compactMap { $0.attributes?.bundleId?.nonEmpty }
        throw parts.client.fault(.notFound(what: "app", name: wanted, among: known))
    }

    private mutating func builds(of app: String) async throws(ServiceFault) -> [Release] {
        do throws(ServiceFault) {
            let pages = try await pages(AppStoreConnectBuilds.self, .builds(app: app))
            parts.came(pages.warnings)
            return pages.elements
        } catch {
            try missing("builds", error)
            return []
        }
    }
}
