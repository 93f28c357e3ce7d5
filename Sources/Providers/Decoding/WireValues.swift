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

/// A value, or nil where something else is.
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

/// How long a kind of foreign text may be, in Unicode scalars.
protocol TextBound: Sendable {
    static var scalars: Int { get }
}

/// Names, ids, labels of versions: 300.
enum NameBound: TextBound { static let scalars = 300 }
/// Headlines, paths of files, addresses: 2,000.
enum LineBound: TextBound { static let scalars = 2_000 }
/// What people write: 20,000.
enum ProseBound: TextBound { static let scalars = 20_000 }

/// Foreign text without NUL, cut to its bound; that it was cut goes to the log of the response.
struct BoundedText<Bound: TextBound>: WireValue, Sendable, Equatable {
    static var expected: String { "a text" }

    var text: String

    init(from decoder: any Decoder) throws {
        let whole = try decoder.single(String.self, expected: Self.expected)
        // Nearly every text is short and clean and stays as it is.
        if whole.utf8.count <= Bound.scalars, !hasNUL(whole) {
            text = whole
            return
        }
        let scalars = whole.unicodeScalars.lazy.filter { $0 != "\0" }
        var kept = String.UnicodeScalarView(scalars.prefix(Bound.scalars))
        if scalars.dropFirst(Bound.scalars).first != nil {
            decoder.losses?.add(.cut(path: keyPathText(decoder.codingPath), limit: Bound.scalars))
            kept.append("…")
        }
        text = String(kept)
    }
}

/// Whether NUL is among the bytes, which lie in one piece in what was just decoded.
private func hasNUL(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? text.utf8.contains(0)
}

typealias WireName = BoundedText<NameBound>
typealias WireLine = BoundedText<LineBound>
typealias WireProse = BoundedText<ProseBound>

extension BoundedText {
    /// The text, or nil when it is empty: some services send empty texts for nothing.
    var nonEmpty: String? { text.isEmpty ? nil : text }
}

/// What a wire value had to be, in words that end the sentence "expected …".
struct Expectation: Error {
    var text: String

    /// The words for a type that the decoder requested.
    static func words(for type: any Any.Type) -> String {
        switch type {
        case is Int.Type, is Int64.Type: "a whole number"
        case is Double.Type: "a number"
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any ListType.Type: "a list"
        case is any WireValue.Type: (type as? any WireValue.Type)?.expected ?? "a value"
        default: "an object"
        }
    }
}

/// A single value on the wire that says what it expects.
protocol WireValue: Decodable {
    /// Ends the sentence "expected …".
    static var expected: String { get }
}

/// Types that are lists on the wire.
private protocol ListType {}
extension Array: ListType {}
extension LossyArray: ListType {}

extension DecodingError {
    /// The error for a value at a path that is not what was expected.
    static func mismatch(_ expected: String, at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            Context(
                codingPath: path, debugDescription: expected, underlyingError: Expectation(text: expected)))
    }
}

extension Decoder {
    /// The error for a value that is not what was expected here.
    func mismatch(_ expected: String) -> DecodingError { .mismatch(expected, at: codingPath) }

    /// The single value here; whatever is wrong with it, the error names the path.
    func single<Value: Decodable>(_ type: Value.Type, expected: String) throws -> Value {
        do {
            return try singleValueContainer().decode(type)
        } catch {
            throw mismatch(expected)
        }
    }

    /// The text here, without the detour that the decoder makes for a type that it does not know.
    func single(_ type: String.Type, expected: String) throws -> String {
        do {
            return try singleValueContainer().decode(type)
        } catch {
            throw mismatch(expected)
        }
    }

    /// The whole number here, without the same detour.
    func single(_ type: Int.Type, expected: String) throws -> Int {
        do {
            return try singleValueContainer().decode(type)
        } catch {
            throw mismatch(expected)
        }
    }
}
