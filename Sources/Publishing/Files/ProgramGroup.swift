import Platform
import Synchronization

/// A program that runs as the first of its process group, with what it started.
///
/// No signal is sent to the number of the group when that may be another's.
final class ProgramGroup: Sendable {
    private enum State { case runs, isToEnd, isOver }

    private let number: pid_t
    private let state = Mutex(State.runs)

    /// The group that this program is the first of.
    init(_ number: pid_t) { self.number = number }

    /// Ends the program and what it started: first politely, then for good.
    func end() async {
        guard send(SIGTERM) else { return }
        try? await Task.sleep(for: .seconds(10))
        _ = send(SIGKILL)
    }

    /// The program has ended, and its status was not taken yet. Where it was made to end, what it started ends now.
    func isOver() {
        state.withLock { state in
            if state == .isToEnd { kill(-number, SIGKILL) }
            state = .isOver
        }
    }

    /// Sends a signal that ends the group; false when it is over.
    private func send(_ signal: Int32) -> Bool {
        state.withLock { state in
            guard state != .isOver else { return false }
            state = .isToEnd
            kill(-number, signal)
            return true
        }
    }
}
