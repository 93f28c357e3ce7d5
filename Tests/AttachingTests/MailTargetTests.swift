import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Publishing
import Testing
import Transport

@testable import Attaching

struct MailTargetTests {
    private func target(
        _ port: Int, authority: String? = nil, _ values: [String: String] = [:],
        password: String? = "pass word", certificate: ClientCertificate? = nil, project: String = ""
    ) throws -> any AttachTarget {
        var texts = [
            "server": "127.0.0.1", "port": "\(port)", "from": "plimsoll@example.com",
            "recipients": "team@example.com, josh@example.com", "user": "plimsoll", "security": "starttls",
            "listId": "stability.example.com", "unsubscribe": "leave@example.com",
        ]
        texts.merge(values) { $1 }
        var setup = testSetup(
            texts.filter { !$0.value.isEmpty }, secrets: password.map { ["password": $0] } ?? [:])
        (setup.authority, setup.certificate, setup.project) = (authority, certificate, project)
        setup.timeoutMilliseconds = 60_000
        return try AttachDescriptor.mail.make(setup)
    }

    @Test(arguments: ["starttls", "tls"])
    func handsAMailOverProtected(mode: String) async throws {
        guard let server = try await MailServerStub.start(mode) else { return }
        let ledger = TestLedger()
        let target = try target(server.port, authority: server.authority, ["security": mode])
        let sample = AttachedSummary.sample(.day, "2026-11-19", text: ".\nÜber €", rows: 60)
        let word = await attaching(sample, to: target, ledger)
        #expect(word == "attached")
        let mail = try #require(try await server.mails(1).first)
        #expect(mail.tls && mail.user == "plimsoll" && mail.hello == "example.com")
        #expect(mail.from == "plimsoll@example.com" && mail.to == ["team@example.com", "josh@example.com"])
        #expect(mail.data == (try target.draft(sample)))
        #expect(await attaching(sample, to: target, ledger) == "unchanged")
        #expect(target.givesCopies)
        #expect(ledger.entries.last?.remote?.hasPrefix("<day.lamp.2026-11-19.") == true)
        // Read by a mail program of its own: Python's.
        let read = try MailReading(mail.data)
        #expect(read.headers["Subject"] == "Lamp 2026-11-19: ▼ Below target")
        #expect(read.headers["Auto-Submitted"] == "auto-generated")
        #expect(read.headers["List-Id"] == "<stability.example.com>")
        #expect(read.headers["List-Unsubscribe"] == "<mailto:leave@example.com>")
        #expect(read.headers["References"] == "<plimsoll.lamp@example.com>")
        #expect(read.headers["Message-ID"] == ledger.entries.last?.remote)
        #expect(read.headers["Date"] == "Sun, 22 Nov 2026 06:20:00 +0000")
        #expect(read.types == ["text/plain", "text/html"] && read.contentType == "multipart/alternative")
        #expect(read.parts[0].contains("Über €") && read.parts[0].contains("Crash in <Lamp> & co"))
        #expect(read.parts[1].contains("Crash in &lt;Lamp&gt; &amp; co"))
        #expect(read.parts[1].contains("href=\"https://stability.example/i/0.html\""))
        for word in ["<img", "<script", "<svg", "<link", "src=", "url("] {
            #expect(!read.parts[1].contains(word))
        }
        for line in mail.data.components(separatedBy: "\r\n") {
            #expect(line.utf8.count <= 998 && !line.contains("\n"))
        }
    }

    /// A server that takes the connection and says nothing.
    @Test(.timeLimit(.minutes(1))) func anInterruptedMailWaitsForNoServer() async throws {
        let silent = try FaultServer.start(readsRequest: false, .stall)
        var server = MailServer(host: "127.0.0.1", port: Int(silent.port), security: .none)
        server.milliseconds = 20_000
        let task = Task { [server] () async -> TransportError.Kind? in
            do throws(MailFailure) {
                _ = try await server.send([], from: "a@example.com", to: ["b@example.com"])
                return nil
            } catch {
                return error.kind
            }
        }
        task.cancel()
        #expect(await task.value == .canceled)
    }

    @Test func staysBelowWhatMailProgramsShow() throws {
        let target = try target(25)
        for rows in [2, 3000] {
            let draft = try target.draft(.sample(rows: rows, title: "Über \u{1F30A}"))
            #expect(draft.utf8.count < 100_000)
            for part in try MailReading(draft).parts {
                #expect(part.contains("mail programs show 100 kB") == (rows > 2))
            }
        }
    }

