import AppHealth
import Diagnostics
import Tokens
import Transport

/// One fetch of one app.
struct CrashlyticsRun {
    var parts: PartialFetch
    private let configuration: CrashlyticsConfiguration
    private let endpoint: CrashlyticsEndpoint
    private let providedBefore: @Sendable () -> Set<Capability>
    private let knownIssues: @Sendable () -> KnownIssues
    /// Reports by a subject that is not a total; of these only issues and versions are read.
    static let bySubject: Set<String> = [
        "topIssues", "topVariants", "topVersions", "topOperatingSystems", "topAppleDevices",
        "topAndroidDevices", "topBrowsers", "webMetrics",
    ]
    /// The most reports that are read for the totals of the app.
    static let mostTotals = 3
    /// The most issues whose events are looked through for a place in the code.
    static let mostSearched = 10
    private static let eventsOfOneRequest = 50
    private static let issues = "issues"
    private static let versions = "versions"

    init(
        _ configuration: CrashlyticsConfiguration, sender: TokenSender, at now: Instant,
        providedBefore: @escaping @Sendable () -> Set<Capability>,
        knownIssues: @escaping @Sendable () -> KnownIssues
    ) {
        self.configuration = configuration
        self.providedBefore = providedBefore
        self.knownIssues = knownIssues
        endpoint = CrashlyticsEndpoint(configuration, at: now)
        parts = PartialFetch(
            CrashlyticsProvider.service.client(
                base: configuration.base, sender: sender, limits: configuration.limits,
                most: configuration.mostRequests),
            needing: { part, _ in [Self.issues, Self.versions].contains(part) })
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        let source = crashlyticsSource(configuration.id, days: configuration.days)
        var snapshot = Snapshot(app: app, source: source, capturedAt: now)
        let listed = await listed()
        let groups = await issueGroups(listed)
        await addIssueDays(listed, to: &snapshot)
        await addVersions(listed, to: &snapshot)
        await addTotals(listed, to: &snapshot)
        await add(groups, to: &snapshot)
        snapshot.removeDaysBeforeFirstEvent(stored: knownIssues)
        try parts.checkParts()
        snapshot.warnings = parts.warnings
        return snapshot
    }
}

// MARK: Health

extension CrashlyticsRun {
    /// A report with what its mapping leaves out, and whether all of it was read.
    private typealias Groups = (
        groups: [Placed<CrashlyticsReport.Group>], isWhole: Bool, losses: SkippedValues
    )

    /// The reports of the app as the service lists them; nil when the list did not come.
    private mutating func listed() async -> CrashlyticsListed? {
        guard
            let (list, losses) = await parts.value(
                CrashlyticsReports.self, at: endpoint.reports, isData: false)
        else { return nil }
        parts.add(losses.warnings)
        return CrashlyticsListed(list)
    }

    private mutating func addVersions(_ listed: CrashlyticsListed?, to snapshot: inout Snapshot) async {
        guard
            let found = await report(
                "topVersions", among: listed, by: .day, fatalOnly: true, part: Self.versions)
        else { return }
        var (elements, losses) = (found.groups, found.losses)
        snapshot.releases = crashlyticsReleases(elements)
        elements.removeAll { $0.value.version == nil }
        let days = crashlyticsHealth(elements, losses: &losses)
        parts.add(losses.warnings)
        // A report without a day may as well be one that holds everything back.
        guard !days.isEmpty else { return }
        snapshot.health += days
        let isNamed = elements.allSatisfy { $0.value.version.map(crashlyticsLabel)?.isEmpty == false }
        let isWhole = found.isWhole && !losses.hasLostElements && isNamed
        let coverage: Coverage = isWhole ? .complete : .partial(counted: elements.count, of: nil)
        snapshot.coverage.append(CoverageSpan(.releaseHealth, endpoint.days, coverage))
        if isWhole { addCrashes(of: days, to: &snapshot) }
    }

