private import CCurl

/// Owner of one parsed URL of libcurl.
///
/// Addresses are cut up by the same parser that later connects, so that no text can mean one host to a
/// check and another to the transfer.
@safe struct URLHandle: ~Copyable {
    private let raw: OpaquePointer

    init() throws(AddressError) {
        guard let raw = unsafe curl_url() else { throw .malformed("out of memory") }
        unsafe self.raw = raw
    }

    deinit { unsafe curl_url_cleanup(raw) }

    func read(_ text: String) throws(AddressError) {
        try check(unsafe curl_url_set(raw, CURLUPART_URL, text, 0))
    }

    /// Goes where a reference found at this URL leads (RFC 3986 §5).
    func resolve(_ reference: String) throws(AddressError) {
        try check(unsafe curl_url_set(raw, CURLUPART_URL, reference, UInt32(CURLU_URLENCODE)))
    }

    func dropFragment() throws(AddressError) {
        try check(unsafe curl_url_set(raw, CURLUPART_FRAGMENT, nil, 0))
    }

    func set(host: String) throws(AddressError) {
        try check(unsafe curl_url_set(raw, CURLUPART_HOST, host, 0))
    }

    var text: String? { part(CURLUPART_URL, flags: CURLU_NO_DEFAULT_PORT) }
    var host: String? { part(CURLUPART_HOST) }
    var port: Int? { part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap { Int($0) } }
    var path: String? { part(CURLUPART_PATH) }
    var query: String? { part(CURLUPART_QUERY) }
    var hasUserInformation: Bool { part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil }

    private func part(_ which: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(raw, which, &text, UInt32(flags)) == CURLUE_OK, let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }

    private func check(_ code: CURLUcode) throws(AddressError) {
        guard code != CURLUE_OK else { return }
        throw .malformed(unsafe String(cString: curl_url_strerror(code)))
    }
}
