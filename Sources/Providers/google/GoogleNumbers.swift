/// A decimal number as an object, `{"value": "0.0123"}`; an empty text is zero.
///
/// Source: google.type.Decimal, which admits a sign, a fraction and an exponent.
struct WireDecimal: Decodable, Sendable {
    var value: WireDecimalText?

    /// The number; a decimal without a text is zero.
    var number: Double { value?.number ?? 0 }
}

/// The text of a decimal number.
struct WireDecimalText: WireValue, Sampled, Sendable {
    static let expected = "a decimal number as a text"

    static let sample = WireDecimalText(number: 0)

    var number: Double

    private init(number: Double) {
        self.number = number
    }

    init(from decoder: any Decoder) throws {
        let text = try decoder.single(String.self, expected: Self.expected)
        let isPlain = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        guard isPlain, let value = text.isEmpty ? 0 : Double(text), value.isFinite else {
            throw decoder.mismatch(Self.expected)
        }
        number = value
    }
}

/// A whole number, zero or more: Google's APIs write 64-bit integers as texts and shorter ones as numbers.
struct WireWhole: WireValue, Sampled, Sendable, Equatable {
    static let expected = "a whole number, zero or more, as a text or a number"

    static let sample = WireWhole(0)

    var value: Int

    init(_ value: Int) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            guard let number = wholeNumber(text) else { throw decoder.mismatch(Self.expected) }
            value = number
        } else {
            value = try decoder.single(Int.self, expected: Self.expected)
        }
        guard value >= 0 else { throw decoder.mismatch(Self.expected) }
    }
}

/// The number that a text of ASCII digits writes; nil for signs, blanks and whatever does not fit.
func wholeNumber(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        return nil
    }
    return Int(text)
}
