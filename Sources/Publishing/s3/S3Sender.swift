import Diagnostics
import Files
import Synchronization
import Transport

/// Signs every attempt of a request again, for the one origin that the bucket is at, and goes as slowly as the service
/// wishes.
final class S3Sender: Sender {
    private let place: S3Place
    private let makeSender: @Sendable (Origin) -> any Sender
    private let keys: S3KeyRing
    private let pacing: Pacing
    private let gate = RequestGate(most: 8)
    private let state: Mutex<State>

    private struct State: Sendable {
        /// Where the bucket is, as far as is known.
        var home: S3Place.Home
        var base: any Sender
        /// Seconds by which the service's clock is ahead of this one, once the service has refused a time.
        var ahead = 0
    }

    init(
        _ place: S3Place, keys: S3KeyRing, pacing: Pacing,
        sender: @escaping @Sendable (Origin) -> any Sender
    ) {
        (self.place, self.keys, self.pacing, makeSender) = (place, keys, pacing, sender)
        state = Mutex(State(home: place.home, base: sender(place.origin)))
    }

    func send(_ request: Request) async throws(TransportError) -> Response {
        guard request.address.origin == place.origin else {
            throw .foreignOrigin(request.address, home: place.origin, redaction: request.redaction)
        }
        var response = try await attempt(request)
        guard response.status >= 300, response.status != 404, response.status != 412 else { return response }
        let refusal = S3Refusal(response)
        if refusal.code == "RequestTimeTooSkewed", let server = response.serverSeconds {
            state.withLock { $0.ahead = server - pacing.now() }
            return try await attempt(request)
        }
        if let region = refusal.otherRegion, move(to: region) { return try await attempt(request) }
        // The service's way to say that the request came too slowly, which deserves another attempt.
        if refusal.code == "RequestTimeout" { response.status = 408 }
        return response
    }

    private func attempt(_ request: Request) async throws(TransportError) -> Response {
        let base = state.withLock { $0.base }
        let request = try signed(request)
        await gate.enter()
        do throws(TransportError) {
            let response = try await base.send(request)
            gate.leave(isTooFast: response.status == 503 || response.status == 429)
            return response
        } catch {
            gate.leave(isTooFast: false)
            throw error
        }
    }

    /// Takes note of where the service says that the bucket is; false when it was known.
    private func move(to region: String) -> Bool {
        let now = state.withLock { $0.home }
        guard region != now.region, let home = place.home(in: region) else { return false }
        let base = makeSender(home.origin)
        state.withLock { ($0.home, $0.base) = (home, base) }
        return true
    }

    private func signed(_ request: Request) throws(TransportError) -> Request {
        var request = request
        let (home, ahead) = state.withLock { ($0.home, $0.ahead) }
        guard let address = try? place.moved(request.address, to: home) else {
            throw TransportError(.failed, request.address, doing: "signing the request")
        }
        request.address = address
        guard let key = keys.current else {
            throw TransportError(.failed, request.address, doing: "signing the request", "there is no key")
        }
        let seconds = pacing.now() + ahead
        let hash = request.bodyFile?.sha256 ?? contentHash(request.body)
        do throws(HeaderError) {
            try request.headers.append("x-amz-content-sha256", concealed(hash))
            try request.headers.append("x-amz-date", concealed(amzDate(seconds)))
            if let token = key.token { try request.headers.append("x-amz-security-token", token) }
            let parts = S3Signature.Parts(
                method: request.method.rawValue, path: request.address.path,
                query: request.address.query ?? "", headers: signedHeaders(request, hash, seconds, key.token),
                bodyHash: hash)
            let line = S3Signature(key: key, region: home.region).authorization(parts, at: seconds)
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
