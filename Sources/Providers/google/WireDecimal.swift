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
