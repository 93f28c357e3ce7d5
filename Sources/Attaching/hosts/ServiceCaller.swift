import Diagnostics
import Foundation
import Publishing
import Transport

/// Sends the requests of an attach target to one service: with its credential, never further than to its own origin.
struct ServiceCaller: Sendable {
    /// What the service is called.
    let name: String
    private let base: Address
    private let authorize: @Sendable (inout Request) throws(HeaderError) -> Void
    private let sender: any Sender
    /// Tries again what deserves it; both remember over all requests how the service fares.
    private let repeating, careful: RetryingClient
    private let pacing: Pacing
    private let milliseconds: Int

    init(
        _ name: String, at base: Address, _ setup: TargetSetup,
        authorize: @escaping @Sendable (inout Request) throws(HeaderError) -> Void = { _ in }
    ) {
        self.name = name
        self.base = base
        self.authorize = authorize
        sender = setup.sender(base.origin)
        pacing = setup.pacing
        repeating = RetryingClient(sender, policy: setup.retries, pacing: pacing)
        var policy = setup.retries
        (policy.statuses, policy.kinds) = ([429], [.refused])
        careful = RetryingClient(sender, policy: policy, pacing: pacing)
        milliseconds = setup.timeoutMilliseconds
    }

    /// The longest wait for a limit of the service, in seconds.
    static let longestWait = 120

    /// The address below that of the service, each segment encoded whole; it keeps the parameters of that address.
    func address(
        _ segments: [String], _ query: [(String, String)] = []
    ) throws(AttachFailure) -> Address {
        do throws(AddressError) {
            var address = base
            for segment in segments { address = try address.appending(segment) }
            if !segments.isEmpty, let own = base.query { address = try Address("\(address.text)?\(own)") }
            return try address.adding(query: query)
        } catch {
            throw AttachFailure(error.diagnostic)
        }
    }

    /// The response to a request, whatever its status, but for a limit of the service that is not waited for: that is
    /// no response to the request.
    ///
    /// - Parameter repeats: whether sending it twice does no harm. Otherwise it is tried again only where the first
    ///   attempt was not served for certain.
    func call(
        _ method: Request.Method, _ address: Address, json body: [UInt8]? = nil, repeats: Bool = true,
        prepare: (inout Request) throws(HeaderError) -> Void = { _ in }
    ) async throws(AttachFailure) -> Response {
        if let body, body.isEmpty { throw unwritable }
        var request = Request(method, address, body: body ?? [])
        request.limits.totalMilliseconds = milliseconds
        // A credential, or an address that is one, goes nowhere else.
        request.limits.redirects = 0
        request.limits.bodyBytes = 16 << 20
        request.isIdempotent = true
        request.arrivesOnce = !repeats
        do throws(HeaderError) {
            if body != nil { try request.headers.append("Content-Type", "application/json") }
            try authorize(&request)
            try prepare(&request)
        } catch {
            throw AttachFailure(error.diagnostic)
        }
        let response: Response
        do throws(TransportError) {
            response = try await patient(request, repeats ? repeating : careful)
        } catch {
            throw AttachFailure(
                report(error), isLost: method != .get && error.mayHaveArrived(repeats: repeats),
                endsTarget: error.kind.endsTarget)
        }
        guard limitWait(response) == nil else {
            throw response.refusal(
                of: RefusedCall("\(name) takes no more requests for now", by: name, needs: "", meant: 429))
        }
        return response
    }

    /// That there is no JSON to send.
    private var unwritable: AttachFailure {
        AttachFailure(
            .error(
                "attach.json", "Message for \(name) cannot be written as JSON; nothing was sent",
                hints: ["report it as a fault of plimsoll, with this message"]))
    }

    /// Why the service cannot be reached; nothing is said to it but that someone is there, so any answer is fine.
    func unreachable() async -> [Diagnostic] {
        do {
            let root = try Address(base.origin.description + "/")
            var request = Request(.get, root)
            request.limits.totalMilliseconds = milliseconds
            request.limits.redirects = 0
            request.limits.bodyBytes = 16 << 20
            request.isIdempotent = true
            _ = try await sender.send(request)
            return []
        } catch let error as TransportError {
            return [report(error)]
        } catch {
            return []
        }
    }

    /// Waits between two requests that change something, as services ask for.
    func pause() async {
        try? await pacing.sleep(1000)
    }

