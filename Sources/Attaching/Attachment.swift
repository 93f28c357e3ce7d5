package import AppHealth
package import Diagnostics
import Files

/// How a summary is attached.
package struct AttachOptions: Sendable {
    /// The instant of the run.
    package var instant: Instant
    /// Whether nothing is changed.
    package var isDryRun: Bool
    /// Whether what was sent, or may have been, is sent again.
    package var again: Bool
    /// Whether the configuration says who reads the place.
    package var namesReader: Bool
    /// Why nothing arrives at the place any more; what is still to be sent then is left to the next run.
    package var outage: Diagnostic?

    /// Attaches at an instant.
    package init(
        at instant: Instant, isDryRun: Bool = false, again: Bool = false, namesReader: Bool = false
    ) {
        self.instant = instant
        self.isDryRun = isDryRun
        self.again = again
        self.namesReader = namesReader
    }
}

/// What became of a summary at a place.
package struct AttachOutcome: Sendable {
    /// How it ended.
    package enum State: Sendable {
        /// It is there now.
        case sent(AttachReceipt.Change)
        /// It was there already, or nothing in it is worth another message.
        case unchanged
        /// Nothing was changed: it was a dry run.
        case planned(AttachReceipt.Change)
        /// There is nothing to attach it to; why.
        case absent(String)
        /// It did not arrive for certain, or it is not known whether it did.
        case failed(Diagnostic)
    }

    /// How it ended.
    package var state: State
    /// Who did not get it although others did; nil when it arrived everywhere.
    var shortfall: Diagnostic?
    /// Why whatever else is sent to the place would fare the same; nil when it would not.
    package var outage: Diagnostic?
    /// When the summary arrived that is there already; nil when that is not remembered.
    package var arrivedAt: Instant?

    /// What failed; nil when nothing did.
    package var failure: Diagnostic? {
        if case .failed(let why) = state { why } else { shortfall }
    }
}

/// Attaches a summary to a place, once: what the ledger and the place know already is not sent again.
///
/// A row of the ledger is written before anything is sent: what is interrupted then is known to be uncertain. A place
/// where a repetition does no harm gets it again with the next run, the others only on request.
///
/// - Parameters:
///   - ledger: what is remembered of this place.
///   - keep: writes a row of the ledger.
package func attach(
    _ summary: AttachedSummary, to target: any AttachTarget, named name: String, knowing ledger: AttachLedger,
    _ options: AttachOptions, keep: (AttachmentEntry) throws(Diagnostic) -> Void
) async -> AttachOutcome {
    do throws(AttachFailure) {
        return try await attaching(summary, target, name, ledger, options, keep)
    } catch {
        return AttachOutcome(
            state: .failed(error.diagnostic), outage: error.endsTarget ? error.diagnostic : nil)
    }
}

