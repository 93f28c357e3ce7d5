private import CCurl
package import Diagnostics

/// A server that takes mail (RFC 5321), over libcurl.
package struct MailServer: Sendable {
    /// How the connection is protected.
    package enum Security: String, Sendable, CaseIterable {
        /// It begins plain and must be raised to TLS before anything is said (RFC 3207).
        case startTLS = "starttls"
        /// TLS from the first byte (RFC 8314).
        case tls
        /// None: also a password is readable by everybody on the way.
        case none

        /// The usual port.
        package var port: Int {
            switch self {
            case .startTLS: 587
            case .tls: 465
            case .none: 25
            }
        }
    }

    /// The name or the number of the server.
    package var host: String
    /// Its port.
    package var port: Int
    /// How the connection is protected.
    package var security: Security
    /// Who sends; nil without a login.
    package var user: String?
    /// The password of the user.
    package var password: Secret?
    /// What this machine calls itself.
    package var hello = "localhost"
    /// A PEM file of certificate authorities in the place of the system's; nil for the system's.
    package var authority: String?
    /// What is shown to a server that asks for a certificate; nil for none.
    package var certificate: ClientCertificate?
    /// Milliseconds for the whole of one mail.
    package var milliseconds = 60_000

    /// Makes a server.
    package init(host: String, port: Int? = nil, security: Security = .startTLS) {
        self.host = host
        self.port = port ?? security.port
        self.security = security
    }

    /// Hands a mail over, for all recipients that the server takes.
    ///
    /// - Parameters:
    ///   - message: the mail with CRLF at the end of each line.
    ///   - sender: the address that errors go to.
    /// - Returns: the recipients that the server refused; with all of them it fails.
    package func send(
        _ message: [UInt8], from sender: String, to recipients: [String]
    ) async throws(MailFailure) -> [RefusedRecipient] {
        let flag = CancellationFlag()
        let result: Result<[RefusedRecipient], MailFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let started = startThread {
                    continuation.resume(
                        returning: Result { () throws(MailFailure) in
                            try MailTransfer(self, message, flag).run(from: sender, to: recipients)
                        })
                }
                if !started {
                    continuation.resume(
                        returning: .failure(
                            MailFailure(self, .failed, doing: "starting a thread", text: "refused")))
                }
            }
        } onCancel: {
            flag.raise()
        }
        return try result.get()
    }
}

/// A recipient that a mail server did not take.
package struct RefusedRecipient: Hashable, Sendable {
    /// The address.
    package var address: String
    /// What the server said, such as `550 5.1.1 no such user`.
    package var reply: String
    /// Whether a later mail may be taken (RFC 5321 §4.2.1).
    package var mayPass: Bool { reply.hasPrefix("4") }

    /// `josh@example.com: 550 5.1.1 no such user`.
    package var text: String { "\(address): \(printable(reply))" }
}

/// Why a mail was not handed over. Holds facts, all free of secrets.
package struct MailFailure: Error, Hashable, Sendable {
    /// What kind of failure it was.
    package var kind: TransportError.Kind
    /// The server, as `host:port`.
    package var server: String
    /// What was being done.
    package var doing: String
    /// libcurl's name of the code; nil when it was not used.
    package var code: String?
    /// The last reply of the server (RFC 5321 §4.2), such as 550; nil when none came.
    package var reply: Int?
    /// What the server or libcurl said, masked.
    package var text: String
    /// The recipients that the server refused.
    package var refused: [RefusedRecipient]
    /// Whether the mail may have been taken all the same: all of it was sent, and no reply came.
    package var isLost = false

    init(
        _ server: MailServer, _ kind: TransportError.Kind, doing: String, code: String? = nil,
        reply: Int? = nil, text: String, refused: [RefusedRecipient] = [], isLost: Bool = false
    ) {
        self.kind = kind
        self.server = "\(server.host):\(server.port)"
        self.doing = doing
        self.code = code
        self.reply = reply
        self.text = server.masked(text)
        self.refused = refused
        self.isLost = isLost
    }
}

