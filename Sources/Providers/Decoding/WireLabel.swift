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
