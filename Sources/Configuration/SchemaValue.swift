/// A JSON value whose members keep their order.
enum SchemaValue: Sendable {
    case text(String)
    case number(Int)
    case decimal(Double)
    case flag(Bool)
    case list([SchemaValue])
    case object([(name: String, value: SchemaValue)])

    /// The JSON, indented by two spaces, without a line break at its end.
    func json(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .text(let text): return quoted(text)
        case .number(let number): return String(number)
        case .decimal(let number): return "\(number)"
        case .flag(let flag): return String(flag)
        case .list(let list) where list.allSatisfy(\.isPlain):
            return "[" + list.map { $0.json() }.joined(separator: ", ") + "]"
        case .list(let list):
            return "[\n" + list.map { inner + $0.json(indent: inner) }.joined(separator: ",\n")
                + "\n\(indent)]"
        case .object(let members) where members.isEmpty: return "{}"
        case .object(let members):
            let lines = members.map { "\(inner)\(quoted($0.name)): \($0.value.json(indent: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    private var isPlain: Bool {
        switch self {
        case .text, .number, .decimal, .flag: true
        case .list, .object: false
        }
    }
}

extension SchemaValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(number) }
    init(floatLiteral number: Double) { self = .decimal(number) }
    init(booleanLiteral flag: Bool) { self = .flag(flag) }
    init(arrayLiteral list: SchemaValue...) { self = .list(list) }
    init(dictionaryLiteral members: (String, SchemaValue)...) {
        self = .object(members.map { (name: $0.0, value: $0.1) })
    }

    /// Some words.
    static func words(_ words: [String]) -> SchemaValue { .list(words.map { .text($0) }) }

    /// The object with more members at its end.
    func with(_ more: SchemaValue) -> SchemaValue {
        guard case .object(let members) = self, case .object(let others) = more else { return self }
        return .object(members + others)
    }

    /// The member of an object with this name.
    subscript(name: String) -> SchemaValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}

private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": result += "\\\(scalar)"
        case "\n": result += "\\n"
        case _ where scalar.value < 0x20:
            let hex = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
