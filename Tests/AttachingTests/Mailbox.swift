import Diagnostics
import Synchronization

@testable import Attaching

/// A place that keeps what it takes, and may refuse.
final class Mailbox: AttachTarget {
    let headlines = Mutex<[String]>([])
    let editions = Mutex<[[String]]>([])
    let refuses = Mutex(false)
    let loses = Mutex(false)
    let place = "mailbox"
    let repetition = Repetition.appends
    let schedule: AttachSchedule? = .verdict

    func draft(_ summary: AttachedSummary) throws(Diagnostic) -> String { summary.headline }
    func fingerprint(_ summary: AttachedSummary) throws(Diagnostic) -> String { summary.markdown(1000, "") }

    func send(
        _ summary: AttachedSummary, over remotes: Set<String>, isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt {
        if refuses.withLock({ $0 }) { throw AttachFailure(.error("attach.refused", "No")) }
        if loses.withLock({ $0 }) { throw AttachFailure(.error("attach.lost", "No answer"), isLost: true) }
        headlines.withLock { $0.append(summary.headline) }
        editions.withLock { $0.append(summary.edition) }
        return AttachReceipt(.created)
    }
}