    /// Heeds limits that a service reports with 403.
    private func patient(
        _ request: Request, _ client: some Sender
    ) async throws(TransportError) -> Response {
        var response = try await client.send(request)
        for _ in 0..<3 {
            guard let wait = limitWait(response), wait <= Self.longestWait,
                (try? await pacing.sleep(wait * 1000)) != nil
            else { return response }
            response = try await client.send(request)
        }
        return response
    }

    /// The seconds that a service asks to wait for a limit that it reports with 403: as it says, until the next period,
    /// or a minute. Nil for another response.
    private func limitWait(_ response: Response) -> Int? {
        guard response.status == 403 else { return nil }
        let limit = response.rateLimitStatus(now: pacing.now())
        if let seconds = limit.retrySeconds { return seconds }
        // A second limit of GitHub has no header at all.
        let names = String(decoding: response.body.prefix(1 << 12), as: UTF8.self).lowercased()
        guard limit.remaining == 0 || names.contains("secondary rate limit") else { return nil }
        return limit.resetSeconds ?? 60
    }

    private func report(_ error: TransportError) -> Diagnostic {
        var diagnostic = error.diagnostic
        diagnostic.details.insert("while attaching to \(name)", at: 0)
        return diagnostic
    }
}

extension TransportError.Kind {
    /// Whether whatever else is sent to the place would fare the same, and take as long.
    var endsTarget: Bool {
        switch self {
        case .resolve, .refused, .timeout, .tls, .noTLS, .proxy, .rateLimit, .outage, .timeBudget: true
        case .reset, .truncated, .tooLarge, .scheme, .redirect, .foreignOrigin, .encoding, .malformed, .file,
            .header, .clock, .notRecorded, .withheld, .canceled, .closed, .failed:
            false
        }
    }
}

extension TransportError {
    /// Whether a request may have been served although no response came.
    ///
    /// - Parameter repeats: whether it may have been sent before. One that may not is sent again only where the attempt
    ///   before was not served for certain.
    func mayHaveArrived(repeats: Bool) -> Bool {
        guard repeats || !isBetweenRequests else { return false }
        return switch kind {
        case .resolve, .refused, .tls, .noTLS, .proxy, .scheme, .foreignOrigin, .header, .rateLimit, .outage,
            .timeBudget, .notRecorded, .withheld, .file:
            false
        case .timeout, .reset, .truncated, .tooLarge, .redirect, .encoding, .malformed, .clock, .canceled,
            .closed, .failed:
            true
        }
    }
}

/// A call that a service refused.
struct RefusedCall {
    /// What could not be done.
    let summary: String
    let service: String
    /// What the credential has to be allowed for it.
    let needs: String
    /// The status that says what is meant, where the service has another for it.
    let meant: Int?
    /// Whether sending it twice does no harm.
    var repeats = true
    /// The key of the configuration that names the repository or the project.
    var key: String?
    /// What the address has to lead to, where it is itself the secret; nil where a token is.
    var leadsTo: String?
    /// Whether the service has shown what could not be changed.
    var wasRead = false
    /// What is commented on, where it is about comments.
    var issue: CommentedIssue?

    init(_ summary: String, by service: String, needs: String, meant: Int? = nil) {
        (self.summary, self.service, self.needs, self.meant) = (summary, service, needs, meant)
    }
}

extension Response {
    /// Whether the request was served.
    var isFine: Bool { (200...299).contains(status) }

    /// The response as an error: what could not be done, what the service said, and what to do next.
    func refusal(of call: RefusedCall) -> AttachFailure {
        let meant = call.meant ?? status
        let hint =
            if let key = call.key, let place = newPlace {
                nextStep(afterMoveTo: place, key, call.issue)
            } else if call.issue != nil, meant == 403, isLocked {
                "unlock the conversation, or let an account with write access comment"
            } else if let place = call.leadsTo, [404, 410].contains(meant) {
                "check that the URL leads to \(place); if it was removed, make a new one and set its URL"
            } else if call.wasRead, meant == 404 {
                "allow the token: \(call.needs); services return 404 to one that may read and not write"
            } else {
                nextStep(after: meant, call.needs)
            }
        return AttachFailure(
            .error(
                "attach.refused", call.summary, details: ["\(call.service) returned: \(answer)"],
                at: shownPlace, hints: [hint]),
            isLost: !call.repeats && mayHaveArrived, status: meant,
            endsTarget: [429, 502, 503, 504].contains(meant))
    }

    /// Where it came from; nil where the whole address is a secret.
    fileprivate var shownPlace: Location? {
        let text = redaction.masked(address.text)
        return text == Secret.mask ? nil : .address(text)
    }

