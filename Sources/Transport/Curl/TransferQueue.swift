import Synchronization

/// What the tasks leave for the loop's thread; the only state that both sides touch, behind a lock.
///
/// It needs no bound of its own: every job in it belongs to a task that waits for it.
final class TransferQueue: Sendable {
    /// What has come in since the loop last looked.
    struct Mail {
        var jobs: [Job] = []
        var canceled: [UInt64] = []
        var isClosed = false

        /// Whether something is in it that the loop knows of.
        fileprivate var hasWork: Bool { !jobs.isEmpty || !canceled.isEmpty }
    }

    private struct State {
        var mail = Mail()
        var canceledEarly: Set<UInt64> = []
        var known: Set<UInt64> = []
        var lastID: UInt64 = 0
        var hasEnded = false
        var failure: CurlFailure?
        var endWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// What wake-ups reach: an integer, since the address is all that is kept. It has a lock of its own, or the loop
    /// that was woken would wait for the task that still holds the state.
    private let multi = Mutex<UInt>(0)

    /// Makes wake-ups reach this handle; nil before it is cleaned up.
    func attach(_ handle: UnsafeMutableRawPointer?) {
        let address = UInt(bitPattern: handle)
        multi.withLock { $0 = address }
    }

    /// Whether no more jobs are taken.
    var isClosed: Bool { state.withLock { $0.mail.isClosed || $0.hasEnded } }

    func nextID() -> UInt64 {
        state.withLock { state in
            state.lastID &+= 1
            return state.lastID
        }
    }

    /// Hands a job to the loop; returns it at once when it has been canceled before or the client is closed.
    func submit(_ job: Job) {
        let (refusal, isFirst): (TransportError.Kind?, Bool) = state.withLock { state in
            if state.canceledEarly.contains(job.id) { return (.canceled, false) }
            if state.failure != nil { return (.failed, false) }
            if state.mail.isClosed || state.hasEnded { return (.closed, false) }
            defer {
                state.mail.jobs.append(job)
                state.known.insert(job.id)
            }
            return (nil, !state.mail.hasWork)
        }
        if isFirst { wakeUp() }
        if let refusal { job.fail(refusal, doing: "waiting for a connection", failureText) }
    }

    func cancel(_ id: UInt64) {
        let isFirst = state.withLock { state in
            guard state.known.contains(id) else {
                state.canceledEarly.insert(id)
                return false
            }
            defer { state.mail.canceled.append(id) }
            return !state.mail.hasWork
        }
        if isFirst { wakeUp() }
    }

    /// Removes a job that has got its response.
    func remove(_ id: UInt64) {
        state.withLock { state in
            state.known.remove(id)
            state.canceledEarly.remove(id)
        }
    }

    func close() {
        state.withLock { $0.mail.isClosed = true }
        wakeUp()
    }

    /// Removes and returns what has come in; the closing stays.
    func drain() -> Mail {
        state.withLock { state in
            let mail = state.mail
            state.mail = Mail(isClosed: mail.isClosed)
            return mail
        }
    }

    private var failureText: String {
        state.withLock { $0.failure.map { "\($0.doing): \($0.text)" } ?? "" }
    }

    /// Says that the loop's thread is done, and why when it was not requested to.
    func end(because failure: CurlFailure? = nil) {
        let (jobs, waiters) = state.withLock { state in
            state.hasEnded = true
            state.failure = failure
            defer { (state.mail.jobs, state.endWaiters) = ([], []) }
            return (state.mail.jobs, state.endWaiters)
        }
        let kind: TransportError.Kind = failure == nil ? .closed : .failed
        jobs.forEach { $0.fail(kind, doing: "waiting for a connection", failureText) }
        waiters.forEach { $0.resume() }
    }

    func waitForEnd() async {
        await withCheckedContinuation { waiter in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.endWaiters.append(waiter) }
                return state.hasEnded
            }
            if hasEnded { waiter.resume() }
        }
    }

    /// Ends the loop's wait, also one that it begins only later.
    private func wakeUp() {
        // Under the lock, so that the loop cannot clean the handle up meanwhile.
        multi.withLock { address in
            guard let handle = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
            unsafe MultiHandle.wakeUp(handle)
        }
    }
}
