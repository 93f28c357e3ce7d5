import AppHealth
import Diagnostics
import Transport

/// One fetch of one service as it comes together: what is missing is named in a warning. Without any part there is no
/// snapshot; without a part that is needed, the snapshot has what came and the fetch has failed. So it has when the service
/// goes down in the middle: each part that follows is missing as if it alone were refused.
struct PartialFetch: Sendable {
    var client: ServiceClient
    /// What to report next to what came; the parts that are requested issue by issue come last, each once.
    var warnings: [Diagnostic] { reported + issueParts.map { $0.warning(of: provider) } }
    private var reported: [Diagnostic] = []
    private var issueParts: [IssuePart] = []
    /// Why the fetch has failed, whatever came: a part that is needed did not, or the service went down.
    var failure: Diagnostic? { lackOfPart ?? (outlivesOutage ? nil : client.outage?.diagnostic) }
    /// Whether what came is a whole fetch also when the service goes down after it.
    var outlivesOutage = false
    private var lackOfPart: Diagnostic?
    /// Whether the source is for a part that did not come for a reason.
    private let isNeeded: @Sendable (_ part: String, _ why: ServiceFault) -> Bool
    private var answers = 0
    private var firstFault: ServiceFault?
    private var canceled: ServiceFault?

    init(
        _ client: ServiceClient,
        needing isNeeded: @escaping @Sendable (_ part: String, _ why: ServiceFault) -> Bool = { _, _ in false
        }
    ) {
        self.client = client
        self.isNeeded = isNeeded
    }

    var provider: String { client.profile.provider }

    /// Whether the run was called off.
    var isCanceled: Bool { canceled != nil }

    /// One response; nil and a warning that names the part when there is none.
    ///
    /// - Parameter isData: Whether it reports data, not only names: a fetch that got nothing else has failed.
    mutating func value<Value: Decodable>(
        _ type: Value.Type, at endpoint: some ServiceEndpoint, isData: Bool = true
    ) async -> (value: Value, losses: SkippedValues)? {
        do throws(ServiceFault) {
            let result = try await client.value(type, at: endpoint)
            if isData { answers += 1 }
            return result
        } catch {
            addMissing(endpoint.part, error)
            return nil
        }
    }

    /// A list over its pages with a place for what its mapping leaves out; nil and a warning when it failed.
    ///
    /// - Parameter isNeeded: As of `addMissing`.
    mutating func list<Wire: Decodable, Element: Sendable>(
        from endpoint: some ServiceEndpoint, by paging: Paging<Wire, Element>, most: Int,
        isNeeded: Bool? = nil
    ) async -> (pages: ServicePages<Element>, losses: SkippedValues)? {
        do throws(ServiceFault) {
            let pages = try await client.pages(from: endpoint, by: paging, most: most)
            answers += 1
            add(pages.warnings)
            return (
                pages,
                SkippedValues(
                    provider: provider, endpoint: endpoint.text(below: client.base),
                    origin: client.profile.origin)
            )
        } catch {
            addMissing(endpoint.part, error, isNeeded: isNeeded)
            return nil
        }
    }

    /// Names a part that did not come.
    ///
    /// - Parameter isNeeded: Whether the fetch has failed without it; nil leaves it to the name of the part.
    mutating func addMissing(_ part: String, _ fault: ServiceFault, isNeeded: Bool? = nil) {
        heed(fault)
        firstFault = firstFault ?? fault
        if isNeeded ?? (self.isNeeded(part, fault) && !fault.isOfContent) { fail(fault, without: part) }
        reported.append(.missingPart(part, of: provider, because: fault.diagnostic))
    }

    /// Makes the fetch one that has failed, whatever came; the first reason is the one that is reported.
    ///
    /// - Parameter part: What did not come.
    mutating func fail(_ fault: ServiceFault, without part: String) {
        guard lackOfPart == nil else { return }
        lackOfPart = fault.diagnostic
        lackOfPart?.details.append("couldn't fetch \(part)")
    }

    /// Names requests that were not made.
    ///
    /// - Parameter why: What kept them from being made; without it, what ends all requests of this fetch, or that there are
    ///   not enough of them.
    mutating func addSkipped(_ part: String, _ count: Int, because why: ServiceFault? = nil) {
        addSkipped("\(part) of \(issueCount(count))", because: why)
    }

