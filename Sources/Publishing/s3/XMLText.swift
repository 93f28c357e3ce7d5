import Diagnostics

/// The texts of the elements of a name, without looking at where they are; enough for the flat documents of this
/// service.
func xmlValues(_ name: String, in text: String) -> [String] {
    var values: [String] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "<\(name)>") {
        rest = rest[start.upperBound...]
        guard let end = rest.firstRange(of: "</\(name)>") else { break }
        values.append(unescaped(rest[..<end.lowerBound]))
        rest = rest[end.upperBound...]
    }
    return values
}

/// A text as it is written in a document of this service.
func xmlText(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
}

/// The most characters of what is escaped, with the marks around it: `&#x10FFFF;`, and some more.
private let mostOfEntity = 12

private func unescaped(_ text: Substring) -> String {
    guard text.contains("&") else { return String(text) }
    var result = ""
    var rest = text
    while let start = rest.firstIndex(of: "&") {
        result += rest[..<start]
        guard let end = rest[start...].prefix(mostOfEntity).firstIndex(of: ";"),
            let character = character(rest[rest.index(after: start)..<end])
        else {
            result += "&"
            rest = rest[rest.index(after: start)...]
            continue
        }
        result.append(character)
        rest = rest[rest.index(after: end)...]
    }
    return result + rest
}

private func character(_ entity: Substring) -> Character? {
    switch entity {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
        guard entity.hasPrefix("#") else { return nil }
        let base = entity.hasPrefix("#x") ? 16 : 10
        let digits = entity.dropFirst(base == 16 ? 2 : 1)
        // A sign is none of the digits, though Swift reads it.
        guard digits.utf8.first.map(isHexadecimal) == true else { return nil }
        let number = UInt32(digits, radix: base)
        return number.flatMap(Unicode.Scalar.init).map(Character.init)
    }
}
