import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Publishing
import Synchronization
import Testing
import Transport

@testable import Attaching

/// What goes wrong at each kind of place: what is said of it, and that the next run completes it.
struct AttachFaultTests {
    /// A run that ends while a chat refuses connections has sent nothing: the next one sends it.
    @Test(
        arguments: [
            (.canceled, true, false, false), (.canceled, true, true, true), (.canceled, false, false, true),
            (.refused, false, false, false), (.timeout, false, false, true),
        ] as [(TransportError.Kind, Bool, Bool, Bool)])
    func nothingArrivesBetweenRequests(
        kind: TransportError.Kind, isBetween: Bool, repeats: Bool, mayHaveArrived: Bool
    ) throws {
        var error = TransportError(kind, try Address("https://chat.example/hook"), doing: "waiting")
        error.isBetweenRequests = isBetween
        #expect(error.mayHaveArrived(repeats: repeats) == mayHaveArrived)
    }

    enum Place: String, CaseIterable, Sendable { case release, comment, chat, webhook }

    /// Whether a service answers as it should.
    private final class Health: Sendable {
        private let value = Mutex(false)
        var isWell: Bool { value.withLock { $0 } }
        func heal() { value.withLock { $0 = true } }
    }

    private func target(
        _ place: Place, _ origin: String, milliseconds: Int = 60_000, secret: String? = nil
    ) throws -> any AttachTarget {
        var setup = testSetup(
            ["repository": "team/lamp", "api": origin, "issue": "12", "author": "plimsoll-bot"],
            secrets: [
                "token": secret ?? HostStub.token, "url": origin + "/in/SECRETPATH",
                "key": secret ?? "any text",
            ])
        setup.timeoutMilliseconds = milliseconds
        return switch place {
        case .release: try AttachDescriptor.githubRelease.make(setup)
        case .comment: try AttachDescriptor.githubComment.make(setup)
        case .chat: try AttachDescriptor.slack.make(setup)
        case .webhook: try AttachDescriptor.webhook.make(setup)
        }
    }

