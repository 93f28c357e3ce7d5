import AppHealth
import AppStoreConnectStub
import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct AppStoreConnectFaultTests {
    /// A fetch in which a store of its own gives the file of the sessions that were processed last.
    private func fetch(_ attributes: String, _ file: StubResponse) async throws -> FetchOutcome {
        let store = try await LoopbackServer.start(answering: file)
        let url = "\(store.origin)/file.txt.gz?X-Amz-Signature=\(StubAppStoreConnect.signature)"
        let (outcome, _) = try await fetchAppStoreConnect(
            fault: { request in
                isSegments(request, of: "1-1") ? oneSegment(#"\#(attributes)"url":"\#(url)""#) : nil
            }, change: { $0.segmentBytes = 60_000 })
        #expect(store.requests.count == 1)
        #expect(store.requests.allSatisfy { $0.header("Authorization") == nil })
        await store.stop()
        return outcome
    }

    @Test func aRunOfRefusedTokensIsOneFailureAndNoHammering() async throws {
        let (outcome, stub) = try await fetchAppStoreConnect { _ in
            .appStoreConnect(401, "NOT_AUTHORIZED", "no", "")
        }
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["token.rejected"])
        #expect(outcome.failures.first?.why.hints.first?.contains("set this machine's clock") == true)
        #expect(stub.api.requests.count == 2)
    }

    @Test func aTokenThatIsRefusedHalfWayKeepsWhatCame() async throws {
        let (outcome, stub) = try await fetchAppStoreConnect { request in
            request.path.hasPrefix("/v1/analyticsReports/r3") ? .appStoreConnect(401, "X", "no", "") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.usage.count == 3 && snapshot.issues.isEmpty)
        #expect(
            snapshot.warnings.map(\.summary) == [
                "appstoreconnect: couldn't fetch crashes",
                "appstoreconnect: couldn't fetch builds",
            ])
        // Versions are then those of the reports.
        #expect(snapshot.releases.map(\.version.description) == ["4.2", "4.1"])
        #expect(!stub.api.requests.contains { $0.path == "/v1/builds" })
    }

    private static let refusals: [(StubResponse, String, String)] = [
        (
            .appStoreConnect(403, "FORBIDDEN_ERROR", "This request is forbidden", "The API key lacks a role"),
            "FORBIDDEN_ERROR: This request is forbidden: The API key lacks a role",
            "give the key the role Sales and Reports or Finance to read"
        ),
        (
            .appStoreConnect(404, "NOT_FOUND", "The specified resource does not exist", ""),
            "NOT_FOUND: The specified resource does not exist", "check the app in the configuration"
        ),
        (
            .appStoreConnect(429, "RATE_LIMIT_EXCEEDED", "The request rate limit has been reached.", "wait"),
            "RATE_LIMIT_EXCEEDED: The request rate limit has been reached.: wait", "wait, or fetch less often"
        ),
        (
            .text("<html>Bad gateway", status: 502), "response: <html>Bad gateway",
            "try again later; the fault is on the server's side"
        ),
        (.json(#"{"errors":7}"#, status: 400), #"response: {"errors":7}"#, "read the response above"),
    ]

    @Test(arguments: refusals.indices) func refusalsAreReportedInTheServicesWords(index: Int) async throws {
        let (answer, detail, hint) = Self.refusals[index]
        let (outcome, stub) = try await fetchAppStoreConnect { _ in answer }
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "transport.status-\(answer.status)")
        #expect(why.summary.hasPrefix("appstoreconnect: Server returned \(answer.status): http://127.0.0.1:"))
        #expect(why.quotes.first == detail)
        #expect(why.hints.first?.hasPrefix(hint) == true)
        #expect(stub.api.requests.count == 1)
    }

    /// What comes in the place of the file of the sessions that were processed last, and what is reported of it.
    private static let damaged: [(StubResponse, String)] = [
        (
            StubResponse(body: Array(gzipped(Array("Date\tSessions\n".utf8)).dropLast(6))),
            "ends before its end"
        ),
        (StubResponse(body: Array("Date\tSessions\n".utf8)), "not the gzip stream"),
        (StubResponse(body: gzipped([UInt8](repeating: 65, count: 70_000))), "more than 60000 bytes"),
        (.text("<Error><StringToSign>AWS4 \(StubAppStoreConnect.signature)", status: 403), "returned 403"),
        (.text("", status: 500), "returned 500"),
    ]

    @Test(arguments: damaged.indices) func skipsOnlyTheInstanceOfADamagedFile(index: Int) async throws {
        let (file, words) = Self.damaged[index]
        // Neither size nor checksum: what is wrong must be seen from the file alone.
        let outcome = try await fetch("", file)
        let snapshot = try #require(outcome.snapshots.first)
        // The older processing of the day does not count in its place: what is stored stays.
        #expect(snapshot.usage.map(\.sessions) == [nil])
        #expect(
            snapshot.warnings.map(\.summary) == [
                "appstoreconnect: 1 of 2 instances of \'App Sessions Standard\' couldn\'t be fetched"
            ])
        #expect(
            snapshot.warnings.first?.details.joined().contains(words) == true, "\(snapshot.warnings)")
        #expect(outcome.failures.map(\.why.summary.isEmpty) == [false])
    }

    @Test(arguments: [
        (#""checksum":"00000000000000000000000000000000","#, "is not what its checksum says"),
        (#""sizeInBytes":7,"#, "bytes, expected 7"),
    ])
    func aFileThatIsNotWhatWasSaidIsNotRead(attribute: String, words: String) async throws {
        let empty = gzipped(Array(StubReports.table(StubReports.sessionColumns).utf8))
        let outcome = try await fetch(attribute, StubResponse(body: empty))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.usage.map(\.sessions) == [nil])
        #expect(snapshot.warnings.first?.details.first?.contains(words) == true)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://host/x", "javascript:alert(1)", "//host/x", "http://a b/"])
    func anOddAddressOfAFileIsNotRequested(url: String) async throws {
        let (outcome, _) = try await fetchAppStoreConnect { request in
            isSegments(request, of: "1-1") ? oneSegment(#""url":"\#(url)""#) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.usage.map(\.sessions) == [nil])
        #expect(snapshot.warnings.count == 1)
    }

    @Test func aRedirectedFileIsReadWithoutAnyCredential() async throws {
        let text = StubReports.table(
            StubReports.sessionColumns, StubReports.sessions("2026-11-18", "4.2", "iPhone", "4"))
        let other = try await LoopbackServer.start(answering: StubResponse(body: gzipped(Array(text.utf8))))
        let target = "\(other.origin)/moved?X-Amz-Signature=\(StubAppStoreConnect.signature)"
        let outcome = try await fetch("", .redirect(307, to: target))
        #expect(outcome.snapshots.first?.usage.map(\.sessions) == [78, 20, 4])
        #expect(other.requests.count == 1)
        #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
        await other.stop()
    }

    @Test func aStoreThatStatesItsCodingHasHadItUndone() async throws {
        let text = StubReports.table(
            StubReports.sessionColumns, StubReports.sessions("2026-11-18", "4.2", "iPhone", "4"))
        let outcome = try await fetch(
            #""checksum":"00000000000000000000000000000000","sizeInBytes":1,"#,
            StubResponse(headers: [("Content-Encoding", "gzip")], body: gzipped(Array(text.utf8))))
        #expect(outcome.diagnostics.isEmpty)
        #expect(outcome.snapshots.first?.usage.map(\.sessions) == [78, 20, 4])
    }

    @Test func whenTheHourIsUsedUpNothingMoreIsRequested() async throws {
        let stub = try await StubAppStoreConnect.start(
            clock: { runTime.secondsSinceEpoch },
            fault: { _ in
                .json(
                    #"{"data":[{"id":"rq-1"}],"links":{"self":""}}"#,
                    headers: [("X-Rate-Limit", "user-hour-lim:3600;user-hour-rem:0;")])
            })
        let pacing = Pacing(now: { runTime.secondsSinceEpoch }, random: { 0 }, sleep: { _ in })
        let limits = [try Address(stub.api.origin).origin: RateLimit(3600, perSeconds: 3600)]
        let sender = RateLimitedClient(
            client(), limiter: RateLimiter(limits, pacing: pacing), pacing: pacing)
        let provider = try appStoreConnectProvider(stub, sender: sender)
        let outcome = await provider.fetch(app("ferry"), at: runTime)
        await stub.stop()
        #expect(outcome.failures.map(\.why.id) == ["transport.rate-limit"])
        #expect(stub.api.requests.count == 1)
    }

    @Test func aTokenDoesNotFollowAListToAnotherHost() async throws {
        let other = try await LoopbackServer.start(answering: .json(#"{"data":[]}"#))
        let next = "\(other.origin)/v1/builds?cursor=2"
        let (outcome, _) = try await fetchAppStoreConnect { request in
            request.path == "/v1/builds" ? .json(#"{"data":[],"links":{"self":"","next":"\#(next)"}}"#) : nil
        }
        #expect(other.requests.isEmpty)
        #expect(outcome.snapshots.first?.warnings.map(\.id) == ["appstoreconnect.pages-cut"])
        await other.stop()
    }

    /// Odd rows of the sessions, with what is reported of each.
    private static let oddRows: [(String, String)] = [
        (StubReports.sessions("19 Nov", "4.2", "iPhone", "9"), "Date: expected a date such as 2026-11-19"),
        (
            StubReports.sessions("2026-11-18", "4.2", "iPhone", "-9"),
            "Sessions: expected a whole number or nothing"
        ),
        (
            StubReports.sessions("2026-11-18", "4.2", "iPhone", "9e3"),
            "Sessions: expected a whole number or nothing"
        ),
        (
            StubReports.sessions("2026-11-18", "4.2", "iPhone", "99999999999999999999"),
            "expected a whole number"
        ),
        (StubReports.sessions("2026-11-18", "4.2", "iPhone", "9", devices: "x"), "Unique Devices: expected"),
        (
            StubReports.sessions("2026-11-18", "4.2", "iPhone", "9") + "\tmore",
            "expected 11 cells, as in the first line"
        ),
        ("2026-11-18", "expected 11 cells, as in the first line, found 1"),
        (
            StubReports.sessions("2026-11-18", "4.2", "iPhone", "9").replacing("1234567890", with: "42"),
            "App Apple Identifier: expected 1234567890"
        ),
    ]

    @Test(arguments: oddRows.indices) func skipsOnlyTheOddRow(index: Int) async throws {
        let (row, words) = Self.oddRows[index]
        var content = StubReports()
        content["App Sessions Standard"] = [
            .init(
                "2026-11-19",
                StubReports.table(
                    StubReports.sessionColumns, row, StubReports.sessions("2026-11-18", "4.2", "iPad", "3")))
        ]
        let snapshot = try #require(try await fetchAppStoreConnect(content).outcome.snapshots.first)
        #expect(snapshot.usage.map(\.sessions) == [nil, 3])
        #expect(snapshot.warnings.map(\.id) == ["decoding.mismatch"])
        #expect(snapshot.warnings.first?.summary.contains("processed 2026-11-19, line 2") == true)
        #expect(snapshot.warnings.first?.summary.contains(words) == true)
    }

    @Test func aMissingColumnIsReportedWithThoseThereAre() async throws {
        var content = StubReports()
        content["App Crashes"] = [
            .init(
                "2026-11-19",
                StubReports.table(StubReports.crashColumns.replacing("Crashes", with: "Crash Count")))
        ]
        let snapshot = try #require(try await fetchAppStoreConnect(content).outcome.snapshots.first)
        #expect(snapshot.issues.isEmpty && snapshot.usage.count == 3)
        #expect(snapshot.warnings.map(\.summary) == ["appstoreconnect: couldn't fetch crashes"])
        #expect(
            snapshot.warnings.first?.details.first
                == "appstoreconnect: the report 'App Crashes' has no column 'Crashes'")
        #expect(snapshot.warnings.first?.details.last?.contains("Crash Count") == true)
    }

    /// A column that has another name now costs what it says, and is reported once, whatever number of instances lack it.
    @Test func aMissingColumnThatIsNotNeededIsReported() async throws {
        var content = StubReports()
        let columns = StubReports.crashColumns.replacing("App Version", with: "App Version String")
            .replacing("Device\t", with: "Device Type\t")
        content["App Crashes"] = ["18", "19"].map {
            .init(
                "2026-11-\($0)",
                StubReports.table(columns, StubReports.crashes("2026-11-17", "4.2", "iPhone", "9")))
        }
        let (outcome, _) = try await fetchAppStoreConnect(content)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.failures.isEmpty)
        #expect(snapshot.health.map(\.crashes) == [9] && snapshot.deviceDays.isEmpty)
        #expect(
            snapshot.warnings.map(\.summary) == [
                "appstoreconnect: the report 'App Crashes' has no column 'App Version'",
                "appstoreconnect: the report 'App Crashes' has no column 'Device'",
            ])
        #expect(snapshot.warnings.allSatisfy { $0.location.map { "\($0)".contains("2026-11-19") } == true })
    }

    /// The service refuses a second request for the reports of an app.
    @Test func aReportRequestThatIsRefusedIsReportedWithTheNextStep() async throws {
        var content = StubReports()
        content.requests = []
        let (outcome, _) = try await fetchAppStoreConnect(
            content,
            fault: { request in
                request.method == "POST"
                    ? .appStoreConnect(409, "STATE_ERROR", "STATE_ERROR", "exists") : nil
            }, change: { $0.createsReportRequest = true })
        let why = try #require(outcome.failures.first?.why)
        #expect(why.quotes == ["STATE_ERROR: exists"])
        #expect(why.hints.first?.contains("whether the app has a report request already") == true)
    }

    /// What a day looks like on which too few people did anything.
    @Test(arguments: [
        "", StubReports.table(StubReports.sessionColumns),
        StubReports.table(
            StubReports.sessionColumns, StubReports.sessions("2026-11-18", "4.2", "iPhone", "")),
    ])
    func rowsThatPrivacyEmptiesAreMissingNotZero(text: String) async throws {
        var content = StubReports()
        content["App Sessions Standard"] = [.init("2026-11-19", text)]
        content["App Store Installation and Deletion Standard"] = [
            .init("2026-11-19", StubReports.table(StubReports.installColumns))
        ]
        let (outcome, _) = try await fetchAppStoreConnect(content)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.diagnostics.isEmpty)
        #expect(snapshot.usage.isEmpty)
        #expect(snapshot.source.capabilities.contains(.usage))
    }

    /// What was processed last may be on a page that did not come.
    @Test func aListOfInstancesThatIsCutSaysNothing() async throws {
        let (outcome, _) = try await fetchAppStoreConnect { request in
            request.path == "/v1/analyticsReports/r1/instances" && request.parameter("cursor") != nil
                ? .appStoreConnect(500, "UNEXPECTED_ERROR", "no", "") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.usage.map(\.sessions) == [nil])
        #expect(
            snapshot.warnings.map(\.summary) == [
                "appstoreconnect: couldn't fetch sessions and active devices"
            ])
    }

    @Test func aReportThatIsNotThereIsReportedWithThoseThereAre() async throws {
        var content = StubReports()
        content.reports.removeAll { $0.name == "App Crashes" }
        let snapshot = try #require(try await fetchAppStoreConnect(content).outcome.snapshots.first)
        #expect(
            snapshot.warnings.first?.details.first
                == "appstoreconnect: unknown report 'App Crashes'")
        #expect(snapshot.warnings.first?.details.last?.contains("App Sessions Detailed") == true)
    }

    @Test func theBudgetEndsTheFetchAndIsReported() async throws {
        let (outcome, _) = try await fetchAppStoreConnect(change: { $0.mostRequests = 8 })
        #expect(outcome.requests == 8)
        #expect(
            outcome.snapshots.first?.warnings.contains {
                $0.everything.contains("limit of 8 requests per fetch reached")
            }
                == true)
    }

    @Test func whenNoPartComesTheFetchIsAFailure() async throws {
        let (outcome, _) = try await fetchAppStoreConnect { request in
            request.path.hasSuffix("/instances") || request.path == "/v1/builds"
                ? .appStoreConnect(500, "UNEXPECTED_ERROR", "An unexpected error occurred.", "") : nil
        }
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["transport.status-500"])
    }

    @Test func aRecordingHasNoSecretAndGivesTheSameAgain() async throws {
        try await withTemporaryDirectory { path in
            let stub = try await StubAppStoreConnect.start(clock: { runTime.secondsSinceEpoch })
            let folder = "\(path)/exchanges"
            let recorder = try RecordingSender(client(), folder: folder)
            let live = await (try appStoreConnectProvider(stub, sender: recorder)).fetch(
                app("ferry"), at: runTime)
            await stub.stop()
            let text = try everyFile(in: folder)
            #expect(text.contains("X-Amz-Signature=redacted") && text.contains("App Sessions Standard"))
            #expect(!text.contains(StubAppStoreConnect.signature))
            #expect(!text.contains("eyJ") && !text.contains("Bearer"))
            let replay = try ReplayingSender(folder: folder)
            let again = await (try appStoreConnectProvider(stub, sender: replay)).fetch(
                app("ferry"), at: runTime)
            #expect(live.snapshots.count == 1)
            #expect(again.snapshots == live.snapshots)
        }
    }
}
