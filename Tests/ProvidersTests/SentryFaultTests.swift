import AppHealth
import Diagnostics
import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import Providers

struct SentryFaultTests {
    private func fetch(
        token: String = StubSentry.token, hurrying path: String = "", providedBefore: Set<Capability>? = nil,
        _ fault: @escaping StubSentry.Fault = { _ in nil }
    ) async throws -> FetchOutcome {
        let stub = try await StubSentry.start(fault: fault)
        let configuration = try stub.configuration(token: token)
        let outcome = try await stub.fetch(configuration, hurrying: path, providedBefore: providedBefore)
        #expect(outcome.diagnostics.allSatisfy { !$0.everything.contains(token) })
        return outcome
    }

    /// Responds so at one path below the organization and lets every other be.
    private func at(
        _ path: String, where fits: @escaping @Sendable (RecordedRequest) -> Bool = { _ in true },
        _ answer: StubResponse
    ) -> StubSentry.Fault {
        { $0.path == "\(StubSentry.root)/\(path)/" && fits($0) ? answer : nil }
    }

    private static func isAbout(_ question: String) -> @Sendable (RecordedRequest) -> Bool {
        { request in
            let isRelease = request.query.contains { $0.value == "release" }
            let isUsers = request.query.contains { $0.value == "count_unique(user)" }
            return (isRelease ? "releases " : "") + (isUsers ? "users" : "sessions") == question
        }
    }

    private static let tokenHint = """
        use a personal token, or the token of an internal integration, with the scopes org:read, project:read and \
        event:read; an organization token cannot read issues
        """

    private static let newTokenHint = """
        make a new personal token, or token of an internal integration, with the scopes org:read, project:read and \
        event:read, and store it where 'token' or 'tokenFile' of the source reads it
        """