    /// The same of days that were not requested; nothing where there are none.
    mutating func addSkipped(_ part: String, days count: Int) {
        if count > 0 { addSkipped("\(part) on \(count == 1 ? "1 day" : "\(count) days")", because: nil) }
    }

    /// The same of whatever was not requested.
    mutating func addSkipped(_ what: String, because why: ServiceFault?) {
        if let why = why ?? client.refusal, !why.isOfBudget {
            let reason = why.diagnostic
            return reported.append(
                .warning(
                    reason.id, "\(provider): skipped \(what)", details: [reason.summary] + reason.details,
                    hints: reason.hints))
        }
        reported.append(
            .warning(
                "\(provider).budget", "\(provider): skipped \(what)",
                details: ["\(client.used) of at most \(client.most) requests were made"],
                hints: [client.profile.budgetHint]))
    }

    mutating func add(_ more: [Diagnostic]) {
        reported += more
    }

    mutating func add(_ warning: Diagnostic) {
        reported.append(warning)
    }

    /// A part that came by other means than `value` or `list`.
    mutating func came(_ more: [Diagnostic] = []) {
        answers += 1
        reported += more
    }

    /// Remembers a fault that calls the run off.
    mutating func heed(_ fault: ServiceFault) {
        if fault.isCanceled { canceled = canceled ?? fault }
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

// MARK: Issue by issue

extension PartialFetch {
    /// One part of each of some issues. After some failures it is not requested again in this run; where the server refuses
    /// the part as such, one request is enough. A part that is needed, and came of no issue, did not come.
    ///
    /// - Parameter isRefusal: Whether a fault says that the service has the part of no issue, or that the credential may not
    ///   read it.
    mutating func each<Value>(
        _ part: String, of ids: [String], isRefusal: (ServiceFault) -> Bool,
        _ body: (inout ServiceClient, String) async throws(ServiceFault) -> (Value, [Diagnostic])
    ) async -> (values: [String: Value], isRefused: Bool) {
        var values: [String: Value] = [:]
        var needed: ServiceFault?
        for id in ids where !isCanceled {
            let refusal = client.refusal
            guard isWorthRequesting(part), refusal == nil else {
                change(part) { $0.skip(because: refusal?.diagnostic) }
                continue
            }
            do throws(ServiceFault) {
                let (value, losses) = try await body(&client, id)
                values[id] = value
                add(losses)
            } catch {
                if isRefusal(error) {
                    addMissing(part, error)
                    return (values, true)
                }
                addFailure(of: part, error)
                if values.isEmpty, needed == nil, isNeeded(part, error) { needed = error }
            }
        }
        if values.isEmpty, let needed { fail(needed, without: part) }
        return (values, false)
    }

    /// Counts a failure of a part that has one warning however often it fails.
    mutating func addFailure(of part: String, _ fault: ServiceFault) {
        heed(fault)
        change(part) { $0.fail(because: fault.diagnostic) }
    }

    private func isWorthRequesting(_ part: String) -> Bool {
        (issueParts.first { $0.name == part }?.failures ?? 0) < ServiceClient.patience
    }

    private mutating func change(_ part: String, _ body: (inout IssuePart) -> Void) {
        if let index = issueParts.firstIndex(where: { $0.name == part }) { return body(&issueParts[index]) }
        var new = IssuePart(name: part)
        body(&new)
        issueParts.append(new)
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
        var snapshot = try await body(&run)
        snapshot.failure = run[keyPath: parts].failure
        outcome.snapshots = [snapshot]
        outcome.failures = snapshot.failure.map { [.init(at: now, why: $0, makesStale: true)] } ?? []
    } catch {
        // What a list that ends with an outage lacks is not missing at the service.
        let outage = error.isCanceled ? nil : run[keyPath: parts].client.outage
        outcome.failures = [FetchOutcome.Failure(at: now, why: (outage ?? error).diagnostic)]
        if keepsWarnings { outcome.warnings = run[keyPath: parts].warnings }
    }
    outcome.requests = run[keyPath: parts].client.used
    outcome.milliseconds = start.duration(to: .now).milliseconds
    return outcome
}
