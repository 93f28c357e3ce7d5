import Diagnostics
import Files
import Foundation
import Synchronization
import Transport

/// Where a key comes from, and the one that is used now.
final class S3KeyRing: Sendable {
    /// Where a key comes from.
    enum Origin: Sendable {
        /// It lasts.
        case lasting(S3Key)
        /// It is lent for the token in a file, by a role's service.
        case webIdentity(tokenFile: String, role: String, session: String, service: Address)
    }

    private struct State: Sendable {
        var key: S3Key?
        /// Seconds since 1970.
        var endsAt = Int.max
        /// The request for another key that is under way.
        var lending: Task<Result<Void, Diagnostic>, Never>?
    }

    private let origin: Origin
    private let sender: any Sender
    private let pacing: Pacing
    private let state: Mutex<State>

    init(_ origin: Origin, sender: any Sender, pacing: Pacing) {
        (self.origin, self.sender, self.pacing) = (origin, sender, pacing)
        if case .lasting(let key) = origin {
            state = Mutex(State(key: key))
        } else {
            state = Mutex(State(key: nil, endsAt: 0))
        }
    }

    /// The key of now; nil before the first was lent.
    var current: S3Key? { state.withLock { $0.key } }

    /// Sees that there is a key that lasts for some minutes.
    func prepare() async throws(Diagnostic) {
        let least = pacing.now() + 300
        try await lend { $0.endsAt > least }
    }

    /// Has another key lent in the place of one that the service takes no more.
    ///
    /// - Parameter refused: that one; nothing is requested where another is in its place already.
    /// - Returns: false when the key is of a kind that lasts.
    func renew(_ refused: S3Key?) async throws(Diagnostic) -> Bool {
        guard case .webIdentity = origin else { return false }
        try await lend { state in state.key.map { $0.id != refused?.id } ?? false }
        return true
    }

    /// Has another key lent, once for all that wait for one.
    private func lend(unless isGood: (State) -> Bool) async throws(Diagnostic) {
        let task: Task<Result<Void, Diagnostic>, Never>? = state.withLock { state in
            if isGood(state) { return nil }
            if let lending = state.lending { return lending }
            let task = Task { await self.lending() }
            state.lending = task
            return task
        }
        guard let task else { return }
        // All that wait belong to one publication, and are called off together.
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        try result.get()
    }

    private func lending() async -> Result<Void, Diagnostic> {
        do throws(Diagnostic) {
            try await requestKey()
            return .success(())
        } catch {
            state.withLock { $0.lending = nil }
            return .failure(error)
        }
    }

    private func requestKey() async throws(Diagnostic) {
        guard case .webIdentity(let file, let role, let session, let service) = origin else { return }
        let bytes = try readLocalFile(file, limit: 1 << 16)
        guard let token = Secret(String(decoding: bytes, as: UTF8.self)) else {
            throw .error("publish.web-identity", "Web identity token is empty", at: .file(path: file))
        }
        let form = formText([
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
            ("RoleSessionName", session),
            ("WebIdentityToken", String(decoding: token.signingBytes, as: UTF8.self)),
        ])
        var request = Request(.post, service, body: Array(form.utf8))
        request.conceal(token)
        request.isIdempotent = true
        request.limits.redirects = 0
        let answer: Response
        do {
            try request.headers.append("Content-Type", "application/x-www-form-urlencoded")
            answer = try await sender.send(request)
        } catch let error as any DiagnosticConvertible {
            throw error.diagnostic
        } catch {
            throw .error("publish.web-identity", "Role cannot be assumed")
        }
        guard answer.status == 200, let key = S3Key(answer.text) else {
            throw S3Refusal(answer).diagnostic(
                "Cannot assume the role '\(role)'",
                hint: "check AWS_ROLE_ARN, and that the role trusts the issuer of the token")
        }
        let ends = xmlValues("Expiration", in: answer.text).first.flatMap(seconds) ?? pacing.now() + 3600
        state.withLock { $0 = State(key: key, endsAt: ends) }
    }
}

extension S3Key {
    /// The key in the response of a role's service.
    fileprivate init?(_ answer: String) {
        guard let id = xmlValues("AccessKeyId", in: answer).first, !id.isEmpty,
            let secret = xmlValues("SecretAccessKey", in: answer).first.flatMap({ Secret($0) })
        else { return nil }
        self.init(
            id: id, secret: secret, token: xmlValues("SessionToken", in: answer).first.flatMap { Secret($0) })
    }
}

