package import AppHealth
package import Diagnostics
import Files

/// How a summary is attached.
package struct AttachOptions: Sendable {
    /// The instant of the run.
    package var instant: Instant
    /// Whether nothing is changed.
    package var isDryRun: Bool
    /// What is sent again although it was sent, or may have been.
    package enum Resending: Sendable {
        /// Nothing is.
        case nothing
        /// What may have arrived.
        case uncertain
        /// What arrived, too.
        case everything
    }

    /// What is sent again.
    package var again: Resending
    /// Whether the configuration says who reads the place.
    package var namesReader: Bool
    /// Why nothing arrives at the place any more; what is still to be sent then is left to the next run.
    package var outage: Diagnostic?

    /// Attaches at an instant.
    package init(
        at instant: Instant, isDryRun: Bool = false, again: Resending = .nothing, namesReader: Bool = false
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
    /// What is to be remembered before it is sent once more, on its own: what it was to take the place of is gone. Nil
    /// when it is not.
    var gone: AttachmentEntry?

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
        let first = try await attaching(summary, target, name, ledger, options, keep)
        guard let gone = first.gone else { return first }
        return try await attaching(summary, target, name, ledger.adding(gone), options, keep)
    } catch {
        return AttachOutcome(
            state: .failed(error.diagnostic), outage: error.endsTarget ? error.diagnostic : nil)
    }
}

/// What an attachment would send, by what the ledger knows: no place is asked.
package enum AttachPreview: Sendable, Equatable {
    /// This, unless it is there already at a place where a repetition does no harm.
    case draft(String)
    /// Nothing: it was sent, then.
    case unchanged(since: Instant?)
    /// Nothing, as it may have arrived.
    case uncertain(Diagnostic)
}

/// What an attachment would send now.
package func attachPreview(
    of summary: AttachedSummary, to target: any AttachTarget, named name: String,
    knowing ledger: AttachLedger, _ options: AttachOptions
) throws(Diagnostic) -> AttachPreview {
    let errand = try Errand(summary, target, name, ledger, options.again)
    switch errand.need {
    case .nothing: return .unchanged(since: errand.record?.arrived?.at)
    case .uncertain: return .uncertain(errand.uncertain(at: target))
    case .sending: return .draft(try target.draft(errand.summary))
    }
}

private func attaching(
    _ summary: AttachedSummary, _ target: any AttachTarget, _ name: String, _ ledger: AttachLedger,
    _ options: AttachOptions, _ keep: (AttachmentEntry) throws(Diagnostic) -> Void
) async throws(AttachFailure) -> AttachOutcome {
    let errand = try known { () throws(Diagnostic) in
        try Errand(summary, target, name, ledger, options.again)
    }
    let log = ErrandLog(errand, options.instant)
    switch errand.need {
    case .nothing:
        if errand.isSameForAnother, !options.isDryRun { try log.note(.sent, keep: keep) }
        return AttachOutcome(state: .unchanged, arrivedAt: errand.record?.arrived?.at)
    case .uncertain: throw AttachFailure(errand.uncertain(at: target))
    case .sending: break
    }
    if options.isDryRun {
        try await checkWay(of: summary, target, name, ledger, options)
        let receipt = try await target.send(errand.summary, over: errand.remotes, isDryRun: true)
        var outcome = outcome(receipt, isDryRun: true)
        outcome.gone = errand.stepToGoOn(after: receipt)
        if case .unchanged = outcome.state { outcome.arrivedAt = errand.record?.arrived?.at }
        return outcome
    }
    do throws(AttachFailure) {
        try await checkWay(of: summary, target, name, ledger, options)
        // A place that is read first leaves no doubt; the others are in doubt until they answer.
        if target.repetition != .replaces {
            try log.note(.planned, keep: keep)
            try log.note(.unknown, keep: keep)
        }
        let receipt = try await target.send(errand.summary, over: errand.remotes, isDryRun: false)
        try log.note(receipt, keep: keep)
        var outcome = outcome(receipt, isDryRun: false)
        outcome.gone = errand.stepToGoOn(after: receipt)
        return outcome
    } catch {
        try log.note(error.isLost ? .unknown : .planned, keep: keep)
        throw errand.isAnother && error.isLost ? errand.inDoubt(error) : error
    }
}

/// Whether a summary may be sent: the place is up, and what is for the team is not sent where all can read it.
private func checkWay(
    of summary: AttachedSummary, _ target: any AttachTarget, _ name: String, _ ledger: AttachLedger,
    _ options: AttachOptions
) async throws(AttachFailure) {
    if let outage = options.outage { throw AttachFailure(outage) }
    guard summary.isForTeam, !options.namesReader, try await target.isPublic() == true else { return }
    let earlier = ledger.present(at: target).filter { $0.key.audience == summary.reader }
    throw AttachFailure(publicPlace(target, name, earlier))
}

