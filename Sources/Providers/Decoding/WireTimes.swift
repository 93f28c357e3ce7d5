import AppHealth

/// A time on the wire in RFC 3339 form.
struct WireInstant: WireValue, Sampled, Sendable {
    static let expected = "a time such as \"2026-11-20T06:00:00Z\""

    static let sample = WireInstant(instant: Instant(secondsSinceEpoch: 0))

    var instant: Instant

    private init(instant: Instant) {
        self.instant = instant
    }

    init(from decoder: any Decoder) throws {
        let text = try decoder.single(String.self, expected: Self.expected)
        guard let instant = Instant(text) else { throw decoder.mismatch(Self.expected) }
        self.instant = instant
    }
}

/// A day on the wire: `2026-11-19`.
struct WireDate: WireValue, Sampled, Sendable {
    static let expected = "a date such as \"2026-11-19\""

    static let sample = WireDate(date: CivilDate(daysSinceEpoch: 0))

    var date: CivilDate

    private init(date: CivilDate) {
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        let text = try decoder.single(String.self, expected: Self.expected)
        guard let date = CivilDate(text) else { throw decoder.mismatch(Self.expected) }
        self.date = date
    }
}

/// A time on the wire, or an empty text where a service sends that for none.
struct WireInstantOrBlank: WireValue, Sendable {
    static let expected = WireInstant.expected

    var instant: Instant?

    init(from decoder: any Decoder) throws {
        let text = try decoder.single(String.self, expected: Self.expected)
        instant = Instant(text)
        if instant == nil, !text.isEmpty { throw decoder.mismatch(Self.expected) }
    }
}
