import Foundation

/// What is at one place of a JSON text, as far as it takes to name it.
enum JSONGlimpse: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list
    case object(keys: [String])
    /// A text that is not Unicode: with half of a surrogate pair, such as `"\ud800"`, or with bytes that are not UTF-8.
    case brokenText
    /// A number outside every range that can be held, such as `1e400`.
    case unreadable

    /// The value in a few words: `"12"`, `null`, `an object`.
    var excerpt: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): String(value.prefix(40))
        case .text(let value): quoted(value, limit: 40)
        case .list: "a list"
        case .object: "an object"
        case .brokenText: "half of a surrogate pair"
        case .unreadable: "a number out of range"
        }
    }

    /// The keys of an object, sorted; empty for any other value.
    var keys: [String] {
        if case .object(let keys) = self { keys } else { [] }
    }
}

extension JSONTape {
    /// What is at a place; nil when there is none.
    func glimpse(at path: [any CodingKey]) -> JSONGlimpse? {
        var index = 0
        for key in path {
            guard let next = child(key, of: index) else { return nil }
            index = next
        }
        return glimpse(index)
    }

    private func child(_ key: any CodingKey, of parent: Int) -> Int? {
        switch tokens[parent].kind {
        case .list: key.intValue.flatMap { element($0, of: parent) }
        case .object: member(key.stringValue, of: parent)
        default: nil
        }
    }

    private func element(_ place: Int, of list: Int) -> Int? {
        guard (0..<tokens[list].count).contains(place) else { return nil }
        return (0..<place).reduce(list + 1) { index, _ in Int(tokens[index].next) }
    }

    private func glimpse(_ index: Int) -> JSONGlimpse {
        switch tokens[index].kind {
        case .null: .null
        case .yes: .bool(true)
        case .no: .bool(false)
        case .number: number(index)
        case .text: text(index).map(JSONGlimpse.text) ?? .brokenText
        case .list: .list
        case .object: .object(keys: Set(members(of: index).compactMap { text($0.key) }).sorted())
        }
    }

    /// A number as short as it can be written; what the scan admits and no number is, as it is.
    private func number(_ index: Int) -> JSONGlimpse {
        let range = tokens[index].range
        let text = String(decoding: bytes[range], as: UTF8.self)
        guard isNumber(range) else { return .number(text) }
        return Decimal(string: text).map { .number("\($0)") } ?? .unreadable
    }
}