    /// The id of a repetition is the same; that of a correction and of another subject is not.
    @Test func nameOfAMailIsFixed() throws {
        let target = try target(25)
        func id(_ summary: AttachedSummary) throws -> String? {
            try MailReading(try target.draft(summary)).headers["Message-ID"]
        }
        let first = try id(.sample())
        #expect(try id(.sample(text: "other")) == first)
        var correction = AttachedSummary.sample()
        correction.correction = 1
        #expect(try id(correction) != first && id(.sample(.release, "4.3.1")) != first)
        let corrected = try id(correction)
        #expect(try id(correction) == corrected)
        correction.correction = 3
        #expect(try id(correction) != corrected)
        #expect(
            try MailReading(try target.draft(correction)).headers["Subject"]?.hasPrefix("Correction: Lamp")
                == true)
    }

    /// A password does not go over a connection that is not protected, and nothing is shown that must not be.
    @Test(arguments: [
        ("plain", "starttls", "pass word", "check the certificate and 'security'", true),
        ("starttls", "starttls", "wrong", "check 'user' and 'password'", true),
        ("refuse", "none", "pass word", "check the addresses", true),
        ("busy", "none", "pass word", "try again later", true),
        ("large", "none", "pass word", "send less", true),
        ("cut", "none", "pass word", "--to place --app lamp --release 4.3.0 --again", false),
    ])
    func whatFailsIsSentAgainUnlessItMayHaveArrived(
        mode: String, security: String, password: String, hint: String, isKnown: Bool
    ) async throws {
        guard let server = try await MailServerStub.start(mode) else { return }
        let ledger = TestLedger()
        let user = security == "none" ? "" : "plimsoll"
        let target = try target(
            server.port, authority: server.authority, ["security": security, "user": user], password: password
        )
        let outcome = await attach(
            .sample(), to: target, named: "place", knowing: AttachLedger(), AttachOptions(at: runAt)
        ) { ledger.keep($0) }
        let failure = try #require(outcome.failure)
        #expect(failure.hints.contains { $0.contains(hint) }, "\(failure)")
        #expect(!"\(failure)".contains(password), "\(failure)")
        // The server quotes the login that it refuses.
        let login = Data("\0\(user)\0\(password)".utf8).base64EncodedString()
        #expect(!"\(failure)".contains(login.suffix(5)), "\(failure)")
        #expect(password != "wrong" || "\(failure)".contains("<redacted>"), "\(failure)")
        #expect(ledger.states == [.planned, .unknown, isKnown ? .planned : .unknown], "\(failure)")
        let next = await attaching(.sample(), to: target, ledger)
        #expect((next == "attach.uncertain") == !isKnown)
        if mode == "plain" { #expect(server.count == 0) }
    }

    /// One address that is dead does not keep the mail from the others, and is named with what the server said of it.
    @Test(arguments: [
        (
            "partly", "550-5.1.1 The account does not exist. 5.1.1 my password is <redacted>",
            "correct the address in 'recipients'"
        ),
        ("partly-busy", "451 4.7.1 try again later", "wait for the next run"),
    ])
    func otherRecipientsGetTheMail(row: (mode: String, reply: String, hint: String)) async throws {
        guard let server = try await MailServerStub.start(row.mode) else { return }
        let ledger = TestLedger()
        let target = try target(
            server.port,
            ["security": "none", "user": "", "recipients": "a@example.com,dead@example.com,b@example.com"])
        let outcome = await attach(
            .sample(), to: target, named: "place", knowing: AttachLedger(), AttachOptions(at: runAt)
        ) { ledger.keep($0) }
        #expect(outcome.word == "attached" && ledger.states == [.planned, .unknown, .sent])
        let failure = try #require(outcome.failure)
        #expect(failure.id == "attach.recipients" && failure.summary.contains("for 1 of 3 recipients"))
        #expect(failure.details.first == "dead@example.com: \(row.reply)", "\(failure)")
        #expect(failure.hints.first?.contains(row.hint) == true)
        #expect(try await server.mails(1).first?.to == ["a@example.com", "b@example.com"])
        let next = await attaching(.sample(), to: target, ledger)
        #expect((next == "unchanged") == (row.mode == "partly"), "\(next)")
        #expect(server.count == 1)
    }

    /// A recipient that the server delays gets the mail from the next run, alone, and the archive has no address.
    @Test func aDelayedRecipientGetsTheMailAlone() async throws {
        guard let server = try await MailServerStub.start("greylist") else { return }
        let ledger = TestLedger()
        let target = try target(
            server.port, ["security": "none", "user": "", "recipients": "a@example.com,dead@example.com"])
        func isWaiting() -> Bool {
            ledger.known.record(of: AttachedSummary.sample().key(at: "place"))?
                .isWaiting(since: runAt, at: .appends) == true
        }
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        #expect(isWaiting() && ledger.entries.allSatisfy { $0.remote?.contains("dead") != true })
        #expect(await attaching(.sample(), to: target, ledger, isDryRun: true) == "planned")
        #expect(await attaching(.sample(text: "More."), to: target, ledger) == "attached")
        #expect(!isWaiting())
        #expect(await attaching(.sample(), to: target, ledger) == "unchanged")
        #expect(await attaching(.sample(), to: target, ledger, again: true) == "attached")
        let mails = try await server.mails(3)
        #expect(
            mails.map(\.to) == [
                ["a@example.com"], ["dead@example.com"], ["a@example.com", "dead@example.com"],
            ])
        #expect(Set(try mails.map { try MailReading($0.data).headers["Message-ID"] }).count == 1)
    }

    /// What waited and was removed from the configuration waits no more.
    @Test func aDelayedRecipientMayBeRemoved() async throws {
        guard let server = try await MailServerStub.start("greylist") else { return }
        let (ledger, values) = (TestLedger(), ["security": "none", "user": ""])
        let both = values.merging(["recipients": "a@example.com,dead@example.com"]) { $1 }
        #expect(await attaching(.sample(), to: try target(server.port, both), ledger) == "attached")
        let one = try target(server.port, values.merging(["recipients": "a@example.com"]) { $1 })
        #expect(await attaching(.sample(), to: one, ledger) == "unchanged")
        #expect(ledger.entries.last?.state == .sent && ledger.entries.last?.remote?.contains(" ") == false)
        #expect(try await server.mails(1).map(\.to) == [["a@example.com"]] && server.count == 1)
    }

    /// A mark in the name of a release would turn what a mail program writes behind the subject.
    @Test func nothingTurnsTheDirectionOfTheSubject() throws {
        let summary = AttachedSummary.sample(.release, "4.3\u{202E}.0\u{2067}")
        #expect(summary.headline == "Lamp 4.3.0: ▼ Below target")
        let other = AttachedSummary.sample(.release, "4.3.0")
        let subjects = try [summary, other].map {
            try MailReading(try target(25).draft($0)).headers["Subject"]
        }
        #expect(subjects[0] == subjects[1])
    }

    /// Two projects with an app of one name send different mails; threads that began are continued.
    @Test func aMailNamesItsProject() throws {
        let (ios, android) = (
            try target(25, project: "https://ios.example/"), try target(25, project: "https://droid.example/")
        )
        func headers(_ target: any AttachTarget, after first: String? = nil) throws -> [String] {
            var summary = AttachedSummary.sample()
            summary.firstMessage = first
            let all = try MailReading(try target.draft(summary)).headers
            return [all["Message-ID"] ?? "", all["References"] ?? ""]
        }
        let (first, other) = (try headers(ios), try headers(android))
        #expect(first[0] != other[0] && first[1] != other[1])
        #expect(try headers(ios) == first)
        // The site has another address since.
        #expect(try headers(android, after: first[0]) == first)
        let digest = String(repeating: "a", count: 32)
        let old = try headers(ios, after: "<release.lamp.4.2.0.\(digest)@example.com>")
        #expect(old == [first[0], "<plimsoll.lamp@example.com>"])
    }

    /// The server's goodbye is not what it said of the mail.
    @Test(arguments: [("refuse", "550 5.7.1 no such user"), ("busy", "451 4.7.1 try again later")])
    func allThatWereRefusedAreNamed(row: (mode: String, reply: String)) async throws {
        guard let server = try await MailServerStub.start(row.mode) else { return }
        let outcome = await attach(
            .sample(), to: try target(server.port, ["security": "none", "user": ""]), named: "place",
            knowing: AttachLedger(), AttachOptions(at: runAt)
        ) { _ in }
        let failure = try #require(outcome.failure)
        for address in ["team@example.com", "josh@example.com"] {
            #expect(failure.details.contains { $0.hasPrefix("\(address): \(row.reply)") }, "\(failure)")
        }
        #expect(!"\(failure)".contains("221") && !"\(failure)".contains("'to'"), "\(failure)")
        #expect(server.count == 0)
    }

    /// A state that comes back is another mail, and mailboxes drop one whose id they have.
    @Test func eachCorrectionHasAnIDOfItsOwn() async throws {
        guard let server = try await MailServerStub.start("open") else { return }
        let ledger = TestLedger()
        let target = try target(server.port, ["security": "none", "user": ""])
        let states = ["go", "hold", "go", "hold"]
        for gist in states {
            #expect(await attaching(.sample(text: gist, gist: gist), to: target, ledger) == "attached")
        }
        // The last one again is the same mail.
        let last = AttachedSummary.sample(text: "hold", gist: "hold")
        #expect(await attaching(last, to: target, ledger) == "unchanged")
        #expect(await attaching(last, to: target, ledger, again: true) == "attached")
        let mails = try await server.mails(5).map { try MailReading($0.data).headers }
        let ids = mails.compactMap { $0["Message-ID"] }
        #expect(ids.count == 5 && Set(ids).count == 4 && ids[3] == ids[4])
        #expect(mails.map { $0["Subject"]?.hasPrefix("Correction: ") } == [false, true, true, true, true])
    }

    @Test(arguments: [true, false]) func showsItsCertificateWhereItIsRequested(shows: Bool) async throws {
        guard let server = try await MailServerStub.start("own") else { return }
        let own = ClientCertificate(
            certificateFile: server.authority, keyFile: server.folder + "/key.pem")
        let target = try target(
            server.port, authority: server.authority, ["security": "tls", "user": ""], password: nil,
            certificate: shows ? own : nil)
        let word = await attaching(.sample(), to: target, TestLedger())
        #expect((word == "attached") == shows, "\(word)")
        if shows { #expect(try await server.mails(1).count == 1) } else { #expect(server.count == 0) }
    }

    @Test func doesNotTrustAnUnknownAuthority() async throws {
        guard let server = try await MailServerStub.start("starttls") else { return }
        let outcome = await attach(
            .sample(), to: try target(server.port), named: "place", knowing: AttachLedger(),
            AttachOptions(at: runAt)
        ) { _ in }
        #expect(outcome.failure?.hints.first?.contains("certificateAuthority") == true)
        #expect(server.count == 0)
    }

    @Test(arguments: [
        ["from": "josh"], ["from": "a b@c"], ["from": "Jösh@example.com"], ["recipients": ","],
        ["recipients": "a@b,c"], ["server": "smtp example"], ["server": "a\r\nb"], ["unsubscribe": "x"],
    ])
    func refusesWhatIsNoAddress(values: [String: String]) {
        #expect(throws: Diagnostic.self) { try target(25, values) }
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\r\nBcc: x@y", "a  Bcc: x@y"), ("é", "=?utf-8?B?w6k=?="),
    ])
    func headersStayOneLine(text: String, encoded: String) {
        #expect(encodedWords(text) == encoded)
        let long = encodedWords(String(repeating: "\u{1F30A}", count: 100))
        #expect(long.components(separatedBy: "\r\n ").allSatisfy { $0.utf8.count <= 75 })
    }
}

/// A mail as Python's parser reads it.
private struct MailReading: Decodable {
    let headers: [String: String]
    let contentType: String
    let types: [String]
    let parts: [String]

    init(_ text: String) throws {
        let script = """
            import sys, json, email, email.policy
            m = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
            parts = list(m.iter_parts())
            print(json.dumps({"headers": {k: str(v) for k, v in m.items()}, "contentType": m.get_content_type(),
                "types": [p.get_content_type() for p in parts], "parts": [p.get_content() for p in parts]}))
            """
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let data = Data(text.utf8)
        Thread.detachNewThread {
            input.fileHandleForWriting.write(data)
            try? input.fileHandleForWriting.close()
        }
        let read = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        self = try JSONDecoder().decode(MailReading.self, from: read)
    }
}
