import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct BugsinkFaultTests {
    private func fetch(
        token: String = StubBugsink.token, providedBefore: Set<Capability> = [],
        stored: KnownIssues = KnownIssues(),
        _ fault: @escaping StubBugsink.Fault = { _ in nil }
    ) async throws -> FetchOutcome {
        let server = try await StubBugsink.start(fault: fault)
        let configuration = try StubBugsink.configuration(server, token: token)
        var provider = try BugsinkProvider(configuration, sender: client())
        provider.providedBefore = { providedBefore }
        provider.knownIssues = { stored }
        let outcome = await provider.fetch(app("sketchbook"), at: runTime)
        await server.stop()
        let texts = outcome.diagnostics.map(\.everything)
        #expect(texts.allSatisfy { !$0.contains(token) && !$0.contains(StubBugsink.key) })
        return outcome
    }

    /// Responds so at paths with this ending and lets every other path be.
    private func at(_ ending: String, _ answer: StubResponse) -> StubBugsink.Fault {
        { $0.path.hasSuffix(ending) ? answer : nil }
    }

    @Test(arguments: [
        ("not-hex", "must be 40 lowercase hex chars"),
        ("ffffffffffffffffffffffffffffffffffffffff", "Invalid Bearer <redacted>"),
    ])
    func aWrongTokenIsAFailureWithAHint(token: String, says: String) async throws {
        let outcome = try await fetch(token: token)
        #expect(outcome.requests == 1)
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "transport.status-401")
        #expect(why.quotes.first?.contains(says) == true)
        #expect(why.hints == ["write the token as Bugsink shows it: 40 characters of 0-9 and a-f"])
    }

    /// A list without issues is no answer where issues with events on its days are stored, unless the events of the project
    /// say so too.
    @Test(arguments: [("2026-11-10", true), ("2026-10-01", false)])
    func anEmptyListNextToStoredEventsSaysNothing(day: String, isDoubted: Bool) async throws {
        let date = try #require(CivilDate(day))
        let stored = KnownIssues(days: [IssueDay(issue: "i1", date: date, events: 3, users: nil)])
        let outcome = try await fetch(stored: stored) { request in
            if request.path.hasSuffix("/event-counts/") { return .json("{}", status: 403) }
            return request.path.hasSuffix("/issues/") ? .json(StubBugsink.page("")) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(spans(snapshot, .issueDays) == (isDoubted ? [] : ["2026-10-24…2026-11-20 complete"]))
        #expect(snapshot.warnings.contains { $0.id == "bugsink.empty-list" } == isDoubted)
    }

    /// Without its days a source has no new crash. Where some are stored, such a night is one that has failed, unless the
    /// server never had them. Nothing is stored on the first night.
    @Test(
        arguments: [
            ("/projects/2/event-counts/", 403, true, "crashes by day"),
            ("/projects/2/event-counts/", 429, true, "crashes by day"),
            ("/projects/2/event-counts/", 500, true, "crashes by day"),
            ("/projects/2/event-counts/", 404, true, nil), ("/projects/2/event-counts/", 403, false, nil),
            ("/event-counts/", 403, true, "crashes by day"), ("/event-counts/", 403, false, nil),
            ("/issues/i1/event-counts/", 403, true, "counts by day"),
            ("/issues/i1/event-counts/", 429, true, "counts by day"),
            ("/issues/i1/event-counts/", 429, false, nil),
            // One issue of several may fail.
            ("/issues/i2/event-counts/", 429, true, nil), ("/issues/i1/event-counts/", 500, true, nil),
            ("/releases/", 403, true, nil),
        ] as [(String, Int, Bool, String?)])
    func daysThatAreRefusedFailTheFetchWhereSomeAreStored(
        path: String, status: Int, isStored: Bool, missing: String?
    ) async throws {
        let date = try #require(CivilDate("2026-11-10"))
        let stored = isStored ? [IssueDay(issue: "i1", date: date, events: 3, users: nil)] : []
        let outcome = try await fetch(
            stored: KnownIssues(days: stored), at(path, .json(#"{"detail":"no"}"#, status: status)))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.failure?.details.last == missing.map { "couldn't fetch \($0)" })
        #expect(outcome.failures.map(\.makesStale) == (missing == nil ? [] : [true]))
        #expect(outcome.attempts.map { $0.failure != nil } == [missing != nil])
        // What came is stored.
        #expect(snapshot.issues.count == 4)
    }

    private static let mainFaults: [(StubResponse, String)] = [
        (.text("Unimplemented API endpoint: /api", status: 404), "transport.status-404"),
        (.json(#"{"detail":"no"}"#, status: 403), "transport.status-403"),
        (.json(#"{"project":["This field is required."]}"#, status: 400), "transport.status-400"),
        (.json("{}", status: 429, headers: [("Retry-After", "60")]), "transport.status-429"),
        (
            .json("{}", status: 429, headers: [("Retry-After", "Sat, 21 Nov 2026 08:00:00 GMT")]),
            "transport.status-429"
        ),
        (.json("{}", status: 429), "transport.status-429"),
        (.text("oops", status: 500), "transport.status-500"),
        (.text("<!doctype html><p>Sign in"), "decoding.not-json"), (.text(""), "decoding.not-json"),
        (
            .json(#"{"next":null,"results":[{"id":"i1","dsn":"http://\#(StubBugsink.key)@h/1"#),
            "decoding.not-json"
        ),
        (.json(#"{"next":null,"results":{"a":1}}"#), "decoding.mismatch"),
        (.json(#"{"next":null,"result":[]}"#), "decoding.missing-key"),
    ]

    @Test(arguments: mainFaults.indices, ["/projects/", "/issues/"])
    func withoutProjectOrIssuesTheFetchFails(index: Int, path: String) async throws {
        let (answer, id) = Self.mainFaults[index]
        let outcome = try await fetch(at(path, answer))
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == [id])
    }

    @Test func aTokenBoundToItsProjectNeedsTheID() async throws {
        let server = try await StubBugsink.start(
            fault: at("/projects/", .json(#"{"detail":"no"}"#, status: 403)))
        var configuration = try StubBugsink.configuration(server)
        configuration.project = "2"
        let outcome = try await BugsinkProvider(configuration, sender: client()).fetch(
            app("sketchbook"), at: runTime)
        #expect(outcome.snapshots.first?.issues.count == 4)
        #expect(outcome.diagnostics.isEmpty)
        await server.stop()
    }

    @Test(arguments: [
        ("projects/2/event-counts/", "projects:read"), ("i1/event-counts/", "issues:read"),
        ("/releases/", "releases:read"),
        ("i1/tags/", "events:read"), ("/events/", "events:read"), ("/issue-history/", "issues:read"),
    ])
    func aRightThatIsMissingIsNamed(path: String, right: String) async throws {
        let outcome = try await fetch(at(path, .json(#"{"detail":"no"}"#, status: 403)))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            snapshot.warnings.map(\.hints) == [["give the token the permission \(right), for this project"]])
    }

    @Test func skipsOnlyTheBadElement() async throws {
        let bad = StubBugsink.page(
            [
                StubBugsink.issue("i1", events: 5), StubBugsink.issue("i2", events: -5),
                #"{"calculated_type":"x"}"#,
                StubBugsink.issue("i3", events: 5, #","is_muted":"yes""#),
            ].joined(separator: ","))
        let snapshot = try #require(try await fetch(at("/issues/", .json(bad))).snapshots.first)
        #expect(snapshot.issues.map(\.id) == ["i1"])
        #expect(
            snapshot.warnings.map(\.summary) == [
                "bugsink: results[1].digested_event_count: expected a count, zero or more, found -5",
                "bugsink: results[2].id: expected a value, found nothing",
                #"bugsink: results[3].is_muted: expected true or false, found "yes""#,
            ])
    }

    @Test(arguments: [
        StubResponse.text("<html>"), .text("gone", status: 500), .json("{"), .json(#"{"a":1}"#),
        .json(#"{"buckets":[],"interval_seconds":"hour","results":7}"#),
        .json(#"{"detail":"No Issue matches the given query."}"#, status: 404),
    ])
    func aFaultInOnePartLeavesTheOthers(answer: StubResponse) async throws {
        for (ending, part) in [("i2/event-counts/", "counts by day"), ("i2/tags/", "users"), ("of-i2/", "")] {
            let outcome = try await fetch(at(ending, answer))
            let snapshot = try #require(outcome.snapshots.first)
            #expect(snapshot.issues.count == 4 && snapshot.releases.count == 3 && snapshot.notes.count == 2)
            #expect(snapshot.source.capabilities == [.releases, .issues, .issueDays, .notes])
            #expect(snapshot.issues[0].users == 2)
            guard !part.isEmpty else { continue }
            #expect(
                snapshot.warnings.map(\.summary) == [
                    "bugsink: couldn't fetch \(part) of 1 issue"
                ])
        }
    }

    @Test func aServerWithoutThePartGetsOneRequest() async throws {
        let outcome = try await fetch { request in
            let isNew = request.path.hasSuffix("/event-counts/") || request.path.hasSuffix("/tags/")
            if request.path.contains("issue-history") { return .json(#"{"detail":"no"}"#, status: 405) }
            return isNew ? .text("Unimplemented API endpoint: \(request.path)", status: 404) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities == [.releases, .issues])
        #expect(
            snapshot.warnings.map(\.summary) == [
                "bugsink: couldn't fetch crashes by day",
                "bugsink: couldn't fetch counts by day",
                "bugsink: couldn't fetch users",
                "bugsink: couldn't fetch notes",
            ])
        #expect(outcome.requests == 4 + 1 + 1 + 1 + 6 + 1 + 1)
    }

    /// A refusal of one night must not make of what was fetched something not provided.
    @Test func partsThatWereProvidedStayKnowable() async throws {
        let outcome = try await fetch(providedBefore: [.issueDays, .releases]) { request in
            let parts = ["/event-counts/", "/releases/", "/issue-history/"]
            return parts.contains { request.path.contains($0) }
                ? .json(#"{"detail":"no"}"#, status: 403) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities.isSuperset(of: [.issueDays, .releases]))
        #expect(snapshot.issueDays.isEmpty && snapshot.releases.isEmpty)
    }

    @Test func aPartThatFailsAgainAndAgainIsLeft() async throws {
        let issues = (1...9).map { StubBugsink.issue("i\($0)", events: 100 - $0) }.joined(separator: ",")
        let outcome = try await fetch { request in
            if request.path.hasSuffix("/0/issues/") { return .json(StubBugsink.page(issues)) }
            let isOfIssue = request.path.contains("/issues/") && request.path.hasSuffix("/event-counts/")
            return isOfIssue ? .text("oops", status: 502) : nil
        }
        let warning = try #require(outcome.snapshots.first?.warnings.first)
        #expect(warning.summary == "bugsink: couldn't fetch counts by day of 9 issues")
        #expect(warning.details.last == "skipped: 6 issues")
    }

    @Test func afterTooManyRequestsNothingMoreIsRequested() async throws {
        let outcome = try await fetch(at("i2/event-counts/", .json("{}", status: 429)))
        #expect(outcome.requests == 8)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issueDays.map(\.issue) == Array(repeating: "i1", count: 28))
        #expect(snapshot.warnings.count == 4)
        #expect(
            snapshot.warnings.last?.details.first == "bugsink: stopped after status 429")
    }

    /// A service that is down is named by the address that failed, not by the one that it was not asked for.
    @Test func anOutageNamesTheAddressThatFailed() async throws {
        let server = try await StubBugsink.start(fault: { request in
            request.path.hasSuffix("/event-counts/") ? .text("oops", status: 502) : nil
        })
        let sender = RetryingClient(
            client(), policy: RetryPolicy(), pacing: Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }))
        let configuration = try StubBugsink.configuration(server)
        let outcome = try await BugsinkProvider(configuration, sender: sender).fetch(
            app("sketchbook"), at: runTime)
        await server.stop()
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "transport.outage")
        #expect(why.summary.contains("/event-counts/"))
    }

    @Test func aNextPageElsewhereIsNotRequested() async throws {
        let other = try await LoopbackServer.start(answering: .json(StubBugsink.page("")))
        let page = StubBugsink.page(StubBugsink.issue("i1", events: 1), next: "\"\(other.origin)/steal/\"")
        let outcome = try await fetch(at("/0/issues/", .json(page)))
        #expect(other.requests.isEmpty)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.map(\.id) == ["i1"])
        #expect(snapshot.warnings.map(\.id) == ["bugsink.pages-cut"])
        #expect(
            snapshot.warnings.first?.hints
                == ["set BASE_URL in Bugsink's configuration to the URL used here"])
        await other.stop()
    }

    @Test(arguments: ["?project=2&sort=digested_event_count&order=desc", "?cursor=a"])
    func pagesThatGoInCirclesEnd(next: String) async throws {
        let page = StubBugsink.page(StubBugsink.issue("i1", events: 1), next: "\"\(next)\"")
        let outcome = try await fetch(at("/0/issues/", .json(page)))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.map(\.id) == ["i1"])
        #expect(snapshot.warnings.first?.details == ["the next page is one that was read already"])
    }

    @Test(arguments: ["7", #"["a"]"#, #""http://[::bad""#, #""javascript:alert(1)""#])
    func aNextThatIsNoAddressEndsTheList(next: String) async throws {
        let outcome = try await fetch { request in
            guard request.path.hasSuffix("/0/releases/") else { return nil }
            return .json(StubBugsink.page(#"{"version":"1.0"}"#, next: next))
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.count == 4)
        #expect(snapshot.warnings.count == 1)
    }

    @Test func usersBeyondThePagesAreUnknown() async throws {
        let outcome = try await fetch { request in
            guard request.path.hasSuffix("i1/tags/") else { return nil }
            let number = Int(request.parameter("cursor") ?? "0") ?? 0
            return .json(StubBugsink.page(#"{"id":\#(number)}"#, next: #""?key=user&cursor=\#(number + 1)""#))
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues[0].users == nil)
        #expect(snapshot.warnings.map(\.id) == ["bugsink.pages-cut"])
    }

    @Test func aBudgetOfNothingAndNoServerAreFailures() async throws {
        let port = try FaultServer.refusedPort()
        var configuration = try BugsinkConfiguration(
            project: "a", token: try #require(Secret(StubBugsink.token)), base: "http://127.0.0.1:\(port)")
        let refused = try await BugsinkProvider(configuration, sender: client()).fetch(app("a"), at: runTime)
        #expect(refused.failures.map(\.why.id) == ["transport.refused"])
        configuration.mostRequests = 0
        let none = try await BugsinkProvider(configuration, sender: client()).fetch(app("a"), at: runTime)
        #expect(none.failures.map(\.why.id) == ["bugsink.budget"])
    }
}
