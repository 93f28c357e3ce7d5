import AppHealth
import Diagnostics
import Tokens
import Transport

/// One fetch of one property.
struct Ga4Run {
    var parts: PartialFetch
    private let configuration: Ga4Configuration
    /// The metrics that the account may not see; nil when the service did not say.
    private var blocked: Set<String>?
    private var zone: String?
    private let describedBefore: @Sendable () -> Source?

    init(
        _ configuration: Ga4Configuration, sender: TokenSender,
        describedBefore: @escaping @Sendable () -> Source?
    ) {
        self.configuration = configuration
        self.describedBefore = describedBefore
        parts = PartialFetch(
            Ga4Provider.service.client(
                base: configuration.base, sender: sender, limits: configuration.limits,
                most: configuration.mostRequests),
            needing: { part, why in
                // Of a property that counts no crashes, the report of them is refused as it is asked.
                part == Ga4Query.usage.part || part == Ga4Query.health.part && why.status != 400
            })
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        var snapshot = Snapshot(
            app: app, source: ga4Source(configuration, zone: nil), capturedAt: now)
        await findBlocked()
        await addUsage(to: &snapshot)
        try parts.checkParts()
        await addHealth(to: &snapshot)
        try parts.checkRun()
        // A night without the zone does not move the days.
        if let zone = zone ?? describedBefore()?.zone {
            let capabilities = snapshot.source.capabilities
            snapshot.source = ga4Source(configuration, zone: zone)
            snapshot.source.capabilities = capabilities
        } else {
            parts.add([
                .warning(
                    "ga4.zone", "ga4: no time zone in the response; UTC assumed")
            ])
        }
        snapshot.warnings = parts.warnings
        return snapshot
    }

    /// Metrics that the account may not see: the service returns zeros for them, which are no zeros.
    private mutating func findBlocked() async {
        let call = Ga4Request.metrics(of: configuration)
        guard let (list, losses) = await parts.value(Ga4Metrics.self, at: call, isData: false) else { return }
        parts.add(losses.warnings)
        let blocked = list.blocked(of: Ga4Query.usage.metrics + Ga4Query.healthMetrics)
        self.blocked = blocked
        guard !blocked.isEmpty else { return }
        parts.add(
            .warning(
                "ga4.blocked", "ga4: the account may not see \(blocked.sorted().joined(separator: ", "))",
                at: .address(call.text(below: configuration.base)),
                hints: ["lift the account's data restrictions in the property's access management"]))
    }

    /// The metrics of a report that count as missing: those that the account may not see. Where the service did not say
    /// which these are, one that is zero throughout may be one of them, so that its zeros are no counts; of affected users
    /// the rate tells.
    private mutating func unseen(in report: Ga4Pages) -> Set<String> {
        if let blocked { return blocked }
        let zeros = ga4Zeros(report.pages.map(\.report))
            .subtracting(["crashAffectedUsers", "crashFreeUsersRate"])
        if !zeros.isEmpty {
            let names = zeros.sorted().joined(separator: ", ")
            parts.add(
                .warning(
                    "ga4.unknown-zeros", "ga4: unknown, as zero throughout: \(names)",
                    details: ["without the list of metrics it is unknown what the account may see"]))
        }
        return zeros
    }

    private mutating func addUsage(to snapshot: inout Snapshot) async {
        guard let report = await pages(of: .usage) else { return }
        var known: Set<CivilDate> = []
        let blocked = unseen(in: report)
        for page in report.pages {
            var losses = page.losses
            let days = ga4Days(page.report, blocked: blocked, losses: &losses)
            snapshot.usage += days.filter { known.insert($0.date).inserted }
            parts.add(losses.warnings)
        }
        snapshot.usage.sort { $0.date < $1.date }
        snapshot.usage = processed(snapshot.usage, \.date, at: snapshot.capturedAt) { day in
            [day.activeUsers, day.sessions]
        }
        snapshot.coverage += coverageSpans(.usage, snapshot.usage.map(\.date), report.coverage)
    }