    /// A service that refuses everything until it is well.
    private func service(_ status: Int, _ health: Health) async throws -> HostStub {
        let host = try await HostStub.start(.github) { _, request in
            if !health.isWell { return .json(#"{"message":"no"}"#, status: status) }
            return request.path.contains("SECRETPATH") ? .text("ok") : nil
        }
        host.change { $0.releases = [.init(tag: "v4.3.0", body: "Notes")] }
        return host
    }

    /// What a service repeats is masked as its JSON means it.
    @Test(
        arguments: [Place.release, .comment, .webhook],
        [
            #"gho_abc\u002BDEF\/ghi\u003D\u003d9"#, "gho_abc+DEF/ghi==9", "gho_abc%2bDEF%2Fghi%3d%3D9",
            "eDpnaG9fYWJjK0RFRi9naGk9PTk=",
        ])
    func noRefusalShowsASecretThatItRepeats(place: Place, said: String) async throws {
        let host = try await HostStub.start(.github) { _, request in
            guard place == .webhook || request.header("Authorization") != nil else { return nil }
            return .json(#"{"message":"Bad \#(said)","errors":["got \#(said)"]}"#, status: 401)
        }
        host.change { $0.releases = [.init(tag: "v4.3.0", body: "Notes")] }
        let target = try target(place, host.server.origin, secret: "gho_abc+DEF/ghi==9")
        let outcome = await attach(
            .sample(), to: target, named: "place", knowing: AttachLedger(), AttachOptions(at: runAt)
        ) { _ in }
        let failure = "\(try #require(outcome.failure))"
        // Of what is before it in base64 the first character has no bit of it.
        let start = said.hasPrefix("eDpn") ? "eD" : ""
        #expect(failure.contains("Bad \(start)<redacted>: got \(start)<redacted>"), "\(failure)")
        await host.server.stop()
    }

    /// 401 is what an expired token gets.
    @Test(
        arguments: Place.allCases,
        [
            (401, "check that the token"), (403, "allow"), (409, "attach again"), (412, "attach again"),
            (429, "wait as long"), (500, "the next run"), (507, "the next run"),
        ])
    func whatIsRefusedIsSentByTheNextRun(place: Place, row: (status: Int, hint: String)) async throws {
        let health = Health()
        let host = try await service(row.status, health)
        let (target, ledger) = (try target(place, host.server.origin), TestLedger())
        let outcome = await attach(
            .sample(), to: target, named: "place", knowing: AttachLedger(),
            AttachOptions(at: runAt, namesReader: true)
        ) { entry throws(Diagnostic) in ledger.keep(entry) }
        let failure = try #require(outcome.failure, "\(outcome.word)")
        #expect(failure.hints.contains { $0.contains(row.hint) }, "\(failure)")
        #expect(!"\(failure)".contains("SECRET") && !"\(failure)".contains(HostStub.token))
        health.heal()
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        #expect(await attaching(.sample(), to: target, ledger) == "unchanged")
        if place == .release || place == .comment { #expect(host.now.complaints == []) }
        await host.server.stop()
    }

    /// An address that is itself the secret is not shown, and the hint says what it has to lead to.
    @Test(arguments: [Place.chat, .webhook], [400, 404, 410])
    func aSecretAddressIsNotShown(place: Place, status: Int) async throws {
        let host = try await HostStub.start(.github) { _, _ in StubResponse.text("no", status: status) }
        let outcome = await attach(
            .sample(), to: try target(place, host.server.origin), named: "place", knowing: AttachLedger(),
            AttachOptions(at: runAt, namesReader: true)
        ) { _ throws(Diagnostic) in }
        let failure = try #require(outcome.failure, "\(outcome.word)")
        #expect(failure.location == nil && !consoleText(of: failure).contains(Secret.mask), "\(failure)")
        let words =
            place == .chat
            ? "leads to a webhook that exists and is not turned off"
            : "leads to a service that takes messages"
        #expect(failure.hints.contains { $0.contains(words) } == (status != 400), "\(failure.hints)")
        await host.server.stop()
    }

    /// A service that takes the request and says nothing.
    @Test(arguments: Place.allCases)
    func aSlowServiceIsGivenUp(place: Place) async throws {
        let silent = try FaultServer.start(.stall)
        let ledger = TestLedger()
        let slow = try target(place, "http://127.0.0.1:\(silent.port)", milliseconds: 300)
        let outcome = await attach(
            .sample(), to: slow, named: "place", knowing: AttachLedger(),
            AttachOptions(at: runAt, namesReader: true)
        ) { entry throws(Diagnostic) in ledger.keep(entry) }
        #expect(outcome.word == "transport.timeout" && outcome.failure?.hints.isEmpty == false)
        let text = outcome.failure.map { consoleText(of: $0) } ?? ""
        let isSecret = place == .chat || place == .webhook
        #expect(!text.contains(Secret.mask) && text.contains("\n  at ") != isSecret, "\(text)")
        let problems = await slow.obstacles()
        #expect(problems.map(\.id) == ["transport.timeout"])
        let health = Health()
        health.heal()
        let host = try await service(200, health)
        let well = try target(place, host.server.origin)
        // What may have arrived is sent again where that makes no second one.
        let isSafe = place == .release || place == .comment
        #expect(
            await attaching(.sample(), to: well, ledger) == (isSafe ? "attached" : "attach.uncertain"))
        #expect(await attaching(.sample(), to: well, ledger, again: true) != "attach.uncertain")
        #expect(await well.obstacles() == [])
        await host.server.stop()
    }

    /// What is sent after a place was found down, by what was seen of it.
    @Test(arguments: Place.allCases, [(401, false), (404, false), (429, true), (502, true), (503, true)])
    func aPlaceThatIsDownIsNotAskedAgain(place: Place, row: (status: Int, isDown: Bool)) async throws {
        let health = Health()
        let host = try await service(row.status, health)
        let (target, ledger) = (try target(place, host.server.origin), TestLedger())
        var options = AttachOptions(at: runAt, namesReader: true)
        let first = await attach(
            .sample(), to: target, named: "place", knowing: ledger.known, options
        ) { entry throws(Diagnostic) in ledger.keep(entry) }
        guard place != .release || row.status != 404 else { return await host.server.stop() }
        #expect((first.outage != nil) == row.isDown, "\(first.word)")
        options.outage = first.outage
        let asked = host.server.requests.count
        let second = await attach(
            .sample(.release, "4.3.1"), to: target, named: "place", knowing: ledger.known, options
        ) { entry throws(Diagnostic) in ledger.keep(entry) }
        #expect(second.failure != nil && (host.server.requests.count == asked) == row.isDown)
        // It waits for the next run.
        let record = ledger.known.record(of: AttachedSummary.sample(.release, "4.3.1").key(at: "place"))
        #expect(record?.newest.state == .planned || !row.isDown)
        await host.server.stop()
    }

    /// A limit that GitHub reports with 403, and that lasts longer than is waited for, is no lack of rights.
    @Test(arguments: Place.allCases)
    func aLimitWithStatus403EndsTheTarget(place: Place) async throws {
        let limit = StubResponse.json(
            #"{"message":"API rate limit exceeded for user ID 1."}"#, status: 403,
            headers: [
                ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "\(runAt.secondsSinceEpoch + 2400)"),
            ])
        let host = try await HostStub.start(.github) { _, _ in limit }
        let outcome = await attach(
            .sample(), to: try target(place, host.server.origin), named: "place", knowing: AttachLedger(),
            AttachOptions(at: runAt, namesReader: true)
        ) { _ throws(Diagnostic) in }
        let failure = try #require(outcome.failure, "\(outcome.word)")
        #expect(failure.id == "attach.refused" && outcome.outage == failure)
        #expect(failure.hints == ["wait as long as the service requests; the next run sends it"])
        #expect("\(failure)".contains("status 403, API rate limit exceeded"), "\(failure)")
        #expect(host.server.requests.count == 1)
        await host.server.stop()
    }

    @Test(arguments: Place.allCases)
    func aPortThatRefusesEndsTheTarget(place: Place) async throws {
        let silent = try FaultServer.start(.stall)
        let slow = try target(place, "http://127.0.0.1:\(silent.port)", milliseconds: 300)
        let outcome = await attach(
            .sample(), to: slow, named: "place", knowing: AttachLedger(),
            AttachOptions(at: runAt, namesReader: true)
        ) { _ throws(Diagnostic) in }
        #expect(outcome.outage?.id == "transport.timeout")
    }
}
