import Diagnostics

/// A key that is twice in one object, or that no reader knows.
struct UnexpectedKey: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Twice in one object; the first one counts.
        case repeated
        /// Not read; perhaps the nearest known key was meant.
        case unknown(nearest: String?)
    }

    /// How many different ones are reported of.
    static let most = 20

    var kind: Kind
    var name: String
    /// The byte at which the first one begins.
    var offset: Int
    /// In how many places it was met.
    var times = 1

    /// What to report; `document` is where the bytes came from.
    func warning(document: String, bytes: [UInt8]) -> Diagnostic {
        let position = TextPosition(offset: offset, in: bytes)
        let place = Location.file(path: document, line: position.line, column: position.column)
        let often = times == 1 ? "" : " (\(times)×)"
        let key = quoted(name, limit: 60)
        switch kind {
        case .repeated:
            return .warning(
                "decoding.repeated-key",
                "Duplicate key \(key)\(often); first value used",
                at: place, hints: ["remove one of them"])
        case .unknown(let nearest):
            return .warning(
                "decoding.unknown-key", "Unknown key \(key) ignored\(often)", at: place,
                hints: nearest.map { ["did you mean '\($0)'?"] } ?? [])
        }
    }
}

/// Finds the keys of a scanned text that stand twice or that a type does not read.
struct UnexpectedKeySearch {
    private let tape: JSONTape
    private var odd: [UnexpectedKey] = []

    private init(_ tape: JSONTape) {
        self.tape = tape
    }

    /// The odd keys in their order; each is reported of once, with its number.
    static func keys(in tape: JSONTape, shape: KeyShape) -> [UnexpectedKey] {
        var search = UnexpectedKeySearch(tape)
        search.visit(0, shape)
        return search.odd
    }

    /// The scan admits only so many levels.
    private mutating func visit(_ index: Int, _ shape: KeyShape) {
        switch tape.tokens[index].kind {
        case .list:
            let element = shape.element
            var child = index + 1
            while child < Int(tape.tokens[index].next) {
                visit(child, element)
                child = Int(tape.tokens[child].next)
            }
        case .object: visit(membersOf: index, shape)
        case .null, .yes, .no, .number, .text: break
        }
    }

    private mutating func visit(membersOf object: Int, _ shape: KeyShape) {
        // So few are compared one by one, which is quicker than to hash them.
        let areMany = tape.tokens[object].count > 24
        var seen: Set<ArraySlice<UInt8>> = []
        var key = object + 1
        while key < Int(tape.tokens[object].next) {
            let bytes = tape.bytes[tape.tokens[key].range]
            let isNew = areMany ? seen.insert(bytes).inserted : isFirst(key, of: object)
            visit(key + 1, note(key, isNew, shape))
            key = Int(tape.tokens[key + 1].next)
        }
    }

    private func isFirst(_ key: Int, of object: Int) -> Bool {
        let range = tape.tokens[key].range
        var other = object + 1
        while other < key {
            let start = Int(tape.tokens[other].start)
            let isSame =
                tape.tokens[other].range.count == range.count
                && range.indices.allSatisfy { tape.bytes[$0] == tape.bytes[start + $0 - range.lowerBound] }
            if isSame { return false }
            other = Int(tape.tokens[other + 1].next)
        }
        return true
    }

    /// Takes note of an odd key; returns the shape of its value.
    private mutating func note(_ key: Int, _ isNew: Bool, _ shape: KeyShape) -> KeyShape {
        var inner = KeyShape.any
        if case .object(let known) = shape {
            let name = name(key)
            if let shape = known[name] {
                inner = shape
            } else if isNew, !countAgain(name, isRepeated: false) {
                // The nearest name is costly and is looked for once.
                add(.unknown(nearest: nearestName(to: String(name.prefix(60)), among: known.keys)), key)
            }
        }
        if !isNew, !countAgain(name(key), isRepeated: true) { add(.repeated, key) }
        return inner
    }

    private mutating func add(_ kind: UnexpectedKey.Kind, _ key: Int) {
        odd.append(UnexpectedKey(kind: kind, name: name(key), offset: Int(tape.tokens[key].start) - 1))
    }

    /// Counts a key that was met before; true also when no more are reported of.
    private mutating func countAgain(_ name: String, isRepeated: Bool) -> Bool {
        guard
            let index = odd.firstIndex(where: { ($0.kind == .repeated) == isRepeated && $0.name == name })
        else { return odd.count == UnexpectedKey.most }
        odd[index].times += 1
        return true
    }

    private func name(_ key: Int) -> String {
        String(decoding: tape.bytes[tape.tokens[key].range], as: UTF8.self)
    }
}

/// The keys that a type reads, level by level.
indirect enum KeyShape: Equatable, Sendable {
    /// Nothing is known of this value, or it has no keys.
    case any
    /// A list of such values.
    case list(KeyShape)
    /// An object with these keys.
    case object([String: KeyShape])

    /// The keys that the type reads from a decoder: found by letting it decode from a decoder that has
    /// everything, so that no second list of keys can fall behind the first.
    init(of type: (some Decodable).Type) {
        let probe = KeyProbe()
        // A type that refuses the sample values has still reported the keys that it requested until then.
        _ = try? type.init(from: probe)
        self = probe.node.shape
    }

    /// The shape of the elements of a list.
    var element: KeyShape {
        if case .list(let element) = self { element } else { .any }
    }

    /// The shape of a member of an object.
    subscript(key: String) -> KeyShape {
        if case .object(let members) = self { members[key] ?? .any } else { .any }
    }
}