private func seconds(_ text: String) -> Int? {
    (try? Date(text, strategy: .iso8601)).map { Int($0.timeIntervalSince1970) }
}

// MARK: - Where keys are looked for

extension S3KeyRing.Origin {
    /// The key of a target: from its own keys, a file that it names, the environment, a web identity, or the file
    /// that the service's own tools use, in this order.
    static func find(_ setup: TargetSetup, region: String) throws(Diagnostic) -> S3KeyRing.Origin {
        let environment = setup.environment.filter { !$0.value.isEmpty }
        if let id = setup.text("accessKey") {
            guard let secret = setup.secret("secretKey") else {
                throw .usage(
                    "publish.credentials", "Target '\(setup.id)' has an 'accessKey' and no 'secretKey'",
                    hints: ["add 'secretKey: ${NAME}', or 'secretKeyFile: path'"])
            }
            return .lasting(S3Key(id: id, secret: secret, token: setup.secret("sessionToken")))
        }
        let profile = setup.text("profile") ?? environment["AWS_PROFILE"] ?? "default"
        if let file = setup.text("credentials") { return try inFile(file, profile) }
        if let id = environment["AWS_ACCESS_KEY_ID"],
            let secret = environment["AWS_SECRET_ACCESS_KEY"].flatMap({ Secret($0) })
        {
            return .lasting(
                S3Key(
                    id: id, secret: secret, token: environment["AWS_SESSION_TOKEN"].flatMap { Secret($0) }))
        }
        if let file = environment["AWS_WEB_IDENTITY_TOKEN_FILE"], let role = environment["AWS_ROLE_ARN"] {
            let service = environment["AWS_ENDPOINT_URL_STS"] ?? "https://\(awsHost("sts", in: region))/"
            return .webIdentity(
                tokenFile: file, role: role, session: environment["AWS_ROLE_SESSION_NAME"] ?? "plimsoll",
                service: try s3Address(service))
        }
        let usual =
            environment["AWS_SHARED_CREDENTIALS_FILE"] ?? environment["HOME"].map { "\($0)/.aws/credentials" }
        if let usual, fileKind(usual) != .missing { return try inFile(usual, profile) }
        throw .error(
            "publish.credentials", "Target '\(setup.id)' has no credentials",
            hints: [
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                "or add 'accessKey' and 'secretKey: ${NAME}', or 'credentials: path' to the target",
            ])
    }

    private static func inFile(_ file: String, _ profile: String) throws(Diagnostic) -> S3KeyRing.Origin {
        let text = String(decoding: try readLocalFile(file, limit: 1 << 20), as: UTF8.self)
        let values = section(profile, of: text)
        guard let id = values["aws_access_key_id"],
            let secret = values["aws_secret_access_key"].flatMap({ Secret($0) })
        else {
            throw .error(
                "publish.credentials", "No key for the profile '\(profile)'", at: .file(path: file),
                hints: [
                    "write aws_access_key_id and aws_secret_access_key below [\(profile)], or choose another 'profile'"
                ])
        }
        return .lasting(
            S3Key(id: id, secret: secret, token: values["aws_session_token"].flatMap { Secret($0) }))
    }
}

/// The values below a heading of a file of the service's own tools.
private func section(_ name: String, of text: String) -> [String: String] {
    var values: [String: String] = [:]
    var isInside = false
    for line in text.split(whereSeparator: \.isNewline) {
        let line = line.trimmingCharacters(in: .whitespaces)
        if line.hasPrefix("[") {
            isInside = line == "[\(name)]"
        } else if isInside, let mark = line.firstIndex(of: "="), !line.hasPrefix("#") {
            let key = line[..<mark].trimmingCharacters(in: .whitespaces)
            values[key] = line[line.index(after: mark)...].trimmingCharacters(in: .whitespaces)
        }
    }
    return values
}

/// An address, or what is wrong with it.
func s3Address(_ text: String) throws(Diagnostic) -> Address {
    do throws(AddressError) {
        return try Address(text)
    } catch {
        throw error.diagnostic
    }
}
