import AppHealth
import Attaching

/// What is remembered of the summaries of an app at a target.
struct PastSummaries {
    let ledger: AttachLedger
    let app: String
    let audience: String
    let repetition: Repetition
    let holdsNewestOnly: Bool
    let oldest: Instant
    /// What is there for readers who see more than those of now, and can be written again for these.
    let exposed: [AttachmentKey]
    /// Whether what may have arrived is sent again.
    let again: Bool

    func records(_ kind: AttachmentKey.Kind) -> [String: AttachRecord] {
        ledger.records(kind, app: app)
    }

    /// Whether a summary is there for readers who see more than those of now.
    func isExposed(_ key: AttachmentKey) -> Bool { exposed.contains(key.forAnyReader) }

    func begun(_ kind: AttachmentKey.Kind) -> Instant? {
        ledger.begun(kind, app: app)
    }

    /// The first day that is news: it is not too old, and was not the past already when the target was new. Nil for
    /// a target that is.
    func firstNews(_ kind: AttachmentKey.Kind) -> CivilDate? {
        begun(kind).map { max($0.date.advanced(by: -1), oldest.date) }
    }

    /// Whether a summary was refused, and is to be sent by a later run, or may have arrived, and is sent again.
    func isWaiting(_ record: AttachRecord?) -> Bool {
        guard let record else { return false }
        return record.isWaiting(since: oldest, at: repetition) || isResent(record)
    }

    /// Whether a summary may have arrived, and is sent again.
    func isResent(_ record: AttachRecord) -> Bool {
        again && record.isUncertain(since: oldest, at: repetition)
    }
}