    /// Users with crashes, by day and by version. Without users of apps there is nothing to know; where there were any in
    /// an earlier run, a report without them is one of a night.
    private mutating func addHealth(to snapshot: inout Snapshot) async {
        guard let report = await pages(of: .health) else { return }
        var (days, _) = health(report, byVersion: false)
        days = processed(days, \.date, at: snapshot.capturedAt) { [$0.users] }
        guard days.contains(where: { ($0.users ?? 0) > 0 && $0.crashedUsers != nil }) else {
            let lacking: Set<Capability> = [.users, .releaseHealth]
            snapshot.source.capabilities.subtract(lacking.subtracting(describedBefore()?.capabilities ?? []))
            return
        }
        let known = days.filter { $0.users != nil && $0.crashedUsers != nil }.map(\.date)
        snapshot.health = days
        if configuration.stream == nil, configuration.namesStreams { await nameStreams() }
        snapshot.coverage += coverageSpans(.users, known, report.coverage)
        guard let report = await pages(of: .releaseHealth) else { return }
        let before = parts.warnings.count
        let (releases, withOther) = health(report, byVersion: true)
        // A report without a version may as well be one that holds everything back.
        guard !releases.isEmpty else { return }
        snapshot.health += releases
        // A day without a version had no users of one; the row (other) hides versions, and a row that was skipped may be
        // of any day.
        let part = Coverage.partial(counted: nil, of: nil)
        let whole = parts.warnings.count > before ? part : report.coverage
        snapshot.coverage += coverageSpans(
            .releaseHealth,
            Dictionary(
                uniqueKeysWithValues: Set(known).map { ($0, withOther.contains($0) ? part : whole) }))
    }

    /// Says which streams are counted together: the users of an app for two systems have rates of their own.
    private mutating func nameStreams() async {
        let call = Ga4Request.call(.streams, of: configuration, offset: 0)
        let report: Ga4Report
        do throws(ServiceFault) {
            report = try await parts.client.value(Ga4Report.self, at: call).value
        } catch {
            return parts.heed(error)
        }
        let names = ga4Streams(report)
        guard names.count > 1 else { return }
        parts.add(
            .warning(
                "ga4.streams", "ga4: \(names.count) data streams are counted together",
                details: names.prefix(10).map { printable("\($0.id): \($0.name)") },
                at: .address(call.text(below: configuration.base)),
                hints: [
                    """
                    set 'stream' to all if that is meant, or to one of \
                    \(names.prefix(10).map(\.id).joined(separator: ", ")), with another 'id': the stored days are of all
                    """
                ]))
    }

    private mutating func health(
        _ report: Ga4Pages, byVersion: Bool
    ) -> (days: [HealthDay], withOther: Set<CivilDate>) {
        var (days, other): ([HealthDay], Set<CivilDate>) = ([], [])
        var known: Set<String> = []
        let blocked = unseen(in: report)
        for page in report.pages {
            var losses = page.losses
            let found = ga4Health(page.report, byVersion: byVersion, blocked: blocked, losses: &losses)
            days += found.days.filter { known.insert("\($0.date) \($0.version ?? "")").inserted }
            other.formUnion(found.withOther)
            parts.add(losses.warnings)
        }
        return (days.sorted { ($0.date, $0.version ?? "") < ($1.date, $1.version ?? "") }, other)
    }

    /// Every page of a report, as far as the requests last; nil when not even the first came.
    private mutating func pages(of query: Ga4Query) async -> Ga4Pages? {
        var result = Ga4Pages()
        var offset = 0
        while true {
            let call = Ga4Request.call(query, of: configuration, offset: offset)
            guard let (report, losses) = await parts.value(Ga4Report.self, at: call) else {
                result.isCut = true
                break
            }
            if offset == 0 {
                let said = ga4Warnings(report.metadata, at: call.text(below: configuration.base))
                parts.add(said.filter { !parts.warnings.contains($0) })
            }
            zone = zone ?? report.metadata?.timeZone?.nonEmpty
            result.pages.append((report, losses))
            let rows = report.rows?.items.last.map { $0.index + 1 } ?? 0
            offset += rows
            if rows == 0 || offset >= report.rowCount?.value ?? 0 { break }
        }
        return result.pages.isEmpty ? nil : result
    }
}

