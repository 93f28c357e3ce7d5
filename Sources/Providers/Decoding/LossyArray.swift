package import Diagnostics
import Synchronization

/// A list of which one bad element costs that element only; what is lost goes to the log of the response.
struct LossyArray<Element: Decodable & Sendable>: Decodable, Sendable {
    /// One good element with its place in the list as it came.
    struct Item: Sendable {
        var index: Int
        var value: Element
    }

    /// The good elements in their order.
    var items: [Item]
    /// How many elements were skipped.
    private(set) var skipped = 0

    init(from decoder: any Decoder) throws {
        if let value = decoder as? TapeDecoder {
            try self.init(value.list(), of: value)
        } else {
            try self.init(decoder.unkeyedContainer(), of: decoder)
        }
    }

    private init(_ list: some UnkeyedDecodingContainer, of decoder: any Decoder) throws {
        var list = list
        items = []
        items.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            let index = list.currentIndex
            do {
                items.append(Item(index: index, value: try list.decode(Element.self)))
            } catch {
                skipped += 1
                let place = try list.decode(Passed.self).place
                decoder.losses?.add(.element(error as? DecodingError ?? Self.mismatch(at: place)))
            }
            guard list.currentIndex > index else { break }
        }
    }

    /// The good elements alone.
    var values: [Element] { items.map(\.value) }

    private static func mismatch(at path: [any CodingKey]) -> DecodingError {
        .mismatch(Expectation.words(for: Element.self), at: path)
    }
}

/// An element that is passed over, whatever it is: a list is still at one that could not be decoded.
private struct Passed: Decodable {
    var place: [any CodingKey]

    init(from decoder: any Decoder) {
        place = decoder.codingPath
    }
}

/// Collects, while one response is decoded, what was skipped of it and what was cut.
///
/// It rides in the decoder's `userInfo`, so that a list deep inside can report without its owners knowing.
final class LossLog: Sendable {
    /// What one part lost.
    enum Entry: Sendable {
        /// An element was skipped.
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
    var contents: (kept: [Entry], skipped: Int) {
        state.withLock { ($0.kept, $0.count - $0.kept.count) }
    }
}

extension Decoder {
    /// The log of the response that is being decoded, when it keeps one.
    var losses: LossLog? {
        LossLog.key.flatMap { userInfo[$0] as? LossLog }
    }
}

/// What was skipped of one response, for the warnings of the snapshot; the rest of the response is.
///
/// So many are reported in full, the others are counted.
package struct SkippedValues: Sendable {
    /// How many are reported in full for each response.
    static let most = 20

    let provider: String
    let endpoint: String
    private let origin: DecodingFailure.Origin
    private var kept: [Diagnostic] = []
    private var skipped = 0
    /// Whether elements of a list were skipped; a text that was cut is none.
    private(set) var hasLostElements = false

    init(provider: String, endpoint: String, origin: DecodingFailure.Origin = .service) {
        self.provider = provider
        self.endpoint = endpoint
        self.origin = origin
    }

    /// What to report; the count of the others comes last.
    package var warnings: [Diagnostic] {
        guard skipped > 0 else { return kept }
        let more =
            skipped == 1 ? "1 more value" : "\(skipped) more values"
        return kept + [
            .warning(
                "decoding.more", "\(provider): \(more) skipped or cut for similar reasons",
                at: .keyPath(document: endpoint, path: ""))
        ]
    }

    /// Adds a finding, or counts it when there are many already.
    mutating func add(_ warning: @autoclosure () -> Diagnostic) {
        if kept.count < Self.most {
            kept.append(warning())
        } else {
            skipped += 1
        }
    }

    /// Counts findings of which nothing more is known.
    mutating func add(others: Int) { skipped += others }

    /// Adds what is said of an element that was skipped.
    mutating func addElement(_ warning: Diagnostic) {
        hasLostElements = true
        add(warning)
    }

    /// The same with nothing skipped yet.
    var forAnotherPart: SkippedValues {
        SkippedValues(provider: provider, endpoint: endpoint, origin: origin)
    }

    /// Adds what was skipped of another part of the same answer.
    mutating func add(_ other: SkippedValues) {
        for warning in other.kept { add(warning) }
        skipped += other.skipped
        hasLostElements = hasLostElements || other.hasLostElements
    }

    /// Counts what was never described.
    mutating func add(uncounted count: Int) {
        skipped += count
        if count > 0 { hasLostElements = true }
    }

    /// An element that cannot be true, and is skipped for it.
    mutating func refuseElement(_ path: String, expected: String, found: String) {
        refuse(path, expected: expected, found: found)
        hasLostElements = true
    }

    /// A value that has the right type and cannot be true.
    mutating func refuse(_ path: String, expected: String, found: String) {
        let failure = DecodingFailure(
            provider: provider, endpoint: endpoint, path: path,
            problem: .mismatch(expected: expected, found: found), origin: origin)
        add(failure.warning)
    }
}

extension SkippedValues {
    /// A part of a whole; nil with a warning where it is more than that: what it is a part of is known all the same.
    mutating func part(
        _ part: Count?, of whole: Count?, at path: @autoclosure () -> String, _ words: String
    ) -> Int? {
        guard let part, let whole, part.value > whole.value else { return part?.value }
        refuse(
            path(), expected: "at most the \(whole.value) \(words)",
            found: "\(part.value), which counts as unknown")
        return nil
    }

    /// Whether the key was not met before in this list.
    mutating func isFirst<Key: Hashable>(
        _ key: Key, in seen: inout Set<Key>, at path: @autoclosure () -> String, _ words: String
    ) -> Bool {
        if seen.insert(key).inserted { return true }
        refuse(path(), expected: "one entry for \(words)", found: "another one")
        return false
    }

    /// A word that is none of the known ones.
    mutating func refuse(word: String, at path: String, among known: [String]) {
        let nearest = nearestName(to: String(word.prefix(60)), among: known).map {
            "; perhaps \($0) was meant"
        }
        refuse(
            path, expected: "one of \(known.joined(separator: ", "))",
            found: quoted(word, limit: 40) + (nearest ?? ""))
    }

    /// The web address, or nil with a warning when it is none: a page must not link to `javascript:`.
    mutating func webAddress(_ text: String?, at path: String) -> String? {
        guard let text else { return nil }
        if let address = text.asWebAddress { return address }
        refuse(
            path, expected: "an address that begins with https:// or http://",
            found: quoted(text, limit: 40))
        return nil
    }
}
