import CCurl

/// Owner of one libcurl easy handle: the options, the state and the result of one transfer at a time.
///
/// Thread rule: an easy handle may move between threads but be used by one only at a time, so the type is not `Sendable`.
/// Those of HTTP never leave the loop's thread. `SFTPHandle` and `MailTransfer` use theirs on threads of their own, one
/// at a time.
@safe final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// The handle's address as a number, by which the multi handle's messages name it.
    var id: UInt { unsafe UInt(bitPattern: raw) }
    private let message: UnsafeMutablePointer<CChar>
    private var lines: UnsafeMutablePointer<curl_slist>?
    private var commands: UnsafeMutablePointer<curl_slist>?

    init() throws(CurlFailure) {
        try Libcurl.start()
        guard let raw = unsafe curl_easy_init() else { throw .outOfMemory(doing: "making a handle") }
        unsafe self.raw = raw
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    // libcurl may write the message until the handle is gone, so the memory goes after it.
    deinit {
        unsafe curl_easy_cleanup(raw)
        unsafe curl_slist_free_all(lines)
        unsafe curl_slist_free_all(commands)
        unsafe message.deallocate()
    }

    /// Resets all options; connections live in the multi handle and stay.
    func reset() throws(CurlFailure) {
        unsafe curl_easy_reset(raw)
        unsafe curl_slist_free_all(lines)
        unsafe lines = nil
        unsafe curl_slist_free_all(commands)
        unsafe commands = nil
        unsafe message[0] = 0
        try check(
            unsafe ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, message), doing: "setting the message buffer")
    }

    func set(_ option: CURLoption, _ number: Int, doing: String) throws(CurlFailure) {
        try check(unsafe ccurl_set_long(raw, option, number), doing: doing)
    }

    func set(_ option: CURLoption, size: Int, doing: String) throws(CurlFailure) {
        try check(unsafe ccurl_set_offset(raw, option, curl_off_t(size)), doing: doing)
    }

    func set(_ option: CURLoption, _ text: String, doing: String) throws(CurlFailure) {
        try check(unsafe ccurl_set_text(raw, option, text), doing: doing)
    }

    /// Has libcurl copy the body; the size must be known to it before.
    func set(body: [UInt8]) throws(CurlFailure) {
        try set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count, doing: "setting the body's size")
        let code = unsafe body.withUnsafeBytes { bytes in
            let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            // An empty array has no address, and libcurl would read the body from standard input.
            return unsafe start == nil
                ? ccurl_set_text(raw, CURLOPT_COPYPOSTFIELDS, "")
                : ccurl_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, start)
        }
        try check(code, doing: "setting the body")
    }

    func set(headerLines: [String]) throws(CurlFailure) {
        try unsafe append(headerLines, to: &lines, doing: "setting the headers")
        try check(unsafe ccurl_set_list(raw, CURLOPT_HTTPHEADER, lines), doing: "setting the headers")
    }

    /// What a server for files does after a transfer, or without one.
    func set(commands texts: [String]) throws(CurlFailure) {
        try unsafe append(texts, to: &commands, doing: "setting the commands")
        guard !texts.isEmpty else { return }
        try check(unsafe ccurl_set_list(raw, CURLOPT_POSTQUOTE, commands), doing: "setting the commands")
    }

    /// Has libcurl call back with header lines and body bytes; `context` must live until the transfer has
    /// been removed from the multi handle.
    func set(
        headerReceiver: ccurl_receiver, bodyReceiver: ccurl_receiver, context: UnsafeMutableRawPointer
    ) throws(CurlFailure) {
        let doing = "setting the receivers"
        try check(unsafe ccurl_set_receiver(raw, CURLOPT_HEADERFUNCTION, headerReceiver), doing: doing)
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_HEADERDATA, context), doing: doing)
        try check(unsafe ccurl_set_receiver(raw, CURLOPT_WRITEFUNCTION, bodyReceiver), doing: doing)
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_WRITEDATA, context), doing: doing)
    }

    /// Has libcurl read what it sends by a callback, too.
    func set(
        headerReceiver: ccurl_receiver, bodyReceiver: ccurl_receiver, upload: ccurl_receiver,
        context: UnsafeMutableRawPointer
    ) throws(CurlFailure) {
        try unsafe set(headerReceiver: headerReceiver, bodyReceiver: bodyReceiver, context: context)
        try unsafe set(bodySender: upload, context: context)
    }

    /// Has libcurl ask, once it is connected and before it sends anything; `context` must live as long as that of the
    /// receivers.
    func set(prerequest: ccurl_prerequest, context: UnsafeMutableRawPointer) throws(CurlFailure) {
        let doing = "setting the check of the connection"
        try check(unsafe ccurl_set_prerequest(raw, prerequest), doing: doing)
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_PREREQDATA, context), doing: doing)
    }

    /// Has libcurl ask whether to go on; `context` must live as long as that of the receivers.
    func set(watch: ccurl_watch, context: UnsafeMutableRawPointer) throws(CurlFailure) {
        let doing = "setting the watch"
        try check(unsafe ccurl_set_watch(raw, watch), doing: doing)
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_XFERINFODATA, context), doing: doing)
        try set(CURLOPT_NOPROGRESS, 0, doing: doing)
    }

    /// Has libcurl call back with what it and the server say; `context` must live as long as that of the receivers.
    func set(listener: ccurl_listener, context: UnsafeMutableRawPointer) throws(CurlFailure) {
        let doing = "setting the listener"
        try check(unsafe ccurl_set_listener(raw, listener), doing: doing)
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_DEBUGDATA, context), doing: doing)
        try set(CURLOPT_VERBOSE, 1, doing: doing)
    }

    /// Sets a list, which must live until the transfer has ended.
    func set(
        list: UnsafeMutablePointer<curl_slist>?, for option: CURLoption, doing: String
    ) throws(CurlFailure) {
        try check(unsafe ccurl_set_list(raw, option, list), doing: doing)
    }

    /// Has libcurl call back for bytes of the body; `context` must live as long as that of the receivers.
    func set(bodySender: ccurl_receiver, context: UnsafeMutableRawPointer) throws(CurlFailure) {
        let doing = "setting the body"
        try check(unsafe ccurl_set_receiver(raw, CURLOPT_READFUNCTION, bodySender), doing: doing)
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_READDATA, context), doing: doing)
    }

    /// What libcurl said about the last failure in more words than the code; empty when nothing.
    var lastMessage: String { unsafe String(cString: message) }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe ccurl_get_long(raw, info, &value) == CURLE_OK ? value : 0
    }

    func microseconds(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return unsafe ccurl_get_offset(raw, info, &value) == CURLE_OK ? Int(value) : 0
    }

    func check(_ code: CURLcode, doing: String) throws(CurlFailure) {
        guard code != CURLE_OK else { return }
        let code = CurlCode(rawValue: code.rawValue)
        throw CurlFailure(code: code, doing: doing, text: code.text)
    }
}

