private import CCurl

/// Owner of one libcurl multi handle: the set of running transfers and the cache of open connections.
///
/// Thread rule: every call but `wakeUp` belongs to the loop's thread. `wakeUp` may come from any thread while
/// the handle lives, which the queue's lock sees to.
@safe struct MultiHandle: ~Copyable {
    let raw: UnsafeMutableRawPointer

    // libcurl counts initialisations; one for the process is enough, and `static let` makes it once.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32)) == CURLE_OK

    init() throws(CurlFailure) {
        guard Self.isReady, let raw = unsafe curl_multi_init() else {
            throw CurlFailure(code: CurlCode(rawValue: 27), doing: "starting libcurl", text: "out of memory")
        }
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