extension MailFailure: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        let said = [code, text.isEmpty ? nil : printable(text)].compactMap(\.self).joined(separator: ": ")
        let words = refused.isEmpty ? [said].filter { !$0.isEmpty } : refused.map(\.text)
        return .error(
            "transport.mail", "Mail was not taken by \(server)", details: ["while \(doing)"] + words,
            hints: [hint])
    }

    private var hint: String {
        switch (kind, reply ?? 0) {
        case (.tls, _):
            "check the certificate and 'security', or set 'certificateAuthority' for your own authority"
        case (_, 530), (_, 534...535), (.header, _): "check 'user' and 'password'"
        case (_, 400..<500): "try again later; the server is busy or delays strangers"
        case (_, 552): "send less in one mail"
        case (_, 500...):
            "check the addresses in 'from' and 'recipients', and that the server may send for them"
        case (.resolve, _), (.refused, _): "check 'server' and 'port', and whether the server is running"
        case (.timeout, _), (.reset, _): "try again later, and check 'port' and 'security'"
        default: "read what the server said above"
        }
    }
}

extension MailServer {
    fileprivate var redaction: Redaction { Redaction([password].compactMap(\.self)) }

    fileprivate func masked(_ text: String) -> String { redaction.masked(text) }
}

/// One mail on its way, on a thread of its own.
@safe private final class MailTransfer {
    private let server: MailServer
    private let message: [UInt8]
    private let flag: CancellationFlag
    private var offset = 0
    /// What the server said last, to the end: some lines may be one reply.
    private var reply: ReplyLines
    /// The recipient of the last request to the server, until it gets another request.
    private var asked: String?
    private var isLeaving = false
    private var refused: [RefusedRecipient] = []
    private var recipients: UnsafeMutablePointer<curl_slist>?

    init(_ server: MailServer, _ message: [UInt8], _ flag: CancellationFlag) {
        self.server = server
        self.message = message
        self.flag = flag
        reply = ReplyLines(server.redaction)
    }

    /// Whether the mail is not wanted any more.
    fileprivate var isUnwanted: Bool { flag.isRaised }

    deinit { unsafe curl_slist_free_all(recipients) }

    func run(from sender: String, to recipients: [String]) throws(MailFailure) -> [RefusedRecipient] {
        let handle: EasyHandle
        do throws(CurlFailure) {
            handle = try EasyHandle()
            try prepare(handle, from: sender, to: recipients)
        } catch {
            throw MailFailure(server, .failed, doing: error.doing, code: error.code.name, text: error.text)
        }
        let code = unsafe curl_easy_perform(handle.raw)
        guard code != CURLE_OK else { return refused }
        throw failure(CurlCode(rawValue: code.rawValue), handle)
    }

