import CCurl
import Platform

/// One job while libcurl works on it: takes in header lines and body bytes and holds them to the limits.
///
/// libcurl's callbacks get this object as an unretained pointer. That is sound since libcurl calls back only
/// inside `curl_multi_perform` on the loop's thread, and the loop keeps the transfer in its table until the
/// handle has been removed from the multi handle.
final class Transfer {
    let job: Job
    let handle: EasyHandle
    private var headers = Headers()
    private var headerBytes = 0
    private var body: BodyReceiver
    private var refusal: BodyReceiver.Refusal?
    private let file: FileReader?

    init(
        _ job: Job, on handle: EasyHandle, options: Client.Options, decompressors: IdleDecompressors
    ) throws(CurlFailure) {
        self.job = job
        self.handle = handle
        body = BodyReceiver(
            limit: job.request.limits.bodyBytes, redaction: job.request.redaction,
            decompressors: decompressors)
        file = job.request.bodyFile.flatMap { FileReader($0.path) }
        if let missing = job.request.bodyFile, file == nil {
            throw CurlFailure(
                code: CurlCode(rawValue: 26), doing: "opening the file to send", text: missing.path)
        }
        try handle.prepare(for: job.request, milliseconds: job.milliseconds, options: options)
        try unsafe handle.set(
            headerReceiver: receiveHeader, bodyReceiver: receiveBody,
            context: Unmanaged.passUnretained(self).toOpaque())
        // Through a proxy the connection is one to the proxy, which may well be near.
        if job.request.staysPublic, !(options.usesProxy && isProxied(job.request.address.origin.scheme)) {
            try unsafe handle.set(
                prerequest: checkConnection, context: Unmanaged.passUnretained(self).toOpaque())
        }
        if file != nil {
            try unsafe handle.set(
                bodySender: sendBody, context: Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// Whether the request may be sent over the connection to this address.
    fileprivate func allows(connectionTo address: String) -> Bool {
        guard isPrivateAddress(address) else { return true }
        refusal = BodyReceiver.Refusal(
            kind: .redirect,
            text: "it leads into a private network: \(job.request.address.origin), \(address)")
        return false
    }

    /// Takes one header line; false ends the transfer.
    fileprivate func receive(header line: some BidirectionalCollection<UInt8>) -> Bool {
        headerBytes += line.count
        guard headerBytes <= job.request.limits.headerBytes else {
            refusal = BodyReceiver.Refusal(
                kind: .tooLarge, text: "the headers have more than \(job.request.limits.headerBytes) bytes")
            return false
        }
        // Each status line begins again: an interim response (1xx) may come before the real one.
        if line.starts(with: "HTTP/".utf8) { headers = Headers() } else { headers.receive(line: line) }
        return true
    }

    /// Takes bytes of the body as they came; false ends the transfer.
    fileprivate func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe body.receive(bytes, coding: headers.values(for: "Content-Encoding").joined(separator: ","))
    }

    /// Gives bytes of the file that is sent; nil ends the transfer.
    fileprivate func give(_ space: UnsafeMutableRawBufferPointer) -> Int? {
        if let count = unsafe file?.read(into: space) { return count }
        refusal = BodyReceiver.Refusal(kind: .file, text: "the file to send cannot be read")
        return nil
    }

    /// Leaves what the body needed to the next transfer; nothing comes after it.
    func end() { body.end() }

    /// The response, once libcurl has ended the transfer with this code.
    func result(_ code: CurlCode) -> Result<Response, TransportError> {
        guard code.rawValue == CURLE_OK.rawValue, body.shortage == nil else { return .failure(error(code)) }
        return .success(
            Response(
                status: handle.number(CURLINFO_RESPONSE_CODE), headers: headers, body: body.bytes,
                address: job.request.address, httpVersion: version, milliseconds: milliseconds,
                newConnections: handle.number(CURLINFO_NUM_CONNECTS),
                redaction: job.request.redaction))
    }

    private func error(_ code: CurlCode) -> TransportError {
        let message = handle.lastMessage
        let status = handle.number(CURLINFO_RESPONSE_CODE)
        let isEnded = code.rawValue == CURLE_OK.rawValue
        let refusal = refusal ?? body.refusal ?? (isEnded ? body.shortage : nil)
        var error = TransportError(
            refusal?.kind ?? code.kind(saying: message), job.request.address, doing: phase(status: status),
            refusal?.text ?? (message.isEmpty ? code.text : message), redaction: job.request.redaction)
        error.code = isEnded ? nil : code.name
        error.status = status == 0 ? nil : status
        error.milliseconds = milliseconds
        if error.kind == .proxy, proxyStatus(in: message) == 407 {
            error.hint =
                "write the proxy's user and password into 'https_proxy': http://user:password@host:port"
        }
        return error
    }

    private func phase(status: Int) -> String {
        if status > 0 { return "reading the response" }
        return handle.microseconds(CURLINFO_PRETRANSFER_TIME_T) > 0
            ? "waiting for the response" : "connecting"
    }

    private var milliseconds: Int { handle.microseconds(CURLINFO_TOTAL_TIME_T) / 1000 }

    private var version: String {
        switch handle.number(CURLINFO_HTTP_VERSION) {
        case 1: "1.0"
        case 2: "1.1"
        case 3: "2"
        case 30: "3"
        default: ""
        }
    }
}

private let checkConnection: ccurl_prerequest = { context, remote, _, _, _ in
    guard let context = unsafe context, let remote = unsafe remote else {
        return Int32(CURL_PREREQFUNC_ABORT)
    }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.allows(connectionTo: String(cString: remote)) ? 0 : Int32(CURL_PREREQFUNC_ABORT)
}

/// Whether the environment names a proxy for a scheme; libcurl reads these names.
private func isProxied(_ scheme: Origin.Scheme) -> Bool {
    let names = scheme == .https ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    return (names + ["all_proxy", "ALL_PROXY"]).contains {
        unsafe getenv($0).map { unsafe $0.pointee != 0 } ?? false
    }
}

private let receiveHeader: ccurl_receiver = { bytes, size, count, context in
    unsafe receive(bytes, size, count, context) { transfer, buffer in unsafe transfer.receive(header: buffer)
    }
}

private let sendBody: ccurl_receiver = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let space = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return unsafe transfer.give(space) ?? Int(CURL_READFUNC_ABORT)
}

private let receiveBody: ccurl_receiver = { bytes, size, count, context in
    unsafe receive(bytes, size, count, context) { transfer, buffer in unsafe transfer.receive(body: buffer) }
}

/// Any number but the length makes libcurl end the transfer.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?,
    by take: (Transfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
    let (length, isTooLong) = size.multipliedReportingOverflow(by: count)
    guard !isTooLong, length > 0, let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe take(transfer, UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
}

/// One hop of a request on its way through the loop, with the way to complete it.
struct Job: Identifiable, Sendable {
    let id: UInt64
    var request: Request
    /// Milliseconds left of the request's total.
    var milliseconds: Int
    var continuation: CheckedContinuation<Result<Response, TransportError>, Never>

    func fail(_ kind: TransportError.Kind, doing: String, _ text: String = "") {
        continuation.resume(
            returning: .failure(
                TransportError(kind, request.address, doing: doing, text, redaction: request.redaction)))
    }
}
