import FlyingSocks
import Foundation
import Platform
import Synchronization

/// The pool of all stand-in servers of the process: one thread waits for the sockets of all of them.
///
/// A pool of FlyingFox holds a thread of the process's limited supply for as long as its server lives, so that
/// some hundreds of servers would leave none for anything else.
final class SharedPool: AsyncSocketPool {
    static let shared = SharedPool()

    private let waiting = Mutex<[UInt64: Waiter]>([:])
    private let numbers = Atomic<UInt64>(0)
    /// A pair of connected sockets: what is written to the second ends the thread's wait.
    private let bell: (inner: Int32, outer: Int32)

    private struct Waiter {
        var socket: Int32
        var events: Int16
        var continuation: CheckedContinuation<Void, any Error>
    }

    private init() {
        var ends: [Int32] = [-1, -1]
        guard cplatform_socket_pair(&ends) == 0 else {
            preconditionFailure("no pair of sockets: error \(errno)")
        }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        bell = (ends[0], ends[1])
        Thread.detachNewThread { while true { self.wakeWhoIsReady() } }
    }

    func prepare() async throws {}

    /// Lasts until the server's task is canceled; the pool goes on for the others.
    func run() async throws {
        let (never, end) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        end.finish()
        throw CancellationError()
    }

    // The server writes head and body apart; with Nagle's algorithm on, the body waits 40 ms for the peer's
    // delayed acknowledgement. The option set on the listening socket passes to those it accepts.
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        let file = socket.file.rawValue
        var on: Int32 = 1
        setsockopt(file, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let wanted = (events.contains(.read) ? POLLIN : 0) | (events.contains(.write) ? POLLOUT : 0)
        let number = numbers.add(1, ordering: .relaxed).newValue
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = waiting.withLock { waiting in
                    // The handler below runs after the task counts as canceled, and takes the same lock.
                    if Task.isCancelled { return true }
                    waiting[number] = Waiter(
                        socket: file, events: Int16(wanted), continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { ring() }
            }
        } onCancel: {
            waiting.withLock { $0.removeValue(forKey: number) }?.continuation
                .resume(throwing: CancellationError())
        }
    }

    /// A full buffer rings already.
    private func ring() { cplatform_send(bell.outer, [1], 1) }

    private func wakeWhoIsReady() {
        let waiters = waiting.withLock { $0.map { (number: $0.key, waiter: $0.value) } }
        var sockets = [pollfd(fd: bell.inner, events: Int16(POLLIN), revents: 0)]
        sockets += waiters.map { pollfd(fd: $0.waiter.socket, events: $0.waiter.events, revents: 0) }
        guard Platform.poll(&sockets, nfds_t(sockets.count), -1) > 0 else { return }
        if sockets[0].revents != 0 {
            var rings = [UInt8](repeating: 0, count: 4096)
            recv(bell.inner, &rings, rings.count, 0)
        }
        for (socket, waiter) in zip(sockets.dropFirst(), waiters) where socket.revents != 0 {
            waiting.withLock { $0.removeValue(forKey: waiter.number) }?.continuation.resume()
        }
    }
}
