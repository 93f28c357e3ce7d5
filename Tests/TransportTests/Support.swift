import LoopbackServer

@testable import Transport

extension Client {
    /// A client as the tests want it: direct, whatever proxy the environment names.
    static func make(_ change: (inout Options) -> Void = { _ in }) -> Client {
        var options = Options(version: "1.2.3")
        options.usesProxy = false
        change(&options)
        return Client(options)
    }
}

extension Request {
    static func make(
        _ text: String, _ method: Method = .get, body: String = "",
        _ change: (inout Limits) -> Void = { _ in }
    ) throws -> Request {
        var limits = Limits()
        limits.totalMilliseconds = 300_000
        (limits.connectMilliseconds, limits.slowSeconds) = (300_000, 300)
        change(&limits)
        return Request(method, try Address(text), body: Array(body.utf8), limits: limits)
    }

    func with(_ name: String, _ value: String) throws -> Request {
        var copy = self
        try copy.headers.append(name, value)
        return copy
    }

    func with(_ name: String, _ secret: Secret) throws -> Request {
        var copy = self
        try copy.headers.append(name, secret)
        return copy
    }
}

/// The error of a request that must fail; nil when it did not.
func failure(of request: Request, by sender: some Sender) async -> TransportError? {
    do throws(TransportError) {
        _ = try await sender.send(request)
        return nil
    } catch {
        return error
    }
}

/// A secret with the bytes that its masked forms differ in.
func secret(_ text: String = "s3cr3t/t0ken+value") throws -> Secret {
    guard let secret = Secret(text) else { throw NoSecret() }
    return secret
}

struct NoSecret: Error {}
