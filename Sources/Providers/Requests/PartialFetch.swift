import AppHealth
import Diagnostics
import Transport

/// One fetch of one service as it comes together: what is missing is named in a warning, and whether anything came
/// at all decides between a snapshot and a failure.
struct PartialFetch: Sendable {
    var client: ServiceClient
    /// What to report next to what came.
    private(set) var warnings: [Diagnostic] = []
    private var answers = 0
    private var firstFault: ServiceFault?
    private var canceled: ServiceFault?

    init(_ client: ServiceClient) {
        self.client = client
    }

    var provider: String { client.profile.provider }

    /// Whether the run was called off.
    var isCancelled: Bool { canceled != nil }

    /// One response; nil and a warning that names the part when there is none.
    mutating func value<Value: Decodable>(
        _ type: Value.Type, at endpoint: some ServiceEndpoint
    ) async -> (value: Value, losses: SkippedValues)? {
        do throws(ServiceFault) {
            let result = try await client.value(type, at: endpoint)
            answers += 1
            return result
        } catch {
            addMissing(endpoint.part, error)
            return nil
        }
    }

    /// A list over its pages with a place for what its mapping leaves out; nil and a warning when it failed.
    mutating func list<Wire: Decodable, Element: Sendable>(
        from endpoint: some ServiceEndpoint, by paging: Paging<Wire, Element>, most: Int
    ) async -> (pages: ServicePages<Element>, losses: SkippedValues)? {
        do throws(ServiceFault) {
            let pages = try await client.pages(from: endpoint, by: paging, most: most)
            answers += 1
            add(pages.warnings)
            return (pages, SkippedValues(provider: provider, endpoint: endpoint.text(below: client.base)))
        } catch {
            addMissing(endpoint.part, error)
            return nil
        }
    }

    /// Names a part that did not come.
    mutating func addMissing(_ part: String, _ fault: ServiceFault) {
        if fault.isCancelled { canceled = canceled ?? fault }
        firstFault = firstFault ?? fault
        let why = fault.diagnostic
        warnings.append(
            .warning(
                "\(provider).part-missing", "\(provider): couldn't fetch \(part)",
                details: [why.summary] + why.details, quotes: why.quotes, at: why.location, hints: why.hints))
    }

    /// Names requests that were not made because the fetch has no more of them.
    mutating func addSkipped(_ part: String, _ count: Int) {
        let issues = count == 1 ? "1 issue" : "\(count) issues"
        warnings.append(
            .warning(
                "\(provider).budget", "\(provider): skipped \(part) of \(issues)",
                details: ["\(client.used) of at most \(client.most) requests were made"],
                hints: [client.profile.budgetHint]))
    }

    mutating func add(_ more: [Diagnostic]) {
        warnings += more
    }

    mutating func add(_ warning: Diagnostic) {
        warnings.append(warning)
    }

    /// A part that came by other means than `value` or `list`.
    mutating func came(_ more: [Diagnostic] = []) {
        answers += 1
        warnings += more
    }

    /// Remembers a fault that calls the run off.
    mutating func heed(_ fault: ServiceFault) {
        if fault.isCancelled { canceled = canceled ?? fault }
    }

    /// Throws when the run was called off.
    func checkRun() throws(ServiceFault) {
        if let canceled { throw canceled }
    }

    /// Throws when the run was called off, or when no part came.
    func checkParts() throws(ServiceFault) {
        try checkRun()
        if answers == 0, let firstFault { throw firstFault }
    }
}

/// The outcome of a fetch: the snapshot that `body` makes, or its fault with what was reported before it; with the
/// requests and the time it took.
///
/// - Parameter keepsWarnings: Whether a failure has the warnings that came before it.
func outcome<Run>(
    of run: Run, at now: Instant, _ parts: KeyPath<Run, PartialFetch>, keepsWarnings: Bool = false,
    _ body: (inout Run) async throws(ServiceFault) -> Snapshot
) async -> FetchOutcome {
    let start = ContinuousClock.now
    var run = run
    var outcome = FetchOutcome()
    do throws(ServiceFault) {
        outcome.snapshots = [try await body(&run)]
    } catch {
        outcome.failures = [FetchOutcome.Failure(at: now, why: error.diagnostic)]
        if keepsWarnings { outcome.warnings = run[keyPath: parts].warnings }
    }
    outcome.requests = run[keyPath: parts].client.used
    outcome.milliseconds = start.duration(to: .now).milliseconds
    return outcome
}