    /// Where what was requested is now at the same service, for good; nil where it has not moved.
    private var newPlace: Address? {
        guard [301, 307, 308].contains(status), let place = headers.values(for: "Location").first,
            let target = try? address.resolving(place), target.origin == address.origin
        else { return nil }
        return target
    }

    private func nextStep(afterMoveTo place: Address, _ key: String, _ issue: CommentedIssue?) -> String {
        guard let issue else { return "the \(key) was renamed or moved: write its new name in '\(key)'" }
        let name = issue.isMergeRequest ? "mergeRequest" : "issue"
        guard let number = issueNumber(in: place), number != issue.number else {
            return
                "the \(key) was renamed or moved, or #\(issue.number) was: write the new name in '\(key)', and check the number in '\(name)'"
        }
        return
            "#\(issue.number) was moved, and is #\(number) of another \(key) now: write its new place in '\(key)' and '\(name)'"
    }

    /// The number of the issue or the merge request that an address is of; nil where it is of none.
    private func issueNumber(in place: Address) -> String? {
        let segments = place.text.prefix { $0 != "?" }.split(separator: "/")
        guard let index = segments.lastIndex(where: { $0 == "issues" || $0 == "merge_requests" }),
            index + 1 < segments.count, segments[index + 1].allSatisfy(\.isNumber)
        else { return nil }
        return String(segments[index + 1])
    }

    /// Whether the service says that a conversation is closed to those without more rights.
    private var isLocked: Bool {
        let words = String(decoding: body.prefix(1 << 12), as: UTF8.self).lowercased()
        return words.split { !$0.isLetter }.contains("locked")
    }

    /// Whether it is the response of a server in between, behind which the request may have been served: 502 and 504 of
    /// RFC 9110, 520 and 524 of Cloudflare.
    private var mayHaveArrived: Bool { [502, 504, 520, 524].contains(status) }

    private var answer: String {
        // Masked once its JSON is decoded, and before it is cut.
        let said = said.map(redaction.masked) ?? redaction.masked(body, first: 1 << 16)
        let words = said.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let shown = printable(String(words.prefix(200)))
        return "status \(status)" + (shown.isEmpty ? "" : ", \(shown)")
    }

    /// The words for people in a JSON response, with what each of its errors says; nil where there are none.
    private var said: String? {
        guard let words = try? JSONDecoder().decode(ServiceWords.self, from: Data(body.prefix(1 << 16))),
            let message = words.message
        else { return nil }
        let reasons = (words.errors ?? []).compactMap(\.words)
        return reasons.isEmpty ? message : "\(message): \(reasons.joined(separator: "; "))"
    }

    private func nextStep(after status: Int, _ needs: String) -> String {
        switch status {
        case 300...399: "use the final URL in the configuration; redirects are not followed with credentials"
        case 401: "check that the token is set and has not expired; it needs: \(needs)"
        case 403: "allow the token: \(needs)"
        case 404: "check the names in the configuration; services return 404 when the token may not see them"
        case 409, 412: "something else changed it at the same time; attach again"
        case 413: "attach less: fewer apps, or a shorter text around the summary"
        case 429: "wait as long as the service requests; the next run sends it"
        case 500...: "try again later; the next run sends it"
        default: "read what the service said, and correct the target"
        }
    }
}

/// What a service says of a refusal. GitHub has its reason in the errors alone: a sentence, or a code and its field.
private struct ServiceWords: Decodable {
    struct Reason: Decodable {
        let words: String?

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                words = text
                return
            }
            struct Parts: Decodable { let message, field, code: String? }
            let parts = try? Parts(from: decoder)
            let code = parts?.code.map { code in parts?.field.map { "\($0) \(code)" } ?? code }
            words = parts?.message ?? code
        }
    }

    let message: String?
    let errors: [Reason]?

    enum Keys: String, CodingKey { case message, errors }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Keys.self)
        message = try? keys.decodeIfPresent(String.self, forKey: .message)
        errors = try? keys.decodeIfPresent([Reason].self, forKey: .errors)
    }
}

/// A body of JSON with its members in order; of a value that JSON cannot hold an empty one, which is not sent.
func jsonBody(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array((try? encoder.encode(value)) ?? Data())
}

/// The value in the body of a response.
func decoded<Value: Decodable>(
    _ type: Value.Type, from response: Response, of service: String
) throws(AttachFailure) -> Value {
    do {
        return try JSONDecoder().decode(type, from: Data(response.body))
    } catch {
        throw AttachFailure(
            .error(
                "attach.answer", "\(service) returned an unexpected response",
                at: response.shownPlace,
                hints: ["check the URL of the service's API in the configuration"]))
    }
}
