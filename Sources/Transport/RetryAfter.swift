private import CCurl

extension Response {
    /// How long the server asks to wait, in seconds from `now` (seconds since 1970, UTC); nil when it does
    /// not say or says it wrongly. Reads Retry-After as seconds or as an HTTP date (RFC 9110 §10.2.3).
    package func retryAfterSeconds(now: Int) -> Int? {
        guard let text = headers["Retry-After"], text.utf8.count <= 64 else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? seconds : nil }
        guard text.contains(":"), !text.contains("\0") else { return nil }
        let date = unsafe curl_getdate(text, nil)
        return date < 0 ? nil : max(0, date &- now)
    }
}
