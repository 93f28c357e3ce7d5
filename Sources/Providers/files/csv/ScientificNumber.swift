/// A number with an exponent, as programs write large and small ones: `1.2345678E7`, `8e-05`.
struct ScientificNumber {
    /// The digits before the decimals, without zeros in front.
    let whole: String
    let decimals: String
    /// Whether a point is written before decimals.
    let hasMark: Bool

    /// Nil for every other text.
    init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { "eE".contains($0) }
        guard parts.count == 2, text.utf8.count <= Self.longest, let exponent = Self.exponent(parts[1]) else {
            return nil
        }
        let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count <= 2, halves.allSatisfy({ !$0.isEmpty && Self.areDigits($0) }) else { return nil }
        let digits = halves.joined()
        let place = halves[0].utf8.count + exponent
        let shown =
            place < 0
            ? String(repeating: "0", count: -place) + digits
            : digits + String(repeating: "0", count: max(0, place - digits.utf8.count))
        let count = max(0, place)
        whole = String(shown.prefix(count).drop { $0 == "0" })
        decimals = String(shown.dropFirst(count))
        hasMark = halves.count == 2
    }

    /// The most bytes of such a number.
    private static let longest = 30

    /// With a sign or not.
    private static func exponent(_ text: Substring) -> Int? {
        let digits = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text
        guard (1...2).contains(digits.utf8.count), areDigits(digits), let size = Int(digits) else {
            return nil
        }
        return text.first == "-" ? -size : size
    }

    private static func areDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