extension EasyHandle {
    /// Sets everything again for one request. Certificate and host are verified always; there is no way to
    /// turn that off. Redirects, cookies and credentials are never left to libcurl.
    func prepare(for request: Request, milliseconds: Int, options: Client.Options) throws(CurlFailure) {
        try reset()
        try set(CURLOPT_NOSIGNAL, 1, doing: "turning signals off")
        try set(CURLOPT_URL, request.address.text, doing: "setting the address")
        try setProtocols(for: request.address.origin.scheme)
        try setTrust(options, at: request.address.origin)
        try setLimits(request.limits, milliseconds: milliseconds)
        try setMessage(request, options)
        if request.arrivesOnce || !request.isIdempotent {
            try set(CURLOPT_FRESH_CONNECT, 1, doing: "requesting a new connection")
        }
        if !options.usesProxy { try set(CURLOPT_PROXY, "", doing: "leaving out the proxy") }
    }

    private func setProtocols(for scheme: Origin.Scheme) throws(CurlFailure) {
        let allowed = scheme == .file ? "file" : "http,https"
        try set(CURLOPT_PROTOCOLS_STR, allowed, doing: "limiting the protocols")
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "https", doing: "limiting the protocols")
        try set(CURLOPT_FOLLOWLOCATION, 0, doing: "turning redirects off")
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS), doing: "choosing the HTTP version")
        // Without TLS there is no HTTP/2 to wait for, and a first request without a response would hold all others.
        try set(CURLOPT_PIPEWAIT, scheme == .https ? 1 : 0, doing: "preferring an open connection")
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1, doing: "leaving out the proxy's headers")
    }

    private func setTrust(_ options: Client.Options, at origin: Origin) throws(CurlFailure) {
        try set(CURLOPT_SSL_VERIFYPEER, 1, doing: "turning verification on")
        try set(CURLOPT_SSL_VERIFYHOST, 2, doing: "turning verification on")
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2), doing: "choosing the TLS version")
        if let file = options.authorities[origin] ?? options.certificateFile {
            try set(CURLOPT_CAINFO, file, doing: "naming the certificate file")
        }
        if let own = options.clientCertificates[origin] { try show(own) }
    }

    /// Shows a certificate to a server that asks for one.
    func show(_ own: ClientCertificate) throws(CurlFailure) {
        try set(CURLOPT_SSLCERT, own.certificateFile, doing: "naming the client certificate")
        try set(CURLOPT_SSLKEY, own.keyFile ?? own.certificateFile, doing: "naming the client key")
        if let passphrase = own.passphrase {
            try set(CURLOPT_KEYPASSWD, passphrase.text, doing: "giving the passphrase of the client key")
        }
    }

    private func setLimits(_ limits: Limits, milliseconds: Int) throws(CurlFailure) {
        let doing = "setting the limits"
        try set(CURLOPT_CONNECTTIMEOUT_MS, clamped(limits.connectMilliseconds), doing: doing)
        try set(CURLOPT_TIMEOUT_MS, clamped(milliseconds), doing: doing)
        if limits.slowBytesPerSecond > 0 {
            try set(CURLOPT_LOW_SPEED_LIMIT, min(limits.slowBytesPerSecond, 1 << 30), doing: doing)
            try set(CURLOPT_LOW_SPEED_TIME, max(1, min(limits.slowSeconds, 86_400)), doing: doing)
        }
        // Refuses by Content-Length before the body comes; 0 would mean no limit.
        try set(CURLOPT_MAXFILESIZE_LARGE, size: max(1, limits.bodyBytes), doing: doing)
    }

    private func setMessage(_ request: Request, _ options: Client.Options) throws(CurlFailure) {
        // Requested by libcurl, undone by `Decompressor`, which notices a stream that was cut short.
        try set(CURLOPT_ACCEPT_ENCODING, ContentCoding.accepted, doing: "requesting compression")
        try set(CURLOPT_HTTP_CONTENT_DECODING, 0, doing: "leaving the compression in place")
        try set(
            CURLOPT_USERAGENT, "plimsoll/\(options.version.filter(isVisible))", doing: "naming the program")
        var lines = request.headers.fields.map(\.wireLine)
        if request.method.hasBody {
            if let file = request.bodyFile {
                try set(CURLOPT_UPLOAD, 1, doing: "setting the method")
                try set(CURLOPT_INFILESIZE_LARGE, size: file.size, doing: "setting the body's size")
            } else {
                try set(CURLOPT_POST, 1, doing: "setting the method")
                try set(body: request.body)
            }
            // Without these libcurl adds a content type of its own and waits a second for "100 Continue".
            if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
            lines.append("Expect:")
        }
        if [.put, .patch, .delete].contains(request.method) {
            try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue, doing: "setting the method")
        }
        try set(headerLines: lines)
    }
}

// libcurl writes the name into a header line as it is.
private func isVisible(_ character: Character) -> Bool {
    character.isASCII && !character.isWhitespace && character != "\u{7F}" && character >= "!"
}

/// libcurl reads 0 as "no limit" and keeps milliseconds in 32 bits in places.
private func clamped(_ milliseconds: Int) -> Int {
    max(1, min(milliseconds, Int(Int32.max)))
}
