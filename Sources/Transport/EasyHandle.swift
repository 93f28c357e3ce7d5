import CCurl

/// Owner of one libcurl easy handle: the options, the state and the result of one transfer at a time.
///
/// Thread rule: an easy handle may wander between threads but be used by one only at a time. This one never
/// leaves the loop's thread, and the type is not `Sendable`.
@safe final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// The handle's address as a number, by which the multi handle's messages name it.
    var id: UInt { unsafe UInt(bitPattern: raw) }
    private let message: UnsafeMutablePointer<CChar>
    private var lines: UnsafeMutablePointer<curl_slist>?

    init() throws(CurlFailure) {
        guard let raw = unsafe curl_easy_init() else {
            throw CurlFailure(code: CurlCode(rawValue: 27), doing: "making a handle", text: "out of memory")
        }
        unsafe self.raw = raw
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    // libcurl may write the message until the handle is gone, so the memory goes after it.
    deinit {
        unsafe curl_easy_cleanup(raw)
        unsafe curl_slist_free_all(lines)
        unsafe message.deallocate()
    }

    /// Forgets all options; connections live in the multi handle and stay.
    func reset() throws(CurlFailure) {
        unsafe curl_easy_reset(raw)
        unsafe curl_slist_free_all(lines)
        unsafe lines = nil
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
        for line in headerLines {
            guard let longer = unsafe curl_slist_append(lines, line) else {
                throw CurlFailure(
                    code: CurlCode(rawValue: 27), doing: "setting the headers", text: "out of memory")
            }
            unsafe lines = longer
        }
        try check(unsafe ccurl_set_list(raw, CURLOPT_HTTPHEADER, lines), doing: "setting the headers")
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

    private func check(_ code: CURLcode, doing: String) throws(CurlFailure) {
        guard code != CURLE_OK else { return }
        let code = CurlCode(rawValue: code.rawValue)
        throw CurlFailure(code: code, doing: doing, text: code.text)
    }
}
