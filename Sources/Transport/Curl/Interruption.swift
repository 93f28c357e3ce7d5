import Platform
import Synchronization

/// Runs the work in a task of its own that SIGINT or SIGTERM cancels, and gives what it brings.
///
/// Cancelling ends every transfer and every wait of this module at once, so the work ends soon, and may still
/// report what it has done. A second signal ends the program in the usual way. The work begins once signals are caught.
/// For one caller at a time.
package func interruptible<Value: Sendable>(
    by signals: [Int32] = [SIGINT, SIGTERM], _ work: @escaping @Sendable () async -> Value
) async -> Value {
    let (start, starting) = AsyncStream<Never>.makeStream()
    let task = Task {
        for await _ in start {}
        return await work()
    }
    let watch = SignalWatch(signals) { task.cancel() }
    defer { watch?.end() }
    starting.finish()
    return await withTaskCancellationHandler {
        await task.value
    } onCancel: {
        task.cancel()
    }
}

// A signal handler may do next to nothing: it writes a byte to this descriptor. Dispatch's signal sources
// lose a signal that comes before they are set up.
private let bell = Atomic<Int32>(-1)

/// Handlers for signals, and the thread that they wake.
private struct SignalWatch {
    private let before: [(signal: Int32, action: sigaction)]

    /// Nil when the system has no descriptors or threads left; signals then act in the usual way.
    init?(_ signals: [Int32], report: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reader, writer) = (ends[0], ends[1])
        let started = startThread {
            admit(signals)
            var byte: UInt8 = 0
            while true {
                let count = unsafe read(reader, &byte, 1)
                if count == 1 { report() } else if count == 0 || errno != EINTR { break }
            }
            close(reader)
        }
        guard started else {
            ends.forEach { close($0) }
            return nil
        }
        bell.store(writer, ordering: .sequentiallyConsistent)
        before = signals.map { ($0, replaceAction(of: $0)) }
    }

    func end() {
        for (signal, action) in before {
            var action = action
            unsafe sigaction(signal, &action, nil)
        }
        let writer = bell.exchange(-1, ordering: .sequentiallyConsistent)
        if writer >= 0 { close(writer) }
    }
}

/// Rings the bell at the first signal; the next finds the usual action again.
private func replaceAction(of signal: Int32) -> sigaction {
    let ring: @convention(c) (Int32) -> Void = { _ in
        let before = errno
        var byte: UInt8 = 1
        unsafe write(bell.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = before
    }
    var old = sigaction()
    unsafe cplatform_handle_once(signal, ring, &old)
    return old
}

// A program may be started with signals blocked, and one thread that admits them is enough.
private func admit(_ signals: [Int32]) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
}
