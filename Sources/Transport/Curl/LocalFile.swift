import Diagnostics
import Files
import Platform

extension Client {
    /// The bytes of a regular file as a response; libcurl would take a disk that fails for the end of the file.
    ///
    /// It is read on a thread of its own, as a network file system may let it wait.
    func file(_ request: Request) async throws(TransportError) -> Response {
        let path = percentDecoded(Array(request.address.path.utf8)[...])
        let begin = ContinuousClock.now
        let result: Result<[UInt8], FileFailure> = await withCheckedContinuation { continuation in
            let limit = request.limits.bodyBytes
            let isStarted = startThread { continuation.resume(returning: bytes(of: path, limit: limit)) }
            if !isStarted {
                continuation.resume(returning: .failure(FileFailure("read", path, code: EAGAIN)))
            }
        }
        switch result {
        case .success(let bytes):
            let spent = (ContinuousClock.now - begin) / .milliseconds(1)
            return Response(
                status: 200, headers: Headers(), body: bytes, address: request.address, httpVersion: "",
                milliseconds: Int(spent), newConnections: 0, redaction: request.redaction)
        case .failure(let failure): throw error(failure, request)
        }
    }

    private func error(_ failure: FileFailure, _ request: Request) -> TransportError {
        guard !failure.isTooLarge else {
            var error = TransportError(
                .tooLarge, request.address, doing: "reading the file",
                "the file has more than \(request.limits.bodyBytes) bytes", redaction: request.redaction)
            error.hint = "write fewer days or fewer issues to one file"
            return error
        }
        // Nothing but a file may be read.
        let text = failure.code == EISDIR ? "not a regular file" : failure.systemReason
        var error = TransportError(
            .file, request.address, doing: "reading the file", text, redaction: request.redaction)
        error.hint = failure.code == EISDIR ? nil : failure.diagnostic.hints.first
        return error
    }
}

/// Opening a pipe or a device could block, so what is no regular file is not opened.
private func bytes(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    Result { () throws(FileFailure) in
        let kind = try knownKind(path)
        guard kind == .file || kind == .missing else { throw FileFailure("read", path, code: EISDIR) }
        return try readFile(path, limit: limit)
    }
}
