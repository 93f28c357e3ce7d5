import Diagnostics
import Transport

/// What a service said when it refused something.
struct S3Refusal {
    let status: Int
    /// The service's own word, such as `AccessDenied`; empty when there is none.
    let code: String
    let message: String
    /// Where the bucket is, when the service says so.
    let region: String?
    private let place: String

    init(_ response: Response) {
        let text = String(decoding: response.body.prefix(1 << 16), as: UTF8.self)
        status = response.status
        let plain = { (words: String, most: Int) in
            printable(String(response.redaction.masked(words).prefix(most)))
        }
        code = plain(xmlValues("Code", in: text).first ?? "", 80)
        message = plain(xmlValues("Message", in: text).first ?? "", 200)
        region =
            (response.headers["x-amz-bucket-region"] ?? xmlValues("Region", in: text).first).map {
                plain($0, 40)
            }
        place = response.redaction.masked(response.address.text)
    }

    /// What to tell.
    ///
    /// - Parameters:
    ///   - summary: what could not be done.
    ///   - permission: what the key has to be allowed for it.
    ///   - hint: what to do where the service's word gives no other idea.
    func diagnostic(_ summary: String, permission: String = "", hint: String? = nil) -> Diagnostic {
        let said = [code, message].filter { !$0.isEmpty }.joined(separator: ": ")
        let answer = "status \(status)" + (said.isEmpty ? "" : ", \(said)")
        return .error(
            "publish.refused", summary, details: ["the service returned: \(answer)"], at: .address(place),
            hints: [nextStep(permission) ?? hint ?? "try again later"])
    }

    /// Where the bucket is, when that is why the request was refused.
    var otherRegion: String? {
        guard let region, status == 301 || status == 307 || status == 400 else { return nil }
        let isName = region.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
        }
        return isName && !region.isEmpty ? region : nil
    }

    private func nextStep(_ permission: String) -> String? {
        if let region, status == 301 || status == 307 || code == "AuthorizationHeaderMalformed" {
            return "set 'region: \(region)', where the bucket is"
        }
        switch code {
        case "NoSuchBucket": return "check 'bucket', 'region' and 'endpoint'"
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity", "InvalidToken":
            return "check the access key and its secret"
        case "ExpiredToken", "TokenRefreshRequired": return "get new credentials"
        case "RequestTimeTooSkewed": return "set the clock of this machine"
        case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect":
            return "check 'region' and 'endpoint'"
        case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage":
            return "free some space at the service, and publish again"
        case "NotImplemented": return "set 'conditions: false' if the service has no conditional writes"
        case "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch":
            return "look for a proxy that alters requests, then publish again"
        default: break
        }
        switch status {
        case 401,
            403 where !permission.isEmpty:
            return "allow the key \(permission)"
        case 507: return "free some space at the service, and publish again"
        case 429, 500...: return "try again later; the next publication sends only what is missing"
        default: return nil
        }
    }
}

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
        let isHexadecimal = entity.hasPrefix("#x")
        let digits = entity.dropFirst(isHexadecimal ? 2 : 1)
        // A sign is none of the digits, though Swift reads it.
        guard digits.first?.isHexDigit == true else { return nil }
        let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
        return number.flatMap(Unicode.Scalar.init).map(Character.init)
    }
}