/// The days that the service got to, as it takes up to 48 hours: where any day has something, one of the last two without
/// anything is not processed. Empty rows are requested, so that such a day comes as zeros. So does one from before the app
/// was there: days before the first with something say nothing, and a zero that is known stays.
///
/// - Parameter counts: what a day counts, of which some may not be known.
private func processed<Day>(
    _ days: [Day], _ date: (Day) -> CivilDate, at now: Instant, _ counts: (Day) -> [Int?]
) -> [Day] {
    func isEmpty(_ day: Day) -> Bool {
        let known = counts(day).compactMap(\.self)
        return !known.isEmpty && known.allSatisfy { $0 == 0 }
    }
    guard !days.allSatisfy(isEmpty) else { return days }
    let late = Array(days.suffix(2).reversed().prefix { date($0).days(to: now.date) <= 2 && isEmpty($0) })
    return Array(days.drop(while: isEmpty).dropLast(late.count))
}

/// A report in pages.
private struct Ga4Pages {
    var pages: [(report: Ga4Report, losses: SkippedValues)] = []
    /// Whether there are more rows than were read.
    var isCut = false

    /// How much of the property's data it counts, by what the service says of it.
    var coverage: Coverage {
        let metadata = pages.first?.report.metadata
        if let sampled = metadata?.samplingMetadatas?.value?.values.first {
            return .partial(
                counted: sampled.samplesReadCount.value, of: sampled.samplingSpaceSize.value)
        }
        let isThinned =
            metadata?.subjectToThresholding?.value == true || metadata?.dataLossFromOtherRow?.value == true
            || metadata?.dataTruncationReasons?.value?.values.isEmpty == false
        return isThinned || isCut ? .partial(counted: nil, of: nil) : .complete
    }
}

/// What the service says of its own figures: sampled, thresholded, rolled up, cut, empty for a reason.
func ga4Warnings(_ metadata: Ga4Report.Metadata?, at endpoint: String) -> [Diagnostic] {
    guard let metadata else { return [] }
    let quality = Ga4DataQuality(metadata: metadata, endpoint: endpoint)
    return quality.sampled + quality.flags + quality.truncated + quality.empty + quality.restricted
}

private struct Ga4DataQuality {
    let metadata: Ga4Report.Metadata
    let endpoint: String

    /// One entry for each range of dates that was sampled.
    var sampled: [Diagnostic] {
        (metadata.samplingMetadatas?.value?.values ?? []).map { sampling in
            let (read, all) = (sampling.samplesReadCount.value, sampling.samplingSpaceSize.value)
            return warning(
                "sampled", "data is estimated from a sample", "samplingMetadatas",
                ["\(read) of \(all) events were read"])
        }
    }

    var flags: [Diagnostic] {
        let thresholded = warning(
            "thresholded", "data below a minimum of users may be missing", "subjectToThresholding",
            hints: ["look into the property's reporting identity"])
        let other = warning(
            "other-row", "a part of the data is rolled up into the row (other)", "dataLossFromOtherRow")
        return (metadata.subjectToThresholding?.value == true ? [thresholded] : [])
            + (metadata.dataLossFromOtherRow?.value == true ? [other] : [])
    }

    var truncated: [Diagnostic] {
        (metadata.dataTruncationReasons?.value?.values ?? []).map { reason in
            warning(
                "truncated", "a part of the days is cut", "dataTruncationReasons",
                [reason.dataTruncationMessage?.nonEmpty].compactMap { $0.map(printable) })
        }
    }

    var empty: [Diagnostic] {
        guard let reason = metadata.emptyReason?.value?.nonEmpty else { return [] }
        return [
            warning("empty", "the report is empty", "emptyReason", ["reason: \(printable(reason))"])
        ]
    }

    var restricted: [Diagnostic] {
        let names = metadata.restricted
        guard !names.isEmpty else { return [] }
        return [
            warning(
                "restricted", "the account may not see all metrics", "schemaRestrictionResponse",
                [printable(names.joined(separator: ", "))])
        ]
    }

    private func warning(
        _ id: String, _ summary: String, _ member: String, _ details: [String] = [],
        hints: [String] = []
    ) -> Diagnostic {
        .warning(
            "ga4.\(id)", "ga4: \(summary)", details: details,
            at: .keyPath(document: endpoint, path: "metadata.\(member)"), hints: hints)
    }
}

extension Ga4Report.Metadata {
    /// Metrics of the report that the account may not see.
    var restricted: [String] {
        let all = schemaRestrictionResponse?.value?.activeMetricRestrictions?.values ?? []
        return all.compactMap { $0.metricName?.nonEmpty }
    }
}
