import Synchronization

/// What the tasks leave for the loop's thread; the only state that both sides touch, behind one lock.
///
/// It needs no bound of its own: every job in it belongs to a task that waits for it.
final class Mailbox: Sendable {
    /// What has come in since the loop last looked.
    struct Mail {
        var jobs: [Job] = []
        var cancelled: [UInt64] = []
        var isClosed = false

        /// Whether something is in it of which the loop has been told.
        fileprivate var hasWork: Bool { !jobs.isEmpty || !cancelled.isEmpty }
    }

    private struct State {
        var mail = Mail()
        var cancelledEarly: Set<UInt64> = []
        var known: Set<UInt64> = []
        var lastID: UInt64 = 0
        var hasEnded = false
        var failure: CurlFailure?
        var endWaiters: [CheckedContinuation<Void, Never>] = []
        // An integer, since the address is all that is kept: the loop clears it before the handle goes.
        var multi: UInt = 0
    }

    private let state = Mutex(State())

    /// Makes wake-ups reach this handle; nil before it is cleaned up.
    func attach(_ multi: UnsafeMutableRawPointer?) {
        let address = UInt(bitPattern: multi)
        state.withLock { $0.multi = address }
    }

    func nextID() -> UInt64 {
        state.withLock { state in
            state.lastID &+= 1
            return state.lastID
        }
    }

    /// Hands a job to the loop; answers it at once when it has been cancelled before or the client is closed.
    func submit(_ job: Job) {
        let refusal: TransportError.Kind? = state.withLock { state in
            if state.cancelledEarly.contains(job.id) { return .cancelled }
            if state.failure != nil { return .failed }
            if state.mail.isClosed || state.hasEnded { return .closed }
            if !state.mail.hasWork { wakeUp(state) }
            state.mail.jobs.append(job)
            state.known.insert(job.id)
            return nil
        }
        if let refusal { job.fail(refusal, doing: "waiting for a connection", failureText) }
    }

    func cancel(_ id: UInt64) {
        state.withLock { state in
            guard state.known.contains(id) else {
                state.cancelledEarly.insert(id)
                return
            }
            if !state.mail.hasWork { wakeUp(state) }
            state.mail.cancelled.append(id)
        }
    }

    /// Forgets a job that has been answered.
    func forget(_ id: UInt64) {
        state.withLock { state in
            state.known.remove(id)
            state.cancelledEarly.remove(id)
        }
    }

    func close() {
        state.withLock { state in
            state.mail.isClosed = true
            wakeUp(state)
        }
    }

    /// Takes what has come in; the closing stays.
    func take() -> Mail {
        state.withLock { state in
            let mail = state.mail
            state.mail = Mail(isClosed: mail.isClosed)
            return mail
        }
    }

    private var failureText: String {
        state.withLock { $0.failure.map { "\($0.doing): \($0.text)" } ?? "" }
    }

    /// Says that the loop's thread is done, and why when it was not asked to.
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

    // Under the lock, so that the loop cannot clean the handle up meanwhile.
    private func wakeUp(_ state: State) {
        guard let multi = unsafe UnsafeMutableRawPointer(bitPattern: state.multi) else { return }
        unsafe MultiHandle.wakeUp(multi)
    }
}
