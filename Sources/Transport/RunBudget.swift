import Synchronization

/// The time that all requests of a run have together.
///
/// When it is spent, requests that are under way are given up and no other one starts (`.timeBudget`). Nothing
/// else is stopped: what has come by then can be read and kept.
package final class RunBudget: Sendable {
    private struct State {
        var isSpent = false
        var next = 0
        var running: [Int: Task<Result<Response, TransportError>, Never>] = [:]
    }

    /// Milliseconds in all.
    package let milliseconds: Int
    private let end: Int
    private let pacing: Pacing
    private let state = Mutex(State())

    /// A budget that begins now.
    package init(milliseconds: Int, pacing: Pacing = .system) {
        self.milliseconds = max(0, milliseconds)
        self.pacing = pacing
        (end, _) = pacing.milliseconds().addingReportingOverflow(self.milliseconds)
    }

    /// Milliseconds that are left, 0 when it is spent.
    package var left: Int { isSpent ? 0 : max(0, end &- pacing.milliseconds()) }

    /// Whether nothing more is sent.
    package var isSpent: Bool { state.withLock { $0.isSpent } }

    /// Waits until the time is over and gives up what is under way; a task that is cancelled stops waiting.
    package func watch() async {
        guard (try? await pacing.sleep(left)) != nil else { return }
        spend()
    }

    /// Ends the time now.
    package func spend() {
        let running = state.withLock { state in
            state.isSpent = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
    }

    /// Notes a request that is under way; nil when the time is spent.
    func begin(_ task: Task<Result<Response, TransportError>, Never>) -> Int? {
        state.withLock { state in
            guard !state.isSpent else { return nil }
            state.next += 1
            state.running[state.next] = task
            return state.next
        }
    }

    func finish(_ number: Int) {
        state.withLock { $0.running[number] = nil }
    }
}
