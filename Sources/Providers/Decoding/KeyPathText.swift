/// A coding path as people write it: `groups[3].totals["sum(session)"]`.
func keyPathText(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
        if let index = key.intValue {
            text += "[\(index)]"
        } else {
            append(key: key.stringValue, to: &text)
        }
    }
}

/// The path with one more key.
func keyPathText(_ path: String, key: String) -> String {
    var text = path
    append(key: key, to: &text)
    return text
}

private func append(key: String, to text: inout String) {
    if isPlain(key) {
        text += text.isEmpty ? key : ".\(key)"
    } else {
        text += "[\(quoted(key, limit: 60))]"
    }
}

private func isPlain(_ key: String) -> Bool {
    guard let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
        return false
    }
    return key.utf8.count <= 60
        && key.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || isDigit($0))
        }
}

private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

/// The text in quotation marks, cut after so many scalars.
func quoted(_ text: String, limit: Int) -> String {
    let scalars = text.unicodeScalars
    let cut =
        scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex)
        ?? scalars.endIndex
    var result = "\""
    for scalar in scalars[..<cut] {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + (cut == scalars.endIndex ? "\"" : "…\"")
}

/// Any key.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String, intValue: Int?) {
        self.stringValue = stringValue
        self.intValue = intValue
    }

    init?(stringValue: String) {
        self.init(stringValue: stringValue, intValue: nil)
    }

    init?(intValue: Int) {
        self.init(stringValue: String(intValue), intValue: intValue)
    }
}
