import Files

/// Masks what is known as a secret by what is before it; one pass over the bytes of a text.
struct SecretMasker {
    /// What is masked and how.
    struct Rules {
        /// What takes the place of a secret.
        var mask = Secret.mask
        /// Whether only members that are texts are masked, so that JSON stays JSON.
        var textsOnly = false
        /// Whether a parameter or form field of this name holds a secret.
        var isSecretParameter: (String) -> Bool = isSecretName
        /// Whether a JSON member of this name holds a secret.
        var isSecretMember: (String) -> Bool = isSecretName
    }

    private let bytes: [UInt8]
    private let rules: Rules
    private var index = 0
    private var result: [UInt8] = []

    init(_ bytes: [UInt8], _ rules: Rules = Rules()) {
        self.bytes = bytes
        self.rules = rules
    }

    mutating func masked() -> [UInt8] {
        maskParameter(at: 0)
        while index < bytes.count {
            let byte = bytes[index]
            result.append(byte)
            index += 1
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: " "),
                UInt8(ascii: "\n"):
                maskParameter(at: index)
            case UInt8(ascii: "6") where bytes[..<index].suffix(6).elementsEqual("\\u0026".utf8):
                maskParameter(at: index)
            case UInt8(ascii: "\""): maskMember()
            case UInt8(ascii: "/"): maskUserInformation()
            case UInt8(ascii: "r"), UInt8(ascii: "R"): maskBearer()
            default: break
            }
        }
        return result
    }

    /// `name=value`, the value up to the end of the parameter.
    private mutating func maskParameter(at start: Int) {
        guard let end = bytes[start...].prefix(128).firstIndex(where: { !isNameByte($0) }),
            bytes[end] == UInt8(ascii: "="), end > start,
            rules.isSecretParameter(decoded(bytes[start..<end]))
        else { return }
        mask(from: end + 1) { !isValueEnd($0) }
    }

    /// `"name": "value"`; the opening quotation mark has been read.
    private mutating func maskMember() {
        guard let end = bytes[index...].prefix(128).firstIndex(of: UInt8(ascii: "\"")),
            rules.isSecretMember(decoded(bytes[index..<end]))
        else { return }
        var start = end + 1
        while start < bytes.count, bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: ":") {
            start += 1
        }
        guard start > end + 1, start < bytes.count else { return }
        guard bytes[start] == UInt8(ascii: "\"") else {
            if !rules.textsOnly {
                mask(from: start) { ![UInt8(ascii: ","), UInt8(ascii: "}")].contains($0) }
            }
            return
        }
        var isEscaped = false
        mask(from: start + 1) { byte in
            defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
            return isEscaped || byte != UInt8(ascii: "\"")
        }
    }

    /// `//user:password@host`; the slashes have been read.
    private mutating func maskUserInformation() {
        guard index >= 2, bytes[index - 2] == UInt8(ascii: "/") else { return }
        let authority = bytes[index...].prefix {
            !isValueEnd($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return }
        result += rules.mask.utf8
        index = at
    }

    /// `Bearer value`; the last letter of the word has been read.
    private mutating func maskBearer() {
        let word = Array("bearer".utf8)
        guard index >= word.count, index < bytes.count, bytes[index] == UInt8(ascii: " "),
            zip(bytes[(index - word.count)..<index], word).allSatisfy({ $0 | 0x20 == $1 })
        else { return }
        mask(from: index + 1) { !isValueEnd($0) }
    }

    private mutating func mask(from start: Int, while isValue: (UInt8) -> Bool) {
        let value = bytes[start...].prefix(while: isValue)
        guard !value.isEmpty else { return }
        result += bytes[index..<start]
        result += rules.mask.utf8
        index = value.endIndex
    }

    private func decoded(_ name: ArraySlice<UInt8>) -> String {
        percentDecoded(name)
    }
}

private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-_.%[]".utf8.contains(byte)
    }
}

private func isValueEnd(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "&#\"'<>)".utf8.contains(byte)
}
