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

    /// Why it failed; nil when it did not.
    package var failure: Diagnostic? {
        if case .failed(let why) = state { why } else { nil }
    }
}

/// Attaches a summary to a place, once: what the ledger and the place know already is not sent again.
///
/// A row of the ledger is written before anything is sent: what is interrupted then is known to be uncertain. A place
/// where a repetition does no harm gets it again with the next run, the others only on request.
///
/// - Parameters:
///   - last: what the ledger knows of the summary at this place.
///   - keep: writes a row of the ledger.
package func attach(
    _ summary: AttachedSummary, to target: any AttachTarget, named name: String, last: AttachmentEntry?,
    _ options: AttachOptions, keep: (AttachmentEntry) throws(Diagnostic) -> Void
) async -> AttachOutcome {
    do throws(AttachFailure) {
        return AttachOutcome(
            state: try await attaching(summary, target, name, last, options, keep))
    } catch {
        return AttachOutcome(state: .failed(error.diagnostic))
    }
}

private func attaching(
    _ summary: AttachedSummary, _ target: any AttachTarget, _ name: String, _ last: AttachmentEntry?,
    _ options: AttachOptions, _ keep: (AttachmentEntry) throws(Diagnostic) -> Void
) async throws(AttachFailure) -> AttachOutcome.State {
    var summary = summary
    let content = digest(try known { () throws(Diagnostic) in try target.fingerprint(summary) })
    let gist = digest(summary.gist)
    switch need(of: target, last, content: content, gist: gist, options) {
    case .nothing: return .unchanged
    case .uncertain: throw AttachFailure(uncertain(summary, target))
    case .correction: summary.isCorrection = true
    case .sending: break
    }
    if summary.isForTeam, !options.namesReader, try await target.isPublic() == true {
        throw AttachFailure(publicPlace(target, name))
    }
    if options.isDryRun {
        return state(try await target.send(summary, over: last, isDryRun: true), isDryRun: true)
    }
    func note(_ state: AttachmentEntry.State, _ remote: String? = nil) throws(AttachFailure) {
        let entry = AttachmentEntry(
            key: summary.key(at: name), state: state, content: content, gist: gist,
            remote: remote ?? last?.remote, at: options.instant)
        try known { () throws(Diagnostic) in try keep(entry) }
    }
    // A place that is read first leaves no doubt; the others are in doubt until they answer.
    if target.repetition != .replaces {
        try note(.planned)
        try note(.unknown)
    }
    do throws(AttachFailure) {
        let receipt = try await target.send(summary, over: last, isDryRun: false)
        let isKnown = last?.state == .sent && last?.content == content
        if case .absent = receipt.change { return state(receipt, isDryRun: false) }
        if receipt.change != .none || !isKnown {
            if let last, last.state == .sent, last.content != content {
                var old = last
                (old.state, old.at) = (.superseded, options.instant)
                try known { () throws(Diagnostic) in try keep(old) }
            }
            try note(.sent, receipt.remote)
        }
        return state(receipt, isDryRun: false)
    } catch {
        if target.repetition != .replaces || error.isLost { try note(error.isLost ? .unknown : .planned) }
        throw error
    }
}

/// What there is to do for a summary by what the ledger knows of it.
private enum Need { case nothing, sending, correction, uncertain }

private func need(
    of target: any AttachTarget, _ last: AttachmentEntry?, content: String, gist: String,
    _ options: AttachOptions
) -> Need {
    guard let last, !options.again, target.repetition != .replaces else { return .sending }
    switch (last.state, target.repetition) {
    case (.planned, _): return .sending
    case (.unknown, .edits) where last.remote != nil: return .sending
    case (.unknown, _): return .uncertain
    case (.sent, .edits) where last.remote != nil, (.superseded, .edits) where last.remote != nil:
        return last.content == content ? .nothing : .sending
    case (.sent, _), (.superseded, _):
        return last.content == content || last.gist == gist ? .nothing : .correction
    }
}

private func state(_ receipt: AttachReceipt, isDryRun: Bool) -> AttachOutcome.State {
    switch receipt.change {
    case .absent(let why): .absent(why)
    case .none: .unchanged
    case .created, .replaced: isDryRun ? .planned(receipt.change) : .sent(receipt.change)
    }
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
