import AppHealth
import Diagnostics
import Transport

/// One fetch of one product: a question that must succeed, and one that may fail.
struct SocorroRun {
    var parts: PartialFetch
    private let configuration: SocorroConfiguration
    private let knownIssues: @Sendable () -> KnownIssues

    init(
        configuration: SocorroConfiguration, sender: any Sender,
        knownIssues: @escaping @Sendable () -> KnownIssues
    ) {
        self.configuration = configuration
        self.knownIssues = knownIssues
        parts = PartialFetch(
            ServiceClient(
                .socorro, base: configuration.base, limits: configuration.limits,
                most: configuration.mostRequests, over: .sender(sender)))
    }

    mutating func snapshot(
        of app: App, source: Source, at now: Instant
    ) async throws(ServiceFault) -> Snapshot {
        let first = now.date.advanced(by: 1 - max(1, configuration.days))
        let product = configuration.product
        var snapshot = Snapshot(app: app, source: source, capturedAt: now)
        let signatures = SocorroEndpoint.signatures(
            product: product, first...now.date, size: configuration.facetSize)
        var (answer, losses) = try await answer(signatures)
        snapshot.warnings = try warnings(of: answer, to: signatures)
        // Where an index is missing or a bucket was skipped, a day without one is unknown.
        let days = days(
            of: answer, from: first, to: now.date,
            isComplete: snapshot.warnings.isEmpty && !losses.hasLostElements,
            losses: &losses)
        snapshot.issues = issues(
            answer, on: days, configuration, losses: &losses)
        snapshot.issueDays = days.flatMap { $0.issueDays(of: snapshot.issues) }
        snapshot.health = days.map {
            HealthDay(date: $0.date, crashes: $0.crashes)
        }
        snapshot.coverage = coverage(
            of: days, issues: Set(snapshot.issues.map(\.id)), isSampled: configuration.isSampled)
        snapshot.removeDaysBeforeFirstEvent(stored: knownIssues)
        snapshot.warnings += losses.warnings
        try await addVersions(
            .versions(product: product, first...now.date, size: configuration.mostIssues),
            to: &snapshot)
        return snapshot
    }

    private mutating func addVersions(
        _ endpoint: SocorroEndpoint, to snapshot: inout Snapshot
    ) async throws(ServiceFault) {
        do throws(ServiceFault) {
            let (answer, losses) = try await answer(endpoint)
            _ = try warnings(of: answer, to: endpoint)
            let (versions, users) = (newestVersions(answer), installations(answer))
            for index in snapshot.issues.indices {
                snapshot.issues[index].lastVersion = versions[snapshot.issues[index].id]
                snapshot.issues[index].users = users[snapshot.issues[index].id]
            }
            snapshot.warnings += losses.warnings
        } catch {
            if error.isCanceled { throw error }
            parts.addMissing(endpoint.part, error)
            snapshot.warnings += parts.warnings
        }
    }

    private mutating func answer(
        _ endpoint: SocorroEndpoint
    ) async throws(ServiceFault) -> (SocorroAnswer, SkippedValues) {
        try await parts.client.value(SocorroAnswer.self, at: endpoint)
    }

    /// An index that is missing held no reports yet and is only reported. Whatever else is wrong with a response
    /// of status 200 makes its counts too low, and a count that is too low is worse than an old one.
    private func warnings(
        of answer: SocorroAnswer, to endpoint: SocorroEndpoint
    ) throws(ServiceFault) -> [Diagnostic] {
        let place = Location.address(endpoint.text(below: configuration.base))
        let faults = answer.errors?.values ?? []
        let words = faults.prefix(10).map { fault in
            let index = fault.index?.value.map { " \(printable($0.text))" } ?? ""
            let shards =
                fault.shards?.value.map { $0.value == 1 ? " (1 shard)" : " (\($0.value) shards)" } ?? ""
            return "\(printable(fault.type.text))\(index)\(shards)"
        }
        if faults.contains(where: { $0.type.text != "missing_index" }) {
            throw parts.client.fault(
                .reported(
                    .error(
                        "socorro.partial", "socorro: the server counted only some of the reports",
                        details: words, at: place, hints: ["fetch again later"])))
        }
        guard !faults.isEmpty else { return [] }
        return [
            .warning(
                "socorro.index", "socorro: the server has no index for some of the days", details: words,
                at: place)
        ]
    }
}

/// One question to SuperSearch. Both request facets only, never for single reports.
enum SocorroEndpoint: ServiceEndpoint {
    /// Reports by signature, and by day and signature.
    case signatures(product: String, ClosedRange<CivilDate>, size: Int)
    /// The versions in which the signatures with most reports were seen.
    case versions(product: String, ClosedRange<CivilDate>, size: Int)

    var call: ServiceCall {
        ServiceCall(segments: ["api", "SuperSearch"], query: query, part: what, endsWithSlash: true)
    }

    private var query: [(String, String)] {
        switch self {
        case .signatures(let product, let days, let size):
            Self.window(product, days) + [
                ("_facets", "signature"), ("_histogram.date", "signature"),
                ("_histogram_interval.date", "day"), ("_facets_size", String(size)),
            ]
        case .versions(let product, let days, let size):
            Self.window(product, days) + [
                ("_aggs.signature", "version"), ("_aggs.signature", Self.installations),
                ("_facets_size", String(size)),
            ]
        }
    }

    /// Requests the number of distinct installations, which needs no token.
    private static let installations = "_cardinality.install_time"

    /// The days end with the current one: what comes while it changes is of the next fetch.
    private static func window(_ product: String, _ days: ClosedRange<CivilDate>) -> [(String, String)] {
        [
            ("product", product), ("date", ">=\(days.lowerBound)"),
            ("date", "<\(days.upperBound.advanced(by: 1))"), ("_results_number", "0"),
        ]
    }

    private var what: String {
        switch self {
        case .signatures: "crash reports by signature and day"
        case .versions: "versions and installations of the issues"
        }
    }
}
