import Platform

/// An HTTP client over one libcurl multi handle, which a thread of its own drives.
///
/// Many tasks may send at once; connections are kept and used again. Cancelling the task cancels the
/// transfer. The thread ends when the client is closed or goes away.
package final class Client: Sender {
    private let options: Options
    private let queue = TransferQueue()

    /// A client with its thread running.
    package init(_ options: Options) {
        self.options = options
        let started = startThread { [options, queue] in
            TransferLoop.run(options: options, queue: queue)
        }
        guard !started else { return }
        queue.end(
            because: CurlFailure(code: CurlCode(rawValue: 2), doing: "starting a thread", text: "refused"))
    }

    deinit { queue.close() }

    /// Fails what is under way with `.closed` and returns when the thread has ended.
    package func close() async {
        queue.close()
        await queue.waitForEnd()
    }

    /// Sends the request, follows redirects by `RedirectTrail`'s rule, and returns the response, whatever its
    /// status.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        var trail = RedirectTrail(request)
        var spent = 0
        var newConnections = 0
        while true {
            var response = try await exchange(trail.request, spent: spent)
            spent += response.milliseconds
            newConnections += response.newConnections
            (response.milliseconds, response.newConnections) = (spent, newConnections)
            guard try trail.follow(response) else { return response }
        }
    }

    private func exchange(_ request: Request, spent: Int) async throws(TransportError) -> Response {
        try check(request)
        if request.address.origin.scheme == .file {
            let refusal: TransportError.Kind? = Task.isCancelled ? .canceled : queue.isClosed ? .closed : nil
            if let refusal {
                throw TransportError(
                    refusal, request.address, doing: "reading the file", redaction: request.redaction)
            }
            return try await file(request)
        }
        let id = queue.nextID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.submit(
                    Job(
                        id: id, request: request, milliseconds: request.limits.totalMilliseconds &- spent,
                        continuation: continuation))
            }
        } onCancel: {
            queue.cancel(id)
        }
        queue.remove(id)
        do {
            return try result.get()
        } catch {
            var error = error
            error.milliseconds += spent
            throw error
        }
    }

    private func check(_ request: Request) throws(TransportError) {
        guard request.address.origin.scheme == .file else { return }
        let redaction = request.redaction
        guard options.allowsFiles else {
            throw TransportError(
                .scheme, request.address, doing: "checking the address", "files may not be read here",
                redaction: redaction)
        }
        guard request.method == .get else {
            throw TransportError(
                .file, request.address, doing: "reading the file", "a file can only be read",
                redaction: redaction)
        }
    }
}

extension Client {
    /// What holds for every request of one client.
    package struct Options: Hashable, Sendable {
        /// The program's version, sent as `plimsoll/<version>`.
        package var version: String
        /// The most transfers at once with one origin, and so the most connections to one host.
        package var transfersPerHost = 4
        /// The most transfers at once.
        package var transfers = 16
        /// A PEM file of certificate authorities in the place of the system's bundle; nil for the system's.
        package var certificateFile: String?
        /// A PEM file of certificate authorities for one origin, in the place of those above.
        package var authorities: [Origin: String] = [:]
        /// Certificates that prove to one origin who the client is; each is shown there only.
        package var clientCertificates: [Origin: ClientCertificate] = [:]
        /// Whether file:// addresses may be read.
        package var allowsFiles = false
        /// Whether the proxy that the environment names (https_proxy, no_proxy) is used.
        package var usesProxy = true

        /// Four transfers for a host, sixteen in all, the system's certificates, no files, the
        /// environment's proxy.
        package init(version: String) {
            self.version = version
        }
    }
}

/// A certificate with its key that proves to a server who the client is (mutual TLS).
package struct ClientCertificate: Hashable, Sendable {
    /// A PEM file with the certificate and those that vouch for it.
    package var certificateFile: String
    /// A PEM file with the private key; nil when the certificate's file holds it.
    package var keyFile: String?
    /// What opens the key; nil when it is not locked.
    package var passphrase: Secret?

    /// A certificate with its key.
    package init(certificateFile: String, keyFile: String? = nil, passphrase: Secret? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.passphrase = passphrase
    }
}

/// Runs the body on a thread of its own, which ends with it; false when the system has no thread left.
///
/// libcurl's loop blocks in `poll`, and a thread of the concurrency pool must never block.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = unsafe Unmanaged.passRetained(Box(body))
    let code = unsafe cplatform_start_thread(
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
