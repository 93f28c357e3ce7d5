/// A whole number, zero or more, that fits in 63 bits.
struct Count: WireValue, Sendable, Equatable {
    static let expected = "a whole number"

    var value: Int

    init(from decoder: any Decoder) throws {
        value = try decoder.single(Int.self, expected: Self.expected)
        guard value >= 0 else { throw decoder.mismatch("a count, zero or more") }
    }
}