private func attaching(
    _ summary: AttachedSummary, _ target: any AttachTarget, _ name: String, _ ledger: AttachLedger,
    _ options: AttachOptions, _ keep: (AttachmentEntry) throws(Diagnostic) -> Void
) async throws(AttachFailure) -> AttachOutcome {
    var summary = summary
    let key = summary.key(at: name)
    let (record, remotes) = (ledger.record(of: key), ledger.remotes(of: key, at: target.repetition))
    let content = digest(try known { () throws(Diagnostic) in try target.fingerprint(summary) })
    let gist = digest(summary.gist)
    switch need(of: target, record, content: content, gist: gist, options) {
    case .nothing: return AttachOutcome(state: .unchanged, arrivedAt: record?.arrived?.at)
    case .uncertain: throw AttachFailure(uncertain(summary, target))
    case .sending: break
    }
    if target.repetition.isAnother(whenKnown: !remotes.isEmpty), let record, let arrived = record.arrived {
        summary.correction = record.corrections + (arrived.gist == gist ? 0 : 1)
    }
    func checkReaders() async throws(AttachFailure) {
        guard summary.isForTeam, !options.namesReader, try await target.isPublic() == true else { return }
        throw AttachFailure(publicPlace(target, name))
    }
    if options.isDryRun {
        if let outage = options.outage { throw AttachFailure(outage) }
        try await checkReaders()
        var outcome = outcome(
            try await target.send(summary, over: remotes, isDryRun: true), isDryRun: true)
        if case .unchanged = outcome.state { outcome.arrivedAt = record?.arrived?.at }
        return outcome
    }
    func note(_ state: AttachmentEntry.State, _ remote: String? = nil) throws(AttachFailure) {
        let entry = AttachmentEntry(
            key: key, state: state, content: content, gist: gist, remote: remote ?? record?.newest.remote,
            at: options.instant)
        try known { () throws(Diagnostic) in try keep(entry) }
    }
    do throws(AttachFailure) {
        if let outage = options.outage { throw AttachFailure(outage) }
        try await checkReaders()
        // A place that is read first leaves no doubt; the others are in doubt until they answer.
        if target.repetition != .replaces {
            try note(.planned)
            try note(.unknown)
        }
        let receipt = try await target.send(summary, over: remotes, isDryRun: false)
        let isKnown = record?.newest.state == .sent && record?.newest.content == content
        if case .absent = receipt.change { return outcome(receipt, isDryRun: false) }
        if receipt.change != .none || !isKnown {
            if var old = record?.arrived, old.content != content {
                (old.state, old.at) = (.superseded, options.instant)
                try known { () throws(Diagnostic) in try keep(old) }
            }
            try note(.sent, receipt.remote)
        }
        return outcome(receipt, isDryRun: false)
    } catch {
        try note(error.isLost ? .unknown : .planned)
        throw error
    }
}

/// What there is to do for a summary by what the ledger knows of it.
private enum Need { case nothing, sending, uncertain }

private func need(
    of target: any AttachTarget, _ record: AttachRecord?, content: String, gist: String,
    _ options: AttachOptions
) -> Need {
    guard let record, !options.again, target.repetition != .replaces else { return .sending }
    let isAnother = target.repetition.isAnother(whenKnown: record.newest.remote != nil)
    if record.newest.state == .unknown { return isAnother ? .uncertain : .sending }
    guard let arrived = record.arrived else { return .sending }
    if arrived.content == content || isAnother && arrived.gist == gist { return .nothing }
    return .sending
}

extension Repetition {
    /// Whether there are two after a second sending.
    ///
    /// - Parameter isKnown: whether it is known what the service calls the first.
    fileprivate func isAnother(whenKnown isKnown: Bool) -> Bool {
        switch self {
        case .replaces: false
        case .edits: !isKnown
        case .appends: true
        }
    }
}

private func outcome(_ receipt: AttachReceipt, isDryRun: Bool) -> AttachOutcome {
    let state: AttachOutcome.State =
        switch receipt.change {
        case .absent(let why): .absent(why)
        case .none: .unchanged
        case .created, .replaced: isDryRun ? .planned(receipt.change) : .sent(receipt.change)
        }
    return AttachOutcome(state: state, shortfall: receipt.shortfall)
}

/// A digest of what is sent, as the ledger keeps it.
func digest(_ text: String) -> String { String(contentHash(Array(text.utf8)).prefix(32)) }

/// What fails here has sent nothing.
func known<Value>(_ work: () throws(Diagnostic) -> Value) throws(AttachFailure) -> Value {
    do throws(Diagnostic) {
        return try work()
    } catch {
        throw AttachFailure(error)
    }
}

private func uncertain(_ summary: AttachedSummary, _ target: any AttachTarget) -> Diagnostic {
    .error(
        "attach.uncertain",
        "Unknown whether the summary of \(summary.subject) arrived at \(target.place): the answer was lost",
        hints: [lookThere])
}

private func publicPlace(_ target: any AttachTarget, _ name: String) -> Diagnostic {
    .error(
        "attach.audience", "\(target.place) is public, and the summary is for the team",
        details: ["nothing was attached"],
        hints: [
            "add 'audience: public' to the target '\(name)' to hide what the public must not see",
            "or 'audience: team' to attach all of it",
        ])
}
