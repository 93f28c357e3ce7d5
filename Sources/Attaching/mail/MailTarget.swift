import AppHealth
import Diagnostics
import Markup
import Publishing
import Settings
import Transport

extension AttachDescriptor {
    /// Mail by SMTP.
    package static let mail = AttachDescriptor(
        BlockSchema(
            "mail", title: "Mail", summary: "A mail with text and HTML, by SMTP",
            keys: [
                .required("server", .textOrVariable, example: "smtp.example.com", "host of the mail server"),
                .optional(
                    "port", .number(1...65_535), example: "587",
                    "port (default: 587 with starttls, 465 with tls, 25 with none)"),
                .optional(
                    "security", .choice(MailServer.Security.allCases.map(\.rawValue)), else: "starttls",
                    "starttls or tls; none sends everything readable, the password too"),
                .optional("user", .textOrVariable, example: "plimsoll", "user of the server"),
                .optional("password", .secret(.variable), example: "SMTP_PASSWORD", "password of the user"),
                .required("from", .textOrVariable, example: "plimsoll@example.com", "address of the sender"),
                .required(
                    "recipients", .textOrVariable, example: "team@example.com",
                    "addresses of the recipients, separated by commas"),
                .optional("listId", example: "stability.example.com", "name of the list, for filters"),
                .optional(
                    "unsubscribe", .textOrVariable, example: "leave@example.com",
                    "address for those who want no more mail"),
                AttachSchedule.key,
            ]),
        needs: "A mail server that takes mail from the sender's address"
    ) { setup throws(Diagnostic) in try MailTarget(setup) }
}

/// The mailboxes of some people.
struct MailTarget: AttachTarget {
    private let id: String
    /// What sets the mails of the project apart from those of others; empty where there is one alone.
    private let project: String
    private let server: MailServer
    private let from: String
    private let to: [String]
    private let listID: String?
    private let unsubscribe: String?
    private let now: @Sendable () -> Int
    let schedule: AttachSchedule?

    /// What mail programs show of one mail without cutting it.
    static let mostBytes = 100_000
    /// What the part without HTML may have of that.
    private static let mostOfText = 30_000
    /// No part is cut to less.
    private static let leastBytes = 2000

    init(_ setup: TargetSetup) throws(Diagnostic) {
        id = setup.id
        project = setup.project.isEmpty ? "" : String(digest(setup.project).prefix(MailName.projectLength))
        let security = setup.text("security").flatMap(MailServer.Security.init) ?? .startTLS
        let host = try setup.required("server")
        guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else {
            throw .usage(
                "attach.server", "'\(host)' is not a mail server",
                hints: ["write its name, such as smtp.example.com"])
        }
        var server = MailServer(host: host, port: setup.text("port").flatMap { Int($0) }, security: security)
        server.user = setup.text("user")
        server.password = setup.secret("password")
        server.authority = setup.authority
        server.certificate = setup.certificate
        server.milliseconds = setup.timeoutMilliseconds
        from = try mailAddress(try setup.required("from"))
        let recipients = try setup.required("recipients").split(separator: ",")
        to = try recipients.map { text throws(Diagnostic) in try mailAddress(String(text)) }
        guard !to.isEmpty else {
            throw .usage(
                "attach.address", "Target '\(setup.id)' has no recipients", hints: ["add one to 'recipients'"]
            )
        }
        unsubscribe = try setup.text("unsubscribe").map { text throws(Diagnostic) in try mailAddress(text) }
        listID = setup.text("listId").map {
            $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
        }
        server.hello = String(from.drop { $0 != "@" }.dropFirst())
        self.server = server
        now = setup.pacing.now
        schedule = setup.text("when").flatMap(AttachSchedule.init) ?? .daily
    }

    var place: String { "\(to.joined(separator: ", ")) by \(server.host):\(server.port)" }
    var repetition: Repetition { .appends }
    var givesCopies: Bool { true }

    func message(_ summary: AttachedSummary) -> MailMessage {
        let host = server.hello
        let app = word(summary.app.isEmpty ? "all" : summary.app)
        let name = [id, summary.kind.rawValue, app, summary.subject, summary.reader]
        // A correction or a newer verdict is another mail than what it corrects, also when it says what an earlier one said.
        let edition = summary.edition.isEmpty ? [] : [summary.gist.name] + summary.edition
        let hash = digest((name + edition).joined(separator: "\n"))
        let first = summary.firstMessage.map { MailName($0) }
        // The name of the first mail is kept, also where the address of the site changes.
        let project = first?.project ?? self.project
        let mailID = [summary.kind.rawValue, app, word(summary.subject), hash, project].filter { !$0.isEmpty }
        let thread = ["plimsoll", app, first.map { $0.project ?? "" } ?? project].filter { !$0.isEmpty }
        let message = MailMessage(
            from: from, to: to, subject: summary.headline, id: "<\(mailID.joined(separator: "."))@\(host)>",
            thread: "<\(thread.joined(separator: "."))@\(host)>", listID: listID, unsubscribe: unsubscribe,
            text: "", html: "")
        return cut(cut(message, \.text, to: Self.mostOfText, summary), \.html, to: Self.mostBytes, summary)
    }

