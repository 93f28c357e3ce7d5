import Foundation
package import Transport

/// Exchanges a signed assertion for an access token.
struct AssertionExchange: Sendable {
    let key: ServiceAccountKey
    let scopes: [String]
    let sender: any Sender

    /// The longest that Google admits, in seconds.
    static let assertionLifetime = 3600

    func token(at now: Int) async throws(TokenError) -> AccessToken {
        let response: Response
        let request = try request(at: now)
        do throws(TransportError) {
            response = try await sender.send(request)
        } catch {
            throw .transport(error)
        }
        guard response.status == 200 else { throw refusal(response, at: now) }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body)),
            answer.type.map({ $0.lowercased() == "bearer" }) ?? true, let secret = Secret(answer.token)
        else { throw .unreadable(address: key.tokenAddress.description) }
        return AccessToken(secret, issuedAt: now, lifetime: answer.lifetime ?? 300)
    }

    private func request(at now: Int) throws(TokenError) -> Request {
        do {
            let assertion = try key.signer.text([
                "iss": .text(key.email), "scope": .text(scopes.joined(separator: " ")),
                "aud": .text(key.tokenAddress.text), "iat": .number(now),
                "exp": .number(now &+ Self.assertionLifetime),
            ])
            let form = formText([
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion),
            ])
            var request = Request(.post, key.tokenAddress, body: Array(form.utf8))
            request.limits.totalMilliseconds = 20_000
            request.limits.bodyBytes = 1 << 20
            // The credential is in the body: it may go nowhere else.
            request.limits.redirects = 0
            request.isIdempotent = true
            if let secret = Secret(assertion) { request.conceal(secret) }
            try? request.headers.append("Content-Type", "application/x-www-form-urlencoded")
            return request
        } catch {
            throw .signing(error)
        }
    }

    private func refusal(_ response: Response, at now: Int) -> TokenError {
        if let words = try? JSONDecoder().decode(Refusal.self, from: Data(response.body)), words.error != "" {
            return .refused(
                TokenRefusal(
                    status: response.status, code: cut(words.error, 60, response.redaction),
                    text: cut(words.text ?? "", 200, response.redaction), account: key.email,
                    address: key.tokenAddress.description,
                    secondsAhead: response.serverSeconds.map { $0 &- now }))
        }
        do throws(HTTPStatusError) {
            try response.checked()
        } catch {
            return .status(error)
        }
        return .unreadable(address: key.tokenAddress.description)
    }

    private func cut(_ text: String, _ length: Int, _ redaction: Redaction) -> String {
        String(redaction.masked(text).prefix(length))
    }

    private struct Answer: Decodable {
        var token: String
        var lifetime: Int?
        var type: String?

        enum CodingKeys: String, CodingKey {
            case token = "access_token"
            case lifetime = "expires_in"
            case type = "token_type"
        }
    }

    private struct Refusal: Decodable {
        var error: String
        var text: String?

        enum CodingKeys: String, CodingKey {
            case error
            case text = "error_description"
        }
    }
}

/// A token that opens a service for a while.
package struct AccessToken: Hashable, Sendable {
    /// The token.
    package let secret: Secret
    /// When it was requested, in seconds since 1970.
    package let issuedAt: Int
    /// For how many seconds it was promised; never negative.
    package let lifetime: Int

    /// A token with what was promised of it.
    package init(_ secret: Secret, issuedAt: Int, lifetime: Int) {
        self.secret = secret
        self.issuedAt = issuedAt
        self.lifetime = max(0, min(lifetime, 1 << 31))
    }

    /// Whether it may still be used: not in its last minute (or last half, when that is shorter), and not
    /// when the clock was set back by more than five minutes since.
    package func isGood(at now: Int) -> Bool {
        let age = now &- issuedAt
        return age >= -300 && age < lifetime - min(60, lifetime / 2)
    }
}