    @Test func aWrongTokenIsAFailureWithAHint() async throws {
        let outcome = try await fetch(token: "wrong-one")
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.requests == 1)
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "transport.status-401")
        #expect(why.quotes.first == #"response: {"detail":"Invalid token"}"#)
        #expect(why.hints == [Self.newTokenHint])
    }

    @Test func aDetailThatIsAnObjectIsShownAndSingleSignOnHasItsHint() async throws {
        let detail =
            #"{"detail":{"code":"sso-required","message":"Must login via SSO","extra":{"loginUrl":"/x/"}}}"#
        let outcome = try await fetch(at("projects", .json(detail, status: 401)))
        let why = try #require(outcome.failures.first?.why)
        #expect(why.everything.contains("Must login via SSO"))
        #expect(why.hints == ["authorize the token for the organization's single sign-on"])
    }

    @Test func theTokenIsHiddenEvenWhenTheServiceEchoesIt() async throws {
        let echo = #"{"detail":"token \#(StubSentry.token) is blocked"}"#
        let refused = try await fetch(at("projects", .json(echo, status: 403)))
        #expect(refused.failures.first?.why.everything.contains("<redacted> is blocked") == true)
        let mismatch = #"{"end":"you sent \#(StubSentry.token)","intervals":[],"groups":[]}"#
        let found = try await fetch(at("sessions", .json(mismatch)))
        #expect(found.failures.first?.why.everything.contains("<redacted>") == true)
    }

    private static let head =
        #"{"start":"2026-11-18T00:00:00Z","end":"2026-11-20T00:00:00Z","query":"","#
        + #""intervals":["2026-11-18T00:00:00Z","2026-11-19T00:00:00Z"],"groups":"#

    private static let sessionFaults: [(StubResponse, String)] = [
        (.json(#"{"detail":"Not found"}"#, status: 404), "transport.status-404"),
        (.json("{}", status: 429, headers: [("Retry-After", "60")]), "transport.status-429"),
        (.text("oops", status: 500), "transport.status-500"),
        (.text("<!doctype html><p>Sign in"), "decoding.not-json"), (.text(""), "decoding.not-json"),
        (.json(head + #"[{"by":{"session.st"#), "decoding.not-json"),
        (.json(head + #"{"a":1}}"#), "decoding.mismatch"),
        (.json(#"{"intervals":[]}"#), "decoding.missing-key"),
        (.json(head + "[]}"), "decoding.mismatch"), (.json(head + "[7]}"), "decoding.mismatch"),
        (.json(head + #"[{"by":{},"series":{"sum(session)":[1,2]}}]}"#), "decoding.mismatch"),
        (
            .json(head + #"[{"by":{"session.status":4},"series":{"sum(session)":[1,2]}}]}"#),
            "decoding.mismatch"
        ),
        // No group of crashed sessions, under its name, is not a day without a crash.
        (
            .json(
                head + #"[{"by":{"session.status":"healthy"},"series":{"sum(session)":[100,100]}},"#
                    + #"{"by":{"session.status":"crash"},"series":{"sum(session)":[7,3]}}]}"#),
            "decoding.mismatch"
        ),
        // Counts of which none can be read are not days without sessions.
        (
            .json(
                head + #"[{"by":{"session.status":"healthy"},"series":{"sum(session)":["100","100"]}},"#
                    + #"{"by":{"session.status":"crashed"},"series":{"sum(session)":["7","3"]}}]}"#),
            "decoding.mismatch"
        ),
    ]

    @Test(arguments: sessionFaults.indices)
    func withoutSessionsTheFetchFails(index: Int) async throws {
        let (answer, id) = Self.sessionFaults[index]
        let outcome = try await fetch(at("sessions", answer))
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == [id])
    }

    /// The service leads from a former slug to the project; beyond the first page of the list it is found by that alone.
    @Test func aRenamedProjectGoesOnWithAWarning() async throws {
        let projects = "/api/0/projects/lantern-works"
        let stub = try await StubSentry.start { request in
            request.path == "\(projects)/sketchbook-old/"
                ? .json("{}", status: 302, headers: [("Location", "\(projects)/sketchbook-ios/")]) : nil
        }
        let outcome = try await stub.fetch(try stub.configuration("sketchbook-old"))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.count == 5)
        let warning = snapshot.warnings.first
        #expect(
            warning?.summary == "sentry: project 'sketchbook-old' is now called 'sketchbook-ios'")
        #expect(
            warning?.hints == [
                "set 'project' to 'sketchbook-ios', and 'formerly' to 'lantern-works/sketchbook-old'"
            ])
    }

    @Test func aTokenWithoutSessionsKeepsTheRest() async throws {
        let outcome = try await fetch(at("sessions", .json(#"{"detail":"no"}"#, status: 403)))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities == [.releases, .issues, .issueDays, .notes])
        #expect(snapshot.issues.count == 5)
        #expect(snapshot.warnings.first?.summary == "sentry: couldn't fetch sessions and users")
        #expect(snapshot.warnings.first?.hints == [Self.tokenHint])
    }

    /// Without sessions the issues are all there is.
    @Test func withoutSessionsAndIssuesTheFetchFails() async throws {
        let outcome = try await fetch { request in
            switch request.path {
            case "\(StubSentry.root)/sessions/": .json(#"{"detail":"no"}"#, status: 403)
            case "\(StubSentry.root)/issues/": .text("gone", status: 500)
            default: nil
            }
        }
        #expect(outcome.failures.map(\.why.id) == ["transport.status-500"])
        #expect(outcome.failures.first?.why.details.last == "couldn't fetch issues")
        #expect(outcome.snapshots.first?.releases.count == 4)
        // Next to sessions they are one part of several.
        #expect(try await fetch(at("issues", .text("gone", status: 500))).failures.isEmpty)
    }

    /// A proxy, or a scope that was changed for a night, must not make of what was fetched something not provided.
    @Test func aRefusalOfSessionsThatWereProvidedIsAFailure() async throws {
        let outcome = try await fetch(
            providedBefore: [.sessions, .users, .issues],
            at("sessions", .json(#"{"detail":"no"}"#, status: 403)))
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["transport.status-403"])
        #expect(outcome.failures.first?.why.hints == [Self.tokenHint])
    }

    /// What is stored is of one environment: the days of all would take its place.
    @Test func anEnvironmentThatWasReportedIsAFailureWhenItIsRefused() async throws {
        let refused: StubSentry.Fault = { request in
            request.parameter("environment") == nil ? nil : .json(#"{"detail":"no"}"#, status: 404)
        }
        let outcome = try await fetch(providedBefore: [.sessions], refused)
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["transport.status-404"])
        #expect(outcome.failures.first?.why.hints.first?.contains("environment") == true)
        // The first fetch has nothing to lose.
        #expect(try await fetch(refused).failures.isEmpty)
    }

    @Test func aCrashedGroupThatCannotBeReadIsNotTakenForStable() async throws {
        let groups = """
            [{"by":{"session.status":"healthy"},"series":{"sum(session)":[100,100]}},
            {"by":{"session.status":"crashed"},"series":{"sum(session)":["7",3]}},
            {"by":{"session.status":"crashed"},"series":{"sum(session)":[0,0]}},
            {"by":{"session.status":"frozen"},"series":{"sum(session)":[1,1]}}]
            """
        let fault = at("sessions", where: Self.isAbout("sessions"), .json(Self.head + groups + "}"))
        let snapshot = try #require(try await fetch(fault).snapshots.first)
        let days = snapshot.health.filter { $0.version == nil }
        #expect(days.map(\.date.description) == ["2026-11-19"])
        #expect(days.first?.sessions == 104)
        #expect(days.first?.crashedSessions == 3)
        let texts = snapshot.warnings.map(\.summary)
        #expect(texts[0].hasPrefix(#"sentry: groups[1].series["sum(session)"][0]: expected a whole number"#))
        #expect(
            texts[1] == "sentry: groups[2]: expected one entry for a release and status, found another one")
        #expect(texts[2].contains("healthy, errored, crashed, abnormal, unhandled, found \"frozen\""))
    }

    private static let parts: [(path: String, question: String?, missing: String)] = [
        ("sessions", "users", "users"), ("sessions", "releases users", "users of releases"),
        ("sessions", "releases sessions", "sessions of releases"), ("releases", nil, "releases"),
        ("issues", nil, "issues"), ("issues/5001", nil, "notes and versions of issue 5001"),
        ("issues/5001/events/latest", nil, "place and line of issue 5001"),
    ]

    private static let answers: [StubResponse] = [
        .text("<html>"), .text("gone", status: 500), .json("{"), .json("[[]"), .json("7"),
        .json("{}", status: 422),
        .json(#"{"detail":"Invalid field: x"}"#, status: 400),
    ]

    @Test(arguments: parts.indices, answers.indices)
    func aFaultInOnePartLeavesTheOthers(part: Int, kind: Int) async throws {
        let (path, question, missing) = Self.parts[part]
        let fits: @Sendable (RecordedRequest) -> Bool = { request in
            question.map { Self.isAbout($0)(request) } ?? true
        }
        let outcome = try await fetch(at(path, where: fits, Self.answers[kind]))
        let snapshot = try #require(outcome.snapshots.first)
        let summaries = snapshot.warnings.map(\.summary).filter { !$0.contains("permalink") }
        #expect(summaries == ["sentry: couldn't fetch \(missing)"])
        #expect(snapshot.health.count { $0.version == nil } == 30)
        #expect(snapshot.source.capabilities.count == 9)
        #expect(snapshot.issues.count == (path == "issues" ? 0 : 5))
        #expect(snapshot.releases.count == (path == "releases" ? 0 : 4))
        #expect(snapshot.health.contains { $0.version == "4.2.1" })
        let crashed = snapshot.health.contains { $0.version != nil && $0.crashedSessions != nil }
        #expect(crashed == (missing != "sessions of releases"))
        let users = snapshot.health.contains { $0.version == nil && $0.users != nil }
        #expect(users == (missing != "users"))
    }

    @Test func tooManyRequestsOfOneKindLeaveTheOthers() async throws {
        let reset = (name: "X-Sentry-Rate-Limit-Reset", value: "\(runTime.secondsSinceEpoch + 40)")
        let limited = StubResponse.json(
            #"{"detail":"You are attempting to use this endpoint"}"#, status: 429, headers: [reset])
        let stub = try await StubSentry.start(fault: at("issues/5001", limited))
        let outcome = try await stub.fetch(try stub.configuration())
        let snapshot = try #require(outcome.snapshots.first)
        #expect(stub.server.requests.count { $0.path.hasSuffix("/issues/5002/") } == 0)
        #expect(snapshot.issues[2].place?.fileName == "b.c")
        let warnings = snapshot.warnings.filter { !$0.summary.contains("permalink") }
        #expect(
            warnings.map(\.summary) == [
                "sentry: couldn't fetch notes and versions of issue 5001",
                "sentry: skipped notes and versions of 4 issues",
            ])
        #expect(warnings.first?.details.last == "the service takes requests again at 2026-11-20T06:00:40Z")
    }

    @Test func theResetOfALimitIsWaitedFor() async throws {
        let answered = Mutex(0)
        let stub = try await StubSentry.start { request in
            guard request.path.hasSuffix("/releases/") else { return nil }
            let isFirst = answered.withLock { count in
                count += 1
                return count == 1
            }
            let reset = (name: "X-Sentry-Rate-Limit-Reset", value: "\(runTime.secondsSinceEpoch + 7)")
            return isFirst ? .json("{}", status: 429, headers: [reset]) : nil
        }
        let waits = Mutex<[Int]>([])
        let pacing = Pacing(
            now: { runTime.secondsSinceEpoch }, random: { 0 },
            sleep: { wait in waits.withLock { $0.append(wait) } })
        let sender = RetryingClient(client(), pacing: pacing)
        let outcome = await (try SentryProvider(try stub.configuration(), sender: sender)).fetch(
            app("sketchbook"), at: runTime)
        await stub.server.stop()
        #expect(waits.withLock { $0 } == [7000])
        #expect(outcome.snapshots.first?.releases.count == 4)
        #expect(outcome.requests == stub.server.requests.count)
    }

    /// The service goes down after the sessions: these are kept, and what is left is not requested, part by part, in vain.
    @Test func anOutageEndsTheFetchWithOneError() async throws {
        let isDown = Mutex(false)
        let stub = try await StubSentry.start { request in
            if request.path.hasSuffix("/issues/") { isDown.withLock { $0 = true } }
            return isDown.withLock { $0 } ? .text("down", status: 503) : nil
        }
        let policy = RetryPolicy()
        let sender = RetryingClient(
            client(), policy: policy, pacing: Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }))
        let provider = try SentryProvider(try stub.configuration(), sender: sender)
        let outcome = await provider.fetch(app("sketchbook"), at: runTime)
        await stub.server.stop()
        #expect(outcome.failures.map(\.why.id) == ["transport.outage"])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.failure?.id == "transport.outage")
        #expect(spans(snapshot, .sessions) == ["2026-10-21…2026-11-19 complete"])
        #expect(snapshot.issues.isEmpty && spans(snapshot, .issueDays).isEmpty)
        #expect(snapshot.warnings.contains { $0.summary == "sentry: couldn't fetch issues" })
        let why = try #require(outcome.failures.first?.why)
        #expect(why.everything.contains("attempts in a row failed, the last: status 503"))
        #expect(stub.server.requests.count { $0.path.hasSuffix("/issues/") } == policy.attempts)
        #expect(stub.server.requests.count < 40 && outcome.requests == stub.server.requests.count)
    }

    /// A service that is down from the sessions on leaves nothing: releases alone say nothing of the app.
    @Test func anOutageBeforeTheSessionsStoresNothing() async throws {
        let stub = try await StubSentry.start { request in
            request.path.hasSuffix("/sessions/") ? .text("down", status: 503) : nil
        }
        let sender = RetryingClient(
            client(), policy: RetryPolicy(),
            pacing: Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }))
        let provider = try SentryProvider(try stub.configuration(), sender: sender)
        let outcome = await provider.fetch(app("sketchbook"), at: runTime)
        await stub.server.stop()
        #expect(outcome.snapshots.isEmpty && outcome.failures.count == 1)
    }

    @Test func aLinkToAnotherHostIsNotFollowed() async throws {
        let other = try await LoopbackServer.start(answering: .json("[]"))
        let link = (
            name: "Link",
            value: "<\(other.origin)/steal?cursor=9>; rel=\"next\"; results=\"true\"; cursor=\"0:100:0\""
        )
        let outcome = try await fetch { request in
            guard request.path.hasSuffix("/releases/") else { return nil }
            let isFirst = request.parameter("cursor") == nil
            return .json(#"[{"version":"app@\#(isFirst ? 1 : 2)"}]"#, headers: isFirst ? [link] : [])
        }
        #expect(other.requests.isEmpty)
        #expect(outcome.snapshots.first?.releases.map(\.version.label) == ["2", "1"])
        await other.stop()
    }

    @Test(arguments: [
        (#"results="true"; cursor="0:100:0""#, "the next page is one that was read already", 2),
        (#"results="true""#, "the next page has no cursor", 1),
        (#"results="true"; cursor="""#, "the next page has no cursor", 1),
    ])
    func pagesThatGoInCirclesEnd(attributes: String, reason: String, pages: Int) async throws {
        let outcome = try await fetch(
            at(
                "releases",
                .json(#"[{"version":"app@9.9"}]"#, headers: [("Link", "</x>; rel=\"next\"; \(attributes)")])))
        let warning = try #require(outcome.snapshots.first?.warnings.first)
        #expect(warning.summary == "sentry: a list ends after page \(pages), with \(pages) elements")
        #expect(warning.details == [reason])
        #expect(outcome.snapshots.first?.issues.count == 5)
    }

    @Test func issuesWithoutDaysAreReported() async throws {
        let list =
            #"[{"id":"1","title":"a","stats":{"24h":[]}},{"id":"2","title":"b","stats":7},"#
            + #"{"id":"3","title":"c","stats":{"14d":[[1795046400,4],["x",1],[1794960000]]}}]"#
        let outcome = try await fetch(at("issues", .json(list)))
        #expect(outcome.snapshots.first?.issueDays.map(\.events) == [4])
        let texts = outcome.diagnostics.map(\.summary)
        #expect(texts.contains { $0.hasSuffix("found none for 2 of 3 issues") })
        #expect(texts.contains { $0.hasPrefix("sentry: [2].stats[\"14d\"][1][0]: expected a whole number") })
    }

    @Test func skipsOnlyTheBadElement() async throws {
        let list =
            #"[{"version":"app@1.0"},{"version":7},null,{"version":"app@1.1","dateCreated":"yesterday"}]"#
        let outcome = try await fetch(at("releases", .json(list)))
        #expect(outcome.snapshots.first?.releases.map(\.version.label) == ["1.0"])
        let texts = outcome.diagnostics.map(\.summary)
        #expect(texts[0] == "sentry: [1].version: expected a text, found 7")
        #expect(texts[2].hasPrefix("sentry: [3].dateCreated: expected a time such as"))
    }

    @Test func countsAreTextsOfDigits() async throws {
        let counts = [#""12""#, "13", #""1e3""#, #""""#, #""-4""#, "null", #""99999999999999999999""#]
        let items = counts.enumerated().map { #"{"id":\#($0.offset),"title":"T","count":\#($0.element)}"# }
        let outcome = try await fetch(at("issues", .json("[\(items.joined(separator: ","))]")))
        #expect(outcome.snapshots.first?.issues.map(\.events) == [12, 13, nil])
        #expect(outcome.diagnostics.count { $0.summary.contains("count: expected a count as a text") } == 4)
    }

    @Test func skipsOnlyThePartWithoutAResponse() async throws {
        let outcome = try await fetch(hurrying: "/5001/") { request in
            if request.path.hasSuffix("/5001/") { try await Task.sleep(for: .seconds(3600)) }
            return nil
        }
        #expect(outcome.snapshots.first?.notes.map(\.id) == ["810"])
        #expect(outcome.diagnostics.last?.details.first?.hasPrefix("sentry: Request timed out") == true)
    }

    @Test func aRunThatIsCalledOffStoresNothing() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let run = Task {
            try await fetch { request in
                guard request.path.hasSuffix("/releases/") else { return nil }
                arrived.yield()
                try await Task.sleep(for: .seconds(3600))
                return nil
            }
        }
        for await _ in arrivals { break }
        run.cancel()
        let outcome = try await run.value
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["transport.canceled"])
    }

    @Test func idsThatWouldChangeThePathAreRefused() async throws {
        let outcome = try await fetch(
            at("issues", .json(#"[{"id":"..","title":"a"},{"id":"a/b?c","title":"b"}]"#)))
        let texts = outcome.diagnostics.map(\.everything)
        #expect(texts.contains { $0.contains("couldn't fetch notes and versions of issue ..") })
        #expect(texts.contains { $0.contains("/issues/a%2Fb%3Fc/") })
    }
}