    /// The mail with a part that is as long as it may be for the mail to have no more bytes than these as it is sent.
    private func cut(
        _ mail: MailMessage, _ part: WritableKeyPath<MailMessage, String>, to most: Int,
        _ summary: AttachedSummary
    ) -> MailMessage {
        var (mail, limit) = (mail, most)
        while true {
            mail[keyPath: part] =
                fittingText(
                    summary.message, limit: limit, because: "mail programs show 100 kB of a mail",
                    unfolds: true
                ) {
                    part == \.text
                        ? documentText($0, in: .plain) : mailHTML($0, title: summary.headline)
                }.text
            if mail.bytes(at: 0).count < most || limit < Self.leastBytes { return mail }
            limit = limit * 9 / 10
        }
    }

    func draft(_ summary: AttachedSummary) throws(Diagnostic) -> String {
        String(decoding: message(summary).bytes(at: now()), as: UTF8.self)
    }

    func fingerprint(_ summary: AttachedSummary) throws(Diagnostic) -> String {
        String(decoding: message(summary).bytes(at: nil), as: UTF8.self)
    }

    func send(
        _ summary: AttachedSummary, over remotes: Set<String>, isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt {
        let message = message(summary)
        let recipients = recipients(lacking: remotes)
        guard !recipients.isEmpty else { return AttachReceipt(.none, remote: message.id) }
        if isDryRun { return AttachReceipt(.created) }
        let refused: [RefusedRecipient]
        do throws(MailFailure) {
            refused = try await server.send(message.bytes(at: now()), from: from, to: recipients)
        } catch {
            var diagnostic = error.diagnostic
            diagnostic.details.append("the next run sends it again, unless it may have arrived")
            throw AttachFailure(diagnostic, isLost: error.isLost, endsTarget: error.kind.endsTarget)
        }
        let rest = refused.filter(\.mayPass).map(\.address)
        return AttachReceipt(
            .created, remote: PartialRemote(message.id, lacking: rest).text,
            shortfall: shortfall(refused, of: recipients.count))
    }

    /// Those who did not get a mail that others got; all of them where that is not known of any.
    private func recipients(lacking remotes: Set<String>) -> [String] {
        guard let earlier = remotes.map({ PartialRemote($0) }).first(where: { !$0.rest.isEmpty }) else {
            return to
        }
        return to.filter(earlier.lacks)
    }

    /// Who did not get a mail that others got.
    private func shortfall(_ refused: [RefusedRecipient], of count: Int) -> Diagnostic? {
        guard !refused.isEmpty else { return nil }
        let (waiting, dead) = (refused.filter(\.mayPass), refused.filter { !$0.mayPass })
        var (details, hints) = (refused.map(\.text), [String]())
        if !dead.isEmpty {
            details.append("the others got it; it is not sent again to \(names(dead))")
            hints.append("correct the address in 'recipients', or remove it")
        }
        if !waiting.isEmpty {
            details.append("the next run sends it to \(names(waiting)) alone")
            hints.append("wait for the next run; the server delays strangers, or is busy")
        }
        return .error(
            "attach.recipients",
            "Mail was not taken for \(refused.count) of \(count) recipients by \(server.host):\(server.port)",
            details: details, hints: hints)
    }

    private func names(_ recipients: [RefusedRecipient]) -> String {
        recipients.map(\.address).joined(separator: ", ")
    }

    /// A name within a message id.
    private func word(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") ? $0 : "_" })
    }
}

private func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "-.:[]".utf8.contains(byte)
    }
}

/// An address in plain ASCII; others need an extension (RFC 6531) that few servers have.
private func mailAddress(_ text: String) throws(Diagnostic) -> String {
    let address = String(text.drop(while: \.isWhitespace)).trimmingEnd()
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    let isSound = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>()[],;:\\\"".utf8.contains($0) }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isSound else {
        throw .usage(
            "attach.address", "'\(printable(text))' is not a mail address",
            hints: ["write it as name@example.com, in ASCII"])
    }
    return address
}
