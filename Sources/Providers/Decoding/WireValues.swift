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

/// A value, or nil where something else stands.
struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
    var value: Value?

    init(from decoder: any Decoder) {
        value = try? decoder.singleValueContainer().decode(Value.self)
    }
}

/// A whole number, zero or more, that fits in 63 bits.
struct Count: WireValue, Sendable, Equatable {
    static let expected = "a whole number"

    var value: Int

    init(from decoder: any Decoder) throws {
        value = try decoder.single(Int.self, expected: Self.expected)
        guard value >= 0 else { throw decoder.mismatch("a count, zero or more") }
    }
}

/// The version inside the name of a release as Sentry's SDKs write it, `package@version+build`; any other text
/// is a label as a whole. Nil when it is empty.
func version(ofRelease name: String) -> Version? {
    let label = name.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard name.contains("@"), !label.isEmpty else { return name.isEmpty ? nil : Version(name) }
    let halves = label.split(separator: "+", maxSplits: 1)
    guard let text = halves.first, label.first != "+" else { return Version(name) }
    return Version(String(text), build: halves.count > 1 ? String(halves[1]) : "")
}

/// A label that services send as a text or as a number: a build of `370` or `"370"`; empty counts as none.
struct WireLabel: WireValue, Sendable {
    static let expected = "a text or a whole number"

    var text: String?

    init(from decoder: any Decoder) throws {
        if let name = try? WireName(from: decoder) {
            text = name.nonEmpty
        } else {
            text = String(try decoder.single(Int.self, expected: Self.expected))
        }
    }
}
