/// Takes secrets out of what a recording keeps, and leaves it readable for the decoders.
///
/// It is narrower than `Redaction`, which is for prose: a grouping signature, a key of a tag or the token of
/// the next page is data here. It is wider in one thing: what it writes may stand inside a URL.
struct Scrubber {
    /// What takes the place of a secret.
    static let mask = "redacted"

    let redaction: Redaction

    /// The bytes without the request's secrets, and without the values of parameters, form fields and JSON
    /// texts whose names say that they are credentials.
    func scrubbed(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = redaction.replaced(in: bytes, with: Self.mask)
        guard String(validating: bytes, as: UTF8.self) != nil else { return bytes }
        var scanner = SecretMasker(
            bytes,
            .init(
                mask: Self.mask, textsOnly: true, isSecretParameter: isCredentialParameter,
                isSecretMember: isCredential))
        return scanner.masked()
    }

    func scrubbed(_ text: String) -> String {
        String(decoding: scrubbed(Array(text.utf8)), as: UTF8.self)
    }

    /// The headers without those that carry a credential or frame the message that was on the wire.
    func scrubbed(_ headers: Headers) -> [Exchange.Header] {
        let framing = ["content-length", "content-encoding", "transfer-encoding", "connection"]
        return headers.fields.compactMap { field in
            guard case .plain(let value) = field.value, !isSecretName(field.name),
                !framing.contains(field.name.lowercased())
            else { return nil }
            return Exchange.Header(name: field.name, value: scrubbed(value))
        }
    }
}

/// Whether a parameter or form field of this name holds a credential; an assertion is a signed one (RFC 7523).
private func isCredentialParameter(_ name: String) -> Bool {
    name.lowercased() == "assertion" || (isSecretName(name) && !isPaging(name))
}

/// Whether a JSON member of this name holds a credential rather than data.
private func isCredential(_ name: String) -> Bool {
    let name = name.lowercased().replacing("-", with: "_")
    let parts = [
        "secret", "password", "passwd", "credential", "authorization", "cookie", "api_key", "apikey",
        "access_key", "private_key", "auth_key", "assertion",
    ]
    let isToken = name.contains("token") && !isPaging(name)
    return isToken || parts.contains(where: name.contains) || ["auth", "pwd"].contains(name)
}

/// Whether the name is that of a token which leads to another page, and opens nothing.
private func isPaging(_ name: String) -> Bool {
    ["page", "next", "previous", "sync", "cursor", "continuation"].contains(where: name.lowercased().contains)
}
