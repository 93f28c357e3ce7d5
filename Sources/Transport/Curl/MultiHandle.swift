private import CCurl

/// Owner of one libcurl multi handle: the set of running transfers and the cache of open connections.
///
/// Thread rule: every call but `wakeUp` belongs to the loop's thread. `wakeUp` may come from any thread while
/// the handle lives, which the queue's lock sees to.
@safe struct MultiHandle: ~Copyable {
    let raw: UnsafeMutableRawPointer

    init() throws(CurlFailure) {
        try Libcurl.start()
        guard let raw = unsafe curl_multi_init() else { throw .outOfMemory(doing: "starting libcurl") }
        unsafe self.raw = raw
    }

    deinit { unsafe curl_multi_cleanup(raw) }

    func limit(by options: Client.Options) throws(CurlFailure) {
        try set(CURLMOPT_MAX_HOST_CONNECTIONS, options.transfersPerHost)
        try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, options.transfers)
        try set(CURLMOPT_MAXCONNECTS, options.transfers)
        try set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    func add(_ handle: EasyHandle) throws(CurlFailure) {
        try check(unsafe curl_multi_add_handle(raw, handle.raw), doing: "starting the transfer")
    }

    func remove(_ handle: EasyHandle) {
        unsafe curl_multi_remove_handle(raw, handle.raw)
    }

    func perform() throws(CurlFailure) {
        var running: Int32 = 0
        try check(unsafe curl_multi_perform(raw, &running), doing: "moving the transfers on")
    }

    /// Waits for sockets, libcurl's own timers, a wake-up, or the time to pass.
    func poll(milliseconds: Int32) throws(CurlFailure) {
        try check(unsafe curl_multi_poll(raw, nil, 0, milliseconds, nil), doing: "waiting for the transfers")
    }

    /// The next transfer that has ended and how; nil when there is none.
    func nextEnded() -> (id: UInt, code: CurlCode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(raw, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle
            else { continue }
            return unsafe (UInt(bitPattern: handle), CurlCode(rawValue: message.pointee.data.result.rawValue))
        }
        return nil
    }

    /// Ends a `poll` that is under way, or the next one.
    static func wakeUp(_ raw: UnsafeMutableRawPointer) {
        unsafe curl_multi_wakeup(raw)
    }

    private func set(_ option: CURLMoption, _ number: Int) throws(CurlFailure) {
        try check(
            unsafe ccurl_multi_set_long(raw, option, max(1, min(number, 10_000))), doing: "setting the limits"
        )
    }

    private func check(_ code: CURLMcode, doing: String) throws(CurlFailure) {
        guard code != CURLM_OK else { return }
        let text = unsafe String(cString: curl_multi_strerror(code))
        throw CurlFailure(code: CurlCode(rawValue: 2), doing: doing, text: text)
    }
}

/// A result code of libcurl; a struct so that codes of later versions survive.
struct CurlCode: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32

    /// libcurl's own name for the codes met here, and the number for all.
    var name: String { Self.known[rawValue].map { "\($0.name) (\(rawValue))" } ?? "CURLE (\(rawValue))" }

    /// The kind of failure this code means.
    var kind: TransportError.Kind { Self.known[rawValue]?.kind ?? .failed }

    /// The kind, with what libcurl said: in TLS 1.3 the server refuses a client's certificate only after the
    /// handshake, which libcurl reports as a failure to receive; and a connection that breaks in the handshake
    /// it reports as a failure of TLS. What a proxy answers in the place of a connection is one to receive too.
    func kind(saying message: String) -> TransportError.Kind {
        // A proxy that cannot reach the host, or has too much to do, may do so the next time.
        if let status = proxyStatus(in: message) {
            return (400...499).contains(status) && ![408, 429].contains(status) ? .proxy : .refused
        }
        if rawValue == 35, message.contains("wrong version number") { return .noTLS }
        let broken = [
            "Connection reset by peer", "SSL_ERROR_SYSCALL", "unexpected eof", "getpeername() failed",
        ]
        if rawValue == 35, broken.contains(where: message.contains) { return .reset }
        let refusals = [
            "alert certificate", "alert bad certificate", "alert unknown ca", "alert access denied",
        ]
        return kind == .reset && refusals.contains(where: message.contains) ? .tls : kind
    }

    /// libcurl's text for the code.
    var text: String { unsafe String(cString: curl_easy_strerror(CURLcode(rawValue: rawValue))) }

    private static let known: [UInt32: (name: String, kind: TransportError.Kind)] = [
        1: ("CURLE_UNSUPPORTED_PROTOCOL", .malformed), 3: ("CURLE_URL_MALFORMAT", .failed),
        5: ("CURLE_COULDNT_RESOLVE_PROXY", .resolve), 6: ("CURLE_COULDNT_RESOLVE_HOST", .resolve),
        7: ("CURLE_COULDNT_CONNECT", .refused), 8: ("CURLE_WEIRD_SERVER_REPLY", .malformed),
        16: ("CURLE_HTTP2", .reset), 18: ("CURLE_PARTIAL_FILE", .truncated),
        23: ("CURLE_WRITE_ERROR", .failed), 26: ("CURLE_READ_ERROR", .file),
        27: ("CURLE_OUT_OF_MEMORY", .failed),
        28: ("CURLE_OPERATION_TIMEDOUT", .timeout), 35: ("CURLE_SSL_CONNECT_ERROR", .tls),
        37: ("CURLE_FILE_COULDNT_READ_FILE", .file), 52: ("CURLE_GOT_NOTHING", .reset),
        55: ("CURLE_SEND_ERROR", .reset), 56: ("CURLE_RECV_ERROR", .reset),
        58: ("CURLE_SSL_CERTPROBLEM", .tls), 59: ("CURLE_SSL_CIPHER", .tls),
        60: ("CURLE_PEER_FAILED_VERIFICATION", .tls), 61: ("CURLE_BAD_CONTENT_ENCODING", .encoding),
        63: ("CURLE_FILESIZE_EXCEEDED", .tooLarge), 77: ("CURLE_SSL_CACERT_BADFILE", .tls),
        65: ("CURLE_SEND_FAIL_REWIND", .reset), 80: ("CURLE_SSL_SHUTDOWN_FAILED", .tls),
        91: ("CURLE_SSL_INVALIDCERTSTATUS", .tls),
        92: ("CURLE_HTTP2_STREAM", .reset), 97: ("CURLE_PROXY", .refused),
    ]
}

/// The status with which a proxy answered the request for a connection, as libcurl reports it; nil when it says no such
/// thing.
func proxyStatus(in message: String) -> Int? {
    let words = ["CONNECT tunnel failed, response ", "from proxy after CONNECT"]
    guard words.contains(where: message.contains) else { return nil }
    return message.split { !$0.isASCII || !$0.isWholeNumber }.lazy.compactMap { Int($0) }.first
}

/// A call of libcurl that failed: what was being done, the code, and libcurl's text.
struct CurlFailure: Error {
    var code: CurlCode
    var doing: String
    var text: String
}
