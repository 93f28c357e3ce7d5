import AppHealth
import Diagnostics
import GoogleStub
import LoopbackServer
import Synchronization
import Testing
import Tokens
import Transport

@testable import Providers

/// Faults that all of Google's services share, reported by Crashlytics.
struct GoogleFaultTests {
    private func fetch(
        sender: any Sender = client(), _ fault: @escaping StubGoogle.Fault
    ) async throws -> (outcome: FetchOutcome, stub: StubGoogle) {
        let stub = try await StubGoogle.start(answerAsCrashlytics, fault: fault)
        let configuration = try CrashlyticsConfiguration(
            appID: "1:123456789012:android:0a1b", account: stub.account, base: stub.server.origin)
        let provider = CrashlyticsProvider(
            configuration, sender: sender, now: { runTime.secondsSinceEpoch })
        return (await stub.fetch(provider), stub)
    }

    private func atAPI(_ answer: StubResponse) -> StubGoogle.Fault {
        { $0.path == "/token" ? nil : answer }
    }

    @Test func aRunOfRefusedTokensIsOneFailureAndNoHammering() async throws {
        let (outcome, stub) = try await fetch(atAPI(.google(401, "UNAUTHENTICATED", "no")))
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["token.rejected"])
        let why = try #require(outcome.failures.first?.why)
        #expect(why.summary.hasPrefix("crashlytics: Service refused 2 fresh"))
        #expect(why.hints.first?.contains("'accountFile'") == true)
        #expect(why.everything.contains("0a1b/reports"))
        #expect(stub.asked.count == 2)
    }

    @Test func aTokenThatIsRefusedHalfWayKeepsWhatCame() async throws {
        let (outcome, stub) = try await fetch { request in
            request.path.hasSuffix("/topVersions") ? .google(401, "UNAUTHENTICATED", "no") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.count == 3 && snapshot.issueDays.count == 2)
        #expect(snapshot.health.isEmpty && snapshot.notes.isEmpty)
        #expect(
            snapshot.warnings.allSatisfy { $0.id.hasPrefix("crashlytics.") || $0.id.hasPrefix("decoding.") })
        let details = snapshot.warnings.flatMap(\.details)
        #expect(details.contains("crashlytics: Service refused 2 fresh access tokens in a row"))
        #expect(details.contains("crashlytics: stopped without an access token"))
        #expect(stub.asked.last?.path.hasSuffix("/topVersions") == true)
    }

    @Test(arguments: [403, 404, 500]) func skipsOnlyTheRefusedPart(status: Int) async throws {
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix("/notes") ? .google(status, "WORD", "no") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.count == 3 && snapshot.notes.isEmpty && !snapshot.health.isEmpty)
        #expect(
            snapshot.warnings.last?.summary == "crashlytics: couldn't fetch notes on issue a1")
    }

    @Test func aRefusedAccountIsOneFailure() async throws {
        let refusal = StubResponse.json(
            #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#, status: 400)
        let (outcome, stub) = try await fetch { $0.path == "/token" ? refusal : nil }
        #expect(outcome.failures.map(\.why.id) == ["token.invalid-grant"])
        #expect(outcome.failures.first?.why.hints.first?.contains("clock") == true)
        #expect(stub.server.requests.count == 1)
    }

    private static let refusals: [(StubResponse, String, String)] = [
        (
            .google(403, "PERMISSION_DENIED", "API has not been used", reason: "SERVICE_DISABLED"),
            "PERMISSION_DENIED, SERVICE_DISABLED: API has not been used",
            "enable the Firebase Crashlytics API for the account's project"
        ),
        (
            .google(403, "PERMISSION_DENIED", "The caller does not have permission"),
            "PERMISSION_DENIED: The caller does not have permission",
            "enable the Firebase Crashlytics API for the account's project"
        ),
        (
            .google(404, "NOT_FOUND", "not found"), "NOT_FOUND: not found",
            "check the names in the configuration"
        ),
        (
            .google(429, "RESOURCE_EXHAUSTED", "Quota exceeded"), "RESOURCE_EXHAUSTED: Quota exceeded",
            "wait, or fetch less often; the quota is that of the account's project"
        ),
        (
            .text("<html>Bad gateway", status: 502), "response: <html>Bad gateway",
            "try again later; the fault is on the server's side"
        ),
        (
            .json(#"{"error":"other form"}"#, status: 400), #"response: {"error":"other form"}"#,
            "read the response above and correct the request"
        ),
    ]

    @Test(arguments: refusals.indices) func refusalsAreReportedInTheServicesWords(index: Int) async throws {
        let (answer, detail, hint) = Self.refusals[index]
        let (outcome, stub) = try await fetch(atAPI(answer))
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "transport.status-\(answer.status)")
        #expect(why.quotes.first == detail)
        #expect(why.hints.first == hint)
        #expect(answer.status != 429 || stub.asked.count == 1)
    }

    private static let unreadable: [(StubResponse, String)] = [
        (.text("<!doctype html><p>Sign in"), "decoding.not-json"), (.text(""), "decoding.not-json"),
        (.json(#"{"groups":[{"issue"#), "decoding.not-json"),
        (.json(#"{"groups":{"a":1}}"#), "decoding.mismatch"), (.json("[]"), "decoding.mismatch"),
        (.json(#"{"groups":[],"nextPageToken":7}"#), "decoding.mismatch"),
    ]

    @Test(arguments: unreadable.indices) func skipsOnlyTheUnreadablePart(index: Int) async throws {
        let (answer, id) = Self.unreadable[index]
        let (outcome, _) = try await fetch { $0.path.hasSuffix("/topVersions") ? answer : nil }
        let snapshot = try #require(outcome.snapshots.first)
        let warning = try #require(snapshot.warnings.first)
        #expect(warning.summary == "crashlytics: couldn't fetch versions")
        #expect(warning.details.first?.hasPrefix("crashlytics: ") == true)
        #expect(snapshot.issues.count == 3 && id.hasPrefix("decoding."))
    }

    @Test func aWrongTypeDeepInsideSkipsItsElement() async throws {
        let body =
            #"{"groups":[{"issue":{"id":"a","notesCount":[]},"metrics":[{"eventsCount":"x"}]},{"issue":{"id":5}},{"issue":{"id":"b"}}]}"#
        let (outcome, _) = try await fetch { $0.path.hasSuffix("/topIssues") ? .json(body) : nil }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.map(\.id) == ["a", "b"])
        #expect(
            snapshot.warnings.first?.summary
                == #"crashlytics: groups[0].metrics[0].eventsCount: expected a whole number, zero or more, as a text or a number, found "x""#
        )
    }

    @Test(arguments: ["2", "Fri, 20 Nov 2026 06:00:07 GMT", nil] as [String?])
    func waitsAsLongAsTheServiceRequires(wait: String?) async throws {
        let waits = Mutex<[Int]>([])
        let pacing = Pacing(
            now: { runTime.secondsSinceEpoch }, random: { 0.5 },
            sleep: { milliseconds in waits.withLock { $0.append(milliseconds) } })
        let headers = wait.map { [(name: "Retry-After", value: $0)] } ?? []
        let isFirst = Mutex(true)
        let (outcome, _) = try await fetch(sender: RetryingClient(client(), pacing: pacing)) { request in
            guard request.path.hasSuffix("/topVersions"),
                isFirst.withLock({
                    let was = $0; $0 = false; return was
                })
            else { return nil }
            return .google(429, "RESOURCE_EXHAUSTED", "slow down", headers: headers)
        }
        #expect(outcome.snapshots.first?.releases.count == 2)
        #expect(outcome.requests == 10)
        let asked = waits.withLock { $0 }
        #expect(asked.count == 1)
        #expect(wait != "2" || asked == [2000])
        #expect(wait != nil || asked == [250])
    }

    @Test func noRequestFollowsARedirectToAnotherHost() async throws {
        let other = try await LoopbackServer.start(answering: .json("{}"))
        let origin = other.origin
        _ = try await fetch { request in
            request.path.hasSuffix("/topVersions") ? .redirect(to: "\(origin)/x") : nil
        }
        #expect(other.requests.isEmpty)
        await other.stop()
    }

    @Test func aTokenThatIsEchoedIsHidden() async throws {
        let (outcome, _) = try await fetch { request in
            guard request.path.hasSuffix("/topVersions") else { return nil }
            return .google(400, "INVALID_ARGUMENT", "you sent \(request.header("Authorization") ?? "")")
        }
        #expect(outcome.snapshots.first?.warnings.contains { $0.everything.contains("<redacted>") } == true)
    }

    @Test func aRunThatIsCalledOffStoresNothing() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let run = Task {
            try await fetch { request in
                guard request.path.hasSuffix("/topVersions") else { return nil }
                arrived.yield()
                try await Task.sleep(for: .seconds(3600))
                return nil
            }.outcome
        }
        for await _ in arrivals { break }
        run.cancel()
        let outcome = try await run.value
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["transport.canceled"])
    }

    @Test(arguments: [(#""12""#, 12), ("12", 12), (#""9223372036854775807""#, Int.max), (#""0""#, 0)])
    func wholeNumbersAreReadFromTextsAndNumbers(text: String, value: Int) throws {
        let decoder = ResponseDecoder(provider: "p", endpoint: "e")
        #expect(try decoder.decode(WireWhole.self, from: Array(text.utf8)).value.value == value)
    }

    @Test(arguments: [
        #""""#, #""-1""#, "-1", "1.5", #""1.0""#, #"" 1""#, #""+1""#, #""9223372036854775808""#, "null", "[]",
        #""٣""#,
    ])
    func otherValuesAreNoWholeNumbers(text: String) {
        let decoder = ResponseDecoder(provider: "p", endpoint: "e")
        #expect(throws: DecodingFailure.self) { try decoder.decode(WireWhole.self, from: Array(text.utf8)) }
    }
}
