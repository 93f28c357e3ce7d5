private import CCurl

extension Response {
    /// The server's clock in seconds since 1970, from its Date field (RFC 9110 §6.6.1); nil without a sound one.
    package var serverSeconds: Int? {
        guard let text = headers["Date"], text.utf8.count <= 64, text.contains(":"), !text.contains("\0")
        else {
            return nil
        }
        let date = unsafe curl_getdate(text, nil)
        return date < 0 ? nil : date
    }

    /// How many requests the server still admits in its present window, by the fields of Bugsnag, of Sentry
    /// and of App Store Connect.
    package var requestsLeft: Int? {
        (headers["X-RateLimit-Remaining"] ?? headers["X-Sentry-Rate-Limit-Remaining"]).flatMap { Int($0) }
            ?? hourlyRequestsLeft
    }
}
