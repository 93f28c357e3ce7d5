import Glibc

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

    /// Sends the request, follows redirects by `RedirectTrail`'s rule, and returns the answer, whatever its
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
        queue.forget(id)
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
        // Opening a pipe or a device could block the loop for every other transfer.
        guard request.method == .get, isRegularFile(percentDecoded(Array(request.address.path.utf8)[...]))
        else {
            throw TransportError(
                .file, request.address, doing: "opening the file", "not a regular file", redaction: redaction)
        }
    }
}

private func isRegularFile(_ path: String) -> Bool {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
}
