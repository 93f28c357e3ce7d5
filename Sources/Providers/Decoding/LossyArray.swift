import Synchronization

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

/// Collects, while one answer is decoded, what was left out of it and what was cut.
///
/// It rides in the decoder's `userInfo`, so that a list deep inside can report without its owners knowing.
final class LossLog: Sendable {
    /// What one part lost.
    enum Entry: Sendable {
        /// An element was left out.
        case element(DecodingError)
        /// A text was cut to so many scalars.
        case cut(path: String, limit: Int)
    }

    static let key = CodingUserInfoKey(rawValue: "losses")

    private struct State {
        var kept: [Entry] = []
        var count = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// A log that keeps so many entries and counts the others.
    init(limit: Int) {
        self.limit = limit
    }

    func add(_ entry: Entry) {
        state.withLock { state in
            state.count += 1
            if state.kept.count < limit { state.kept.append(entry) }
        }
    }

    /// What was kept, and how many were not.
    var contents: (kept: [Entry], leftOut: Int) {
        state.withLock { ($0.kept, $0.count - $0.kept.count) }
    }
}

extension Decoder {
    /// The log of the answer that is being decoded, when it keeps one.
    var losses: LossLog? {
        LossLog.key.flatMap { userInfo[$0] as? LossLog }
    }
}
