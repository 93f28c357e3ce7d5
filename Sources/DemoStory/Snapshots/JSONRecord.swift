/// An object of JSON on one line; its keys stand in the order in which they were added.
struct JSONRecord {
    private var fields: [String] = []

    /// Adds a number; nothing when it is nil.
    mutating func add(_ key: String, _ number: Int?) {
        guard let number else { return }
        addRaw(key, String(number))
    }

    /// Adds a text; nothing when it is nil.
    mutating func add(_ key: String, _ text: String?) {
        guard let text else { return }
        addRaw(key, jsonText(text))
    }

    /// Adds something that is JSON already.
    mutating func addRaw(_ key: String, _ json: String) {
        fields.append(jsonText(key) + ":" + json)
    }

    /// The object.
    var text: String { "{" + fields.joined(separator: ",") + "}" }
}

/// A list with one record a line; the closing bracket is at the indentation.
func jsonList(_ records: [String], indentation: Int) -> String {
    guard !records.isEmpty else { return "[]" }
    let outer = String(repeating: " ", count: indentation)
    let lines = records.map { outer + "  " + $0 }
    return "[\n" + lines.joined(separator: ",\n") + "\n" + outer + "]"
}

/// The text as a string of JSON (RFC 8259 §7); signs that turn the direction of writing are escaped too, so
/// that a file shows what it holds.
func jsonText(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": json += "\\\""
        case "\\": json += "\\\\"
        case "\n": json += "\\n"
        case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{200E}"..."\u{200F}", "\u{2028}"..."\u{202E}",
            "\u{2066}"..."\u{2069}":
            let digits = String(scalar.value, radix: 16)
            json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: json.unicodeScalars.append(scalar)
        }
    }
    return json + "\""
}
