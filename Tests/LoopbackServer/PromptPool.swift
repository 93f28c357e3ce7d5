import FlyingFox
import FlyingSocks
import Glibc

/// FlyingFox's usual pool, with Nagle's algorithm off.
///
/// The server writes head and body apart; with Nagle on, the body waits 40 ms for the peer's delayed
/// acknowledgement. The option set on the listening socket passes to those it accepts.
struct PromptPool<Base: AsyncSocketPool>: AsyncSocketPool {
    let base: Base

    func prepare() async throws { try await base.prepare() }
    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        var on: Int32 = 1
        setsockopt(
            socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}
