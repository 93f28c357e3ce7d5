import AppHealth
import Diagnostics
import Tokens
import Transport

/// One fetch of one app.
struct PlayRun {
    var parts: PartialFetch
    private let configuration: PlayConfiguration
    private let endpoint: PlayEndpoint
    private let knownReleases: [Release]
    private let knownIssues: @Sendable () -> KnownIssues
    private static let users = "users"

    init(
        _ configuration: PlayConfiguration, sender: TokenSender, _ knownReleases: [Release],
        knownIssues: @escaping @Sendable () -> KnownIssues
    ) {
        self.configuration = configuration
        self.knownReleases = knownReleases
        self.knownIssues = knownIssues
        endpoint = PlayEndpoint(configuration)
        let needed = [Self.users, endpoint.freshness(of: configuration.measure.metricSet).part]
        parts = PartialFetch(
            PlayProvider.service.client(
                base: configuration.base, sender: sender, limits: configuration.limits,
                most: configuration.mostRequests),
            needing: { part, _ in needed.contains(part) })
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        let source = playSource(configuration)
        var snapshot = Snapshot(app: app, source: source, capturedAt: now)
        let names = await names()
        snapshot.releases = names.releases
        await addHealth(names, to: &snapshot)
        snapshot.issues = await issues(names, at: now)
        await addIssueDays(to: &snapshot)
        snapshot.removeDaysBeforeFirstEvent(stored: knownIssues)
        snapshot.notes = await anomalies(names, at: now)
        try parts.checkParts()
        snapshot.warnings = parts.warnings
        return snapshot
    }

    private mutating func names() async -> PlayReleaseNames {
        guard
            let (options, losses) = await parts.value(
                PlayReleaseOptions.self, at: endpoint.releases, isData: false)
        else {
            return PlayReleaseNames(known: knownReleases)
        }
        parts.add(losses.warnings)
        return PlayReleaseNames(options, known: knownReleases)
    }

    /// The end of the last day of a metric set, as the service wrote it.
    private mutating func end(of metricSet: String) async -> GoogleDateTime? {
        let call = endpoint.freshness(of: metricSet)
        guard let (set, losses) = await parts.value(PlayMetricSet.self, at: call, isData: false)
        else { return nil }
        parts.add(losses.warnings)
        guard let end = set.lastDay, end.date != nil else {
            parts.addMissing(
                call.part,
                parts.client.fault(
                    .reported(
                        .error(
                            "play.lacking", "response lacks the last day",
                            at: .address(call.text(below: configuration.base)))))
            )
            return nil
        }
        return end
    }

    private mutating func addHealth(_ names: PlayReleaseNames, to snapshot: inout Snapshot) async {
        let measure = configuration.measure
        guard let end = await end(of: measure.metricSet) else { return }
        let slices: [([String], PlayReleaseNames?, String)] = [
            ([], nil, Self.users), (["versionCode"], names, "users by version"),
        ]
        for (dimensions, names, part) in slices {
            let rows = await rows(
                of: PlayTable(
                    metricSet: measure.metricSet, metrics: [measure.rate, "distinctUsers"],
                    dimensions: dimensions, part: part),
                until: end)
            guard var found = rows else { continue }
            let days = playHealth(found.rows, measure: measure, names: names, losses: &found.losses)
            snapshot.health += days
            parts.add(found.losses.warnings)
            let known = days.filter { $0.users != nil && $0.crashedUsers != nil }.map(\.date)
            // Versions below the threshold of privacy have no row.
            snapshot.coverage +=
                names == nil
                ? coverageSpans(.users, known)
                : coverageSpans(.releaseHealth, known, .partial(counted: nil, of: nil))
        }
    }

    private mutating func addIssueDays(to snapshot: inout Snapshot) async {
        guard !snapshot.issues.isEmpty, let end = await end(of: "errorCountMetricSet"),
            let days = endpoint.days(until: end)
        else { return }
        // Without the type of report this query is refused.
        let rows = await rows(
            of: PlayTable(
                metricSet: "errorCountMetricSet", metrics: ["errorReportCount", "distinctUsers"],
                dimensions: ["reportType", "issueId"], filter: "isUserPerceived = USER_PERCEIVED",
                part: "counts by day of issues"),
            until: end)
        guard var found = rows else { return }
        let known = Set(snapshot.issues.map(\.id))
        let counts = PlayCounts(found.rows, issues: known, losses: &found.losses)
        snapshot.issueDays = counts.issueDays
        parts.add(found.losses.warnings)
        // A response without any row may as well be one that holds everything back.
        guard !counts.all.isEmpty else { return }
        let counted = counts.all.intersection(known).count
        let isWhole = found.isWhole && found.losses.warnings.isEmpty
        let coverage: Coverage =
            isWhole && counted == counts.all.count
            ? .complete : .partial(counted: counted, of: isWhole ? counts.all.count : nil)
        snapshot.coverage += [
            CoverageSpan(.issueDays, days, coverage), CoverageSpan(.issueUsers, days, coverage),
        ]
        if isWhole { snapshot.addCrashes(counts.crashes, on: days) }
    }

    private mutating func rows(
        of table: PlayTable, until end: GoogleDateTime
    ) async -> (rows: [Placed<PlayRows.Row>], isWhole: Bool, losses: SkippedValues)? {
        let endpoint = endpoint
        // The token is a member of the body, so each page is a query of its own.
        func query(_ page: String?) -> ServiceCall { endpoint.query(table, until: end, page: page) }
        let found = await parts.list(
            from: query(nil), by: .token(PlayRows.self) { query($1) }, most: configuration.mostPages)
        return found.map { ($0.pages.elements, $0.pages.isWhole, $0.losses) }
    }

    /// What the service found odd, as notes.
    private mutating func anomalies(_ names: PlayReleaseNames, at now: Instant) async -> [Note] {
        let call = endpoint.anomalies(at: now)
        guard
            let found = await parts.list(
                from: call, by: .token(PlayAnomalies.self), most: configuration.mostPages)
        else { return [] }
        var losses = found.losses
        let notes = found.pages.elements.compactMap { playAnomaly($0, names: names, losses: &losses) }
            .uniqued(by: \.id)
        parts.add(losses.warnings)
        return notes
    }

    private mutating func issues(_ names: PlayReleaseNames, at now: Instant) async -> [Issue] {
        let call = endpoint.issues(at: now)
        guard
            let found = await parts.list(
                from: call, by: .token(PlayIssues.self), most: configuration.mostPages)
        else { return [] }
        var losses = found.losses
        // A list that moves while its pages are read may show one issue twice.
        let issues = found.pages.elements.compactMap { playIssue($0, names: names, losses: &losses) }
            .uniqued(by: \.id)
        parts.add(losses.warnings)
        return issues
    }
}

extension Snapshot {
    /// Puts the crashes of each day next to the users of the same day.
    fileprivate mutating func addCrashes(_ crashes: [CivilDate: Int], on days: ClosedRange<CivilDate>) {
        for date in days.all {
            let count = crashes[date] ?? 0
            if let index = health.firstIndex(where: { $0.date == date && $0.version == nil }) {
                health[index].crashes = count
            } else {
                health.append(HealthDay(date: date, crashes: count))
            }
        }
        health.sort { ($0.version ?? "", $0.date) < ($1.version ?? "", $1.date) }
        coverage.append(CoverageSpan(.crashes, days))
    }
}