    /// Crash events of each day: every fatal event is of one version, so the versions add up to the app.
    private func addCrashes(of days: [HealthDay], to snapshot: inout Snapshot) {
        guard days.allSatisfy({ $0.crashes != nil }) else { return }
        var sums = Dictionary(uniqueKeysWithValues: endpoint.days.all.map { ($0, Int?.some(0)) })
        for day in days {
            guard let sum = sums[day.date] else { continue }
            sums[day.date] = .some(sum.flatMap { checkedSum([$0, day.crashes ?? 0]) })
        }
        snapshot.health += sums.sorted { $0.key < $1.key }.map { HealthDay(date: $0.key, crashes: $0.value) }
        snapshot.coverage.append(CoverageSpan(.crashes, endpoint.days))
    }

    /// Sessions and users of the app from the reports that report them. When none does, they cannot be known:
    /// adding up the versions would leave out those without a crash. A list that did not come, and a report that failed
    /// or is empty, do not say so.
    private mutating func addTotals(_ listed: CrashlyticsListed?, to snapshot: inout Snapshot) async {
        var known: [CivilDate: HealthDay] = [:]
        var isUnsure = false
        for id in (listed?.ofTotals ?? []).prefix(Self.mostTotals) {
            guard
                let found = await report(id, among: listed, by: .day, fatalOnly: true, part: "totals"),
                !found.groups.isEmpty
            else {
                isUnsure = true
                continue
            }
            var losses = found.losses
            let elements = found.groups.filter { $0.value.version == nil }
            for day in crashlyticsHealth(elements, losses: &losses)
            where (day.sessions != nil || day.users != nil) && known[day.date] == nil {
                known[day.date] = day
            }
            parts.add(losses.warnings)
        }
        snapshot.addTotals(known)
        if isUnsure { return }
        var lacking: Set<Capability> = []
        if !known.values.contains(where: { $0.sessions != nil }) { lacking.insert(.sessions) }
        if !known.values.contains(where: { $0.users != nil }) { lacking.insert(.users) }
        if listed == nil { lacking.subtract(providedBefore()) }
        snapshot.source.capabilities.subtract(lacking)
    }

    /// A report of the list; nil, with a warning that names the listed ones, where the service does not have it.
    private mutating func report(
        _ id: String, among listed: CrashlyticsListed?, by grain: CrashlyticsEndpoint.Grain,
        fatalOnly: Bool, part: String
    ) async -> Groups? {
        if let listed, !listed.ids.contains(id) {
            parts.addMissing(
                part, parts.client.fault(.notListed(what: "report", name: id, among: listed.ids)))
            return nil
        }
        let call = endpoint.report(id, by: grain, fatalOnly: fatalOnly, part: part)
        guard
            let (pages, losses) = await parts.list(
                from: call, by: .token(CrashlyticsReport.self), most: configuration.mostPages)
        else { return nil }
        return (pages.elements, pages.isWhole, losses)
    }
}

extension Snapshot {
    /// Puts the app's totals next to what is known of the same days.
    fileprivate mutating func addTotals(_ days: [CivilDate: HealthDay]) {
        var days = days
        for index in health.indices where health[index].version == nil {
            guard var total = days.removeValue(forKey: health[index].date) else { continue }
            total.crashes = health[index].crashes ?? total.crashes
            health[index] = total
        }
        health += days.values.sorted { $0.date < $1.date }
        let app = health.filter { $0.version == nil }
        coverage += coverageSpans(.sessions, app.filter { $0.sessions != nil }.map(\.date))
        coverage += coverageSpans(.users, app.filter { $0.users != nil }.map(\.date))
        if !coverage.contains(where: { $0.fact == .crashes }) {
            coverage += coverageSpans(.crashes, app.filter { $0.crashes != nil }.map(\.date))
        }
    }
}

/// The reports that the service lists for an app.
struct CrashlyticsListed: Sendable {
    /// Their ids, in the service's order.
    let ids: [String]
    /// Those whose descriptions speak of totals.
    let ofTotals: [String]

