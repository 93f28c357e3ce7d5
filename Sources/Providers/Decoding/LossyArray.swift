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
            let attempt = try container.decode(Attempt<Element>.self)
            guard container.currentIndex > index else { break }
            switch attempt {
            case .good(let value): items.append(Item(index: index, value: value))
            case .bad(let error): decoder.losses?.add(.element(error))
            }
        }
    }

    /// The good elements alone.
    var values: [Element] { items.map(\.value) }
}

/// An element, or why it is none; decoding it never fails, so that the list goes on.
private enum Attempt<Element: Decodable>: Decodable {
    case good(Element)
    case bad(DecodingError)

    init(from decoder: any Decoder) {
        do {
            self = .good(try decoder.singleValueContainer().decode(Element.self))
        } catch let error as DecodingError {
            self = .bad(error)
        } catch {
            self = .bad(decoder.mismatch(Expectation.words(for: Element.self)))
        }
    }
}
