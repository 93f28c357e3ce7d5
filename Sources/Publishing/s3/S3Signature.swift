import Cryptography
import Files
import Foundation
import Transport

/// The key that requests are signed with.
struct S3Key: Sendable {
    /// The name of the key.
    let id: String
    /// The key itself.
    let secret: Secret
    /// What goes with a key that lasts for a time only.
    let token: Secret?
}

/// AWS Signature Version 4 for S3 (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
///
/// libcurl has a signer of its own. This one is used because it also signs what libcurl 7.88 signs wrongly or not at
/// all (unsorted queries, unescaped paths, the hash of the body), and because a clock that is wrong can be corrected
/// for.
struct S3Signature {
    var key: S3Key
    var region: String
    /// `s3`.
    var service = "s3"

    /// What is signed of a request.
    struct Parts {
        var method: String
        /// The path as it is sent: every byte but `A-Za-z0-9-._~/` as `%XX`.
        var path: String
        /// The query as it is sent: sorted by name, names and values escaped, each with `=`.
        var query: String
        /// Every header that is sent and signed, `host` among them; no value is empty.
        var headers: [(name: String, value: String)]
        /// The SHA-256 of the body in hexadecimal digits.
        var bodyHash: String
    }

    /// The value of the `Authorization` header.
    ///
    /// - Parameter seconds: the instant of the request since 1970, as in its `x-amz-date`.
    func authorization(_ parts: Parts, at seconds: Int) -> String {
        let headers = parts.headers.map { ($0.name.lowercased(), trimmed($0.value)) }.sorted { $0.0 < $1.0 }
        let names = headers.map(\.0).joined(separator: ";")
        let canonical = [
            parts.method, parts.path, parts.query,
            headers.map { "\($0.0):\($0.1)\n" }.joined(), names, parts.bodyHash,
        ].joined(separator: "\n")
        let time = amzDate(seconds)
        let scope = "\(time.prefix(8))/\(region)/\(service)/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(contentHash(Array(canonical.utf8)))"
        let signature = hexadecimal(hmac(text, signingKey(day: String(time.prefix(8)))))
        return
            "AWS4-HMAC-SHA256 Credential=\(key.id)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    }

    private func signingKey(day: String) -> [UInt8] {
        [day, region, service, "aws4_request"].reduce(Array("AWS4".utf8) + key.secret.signingBytes) {
            hmac($1, $0)
        }
    }
}

private func hmac(_ text: String, _ key: [UInt8]) -> [UInt8] {
    authenticationCode(for: text.utf8, key: key)
}

/// Without spaces at its ends, with one in the place of several.
private func trimmed(_ text: String) -> String { text.split(separator: " ").joined(separator: " ") }

/// An instant as `20261120T060000Z`.
func amzDate(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(
        .iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
}
