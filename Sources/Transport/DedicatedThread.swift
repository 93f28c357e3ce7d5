import Glibc

/// Runs the body on a thread of its own, which ends with it; false when the system has no thread left.
///
/// libcurl's loop blocks in `poll`, and a thread of the concurrency pool must never block.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = unsafe Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
        &thread, nil,
        { context in
            guard let context = unsafe context else { return nil }
            ignoreBrokenPipes()
            unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, box.toOpaque())
    guard code == 0 else {
        unsafe box.release()
        return false
    }
    pthread_detach(thread)
    return true
}

// CURLOPT_NOSIGNAL leaves SIGPIPE alone, and OpenSSL writes to sockets that the peer may have closed; the
// signal goes to the writing thread, so it is enough to block it there.
private func ignoreBrokenPipes() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}
