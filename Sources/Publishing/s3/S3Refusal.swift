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
        case 429, 500...: return "try again later; the next publication completes it"
        default: return nil
        }
    }
}
