private import CCurl

extension Response {
    /// The server's clock in seconds since 1970, from its Date field (RFC 9110 §6.6.1); nil without a sound one.
    package var serverSeconds: Int? {
        headers["Date"].flatMap(httpDate)
    }

    /// How long the server says to wait, in seconds from `now` (seconds since 1970, UTC); nil when it does
    /// not say or says it wrongly. Reads Retry-After as seconds or as an HTTP date (RFC 9110 §10.2.3).
    package func retryAfterSeconds(now: Int) -> Int? {
        guard let text = headers["Retry-After"], text.utf8.count <= 64 else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? seconds : nil }
        return httpDate(text).map { max(0, $0 &- now) }
    }
}

private func httpDate(_ text: String) -> Int? {
    guard text.utf8.count <= 64, text.contains(":"), !text.contains("\0") else { return nil }
    let date = unsafe curl_getdate(text, nil)
    return date < 0 ? nil : date
}
