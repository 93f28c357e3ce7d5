/// Takes secrets out of a text that a person will read.
///
/// Masked are: every registered secret in each form that `SecretSearch` finds; the values of query
/// parameters and JSON members with revealing names; what follows `Bearer `; and the user information of URLs.
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
    package func masked(_ text: String) -> String { masked(Array(text.utf8), first: .max) }

    /// The first so many bytes as text, masked: a secret that goes over their end leaves no part of it.
    package func masked(_ bytes: [UInt8], first most: Int) -> String {
        let search = SecretSearch(secrets)
        let reached = most < bytes.count ? Array(bytes.prefix(most + search.reach)) : bytes
        let text = replace(
            search.ranges(in: reached), of: reached[..<min(most, reached.count)], by: Secret.mask)
        var scanner = SecretMasker(text)
        return String(decoding: scanner.masked(), as: UTF8.self)
    }

    /// The bytes with the mask in the place of each registered secret.
    func replaced(in bytes: [UInt8], with mask: String) -> [UInt8] {
        replace(SecretSearch(secrets).ranges(in: bytes), of: bytes[...], by: mask)
    }

    /// The body of a response with the mask in the place of each registered secret: a service that repeats the token, as
    /// the title of an issue say, must not make it be stored. Very short secrets stay, as masking them would change
    /// what they are part of.
    package func masked(body: [UInt8]) -> [UInt8] {
        let search = SecretSearch(secrets, least: Self.leastInBodies)
        return replace(search.ranges(in: body), of: body[...], by: Secret.mask)
    }

    private static let leastInBodies = 6

    /// Whether the bytes hold a registered secret in one of its forms.
    func finds(in bytes: [UInt8]) -> Bool { !SecretSearch(secrets).ranges(in: bytes).isEmpty }

    private func replace(_ ranges: [Range<Int>], of bytes: ArraySlice<UInt8>, by mask: String) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        for range in ranges where range.lowerBound < bytes.endIndex {
            result += bytes[index..<range.lowerBound]
            result += mask.utf8
            index = min(range.upperBound, bytes.endIndex)
        }
        return result + bytes[index...]
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