    private func prepare(
        _ handle: EasyHandle, from sender: String, to addresses: [String]
    ) throws(CurlFailure) {
        try handle.reset()
        let scheme = server.security == .tls ? "smtps" : "smtp"
        try handle.set(CURLOPT_NOSIGNAL, 1, doing: "turning signals off")
        // The path is what this machine calls itself.
        try handle.set(
            CURLOPT_URL, "\(scheme)://\(server.host):\(server.port)/\(server.hello)",
            doing: "setting the address")
        try handle.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps", doing: "limiting the protocols")
        try handle.set(CURLOPT_PROXY, "", doing: "leaving out the proxy")
        // Without this libcurl would send a password over a connection that is not protected.
        let usage = server.security == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL
        try handle.set(CURLOPT_USE_SSL, Int(usage.rawValue), doing: "requiring TLS")
        try handle.set(CURLOPT_SSL_VERIFYPEER, 1, doing: "turning verification on")
        try handle.set(CURLOPT_SSL_VERIFYHOST, 2, doing: "turning verification on")
        try handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2), doing: "choosing the TLS version")
        if let file = server.authority {
            try handle.set(CURLOPT_CAINFO, file, doing: "naming the certificate file")
        }
        if let own = server.certificate { try handle.show(own) }
        if let user = server.user {
            try handle.set(CURLOPT_USERNAME, user, doing: "naming the user")
            try handle.set(CURLOPT_PASSWORD, server.password?.text ?? "", doing: "giving the password")
        }
        try handle.set(
            CURLOPT_CONNECTTIMEOUT_MS, min(server.milliseconds, 20_000), doing: "setting the limits")
        try handle.set(CURLOPT_TIMEOUT_MS, max(1, server.milliseconds), doing: "setting the limits")
        try handle.set(CURLOPT_MAIL_FROM, "<\(sender)>", doing: "naming the sender")
        try unsafe append(addresses.map { "<\($0)>" }, to: &recipients, doing: "naming the recipients")
        try unsafe handle.set(list: recipients, for: CURLOPT_MAIL_RCPT, doing: "naming the recipients")
        // CURLOPT_MAIL_RCPT_ALLOWFAILS, whose name had a third L before 8.2: the others get the mail all the same.
        try handle.set(CURLoption(rawValue: 290), 1, doing: "naming the recipients")
        try handle.set(CURLOPT_UPLOAD, 1, doing: "setting the method")
        try handle.set(CURLOPT_INFILESIZE_LARGE, size: message.count, doing: "setting the size")
        try unsafe handle.set(
            headerReceiver: receiveLine, bodyReceiver: receiveLine, upload: readMessage,
            context: Unmanaged.passUnretained(self).toOpaque())
        try unsafe handle.set(listener: hearCommand, context: Unmanaged.passUnretained(self).toOpaque())
        try unsafe handle.set(watch: watchMail, context: Unmanaged.passUnretained(self).toOpaque())
    }

    private func failure(_ code: CurlCode, _ handle: EasyHandle) -> MailFailure {
        let reply = handle.number(CURLINFO_RESPONSE_CODE)
        let said = [self.reply.text, handle.lastMessage].first { !$0.isEmpty } ?? code.text
        // 64: no STARTTLS where it is required; 67: the login was refused.
        let kind: TransportError.Kind =
            switch code.rawValue {
            case _ where isUnwanted: .canceled
            case 64: .tls
            case 67: .header
            default: code.kind(saying: handle.lastMessage)
            }
        return MailFailure(
            server, kind, doing: offset == 0 ? "talking to the server" : "handing the mail over",
            code: code.name, reply: reply == 0 ? nil : reply,
            text: reply >= 400 ? said : handle.lastMessage.isEmpty ? code.text : handle.lastMessage,
            refused: refused, isLost: offset == message.count && offset > 0 && reply < 400)
    }

    /// Keeps what the server said last, but for its goodbye, and whom it refused.
    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) {
        let line = unsafe String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
        guard !line.isEmpty, !isLeaving else { return }
        reply.append(line)
        if let asked, reply.isWhole, reply.isRefusal {
            refused.append(RefusedRecipient(address: asked, reply: reply.text))
        }
    }

    /// Collects what is requested of the server.
    fileprivate func send(_ bytes: UnsafeRawBufferPointer) {
        let command = unsafe String(decoding: bytes.prefix(400), as: UTF8.self)
        isLeaving = isLeaving || command.hasPrefix("QUIT")
        let isRecipient = command.hasPrefix("RCPT TO:<")
        asked = isRecipient ? String(command.dropFirst(9).prefix { $0 != ">" }) : nil
    }

    /// Gives the next bytes of the mail.
    fileprivate func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, message.count - offset)
        unsafe room.copyBytes(from: message[offset..<(offset + count)])
        offset += count
        return count
    }
}

private let receiveLine: ccurl_receiver = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
    unsafe transfer.receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private let readMessage: ccurl_receiver = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

private let hearCommand: ccurl_listener = { _, type, bytes, size, context in
    guard type == CURLINFO_HEADER_OUT, let bytes = unsafe bytes, let context = unsafe context else {
        return 0
    }
    let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
    unsafe transfer.send(UnsafeRawBufferPointer(start: bytes, count: size))
    return 0
}

/// Any number but 0 makes libcurl end the transfer.
private let watchMail: ccurl_watch = { context, _, _, _, _ in
    guard let context = unsafe context else { return 1 }
    let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.isUnwanted ? 1 : 0
}
