import Foundation
package import LoopbackServer
import Synchronization

/// Exchanges assertions as Google does: it looks at the form, the signature and every claim.
package final class StubTokenServer: Sendable {
    private let clock: @Sendable () -> Int
    private let lifetime: Int
    private let given = Mutex<[String]>([])
    private let asked = Mutex(0)

    package init(lifetime: Int = 3599, clock: @escaping @Sendable () -> Int) {
        self.lifetime = lifetime
        self.clock = clock
    }

    /// The tokens that were given, in order.
    package var tokens: [String] { given.withLock { $0 } }
    /// How often it was called.
    package var exchanges: Int { asked.withLock { $0 } }

    /// Whether a request carries a token that was given.
    package func admits(_ request: RecordedRequest) -> Bool {
        tokens.contains { request.header("Authorization") == "Bearer \($0)" }
    }

    /// Handles a request for a token; `address` is its own.
    package func answer(_ request: RecordedRequest, address: String) -> StubResponse {
        asked.withLock { $0 += 1 }
        if let fault = fault(in: request, address: address) {
            return .json(
                #"{"error":"\#(fault.0)","error_description":"\#(fault.1)"}"#, status: 400,
                headers: [("Date", httpDate(clock()))])
        }
        let token = given.withLock { tokens in
            tokens.append("ya29.stub-\(tokens.count + 1)")
            return tokens[tokens.count - 1]
        }
        return .json(#"{"access_token":"\#(token)","expires_in":\#(lifetime),"token_type":"Bearer"}"#)
    }

    private func fault(in request: RecordedRequest, address: String) -> (String, String)? {
        let form = URLComponents(string: "?\(request.text)")?.queryItems ?? []
        let field = { (name: String) in form.first { $0.name == name }?.value }
        guard request.method == "POST", field("grant_type") == "urn:ietf:params:oauth:grant-type:jwt-bearer"
        else { return ("unsupported_grant_type", "Invalid grant_type") }
        guard let claims = claims(in: field("assertion") ?? "") else {
            return ("invalid_grant", "Invalid JWT Signature.")
        }
        guard claims["iss"] as? String == StubAccount.shared.email else {
            return ("invalid_grant", "Invalid issuer")
        }
        guard claims["aud"] as? String == address else { return ("invalid_grant", "Invalid audience") }
        guard let scope = claims["scope"] as? String, scope.hasPrefix("https://www.googleapis.com/auth/")
        else {
            return ("invalid_scope", "Bad scope")
        }
        guard let from = claims["iat"] as? Int, let until = claims["exp"] as? Int, until <= from + 3600,
            abs(from - clock()) <= 300, until > clock()
        else {
            return (
                "invalid_grant",
                "Invalid JWT: Token must be a short-lived token and in a reasonable timeframe."
            )
        }
        return nil
    }

    /// The claims of an assertion whose header and signature are right.
    private func claims(in assertion: String) -> [String: Any]? {
        let parts = assertion.components(separatedBy: ".")
        guard parts.count == 3, !assertion.contains("="), let header = object(parts[0]),
            header["alg"] as? String == "RS256", header["typ"] as? String == "JWT",
            header["kid"] as? String == StubAccount.shared.keyID, let signature = decoded(parts[2]),
            StubAccount.shared.signed("\(parts[0]).\(parts[1])", signature: signature)
        else { return nil }
        return object(parts[1])
    }
}

private func object(_ part: String) -> [String: Any]? {
    decoded(part).flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
}

private func decoded(_ part: String) -> Data? {
    let plain = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
}

/// The instant as HTTP writes it.
package func httpDate(_ seconds: Int) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
}