/// What becomes of an errand, as rows of the ledger.
private struct ErrandLog {
    let errand: Errand
    let instant: Instant

    init(_ errand: Errand, _ instant: Instant) { (self.errand, self.instant) = (errand, instant) }

    func note(
        _ state: AttachmentEntry.State, _ remote: String? = nil,
        keep: (AttachmentEntry) throws(Diagnostic) -> Void
    ) throws(AttachFailure) {
        let entry = AttachmentEntry(
            key: errand.key, state: state, content: errand.content, gist: errand.gist,
            remote: remote ?? errand.record?.newest.remote, at: instant)
        try known { () throws(Diagnostic) in try keep(entry) }
    }

    /// What the place says it did.
    func note(
        _ receipt: AttachReceipt, keep: (AttachmentEntry) throws(Diagnostic) -> Void
    ) throws(AttachFailure) {
        if receipt.isGone {
            guard let step = errand.stepThatItIsGone else { return }
            return try known { () throws(Diagnostic) in try keep(step) }
        }
        let (old, newest) = (errand.record?.arrived, errand.record?.newest)
        if case .absent = receipt.change {
            // What other readers got is gone: it does not have to be written for this one.
            if let old, old.key != errand.key { try noteThatItGaveWay(old, keep: keep) }
            return
        }
        let isKnown =
            newest?.state == .sent && newest?.content == errand.content && newest?.key == errand.key
        if receipt.change != .none || !isKnown || errand.isRest {
            if let old, old.content != errand.content { try noteThatItGaveWay(old, keep: keep) }
            try note(.sent, receipt.remote, keep: keep)
        }
    }

    /// That what arrived gives way to what follows, which is for the reader of now: its steps are kept in an order of
    /// their own.
    private func noteThatItGaveWay(
        _ old: AttachmentEntry, keep: (AttachmentEntry) throws(Diagnostic) -> Void
    ) throws(AttachFailure) {
        var old = old
        (old.key, old.state, old.at) = (errand.key, .superseded, instant)
        try known { () throws(Diagnostic) in try keep(old) }
    }
}

/// A summary on its way to a place, with what the ledger knows of it.
private struct Errand {
    /// What there is to do.
    enum Need { case nothing, sending, uncertain }

    let key: AttachmentKey
    let record: AttachRecord?
    let remotes: Set<String>
    let content, gist: String
    /// Whether there are two at the place after it is sent once more.
    let isAnother: Bool
    /// Whether it is sent to those alone who did not get it although others did.
    let isRest: Bool
    let need: Need
    /// Whether what arrived for another reader is just what this one gets.
    let isSameForAnother: Bool
    /// As it is sent: with what it corrects.
    let summary: AttachedSummary

    init(
        _ summary: AttachedSummary, _ target: any AttachTarget, _ name: String, _ ledger: AttachLedger,
        _ again: AttachOptions.Resending
    ) throws(Diagnostic) {
        let key = summary.key(at: name)
        let record = ledger.record(of: key)
        var remotes = ledger.remotes(of: key, at: target.repetition)
        let isAnother = target.repetition.isAnother(whenKnown: !remotes.isEmpty)
        let content = digest(try target.fingerprint(summary))
        let change = record?.arrived.map { summary.gist.change(since: KeptGist($0.gist)) } ?? .none
        var sent = summary
        if let record {
            if isAnother { sent.number(change, after: record) } else { sent.keepNumber(change, of: record) }
        }
        let isForAnother = record?.arrived.map { $0.key != key } == true && change == .none
        let hasArrived = record?.arrived != nil
        let isMadeOnce =
            target.repetition == .replaces ? hasArrived : sent.staysRemoved || hasArrived && change == .none
        sent.staysRemoved = isMadeOnce && again != .everything
        isSameForAnother = isForAnother && record?.arrived?.content == content
        sent.firstMessage = ledger.firstMessage(of: key.app)
        sent.isForReadersOfBefore = ledger.reader(before: key).map { $0 == summary.reader } ?? true
        self.summary = sent
        // What arrived and is wanted again is for all.
        let isForAll = again == .everything && record?.newest.state != .unknown
        isRest = record?.hasRest == true && change == .none && !isForAll
        if !isRest { remotes = Set(remotes.map { PartialRemote($0).name }) }
        need =
            target.repetition == .replaces
            ? .sending : Self.need(record, content, change, isAnother: isAnother, isRest: isRest, again)
        (self.key, self.record, self.remotes, self.isAnother) = (key, record, remotes, isAnother)
        (self.content, gist) = (content, KeptGist(summary.gist, isCorrection: sent.isCorrection).text)
    }

