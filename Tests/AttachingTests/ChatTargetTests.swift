import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Markup
import Publishing
import Synchronization
import Testing
import Transport

@testable import Attaching

/// Chats behind webhooks: what they are sent is checked against what vendors describe, and field by field.
struct ChatTargetTests {
    private func target(
        _ service: ChatService, _ origin: String, attempts: Int = 1, waits: Waits = Waits(),
        losing: @escaping @Sendable (Int, Request) -> LosingSender.Loss? = { _, _ in nil }
    ) throws -> any AttachTarget {
        let descriptor = try #require(standardAttachTargets.first { $0.name == service.name })
        return try descriptor.make(
            testSetup(
                secrets: ["url": origin + service.path + service.parameters], attempts: attempts,
                waits: waits,
                losing: losing))
    }

    private func service(_ name: String) throws -> ChatService {
        try #require(ChatService.all.first { $0.name == name })
    }

    @Test(arguments: ChatService.all.indices)
    func sendsAMessageOnceAndACorrectionWhenItMatters(index: Int) async throws {
        let service = ChatService.all[index]
        let (name, chat) = (service.name, try await ChatStub.start(service))
        let (server, ledger, waits) = (chat.server, TestLedger(), Waits())
        let target = try target(service, server.origin, waits: waits)
        let sample = AttachedSummary.sample(.day, "2026-11-19")
        #expect(await attaching(sample, to: target, ledger, isDryRun: true) == "planned")
        #expect(server.requests.isEmpty)
        #expect(await attaching(sample, to: target, ledger) == "attached")
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.path == service.path)
        #expect(request.header("Content-Type") == "application/json")
        #expect(String(decoding: request.body, as: UTF8.self) + "\n" == (try target.draft(sample)))
        #expect(ledger.states == [.planned, .unknown, .sent] && waits.milliseconds == [1000])
        #expect(await attaching(sample, to: target, ledger) == "unchanged")
        // Revised numbers are no reason for another message, unless the first can be edited.
        let revised = await attaching(.sample(.day, "2026-11-19", text: "Hold. 96.2%"), to: target, ledger)
        #expect(revised == (name == "discord" ? "updated" : "unchanged"))
        let other = AttachedSummary.sample(.day, "2026-11-19", text: "Go. 99.9%", gist: "go")
        #expect(await attaching(other, to: target, ledger) == (name == "discord" ? "updated" : "attached"))
        let last = try #require(server.requests.last)
        if name == "discord" {
            #expect(last.method == "PATCH" && last.path == service.path + "/messages/77")
            #expect(ledger.entries.last?.remote == "77" && !last.text.contains("Correction"))
        } else {
            #expect(last.text.contains("Correction: Lamp") && ledger.states.suffix(4).first == .planned)
        }
        #expect(target.place.hasSuffix("(127.0.0.1)") && !target.place.contains("SECRET"))
        #expect(chat.complaints == [])
        await server.stop()
    }

    /// What services and owners name may hold marks that turn the direction of what follows: none is sent.
    @Test(arguments: ChatService.all.indices)
    func nothingTurnsTheDirectionOfWriting(index: Int) throws {
        let marks = "\u{202E}\u{2067}\u{200F}"
        let summary = AttachedSummary.sample(
            .release, "4.3\(marks).0", text: "Hold\(marks).", title: "خطأ\(marks) Lamp")
        let draft = try target(ChatService.all[index], "https://chat.example").draft(summary)
        #expect(draft.contains("Lamp 4.3.0: ") && draft.contains("خطأ Lamp"))
        #expect(withoutUnsafe(draft) == draft)
    }

    @Test func slackGetsBlocksWithinItsLimits() throws {
        let target = try target(try service("slack"), "https://hooks.slack.example")
        let body = json(Array(try target.draft(.sample(.day, "2026-11-19")).utf8))
        #expect(Set(body.keys) == ["text", "blocks", "unfurl_links", "unfurl_media"])
        #expect(body["unfurl_links"] as? Bool == false && body["unfurl_media"] as? Bool == false)
        let blocks = try #require(body["blocks"] as? [[String: Any]])
        #expect(blocks.map { $0["type"] as? String } == ["header", "section"])
        let header = try #require(blocks[0]["text"] as? [String: String])
        #expect(header["type"] == "plain_text" && header["text"] == "Lamp 2026-11-19: ▼ Below target")
        let text = try #require(blocks[1]["text"] as? [String: Any])
        let section = try #require(text["text"] as? String)
        // Names of channels and addresses in texts are no links.
        #expect(text["type"] as? String == "mrkdwn" && text["verbatim"] as? Bool == true)
        #expect(section.contains("<https://stability.example/i/0.html|Crash in &lt;Lamp&gt; &amp; co @"))
        #expect(!section.contains("<!") && !section.contains("@all"))
        for summary in [
            AttachedSummary.sample(rows: 3000), .sample(text: String(repeating: "é ", count: 9000)),
            .sample(title: String(repeating: "&", count: 900)),
            .sample(.release, String(repeating: "4.3.0 👩‍🚀 ", count: 30)),
        ] {
            let body = json(Array(try target.draft(summary).utf8))
            let blocks = try #require(body["blocks"] as? [[String: Any]])
            #expect(blocks.count <= 50)
            let header = (blocks[0]["text"] as? [String: Any])?["text"] as? String ?? ""
            #expect(header.hasPrefix("Lamp ") && header.utf16.count <= 150, "\(header)")
            for block in blocks.dropFirst() {
                let text = (block["text"] as? [String: Any])?["text"] as? String ?? ""
                #expect(!text.isEmpty && text.utf16.count <= 3000)
            }
        }
    }

    /// All issues of a kind are one line: it goes on in the next section, between two of them, and no link is broken.
    @Test(
        arguments: [
            (52, 30), (660, 30), (3500, 30), (52, 2990), (3500, 2990), (52, 4000),
        ])
    func slackBreaksALongLineBetweenItsEntries(title: Int, address: Int) throws {
        let count = title + address > 3000 ? 6 : 40
        let links = (0..<count).flatMap { number -> [Span] in
            let name = "Issue-\(number)-" + String(repeating: "a & b ", count: title / 6)
            let path = String(repeating: "p", count: address - 22) + "\(number)"
            return [.link(name, to: "https://s.example/\(path)"), .text(" (42 users); ")]
        }
        var summary = AttachedSummary.sample(.day, "2026-11-19")
        summary.blocks[3] = .folded(title: "New (40)", [.list([[.strong("New:"), .text(" ")] + links])])
        let body = json(Array(try target(try service("slack"), "https://chat.example").draft(summary).utf8))
        let blocks = try #require(body["blocks"] as? [[String: Any]])
        let sections = blocks.dropFirst().map { ($0["text"] as? [String: Any])?["text"] as? String ?? "" }
        #expect(blocks.count <= 50)
        for section in sections {
            #expect(section.utf16.count <= 3000 && !section.isEmpty)
            #expect(section.ranges(of: "<").count == section.ranges(of: ">").count, "\(section)")
            #expect(section.replacing(/&(amp|lt|gt);/, with: "").contains("&") == false, "\(section)")
        }
        let text = sections.joined(separator: "\n")
        for number in 0..<count { #expect(text.contains("Issue-\(number)-"), "\(number)") }
    }

    /// What is folded goes first, whole; of a table as many rows are left as there is room for, or not even its title.
    @Test(
        arguments: [
            ("discord", 20, 10...10), ("mattermost", 20, 10...10), ("teams", 20, 10...10),
            ("google-chat", 20, 10...10), ("discord", 400, 2...4), ("discord", 2500, 0...0),
        ])
    func whatIsFoldedGoesBeforeTheRows(name: String, title: Int, rows: ClosedRange<Int>) throws {
        var summary = AttachedSummary.sample(
            .day, "2026-11-19", rows: 10, title: String(repeating: "a", count: title))
        let many = String(repeating: "word ", count: 5000)
        summary.blocks[3] = .folded(title: "New (40)", [.list([[.strong("New:"), .text(many)]])])
        let draft = try target(try service(name), "https://chat.example").draft(summary)
        let shown = (0..<10).filter { draft.contains("i/\($0).html") || draft.contains("i\\/\($0).html") }
        #expect(rows.contains(shown.count) && shown == Array(0..<shown.count), "\(shown): \(draft)")
        #expect(draft.contains("Issue") == !shown.isEmpty, "\(draft)")
        #expect(draft.contains("1 section skipped") && !draft.contains("New (40)"), "\(draft)")
    }

    @Test func othersGetTheirDialectWithinTheirLimits() throws {
        let described = [
            "discord": "POST /webhooks/{webhook_id}/{webhook_token}",
            "google-chat": "POST /v1/spaces/{spacesId}/messages",
        ]
        for (name, limit) in [("mattermost", 16_383), ("discord", 2000), ("google-chat", 4096)] {
            let target = try target(try service(name), "https://chat.example")
            for summary in [
                AttachedSummary.sample(), .sample(rows: 3000),
                .sample(text: String(repeating: "word ", count: 5000)),
            ] {
                let draft = Array(try target.draft(summary).utf8)
                if let operation = described[name] {
                    #expect(try VendorContract(name).faults(inBody: draft, of: operation) == [])
                }
                let body = json(draft)
                let text = try #require((body["text"] ?? body["content"]) as? String)
                #expect(
                    text.utf16.count <= limit && text.contains("Lamp 4.3.0"), "\(name) \(text.utf16.count)")
                #expect(!text.contains("<details>") && !text.contains("<users/"))
                switch name {
                case "mattermost": #expect(Set(body.keys) == ["text"] && !text.contains("@all"))
                case "discord":
                    #expect(
                        (body["allowed_mentions"] as? [String: [String]]) == ["parse": []] && body.count == 2)
                default:
                    #expect((body["thread"] as? [String: String]) == ["threadKey": "plimsoll-lamp"])
                    #expect(!text.contains("&amp;"))
                }
            }
        }
    }

    private func text(_ name: String, _ summary: AttachedSummary) throws -> String {
        let body = json(Array(try target(try service(name), "https://chat.example").draft(summary).utf8))
        return try #require((body["text"] ?? body["content"]) as? String)
    }

    /// Discord shows an entity as it is, and has lists in the place of tables.
    @Test(arguments: [
        ("Array<Int> & co", "Array\\<Int\\> & co"), ("&lt;b&gt;", "&lt;b&gt;"), ("a -> b", "a -\\> b"),
    ])
    func discordGetsNoEntities(title: String, shown: String) throws {
        let text = try text("discord", .sample(title: title))
        #expect(text.contains("[\(shown) 0]"), "\(text)")
    }

    @Test(arguments: ["discord", "teams"])
    func whatIsCutIsNamedAsItIsShown(name: String) throws {
        let draft = try target(try service(name), "https://chat.example").draft(.sample(rows: 3000))
        #expect(draft.contains("entries of lists") && !draft.contains("rows of tables"), "\(draft)")
    }

    /// An address with a character that is not seen leads nowhere.
    @Test func mattermostLeavesAddressesAlone() throws {
        var summary = AttachedSummary.sample()
        let address = "https://status.example/team@acme/p.html"
        summary.blocks.append(.lines([[.link("Page @all", to: address)]]))
        let text = try text("mattermost", summary)
        #expect(text.contains("](\(address))"), "\(text)")
        #expect(text.contains("Page @\u{200B}all") && !text.contains("\u{200B}\u{200B}"), "\(text)")
    }

    /// What must not arrive twice is not left to a used connection, on which it would be sent again when that ends.
    @Test(arguments: ChatService.all.indices)
    func aMessageHasANewConnection(index: Int) async throws {
        let service = ChatService.all[index]
        let sent = Mutex<[Bool]>([])
        let chat = try await ChatStub.start(service)
        let target = try target(service, chat.server.origin) { _, request in
            sent.withLock { $0.append(request.arrivesOnce) }
            return nil
        }
        let ledger = TestLedger()
        #expect(await attaching(.sample(gist: "go"), to: target, ledger) == "attached")
        let next = await attaching(.sample(text: "Go."), to: target, ledger)
        #expect(next == (service.name == "discord" ? "updated" : "attached"))
        #expect(sent.withLock { $0 } == [true, service.name != "discord"])
        await chat.server.stop()
    }

    @Test func teamsGetsACardOfFewBytes() throws {
        let target = try target(try service("teams"), "https://teams.example")
        for summary in [
            AttachedSummary.sample(), .sample(rows: 3000),
            .sample(rows: 300, title: "\u{1F30A}\u{1F30A} \"quoted\""),
        ] {
            let draft = try target.draft(summary)
            #expect(draft.utf8.count <= 21_001)
            let faults = try VendorContract("teams").faults(inBody: Array(draft.utf8), of: "POST /{+address}")
            #expect(faults == [])
            let body = json(Array(draft.utf8))
            #expect(body["type"] as? String == "message" && body.count == 2)
            let attachment = try #require((body["attachments"] as? [[String: Any]])?.first)
            #expect(attachment["contentType"] as? String == "application/vnd.microsoft.card.adaptive")
            let card = try #require(attachment["content"] as? [String: Any])
            #expect(card["type"] as? String == "AdaptiveCard" && card["version"] as? String == "1.4")
            let blocks = try #require(card["body"] as? [[String: Any]])
            #expect(blocks.allSatisfy { $0["type"] as? String == "TextBlock" && $0["wrap"] as? Bool == true })
            let actions = try #require(card["actions"] as? [[String: String]])
            #expect(actions.map { $0["url"] } == ["https://stability.example/p.html"])
        }
    }

    /// The parameters of its service come after those of the address, which an edited message keeps.
    @Test func namesTheParametersOfItsService() async throws {
        let rows: [(String, String, [String], [String])] = [
            ("discord", "?thread_id=1108440404332990506", ["thread_id", "wait"], ["thread_id"]),
            ("google-chat", "?key=SECRETKEY&token=SECRETTOKEN", ["key", "token", "messageReplyOption"], []),
        ]
        for (name, parameters, first, second) in rows {
            var service = try service(name)
            service.parameters = parameters
            let (chat, ledger) = (try await ChatStub.start(service), TestLedger())
            let target = try target(service, chat.server.origin)
            #expect(await attaching(.sample(), to: target, ledger) == "attached")
            let again = await attaching(.sample(text: "Go."), to: target, ledger)
            #expect(again == (second.isEmpty ? "unchanged" : "updated"))
            let sent = chat.server.requests.map { request in request.query.map { $0.name } }
            #expect(sent == [first, second].filter { !$0.isEmpty })
            #expect(chat.complaints == [])
            await chat.server.stop()
        }
    }

    /// What was refused for certain is sent by the next run; what may have arrived only on request.
    @Test(arguments: ChatService.all.indices)
    func nothingIsLostOrDoubled(index: Int) async throws {
        let service = ChatService.all[index]
        for (status, hint) in [
            (400, "read what"), (403, "allow"), (404, "leads to a webhook that exists"),
            (410, "leads to a webhook that exists"), (409, "attach again"),
            (412, "attach again"),
            (413, "attach less"), (422, "read what"), (429, "wait as long"), (500, "the next run"),
            (302, "final URL"),
        ] {
            let chat = try await ChatStub.start(service) { number, request in
                guard number == 1 else { return nil }
                return .text(
                    "no_service \(request.path)", status: status,
                    headers: [("Location", "http://127.0.0.1:1/")])
            }
            let server = chat.server
            let (ledger, target) = (TestLedger(), try target(service, server.origin))
            let outcome = await attach(
                .sample(), to: target, named: "place", knowing: AttachLedger(), AttachOptions(at: runAt)
            ) { ledger.keep($0) }
            let failure = try #require(outcome.failure)
            #expect(failure.hints.first?.contains(hint) == true, "\(status) \(failure.hints)")
            #expect(!"\(failure)".contains("SECRET"), "\(failure)")
            #expect(ledger.states == [.planned, .unknown, .planned])
            #expect(await attaching(.sample(), to: target, ledger) == "attached")
            #expect(server.requests.count == 2 && chat.complaints == [])
            await server.stop()
        }
        let chat = try await ChatStub.start(service)
        let (server, ledger, waits) = (chat.server, TestLedger(), Waits())
        let losing = try target(service, server.origin, attempts: 5, waits: waits) { number, _ in
            number <= 2 ? .request : .answer
        }
        #expect(await attaching(.sample(), to: losing, ledger) == "transport.reset")
        #expect(server.requests.count == 1 && ledger.states == [.planned, .unknown, .unknown])
        let healthy = try target(service, server.origin)
        #expect(await attaching(.sample(), to: healthy, ledger) == "attach.uncertain")
        #expect(server.requests.count == 1)
        #expect(await attaching(.sample(), to: healthy, ledger, again: true) == "attached")
        #expect(server.requests.count == 2 && ledger.states.last == .sent && chat.complaints == [])
        await server.stop()
    }

    /// A server in between answers 502 or 504 when it does not know whether the request was served.
    @Test(arguments: ChatService.all.indices, [502, 504, 524])
    func whatMayHaveBeenServedIsNotSentByItself(index: Int, status: Int) async throws {
        let service = ChatService.all[index]
        let chat = try await ChatStub.start(service) { number, _ in
            number == 1 ? .text("no answer in time", status: status) : nil
        }
        let (ledger, target) = (TestLedger(), try target(service, chat.server.origin, attempts: 5))
        let outcome = await attach(
            .sample(), to: target, named: "place", knowing: AttachLedger(), AttachOptions(at: runAt)
        ) { ledger.keep($0) }
        #expect(outcome.word == "attach.refused")
        #expect(outcome.failure?.hints == [lookThere(AttachedSummary.sample().key(at: "place"))])
        #expect(await attaching(.sample(), to: target, ledger) == "attach.uncertain")
        #expect(chat.server.requests.count == 1 && ledger.states.last == .unknown)
        #expect(await attaching(.sample(), to: target, ledger, again: true) == "attached")
        #expect(chat.server.requests.count == 2 && ledger.states.last == .sent && chat.complaints == [])
        await chat.server.stop()
    }

    /// A message that arrived is not sent again because its name cannot be read.
    @Test(arguments: ["ok", "", #"{"id":null}"#])
    func anAnswerThatSaysNothingIsAnAnswer(body: String) async throws {
        let discord = try service("discord")
        let chat = try await ChatStub.start(discord) { _, _ in .text(body) }
        let (ledger, target) = (TestLedger(), try target(discord, chat.server.origin))
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        #expect(await attaching(.sample(), to: target, ledger) == "unchanged")
        #expect(chat.server.requests.count == 1 && ledger.states.last == .sent)
        await chat.server.stop()
    }

    @Test func waitsForTheLimitAndSendsOnce() async throws {
        let slack = try service("slack")
        let chat = try await ChatStub.start(slack) { number, _ in
            number == 1 ? .text("", status: 429, headers: [("Retry-After", "9")]) : nil
        }
        let waits = Waits()
        let target = try target(slack, chat.server.origin, attempts: 3, waits: waits)
        #expect(await attaching(.sample(), to: target, TestLedger()) == "attached")
        #expect(waits.milliseconds == [9000, 1000] && chat.server.requests.count == 2)
        await chat.server.stop()
    }

    /// A message that people removed, or that another webhook sent, returns only where its verdict or its alerts change:
    /// as a correction, which stays one when it is edited.
    @Test func aMessageThatIsGoneReturnsWithNewsAlone() async throws {
        let discord = try service("discord")
        let gone = StubResponse.json(#"{"code":10008,"message":"Unknown Message"}"#, status: 404)
        let isGone = Mutex(true)
        let chat = try await ChatStub.start(discord) { _, request in
            request.method != "POST" && isGone.withLock { $0 } ? gone : nil
        }
        let (ledger, target) = (TestLedger(), try target(discord, chat.server.origin))
        let why = "the message is no longer there, or is of another webhook or thread"
        let steps: [(text: String, gist: String, isDryRun: Bool, word: String, methods: [String])] = [
            ("Hold. 1", "hold", false, "attached", ["POST"]),
            ("Hold. 2", "hold", true, why, ["GET"]), ("Hold. 2", "hold", false, why, ["PATCH"]),
            ("Hold. 3", "hold", true, "unchanged", []), ("Hold. 3", "hold", false, "unchanged", []),
            ("Go. 1", "go", true, "planned", []), ("Go. 1", "go", false, "attached", ["POST"]),
            ("Hold. 4", "hold", true, "planned", ["GET"]),
            ("Hold. 4", "hold", false, "attached", ["PATCH", "POST"]),
            ("There. 5", "hold", true, "planned", ["GET"]), ("There. 5", "hold", false, "updated", ["PATCH"]),
        ]
        for step in steps {
            if step.text.hasPrefix("There") { isGone.withLock { $0 = false } }
            let before = chat.server.requests.count
            let summary = AttachedSummary.sample(.day, "2026-11-19", text: step.text, gist: step.gist)
            let word = await attaching(summary, to: target, ledger, isDryRun: step.isDryRun)
            #expect(word == step.word, "\(step)")
            #expect(chat.server.requests.dropFirst(before).map(\.method) == step.methods, "\(step)")
        }
        let edits = chat.server.requests.filter { $0.method != "GET" }
        #expect(
            edits.map { $0.text.contains("Correction: Lamp") } == [false, false, true, true, true, true])
        let record = ledger.known.record(of: AttachedSummary.sample(.day, "2026-11-19").key(at: "place"))
        #expect(record?.corrections == 2 && record?.newest.remote == "77")
        let edit = VendorCall(method: "PATCH", target: discord.path + "/messages/77")
        #expect(try VendorContract("discord").faults(of: gone, to: edit) == [] && chat.complaints == [])
        await chat.server.stop()
    }

    /// On request, a message that is gone is sent as it was.
    @Test func aMessageThatIsGoneIsSentAgainOnRequest() async throws {
        let discord = try service("discord")
        let gone = StubResponse.json(#"{"code":10008,"message":"Unknown Message"}"#, status: 404)
        let chat = try await ChatStub.start(discord) { _, request in request.method == "PATCH" ? gone : nil }
        let (ledger, target) = (TestLedger(), try target(discord, chat.server.origin))
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        #expect(await attaching(.sample(), to: target, ledger, again: true) == "attached")
        #expect(chat.server.requests.map(\.method) == ["POST", "PATCH", "POST"])
        #expect(chat.server.requests.last?.text.contains("Correction") == false && chat.complaints == [])
        await chat.server.stop()
    }

    /// A webhook that is gone is a fault, not a message that somebody removed: the message is edited when it is back.
    @Test func aWebhookThatIsGoneIsNoMissingMessage() async throws {
        let discord = try service("discord")
        let isGone = Mutex(true)
        let gone = StubResponse.json(#"{"code":10015,"message":"Unknown Webhook"}"#, status: 404)
        let chat = try await ChatStub.start(discord) { _, request in
            request.method == "PATCH" && isGone.withLock { $0 } ? gone : nil
        }
        let (ledger, target) = (TestLedger(), try target(discord, chat.server.origin))
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        #expect(await attaching(.sample(text: "Go."), to: target, ledger) == "attach.refused")
        isGone.withLock { $0 = false }
        #expect(await attaching(.sample(text: "Go."), to: target, ledger) == "updated")
        #expect(chat.server.requests.map(\.method) == ["POST", "PATCH", "PATCH"] && chat.complaints == [])
        await chat.server.stop()
    }

    /// A message that was removed at the service is not sent again only because the channel has other readers now.
    @Test func aRemovedMessageIsNotSentAgainForOtherReaders() async throws {
        let discord = try service("discord")
        let gone = StubResponse.json(#"{"code":10008,"message":"Unknown Message"}"#, status: 404)
        let chat = try await ChatStub.start(discord) { _, request in request.method == "PATCH" ? gone : nil }
        let (ledger, target) = (TestLedger(), try target(discord, chat.server.origin))
        func isExposed() -> Bool {
            !ledger.known.exposed(to: "public", from: ["team"], at: target).isEmpty
        }
        #expect(await attaching(.sample(), to: target, ledger) == "attached" && isExposed())
        var open = AttachedSummary.sample(text: "For all")
        open.reader = "public"
        let word = await attaching(open, to: target, ledger)
        #expect(word == "the message is no longer there, or is of another webhook or thread")
        #expect(chat.server.requests.map(\.method) == ["POST", "PATCH"] && !isExposed())
        #expect(ledger.states.last == .superseded && chat.complaints == [])
        await chat.server.stop()
    }

    /// A message that is gone is not reported as one that other readers of the channel see.
    @Test func aRemovedMessageIsNotReportedAsThere() async throws {
        let discord = try service("discord")
        let gone = StubResponse.json(#"{"code":10008,"message":"Unknown Message"}"#, status: 404)
        let chat = try await ChatStub.start(discord) { _, request in request.method == "PATCH" ? gone : nil }
        let (ledger, target) = (TestLedger(), try target(discord, chat.server.origin))
        func isExposed() -> Bool {
            !ledger.known.exposed(to: "public", from: ["team"], at: target).isEmpty
        }
        #expect(await attaching(.sample(), to: target, ledger) == "attached" && isExposed())
        let word = await attaching(.sample(text: "Other words"), to: target, ledger)
        #expect(word == "the message is no longer there, or is of another webhook or thread")
        #expect(ledger.states.last == .sent)
        #expect(!isExposed() && chat.complaints == [])
        await chat.server.stop()
    }

    @Test(arguments: ["not a url", "ftp://x/y", "https://user:pw@x/y"])
    func anAddressThatIsNoneIsNotShown(url: String) throws {
        do {
            _ = try AttachDescriptor.slack.make(testSetup(secrets: ["url": url]))
            Issue.record("it was taken")
        } catch {
            #expect(!"\(error)".contains(url) && "\(error)".contains("attach.url"))
        }
    }
}
