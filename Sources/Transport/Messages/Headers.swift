package import Diagnostics

/// Header lines in their order; names compare without case and may repeat.
package struct Headers: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case plain(String)
        case secret(prefix: String, Secret)
    }

    struct Field: Hashable, Sendable {
        var name: String
        var value: Value
    }

    private(set) var fields: [Field] = []

    /// No headers.
    package init() {}

    /// Headers as a server sent them, one `Name: value` a line; what has no colon is skipped.
    package init(received lines: [String]) {
        lines.forEach { receive(line: Array($0.utf8)) }
    }

    /// Adds a line; refuses anything that would break out of it, and names that need a secret.
    package mutating func append(_ name: String, _ value: String) throws(HeaderError) {
        try Self.check(name: name)
        guard !isSecretName(name) else { throw .needsSecret(name) }
        try Self.check(value: value, of: name)
        fields.append(Field(name: name, value: .plain(value)))
    }

    /// Adds a line whose value is a secret, after a prefix such as `Bearer `. It is dropped when a redirect
    /// leaves the origin.
    package mutating func append(_ name: String, prefix: String = "", _ secret: Secret) throws(HeaderError) {
        try Self.check(name: name)
        try Self.check(value: prefix + secret.text, of: name)
        fields.append(Field(name: name, value: .secret(prefix: prefix, secret)))
    }

    /// Removes every line of this name.
    package mutating func remove(_ name: String) {
        fields.removeAll { isEqual($0.name, name) }
    }

    /// The first value of this name; `<redacted>` when it is a secret.
    package subscript(_ name: String) -> String? {
        values(for: name).first
    }

    /// All values of this name, in order.
    package func values(for name: String) -> [String] {
        fields.filter { isEqual($0.name, name) }.map(\.shown)
    }

    /// Names and values in order, secrets masked.
    package var pairs: [(name: String, value: String)] {
        fields.map { ($0.name, $0.shown) }
    }

    var secrets: [Secret] {
        fields.compactMap { if case .secret(_, let secret) = $0.value { secret } else { nil } }
    }

    /// Puts the fields of the other in the place of those with the same names.
    mutating func add(_ other: Headers) {
        other.fields.forEach { remove($0.name) }
        fields += other.fields
    }

    mutating func removeSecrets() {
        fields.removeAll { if case .secret = $0.value { true } else { false } }
    }

    private static func check(name: String) throws(HeaderError) {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else { throw .name(name) }
        let reserved = [
            "host", "content-length", "transfer-encoding", "connection", "expect", "te", "upgrade",
        ]
        guard !reserved.contains(name.lowercased()) else { throw .reserved(name) }
    }

    private static func check(value: String, of name: String) throws(HeaderError) {
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            throw .value(name: name)
        }
    }
}

extension Headers {
    /// Takes one line as it came from the server; a line that begins with white space continues the last.
    mutating func receive(line: some BidirectionalCollection<UInt8>) {
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            continueLast(trimmed(line[...]))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let value = trimmed(line[line.index(after: colon)...])
            fields.append(
                Field(name: String(decoding: line[..<colon], as: UTF8.self), value: .plain(value)))
        }
    }

    private mutating func continueLast(_ text: String) {
        guard let last = fields.indices.last, case .plain(let begun) = fields[last].value else { return }
        fields[last].value = .plain("\(begun) \(text)")
    }
}

extension Headers.Field {
    var shown: String {
        switch value {
        case .plain(let text): text
        case .secret(let prefix, let secret): "\(prefix)\(secret)"
        }
    }

    /// The line as libcurl wants it: a semicolon instead of the colon says that the value is empty.
    var wireLine: String {
        switch value {
        case .plain(""): "\(name);"
        case .plain(let text): "\(name): \(text)"
        case .secret(let prefix, let secret): "\(name): \(prefix)\(secret.text)"
        }
    }
}

private func isEqual(_ first: String, _ second: String) -> Bool {
    first.lowercased() == second.lowercased()
}

private func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    let rest = bytes.drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(decoding: rest[...last], as: UTF8.self)
}

private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
}

private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

/// Why a header cannot be sent.
package enum HeaderError: Error, Hashable, Sendable {
    /// The name is empty or has a byte that RFC 9110 §5.1 does not allow.
    case name(String)
    /// The value of this header has a line break, NUL or another control character.
    case value(name: String)
    /// The header is written by the client itself, for it frames the message.
    case reserved(String)
    /// The header usually holds a credential, which only a `Secret` may bring.
    case needsSecret(String)
}

extension HeaderError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .name(let name):
            .error(
                "transport.header", "Header name '\(printable(name))' is not a token",
                hints: ["use letters, digits and hyphens"])
        case .value(let name):
            .error(
                "transport.header", "Value of header '\(name)' holds a control character",
                hints: ["remove line breaks from the value"])
        case .reserved(let name):
            .error(
                "transport.header", "Header '\(name)' is set by the client itself", hints: ["leave it out"])
        case .needsSecret(let name):
            .error(
                "transport.header", "Header '\(name)' can only be set from a secret",
                hints: ["wrap the value in a Secret"])
        }
    }
}
