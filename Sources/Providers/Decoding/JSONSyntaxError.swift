import Foundation

/// What came instead of readable JSON.
package enum JSONSyntaxError: Hashable, Sendable, CustomStringConvertible {
    /// Nothing at all, or only blanks.
    case empty
    /// A web page, such as a proxy's or a login form.
    case html
    /// Bytes that are not UTF-8, from this byte on.
    case notUTF8(at: TextPosition)
    /// The text ends before its last bracket or quote is closed.
    case truncated(at: TextPosition)
    /// More levels of brackets than are read.
    case tooDeep(limit: Int, at: TextPosition)
    /// More keys and values than are read.
    case tooMany(limit: Int, at: TextPosition)
    /// Something that JSON does not admit; `found` is a short excerpt.
    case syntax(found: String, at: TextPosition)
    /// A number that does not fit, at a place that is not known.
    case unreadable

    package var description: String {
        switch self {
        case .empty: "empty response"
        case .html: "an HTML page"
        case .notUTF8(let position): "not UTF-8 at \(position)"
        case .truncated(let position): "unexpected end at \(position)"
        case .tooDeep(let limit, let position): "more than \(limit) nested levels at \(position)"
        case .tooMany(let limit, let position): "more than \(limit) keys and values at \(position)"
        case .syntax(let found, let position): "unexpected \(found) at \(position)"
        case .unreadable: "unreadable value"
        }
    }

    /// Where the fault lies, when it has a place.
    package var position: TextPosition? {
        switch self {
        case .empty, .html, .unreadable: nil
        case .notUTF8(let at), .truncated(let at), .tooDeep(_, let at), .tooMany(_, let at),
            .syntax(_, let at):
            at
        }
    }

    /// What to do about a response that is not what it should be.
    static let hintForServices =
        "check the URL and whether a proxy alters responses; if neither, report an API change"

    func hints(isOfFile: Bool) -> [String] {
        switch self {
        case .html: ["check whether a proxy or login page responded"]
        case .truncated: [isOfFile ? "write the whole file" : "fetch again; it was cut off"]
        case .empty:
            [
                isOfFile
                    ? "check what writes the file"
                    : "fetch again later; if it stays empty, check the service"
            ]
        case .tooMany:
            [isOfFile ? "divide the file, such as into one for each day" : Self.hintForServices]
        case .notUTF8, .tooDeep, .syntax, .unreadable:
            [isOfFile ? "fix the file" : Self.hintForServices]
        }
    }
}

/// A place in a text; line and column count from 1, the column in Unicode scalars.
package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
    /// The line.
    package var line: Int
    /// The column.
    package var column: Int

    /// The place of a byte in UTF-8 text; an offset past the end means the end.
    package init(offset: Int, in bytes: some Collection<UInt8>) {
        line = 1
        column = 1
        for byte in bytes.prefix(max(0, offset)) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }

    /// `3:14`.
    package var description: String { "\(line):\(column)" }
}

/// What is at one place of a JSON text, as far as it takes to name it.
///
/// It is decoded by walking down the path in the decoder's `userInfo`; what lies next to the path is passed over.
enum JSONGlimpse: Decodable, Sendable {
    case null
    case bool(Bool)
    case number(Decimal)
    case text(String)
    case list
    case object(keys: [String])
    /// A text that is not Unicode: with half of a surrogate pair, such as `"\ud800"`, or with bytes that are not UTF-8.
    case brokenText
    /// A number outside every range that can be held, such as `1e400`.
    case unreadable

    /// Looks at the place, or returns nil when there is none or the text is not JSON.
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
        do {
            return .number(try single.decode(Decimal.self))
        } catch DecodingError.typeMismatch {
            return .brokenText
        } catch {
            return .unreadable
        }
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
        case .brokenText: "half of a surrogate pair"
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
