import AppHealth
import Diagnostics
import Tokens
import Transport

/// One fetch of one app.
struct CrashlyticsRun {
    var parts: PartialFetch
    private let configuration: CrashlyticsConfiguration
    private let endpoint: CrashlyticsEndpoint
    /// Reports by a subject that is not a total; the last four are not read at all.
    static let bySubject: Set<String> = [
        "topIssues", "topVariants", "topVersions", "topOperatingSystems", "topAppleDevices",
        "topAndroidDevices", "topBrowsers", "webMetrics",
    ]
    /// The most reports that are asked for the totals of the app.
    static let mostTotals = 3
    /// The most issues whose events are looked through for a place in the code.
    static let mostSearched = 10
    private static let eventsOfOneRequest = 50

    init(_ configuration: CrashlyticsConfiguration, sender: TokenSender, at now: Instant) {
        self.configuration = configuration
        endpoint = CrashlyticsEndpoint(configuration, at: now)
        parts = PartialFetch(
            CrashlyticsProvider.service.client(
                base: configuration.base, sender: sender, limits: configuration.limits,
                most: configuration.mostRequests))
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        var snapshot = Snapshot(app: app, source: crashlyticsSource(configuration.id), capturedAt: now)
        let listed = await listed()
        let groups = await issueGroups()
        await addIssueDays(to: &snapshot)
        await addVersions(to: &snapshot)
        await addTotals(listed, to: &snapshot)
        await add(groups, to: &snapshot)
        try parts.checkParts()
        snapshot.warnings = parts.warnings
        return snapshot
    }
}

// MARK: Health

extension CrashlyticsRun {
    /// The reports of the app whose descriptions speak of totals; nil when the list did not come.
    private mutating func listed() async -> [String]? {
        guard let (list, losses) = await parts.value(CrashlyticsReports.self, at: endpoint.reports)
        else {
            return nil
        }
        parts.add(losses.warnings)
        let reports = list.reports?.values ?? []
        return reports.filter { tellsTotals($0.usage?.text ?? "") }.map { lastSegment($0.name.text) }
            .filter { !Self.bySubject.contains($0) }
    }

    private mutating func addVersions(to snapshot: inout Snapshot) async {
        guard let groups = await report("topVersions", by: .day, fatalOnly: true, part: "versions")
        else {
            return
        }
        var (elements, losses) = groups
        snapshot.releases = crashlyticsReleases(elements)
        elements.removeAll { $0.value.version == nil }
        snapshot.health += crashlyticsHealth(elements, losses: &losses)
        parts.add(losses.warnings)
    }

    /// Sessions and users of the app from the reports that tell them. When none does, they cannot be known:
    /// adding up the versions would leave out those without a crash.
    private mutating func addTotals(_ listed: [String]?, to snapshot: inout Snapshot) async {
        guard let listed else { return }
        var known: Set<CivilDate> = []
        var failed = false
        for id in listed.prefix(Self.mostTotals) {
            guard var (elements, losses) = await report(id, by: .day, fatalOnly: true, part: "totals")
            else {
                failed = true
                continue
            }
            elements.removeAll { $0.value.version != nil }
            let days = crashlyticsHealth(elements, losses: &losses).filter {
                $0.sessions != nil || $0.users != nil
            }
            snapshot.health += days.filter { known.insert($0.date).inserted }
            parts.add(losses.warnings)
        }
        if failed { return }
        let app = snapshot.health.filter { $0.version == nil }
        if !app.contains(where: { $0.sessions != nil }) {
            snapshot.source.capabilities.remove(.sessions)
        }
        if !app.contains(where: { $0.users != nil }) { snapshot.source.capabilities.remove(.users) }
    }

    private mutating func report(
        _ id: String, by grain: CrashlyticsEndpoint.Grain, fatalOnly: Bool, part: String
    ) async -> (groups: [Placed<CrashlyticsReport.Group>], losses: SkippedValues)? {
        let call = endpoint.report(id, by: grain, fatalOnly: fatalOnly, part: part)
        guard
            let (pages, losses) = await parts.list(
                from: call, by: .token(CrashlyticsReport.self), most: configuration.mostPages)
        else { return nil }
        return (pages.elements, losses)
    }
}

