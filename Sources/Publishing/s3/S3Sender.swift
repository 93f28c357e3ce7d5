import Diagnostics
import Files
import Synchronization
import Transport

/// Signs every attempt of a request again, for the one origin that the bucket is at.
final class S3Sender: Sender {
    private let base: any Sender
    private let home: Origin
    private let region: String
    private let keys: S3KeyRing
    private let pacing: Pacing
    /// Seconds by which the service's clock is ahead of this one, once the service has refused a time.
    private let ahead = Mutex(0)

    init(_ base: any Sender, home: Origin, region: String, keys: S3KeyRing, pacing: Pacing) {
        (self.base, self.home, self.region, self.keys, self.pacing) = (base, home, region, keys, pacing)
    }

    func send(_ request: Request) async throws(TransportError) -> Response {
        guard request.address.origin == home else {
            throw .foreignOrigin(request.address, home: home, redaction: request.redaction)
        }
        var response = try await base.send(try signed(request))
        guard response.status == 400 || response.status == 403 else { return response }
        let code = S3Refusal(response).code
        if code == "RequestTimeTooSkewed", let server = response.serverSeconds {
            ahead.withLock { $0 = server - pacing.now() }
            return try await base.send(try signed(request))
        }
        // The service's way to say that the request came too slowly, which deserves another attempt.
        if code == "RequestTimeout" { response.status = 408 }
        return response
    }

    private func signed(_ request: Request) throws(TransportError) -> Request {
        var request = request
        guard let key = keys.current else {
            throw TransportError(.failed, request.address, doing: "signing the request", "there is no key")
        }
        let seconds = pacing.now() + ahead.withLock { $0 }
        let hash = contentHash(request.body)
        do throws(HeaderError) {
            try request.headers.append("x-amz-content-sha256", concealed(hash))
            try request.headers.append("x-amz-date", concealed(amzDate(seconds)))
            if let token = key.token { try request.headers.append("x-amz-security-token", token) }
            let parts = S3Signature.Parts(
                method: request.method.rawValue, path: request.address.path,
                query: request.address.query ?? "", headers: signedHeaders(request, hash, seconds, key.token),
                bodyHash: hash)
            let line = S3Signature(key: key, region: region).authorization(parts, at: seconds)
            try request.headers.append("Authorization", concealed(line))
        } catch {
            throw TransportError(
                .header, request.address, doing: "signing the request", error.diagnostic.summary,
                redaction: request.redaction)
        }
        return request
    }

    private func signedHeaders(
        _ request: Request, _ hash: String, _ seconds: Int, _ token: Secret?
    ) -> [(name: String, value: String)] {
        let origin = request.address.origin
        let isUsual =
            origin.scheme == .http && origin.port == 80 || origin.scheme == .https && origin.port == 443
        var headers = request.headers.pairs.filter { !$0.name.lowercased().hasPrefix("x-amz-") }
        headers.append(("host", origin.host + (isUsual ? "" : ":\(origin.port)")))
        headers.append(("x-amz-content-sha256", hash))
        headers.append(("x-amz-date", amzDate(seconds)))
        if let token {
            headers.append(("x-amz-security-token", String(decoding: token.signingBytes, as: UTF8.self)))
        }
        return headers
    }

    /// Header names of this service count as secret, so their values have to be.
    private func concealed(_ text: String) throws(HeaderError) -> Secret {
        guard let secret = Secret(text) else { throw .value(name: "x-amz") }
        return secret
    }
}
