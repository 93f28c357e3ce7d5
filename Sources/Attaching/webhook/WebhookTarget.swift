import AppHealth
import Cryptography
import Diagnostics
import Files
import Foundation
import Markup
import Publishing
import Settings
import Transport

extension AttachDescriptor {
    /// Any service that takes signed JSON.
    package static let webhook = AttachDescriptor(
        BlockSchema(
            "webhook", title: "Webhook", summary: "JSON to a URL of your own, signed",
            keys: [
                .required("url", .secret(.variable), example: "WEBHOOK_URL", "URL, which is kept secret"),
                .required(
                    "key", .secret(.variable), example: "WEBHOOK_KEY",
                    "key of the signature: whsec_ and base64, or any text"),
                AttachSchedule.key,
            ]),
        needs: "A service that checks the signature"
    ) { setup throws(Diagnostic) in try WebhookTarget(setup) }
}

/// JSON by POST, signed in two usual ways: as Standard Webhooks say, and by a hash of the body alone.
struct WebhookTarget: AttachTarget {
    private let id: String
    private let url: Address
    private let key: Secret
    private let caller: ServiceCaller
    let schedule: AttachSchedule?

    init(_ setup: TargetSetup) throws(Diagnostic) {
        id = setup.id
        url = try secretAddress(setup)
        key = try setup.requiredSecret("key")
        var setup = setup
        let (makeSender, key, pacing) = (setup.sender, key, setup.pacing)
        setup.sender = { WebhookSender(base: makeSender($0), key: key, pacing: pacing) }
        caller = ServiceCaller("the webhook", at: url, setup)
        schedule = setup.text("when").flatMap(AttachSchedule.init) ?? .daily
    }

    var address: String { url.text }
    var place: String { "webhook (\(url.origin.host))" }
    var repetition: Repetition { .appends }

    private struct Document: Encodable {
        let format = "plimsoll-summary"
        let version = 1
        let about: String
        let app: String?
        let subject: String
        let audience: String
        let title: String
        let verdict: String?
        let asksForAttention: Bool
        let isCorrection: Bool
        let notSentBefore: [String]
        let page: String?
        let markdown: String
        let text: String
    }

    private func body(_ summary: AttachedSummary) -> [UInt8] {
        jsonBody(
            Document(
                about: summary.kind.rawValue, app: summary.app.isEmpty ? nil : summary.app,
                subject: summary.subject, audience: summary.reader, title: summary.headline,
                verdict: summary.release.verdict, asksForAttention: summary.asksForAttention,
                isCorrection: summary.isCorrection, notSentBefore: summary.missed, page: summary.page,
                markdown: documentText(summary.message, in: .github),
                text: documentText(summary.message, in: .plain)))
    }

    func obstacles() async -> [Diagnostic] { await caller.unreachable() }

    func draft(_ summary: AttachedSummary) throws(Diagnostic) -> String {
        String(decoding: body(summary), as: UTF8.self) + "\n"
    }

    func send(
        _ summary: AttachedSummary, over remotes: Set<String>, isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt {
        if isDryRun { return AttachReceipt(.created) }
        let body = body(summary)
        let (url, key, id) = (url, key, messageID(summary, body))
        let response = try await caller.call(.post, url, json: body, repeats: false) {
            request throws(HeaderError) in
            request.conceal(addressOf: url)
            request.conceal(key)
            try request.headers.append(WebhookSignature.idHeader, id)
        }
        guard response.isFine else {
            var refused = RefusedCall(
                "Cannot send the summary to the \(place)", by: "the service",
                needs: "the key of the signature")
            refused.repeats = false
            refused.leadsTo = "a service that takes messages by POST"
            throw response.refusal(of: refused)
        }
        return AttachReceipt(.created)
    }

    /// The same for the same message, so that a receiver can drop a repetition.
    private func messageID(_ summary: AttachedSummary, _ body: [UInt8]) -> String {
        // A correction or a newer verdict is another message, also when it says what an earlier one said.
        let name =
            [id, summary.kind.rawValue, summary.app, summary.subject, summary.reader] + summary.edition
        return "msg_" + digest(name.joined(separator: "\n") + "\n" + String(decoding: body, as: UTF8.self))
    }
}

/// Signs every attempt of a request again: receivers refuse one whose time was minutes ago.
private struct WebhookSender: Sender {
    let base: any Sender
    let key: Secret
    let pacing: Pacing

    func send(_ request: Request) async throws(TransportError) -> Response {
        guard let id = request.headers[WebhookSignature.idHeader] else { return try await base.send(request) }
        var request = request
        let signature = WebhookSignature(id: id, seconds: pacing.now(), body: request.body, key: key)
        do throws(HeaderError) {
            try signature.sign(&request)
        } catch {
            throw TransportError(
                .header, request.address, doing: "signing the request", error.diagnostic.summary,
                redaction: request.redaction)
        }
        return try await base.send(request)
    }
}

/// The headers that prove a body, next to the one with its id.
struct WebhookSignature {
    static let idHeader = "webhook-id"

    let id: String
    let seconds: Int
    let body: [UInt8]
    let key: Secret

    /// Of the id, the time and the body; https://www.standardwebhooks.com: `v1,` and base64.
    var standard: String {
        let signed = Array("\(id).\(seconds).".utf8) + body
        let code = authenticationCode(for: signed, key: keyBytes)
        return "v1," + Data(code).base64EncodedString()
    }

    /// Of the body alone: `sha256=` and hexadecimal.
    var hub: String {
        let code = authenticationCode(for: body, key: key.signingBytes)
        return "sha256=" + hexadecimal(code)
    }

    /// A key that begins with `whsec_` is base64 behind it.
    private var keyBytes: [UInt8] {
        let text = String(decoding: key.signingBytes, as: UTF8.self)
        guard text.hasPrefix("whsec_"), let data = Data(base64Encoded: String(text.dropFirst(6))) else {
            return key.signingBytes
        }
        return Array(data)
    }

    func sign(_ request: inout Request) throws(HeaderError) {
        try request.headers.append("webhook-timestamp", "\(seconds)")
        for (name, value) in [("webhook-signature", standard), ("X-Hub-Signature-256", hub)] {
            // Header names of signatures count as secret, so their values have to be.
            guard let value = Secret(value) else { throw .value(name: name) }
            try request.headers.append(name, value)
        }
    }
}