/// Whether a description speaks of what rates need; it names fields in one of two spellings, or says the words.
private func tellsTotals(_ usage: String) -> Bool {
    let text = usage.lowercased().filter { $0.isLetter }
    return ["totalsessions", "totalusers", "crashfree"].contains { text.contains($0) }
}

// MARK: Issues and notes

extension CrashlyticsRun {
    private mutating func issueGroups() async -> (
        groups: [Placed<CrashlyticsReport.Group>], losses: SkippedValues
    )? {
        await report("topIssues", by: .whole, fatalOnly: false, part: "issues")
    }

    private mutating func addIssueDays(to snapshot: inout Snapshot) async {
        guard
            let found = await report(
                "topIssues", by: .day, fatalOnly: false, part: "counts by day of issues")
        else { return }
        var losses = found.losses
        var seen: Set<String> = []
        for group in found.groups where seen.insert(group.value.issue?.id.text ?? "").inserted {
            snapshot.issueDays += crashlyticsIssueDays(group, losses: &losses)
        }
        parts.add(losses.warnings)
    }

    private mutating func add(
        _ found: (groups: [Placed<CrashlyticsReport.Group>], losses: SkippedValues)?,
        to snapshot: inout Snapshot
    ) async {
        guard var (groups, losses) = found else { return }
        // A list that moves while its pages are read may show one issue twice.
        var seen: Set<String> = [""]
        groups.removeAll { !seen.insert($0.value.issue?.id.text ?? "").inserted }
        let places = await places(of: groups.compactMap { $0.value.issue?.sampleEvent?.nonEmpty })
        for group in groups {
            guard let issue = group.value.issue else { continue }
            let place = (issue.sampleEvent?.nonEmpty).flatMap { places[$0] }
            snapshot.issues.append(
                crashlyticsIssue(
                    issue, metrics: group.value.metrics?.values ?? [], place: place, at: group.path,
                    losses: &losses))
        }
        parts.add(losses.warnings)
        snapshot.notes = await notes(on: groups.compactMap(\.value.issue))
        await addPlaces(to: &snapshot.issues)
    }

    /// The blamed frame of each sample event.
    private mutating func places(of events: [String]) async -> [String: CodePlace] {
        var places: [String: CodePlace] = [:]
        var rest = events[...]
        while !rest.isEmpty {
            let call = endpoint.frames(of: Array(rest.prefix(Self.eventsOfOneRequest)))
            rest = rest.dropFirst(Self.eventsOfOneRequest)
            guard let (found, losses) = await parts.value(CrashlyticsEvents.self, at: call) else { break }
            parts.add(losses.warnings)
            for event in found.events?.values ?? [] {
                places[event.name.text] = crashlyticsPlace(event.blameFrame)
            }
        }
        return places
    }

    /// The places of the issues with most events whose sample event tells none, from their newest events, as far
    /// as the requests last.
    private mutating func addPlaces(to issues: inout [Issue]) async {
        let searched = issues.indices.filter { issues[$0].place == nil && issues[$0].events != nil }
        for index in searched.prefix(Self.mostSearched) where parts.client.left > 0 {
            let call = endpoint.newestFrames(of: issues[index].id)
            guard let (found, losses) = await parts.value(CrashlyticsEvents.self, at: call) else {
                return
            }
            parts.add(losses.warnings)
            issues[index].place =
                found.events?.values.lazy.compactMap { crashlyticsPlace($0.blameFrame) }.first
        }
    }

    /// The notes on the issues with most events, as far as the requests last.
    private mutating func notes(on issues: [CrashlyticsIssue]) async -> [Note] {
        let noted = issues.filter { ($0.notesCount?.value?.value ?? 0) > 0 }.map(\.id.text)
        var notes: [Note] = []
        for (index, issue) in noted.enumerated() {
            guard parts.client.left > 0 else {
                parts.addMissing(
                    "notes on \(noted.count - index) issues",
                    parts.client.fault(.budget(most: configuration.mostRequests)))
                break
            }
            guard
                let (pages, _) = await parts.list(
                    from: endpoint.notes(on: issue), by: .token(CrashlyticsNotes.self), most: 1)
            else { continue }
            notes += pages.elements.compactMap { crashlyticsNote($0.value, on: issue) }
        }
        return notes
    }
}
