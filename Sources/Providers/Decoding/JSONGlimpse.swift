import Foundation

/// What stands at one place of a JSON text, as far as it takes to name it.
///
/// It is decoded by walking down the path in the decoder's `userInfo`; what lies beside the path is passed over.
enum JSONGlimpse: Decodable, Sendable {
    case null
    case bool(Bool)
    case number(Decimal)
    case text(String)
    case list
    case object(keys: [String])
    /// A number outside every range that can be held, such as `1e400`, or a text that is not UTF-8.
    case unreadable

    /// Looks at the place, or answers nil when there is none or the text is not JSON.
    static func at(_ path: [any CodingKey], in bytes: [UInt8]) -> JSONGlimpse? {
        let decoder = JSONDecoder()
        if let key = pathKey {
            decoder.userInfo[key] = path.map {
                AnyKey(stringValue: $0.stringValue, intValue: $0.intValue)
            }
        }
        return try? decoder.decode(JSONGlimpse.self, from: Data(bytes))
    }

    private static let pathKey = CodingUserInfoKey(rawValue: "path")

    init(from decoder: any Decoder) throws {
        let path = Self.pathKey.flatMap { decoder.userInfo[$0] as? [AnyKey] } ?? []
        self = Self.value(of: try path.reduce(decoder, Self.step))
    }

    private static func step(_ decoder: any Decoder, to key: AnyKey) throws -> any Decoder {
        if let index = key.intValue, var list = try? decoder.unkeyedContainer() {
            while list.currentIndex < index { _ = try list.decode(Passed.self) }
            return try list.superDecoder()
        }
        let members = try decoder.container(keyedBy: AnyKey.self)
        guard members.contains(key) else { throw decoder.mismatch("this key") }
        return try members.superDecoder(forKey: key)
    }

    private static func value(of decoder: any Decoder) -> JSONGlimpse {
        if let members = try? decoder.container(keyedBy: AnyKey.self) {
            return .object(keys: members.allKeys.map(\.stringValue).sorted())
        }
        if (try? decoder.unkeyedContainer()) != nil { return .list }
        guard let single = try? decoder.singleValueContainer() else { return .unreadable }
        if single.decodeNil() { return .null }
        if let value = try? single.decode(Bool.self) { return .bool(value) }
        if let value = try? single.decode(String.self) { return .text(value) }
        return (try? single.decode(Decimal.self)).map { .number($0) } ?? .unreadable
    }

    /// The value in a few words: `"12"`, `null`, `an object`.
    var excerpt: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): String("\(value)".prefix(40))
        case .text(let value): quoted(value, limit: 40)
        case .list: "a list"
        case .object: "an object"
        case .unreadable: "a number out of range"
        }
    }

    /// The keys of an object, sorted; empty for any other value.
    var keys: [String] {
        if case .object(let keys) = self { keys } else { [] }
    }
}

/// An element that is of no interest.
private struct Passed: Decodable {
    init(from decoder: any Decoder) {}
}
