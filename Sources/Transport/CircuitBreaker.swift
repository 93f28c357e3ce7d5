import Synchronization

/// Stops asking a service that gives no good answer any more ("circuit breaker": M. Nygard, Release It!,
/// 2007).
///
/// It counts for each origin, over all tasks of a run, how many attempts and how many whole requests failed in
/// a row; one good answer begins anew. Once open it stays open: a run is short, and the next one asks again.
final class CircuitBreaker: Sendable {
    private struct Record {
        var attempts = 0
        var requests = 0
        var last = ""
        var isOpen = false
    }

    private let policy: RetryPolicy
    private let records = Mutex<[Origin: Record]>([:])

    init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    /// Why the origin is not asked any more, such as `30 attempts in a row failed, the last: status 503`; nil
    /// while it is asked.
    func refusal(at origin: Origin) -> String? {
        records.withLock { records in
            guard let record = records[origin], record.isOpen else { return nil }
            return "\(record.attempts) attempts in a row failed, the last: \(record.last)"
        }
    }

    /// The service gave an answer that deserves no further attempt.
    func answered(at origin: Origin) {
        records.withLock { records in
            guard records[origin]?.isOpen != true else { return }
            records[origin] = nil
        }
    }

    /// An attempt failed; `endsRequest` when no other follows for its request.
    func failed(at origin: Origin, _ why: String, endsRequest: Bool) {
        records.withLock { records in
            var record = records[origin, default: Record()]
            record.attempts += 1
            record.requests += endsRequest ? 1 : 0
            record.last = why
            record.isOpen =
                record.isOpen || record.attempts >= policy.failedAttemptsInARow
                || record.requests >= policy.failedRequestsInARow
            records[origin] = record
        }
    }
}
