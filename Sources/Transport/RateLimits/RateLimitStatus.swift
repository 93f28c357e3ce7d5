/// What a response says of the service's limit: nil is what it does not say.
package struct RateLimitStatus: Hashable, Sendable {
    /// Requests left in the current period.
    package var remaining: Int?
    /// Seconds until the next period begins.
    package var resetSeconds: Int?
    /// Seconds to wait, as Retry-After says.
    package var retrySeconds: Int?
}

/// The header fields in which a service says what is left of its limit. A provider names those of its service.
package struct RateLimitFields: Hashable, Sendable {
    /// One field.
    package struct Field: Hashable, Sendable, ExpressibleByStringLiteral {
        /// Its name.
        package var name: String
        /// For a value such as `limit:3600; rest:12` the member that counts; nil when the whole value does.
        package var member: String?

        /// A field, or one member of its value.
        package init(_ name: String, member: String? = nil) {
            self.name = name
            self.member = member
        }

        package init(stringLiteral name: String) { self.init(name) }
    }

    /// Requests left; the first field that is there counts.
    package var remaining: [Field]
    /// When the next period begins: seconds from now, or since 1970.
    package var reset: [Field]

    /// Names the fields.
    package init(remaining: [Field], reset: [Field] = []) {
        self.remaining = remaining
        self.reset = reset
    }

    /// What most services write.
    package static let usual = RateLimitFields(
        remaining: ["X-RateLimit-Remaining"], reset: ["X-RateLimit-Reset"])
}

extension Response {
    /// Reads Retry-After and the service's own fields; `now` is in seconds since 1970, UTC.
    package func rateLimitStatus(_ fields: RateLimitFields = .usual, now: Int) -> RateLimitStatus {
        RateLimitStatus(
            remaining: fields.remaining.lazy.compactMap(number).first,
            resetSeconds: fields.reset.lazy.compactMap(number).first.map { secondsUntilReset($0, now: now) },
            retrySeconds: retryAfterSeconds(now: now))
    }

    /// How long to wait before the next request, in seconds: Retry-After, otherwise for a 429 the time until the
    /// service's next period, at least 1; nil when the response does not say.
    package func requestedWaitSeconds(_ fields: RateLimitFields = .usual, now: Int) -> Int? {
        let limit = rateLimitStatus(fields, now: now)
        if let seconds = limit.retrySeconds { return seconds }
        guard status == 429, let reset = limit.resetSeconds else { return nil }
        return max(1, reset)
    }

    private func number(_ field: RateLimitFields.Field) -> Int? {
        guard let text = headers[field.name], text.utf8.count <= 200 else { return nil }
        let value = field.member.map { member(of: text, $0) } ?? text[...]
        guard let value, value.utf8.count <= 20, let number = Int(value), number >= 0 else { return nil }
        return number
    }

    private func member(of text: String, _ name: String) -> Substring? {
        for part in text.split(separator: ";") {
            let member: [Substring] = part.split(separator: ":")
            if member.count == 2, member[0].drop(while: { $0 == " " }) == name { return member[1] }
        }
        return nil
    }
}

/// Some services give the instant, others the seconds until then; no period lasts ten years.
private func secondsUntilReset(_ value: Int, now: Int) -> Int {
    value < 315_360_000 ? value : max(0, value &- now)
}
