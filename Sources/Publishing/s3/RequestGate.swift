import Synchronization

/// How many requests may be under way at once: half as many after the service said that they come too fast, one more
/// after each hundred that it took.
final class RequestGate: Sendable {
    private struct State {
        var limit: Int
        var running = 0
        var taken = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let most: Int
    private let state: Mutex<State>

    init(most: Int) {
        self.most = most
        state = Mutex(State(limit: most))
    }

    /// How many may be under way now.
    var limit: Int { state.withLock { $0.limit } }

    /// Waits for its turn.
    func enter() async {
        await withCheckedContinuation { continuation in
            let mayGo = state.withLock { state in
                guard state.running < state.limit else {
                    state.waiting.append(continuation)
                    return false
                }
                state.running += 1
                return true
            }
            if mayGo { continuation.resume() }
        }
    }

    /// Lets others go.
    func leave(isTooFast: Bool) {
        let next = state.withLock { state in
            state.running -= 1
            if isTooFast {
                (state.limit, state.taken) = (max(1, state.limit / 2), 0)
            } else {
                state.taken += 1
                if state.taken >= 100 { (state.limit, state.taken) = (min(most, state.limit + 1), 0) }
            }
            let free = max(0, min(state.limit - state.running, state.waiting.count))
            let next = Array(state.waiting.prefix(free))
            state.waiting.removeFirst(free)
            state.running += free
            return next
        }
        for one in next { one.resume() }
    }
}