    private static func need(
        _ record: AttachRecord?, _ content: String, _ change: Gist.Change, isAnother: Bool,
        isRest: Bool, _ again: AttachOptions.Resending
    ) -> Need {
        guard let record, again != .everything else { return .sending }
        if record.newest.state == .unknown { return isAnother && again == .nothing ? .uncertain : .sending }
        guard let arrived = record.arrived, !isRest else { return .sending }
        return arrived.content == content || isAnother && change == .none ? .nothing : .sending
    }

    /// That what arrived is at its place no more: whatever follows is sent on its own, as where nothing is edited. A
    /// record knows it by that all is as it arrived, but for the name of the service.
    var stepThatItIsGone: AttachmentEntry? {
        guard var step = record?.arrived else { return nil }
        // What other readers got does not have to be written for this one.
        if step.key != key { (step.key, step.state) = (key, .superseded) }
        step.remote = nil
        return step
    }

    /// What is to be known for it to be sent once more, after what it was to take the place of was not there: only
    /// where it has news, or is wanted again.
    func stepToGoOn(after receipt: AttachReceipt) -> AttachmentEntry? {
        receipt.isGone && !summary.staysRemoved ? stepThatItIsGone : nil
    }

    /// That it is not known whether it arrived.
    func uncertain(at target: any AttachTarget) -> Diagnostic {
        .error(
            "attach.uncertain",
            "Unknown whether the summary of \(key.name) arrived at \(target.place): the response was lost",
            hints: [lookThere(key)])
    }

    /// A failure without a response, of which the service knows the end alone.
    func inDoubt(_ failure: AttachFailure) -> AttachFailure {
        var failure = failure
        failure.diagnostic.details.insert("unknown whether the summary of \(key.name) arrived", at: 0)
        failure.diagnostic.hints = [lookThere(key)]
        return failure
    }
}

extension AttachedSummary {
    /// Numbers it after what arrived before it; one that is sent again keeps its number.
    fileprivate mutating func number(_ change: Gist.Change, after record: AttachRecord) {
        let isAgain = change == .none
        switch isAgain ? record.lastChange : change {
        case .none: break
        case .correction: correction = record.corrections + (isAgain ? 0 : 1)
        case .renewal: renewal = record.renewals + (isAgain ? 0 : 1)
        }
    }

    /// What takes the place of a correction is one, but for what is newer and true.
    fileprivate mutating func keepNumber(_ change: Gist.Change, of record: AttachRecord) {
        guard change != .renewal, record.arrived.map({ KeptGist($0.gist).isCorrection }) == true else {
            return
        }
        correction = max(1, record.corrections)
    }
}

/// What to do where it is not known whether a summary arrived.
package func lookThere(_ key: AttachmentKey) -> String {
    let command = "plimsoll attach --to \(key.target)\(key.options ?? key.appOption) --again"
    return "look there; if it is missing, send it with '\(command)'"
}

extension AttachmentKey {
    fileprivate var appOption: String { app.isEmpty ? "" : " --app \(app)" }

    /// The options of a command that name it: ` --app lamp --release 4.3.0`; nil where a shell could read something else
    /// in its subject.
    var options: String? {
        let isPlain = subject.allSatisfy { $0.isLetter || $0.isNumber || "._-+".contains($0) }
        return isPlain ? "\(appOption) --\(kind.rawValue) \(subject)" : nil
    }
}

extension Repetition {
    /// Whether there are two after a second sending.
    ///
    /// - Parameter isKnown: whether it is known what the service calls the first.
    func isAnother(whenKnown isKnown: Bool) -> Bool {
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

/// - Parameter earlier: what is there already, for readers who see too much.
private func publicPlace(
    _ target: any AttachTarget, _ name: String, _ earlier: [AttachmentEntry]
) -> Diagnostic {
    .error(
        "attach.audience", "\(target.place) is public, and the summary is for the team",
        details: ["nothing was attached"]
            + (earlier.isEmpty
                ? [] : ["earlier ones for the team are there for all to read: \(subjectList(earlier))"]),
        hints: [
            "add 'audience: public' to the target '\(name)' to hide what the public must not see"
                + (earlier.isEmpty ? "" : ", also in what is there"),
            "or 'audience: team' to attach all of it",
        ])
}