    init(_ list: CrashlyticsReports) {
        let reports = (list.reports?.values ?? []).map { (lastSegment($0.name.text), $0.usage?.text ?? "") }
        ids = reports.map(\.0)
        ofTotals = reports.filter { holdsTotals($0.1) && !CrashlyticsRun.bySubject.contains($0.0) }.map(\.0)
    }
}

/// Whether a description speaks of what rates need; it names fields in one of two spellings, or says the words.
private func holdsTotals(_ usage: String) -> Bool {
    let text = usage.lowercased().filter { $0.isLetter }
    return ["totalsessions", "totalusers", "crashfree"].contains { text.contains($0) }
}

// MARK: Issues and notes

extension CrashlyticsRun {
    private mutating func issueGroups(_ listed: CrashlyticsListed?) async -> Groups? {
        await report("topIssues", among: listed, by: .whole, fatalOnly: false, part: Self.issues)
    }

    private mutating func addIssueDays(_ listed: CrashlyticsListed?, to snapshot: inout Snapshot) async {
        guard
            let found = await report(
                "topIssues", among: listed, by: .day, fatalOnly: false, part: "counts by day of issues")
        else { return }
        var losses = found.losses
        var seen: Set<String> = []
        let report = CrashlyticsTotals(found.groups)
        for group in found.groups where seen.insert(group.value.issue?.id.text ?? "").inserted {
            snapshot.issueDays += crashlyticsIssueDays(group, in: report, losses: &losses)
        }
        parts.add(losses.warnings)
        guard !snapshot.issueDays.isEmpty else { return }
        let part = Coverage.partial(counted: seen.count, of: nil)
        // A report that moves while its pages are read shows one issue twice, and lacks another.
        let isWhole =
            found.isWhole && found.groups.count == seen.count && !losses.hasLostElements && report.events
            && !seen.contains("")
        snapshot.coverage.append(CoverageSpan(.issueDays, endpoint.days, isWhole ? .complete : part))
        snapshot.coverage += usersCoverage(of: snapshot.issueDays, isWhole ? .complete : part)
    }

    /// Users of issues are known on the days on which every issue with events states them.
    private func usersCoverage(of days: [IssueDay], _ whole: Coverage) -> [CoverageSpan] {
        let byDay = Dictionary(grouping: days.filter { ($0.events ?? 0) > 0 }, by: \.date)
        let coverage = endpoint.days.all.map { date -> (CivilDate, Coverage) in
            let issues = byDay[date] ?? []
            let known = issues.count { $0.users != nil }
            if known == issues.count { return (date, whole) }
            return (date, known == 0 ? .unknown : .partial(counted: known, of: issues.count))
        }
        return coverageSpans(.issueUsers, Dictionary(uniqueKeysWithValues: coverage).known)
    }

    private mutating func add(_ found: Groups?, to snapshot: inout Snapshot) async {
        guard var groups = found?.groups, var losses = found?.losses else { return }
        // A list that moves while its pages are read may show one issue twice.
        var seen: Set<String> = [""]
        groups.removeAll { !seen.insert($0.value.issue?.id.text ?? "").inserted }
        let report = CrashlyticsTotals(groups)
        let places = await places(of: groups.compactMap { $0.value.issue?.sampleEvent?.nonEmpty })
        for group in groups {
            guard let issue = group.value.issue else { continue }
            let place = (issue.sampleEvent?.nonEmpty).flatMap { places[$0] }
            snapshot.issues.append(
                crashlyticsIssue(
                    issue, metrics: group.value.metrics?.values ?? [], in: report, place: place,
                    at: group.path,
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

    /// The places of the issues with most events whose sample event reports none, from their newest events, as far
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
            if let refusal = parts.client.refusal {
                parts.addMissing("notes on \(noted.count - index) issues", refusal)
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
