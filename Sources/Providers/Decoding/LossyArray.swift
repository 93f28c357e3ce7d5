/// A list of which one bad element costs that element only; what is lost goes to the log of the answer.
struct LossyArray<Element: Decodable & Sendable>: Decodable, Sendable {
    /// One good element with its place in the list as it came.
    struct Item: Sendable {
        var index: Int
        var value: Element
    }

    /// The good elements in their order.
    var items: [Item]

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        items = []
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                items.append(Item(index: index, value: try container.decode(Element.self)))
            } catch {
                let place = try container.decode(Passed.self).place
                decoder.losses?.add(.element(error as? DecodingError ?? Self.mismatch(at: place)))
            }
            guard container.currentIndex > index else { break }
        }
    }

    /// The good elements alone.
    var values: [Element] { items.map(\.value) }

    private static func mismatch(at path: [any CodingKey]) -> DecodingError {
        .mismatch(Expectation.words(for: Element.self), at: path)
    }
}

/// An element that is passed over, whatever it is: a list stands still at one that could not be decoded.
private struct Passed: Decodable {
    var place: [any CodingKey]

    init(from decoder: any Decoder) {
        place = decoder.codingPath
    }
}
