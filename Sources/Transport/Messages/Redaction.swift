import Platform

/// Takes secrets out of a text that a person will read.
///
/// Masked are: every registered secret, as it is, percent-encoded, in base64, or escaped as in JSON;
/// the values of query parameters and JSON members with revealing names; what follows `Bearer `; and the user
/// information of URLs.
package struct Redaction: Hashable, Sendable {
    private var secrets: Set<Secret>

    /// A redaction that knows these secrets by value; the revealing names are known to every redaction.
    package init(_ secrets: some Sequence<Secret> = []) {
        self.secrets = Set(secrets)
    }

    /// A redaction that knows the secrets of both.
    package func union(_ other: Redaction) -> Redaction {
        Redaction(secrets.union(other.secrets))
    }

    /// The text with `<redacted>` in the place of each secret.
    package func masked(_ text: String) -> String {
        var scanner = SecretMasker(replaced(in: Array(text.utf8), with: Secret.mask))
        return String(decoding: scanner.masked(), as: UTF8.self)
    }

    /// The bytes with the mask in the place of each registered secret.
    func replaced(in bytes: [UInt8], with mask: String) -> [UInt8] {
        needles.reduce(bytes) { replace($1, in: $0, with: mask) }
    }

    /// The body of a response with the mask in the place of each registered secret: a service that repeats the token, as
    /// the title of an issue say, must not make it be stored. Very short secrets stay, as masking them would change
    /// what they are part of.
    package func masked(body: [UInt8]) -> [UInt8] {
        let present = needles.filter { $0.count >= Self.leastInBodies && isPart($0, of: body) }
        return present.reduce(body) { replace($1, in: $0, with: Secret.mask) }
    }

    private static let leastInBodies = 6

    /// Goes from one occurrence of the first byte to the next.
    private func isPart(_ needle: [UInt8], of bytes: [UInt8]) -> Bool {
        guard let first = needle.first, bytes.count >= needle.count else { return false }
        return unsafe bytes.withUnsafeBytes { bytes in
            guard var place = bytes.baseAddress else { return false }
            var left = bytes.count - needle.count + 1
            while left > 0, let found = unsafe memchr(place, Int32(first), left) {
                if unsafe memcmp(found, needle, needle.count) == 0 { return true }
                let next = unsafe UnsafeRawPointer(found) + 1
                unsafe left -= place.distance(to: next)
                unsafe place = unsafe next
            }
            return false
        }
    }

    /// Whether the bytes hold a registered secret in one of its forms.
    func finds(in bytes: [UInt8]) -> Bool {
        needles.contains { needle in
            guard let first = needle.first, bytes.count >= needle.count else { return false }
            return (0...(bytes.count - needle.count)).contains { start in
                bytes[start] == first && bytes[start...].starts(with: needle)
            }
        }
    }

    // The longest go first, so that a secret that contains another does not leave its rest behind.
    private var needles: [[UInt8]] {
        var forms: Set<[UInt8]> = []
        for secret in secrets {
            forms.insert(Array(secret.text.utf8))
            forms.insert(Array(percentEncoded(secret.text).utf8))
            // JSON escapes quotation marks and backslashes, and may escape slashes.
            for escaped in [[UInt8(ascii: "/")], "\"\\".utf8.map { $0 }, "/\"\\".utf8.map { $0 }] {
                forms.insert(
                    secret.text.utf8.flatMap { escaped.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] })
            }
            if secret.text.utf8.count >= Self.leastInBase64 {
                let text = base64(Array(secret.text.utf8))
                forms.insert(Array(text.utf8))
                forms.insert(Array(text.replacing("+", with: "-").replacing("/", with: "_").utf8))
            }
        }
        return forms.sorted { ($1.count, $0.first ?? 0) < ($0.count, $1.first ?? 0) }
    }

    /// Shorter ones have forms that are parts of ordinary words.
    private static let leastInBase64 = 6

    // Works on bytes: as characters, a secret followed by a combining mark would not be found.
    private func replace(_ needle: [UInt8], in bytes: [UInt8], with mask: String) -> [UInt8] {
        guard let first = needle.first, bytes.count >= needle.count else { return bytes }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == first, bytes[index...].starts(with: needle) {
                result += mask.utf8
                index += needle.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}

/// Whether a query parameter, form field, JSON member or header of this name usually holds a secret.
func isSecretName(_ name: String) -> Bool {
    // By bytes: it is called for every header of every request.
    let name = Array(name.lowercased().utf8)
    return name.starts(with: serviceHeaders)
        || secretEnds.contains { name.suffix($0.count).elementsEqual($0) }
        || name.indices.contains { start in secretParts.contains { name[start...].starts(with: $0) } }
}

private let secretParts = [
    "token", "secret", "password", "passwd", "signature", "credential", "authorization", "cookie",
].map { Array($0.utf8) }
private let secretEnds = ["key", "auth", "sig", "pwd"].map { Array($0.utf8) }
private let serviceHeaders = Array("x-amz-".utf8)

/// A token or password that prints as `<redacted>`, however it is printed.
package struct Secret: Hashable, Sendable {
    /// What takes the place of a secret in every text.
    package static let mask = "<redacted>"

    let text: String

    /// The secret without white space at its ends (a file's last line break, say); nil when nothing is left
    /// or when a control character is inside, which no header could carry.
    package init?(_ text: String) {
        let blank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        let scalars = text.unicodeScalars.drop(while: blank)
        guard let last = scalars.lastIndex(where: { !blank($0) }) else { return nil }
        let kept = scalars[...last]
        guard kept.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { return nil }
        self.text = String(String.UnicodeScalarView(kept))
    }

    /// The secret itself, for what is made from it and does not show it, such as a signature.
    package var signingBytes: [UInt8] { Array(text.utf8) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    package var description: String { Self.mask }
    /// Always `<redacted>`.
    package var debugDescription: String { Self.mask }
    /// Shows no part of the secret to `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Base64 (RFC 4648) without its padding, and without the last character when it depends on what follows.
private func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    var (buffer, bits) = (UInt32(0), 0)
    for byte in bytes {
        buffer = buffer << 8 | UInt32(byte)
        bits += 8
        while bits >= 6 {
            bits -= 6
            result.append(letters[Int(buffer >> UInt32(bits)) & 63])
        }
        buffer &= (1 << UInt32(bits)) - 1
    }
    return String(decoding: result, as: UTF8.self)
}
