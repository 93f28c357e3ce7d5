/// What names the next page; taken as it is, for a cut one would name another page.
struct PageToken: WireValue, Sampled, Sendable, Hashable {
    static let expected = "the name of the next page, at most 8000 bytes"

    static let sample = PageToken(text: "")

    var text: String

    private init(text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.single(String.self, expected: Self.expected)
        guard text.utf8.count <= 8000 else { throw decoder.mismatch(Self.expected) }
    }
}

/// An answer that is one page of a list.
protocol GooglePage: Decodable, Sendable {
    associatedtype Element: Decodable & Sendable
    /// The key of the list, for key paths.
    static var key: String { get }
    /// The elements; a missing list is an empty one, for empty lists are not sent.
    var elements: LossyArray<Element>? { get }
    /// Missing or empty on the last page.
    var next: PageToken? { get }
}

/// An element of a list with its place in the answer.
struct Placed<Value: Sendable>: Sendable {
    var path: String
    var value: Value
}
