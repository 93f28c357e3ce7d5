import AppHealth
import AppStoreConnectStub
import Diagnostics
import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import Providers

struct AppStoreConnectFetchTests {
    @Test func fetchesEverything() async throws {
        let (outcome, stub) = try await fetchAppStoreConnect()
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.diagnostics == [])
        #expect(outcome.requests == stub.api.requests.count + stub.files.requests.count)
        #expect(snapshot.source.capabilities == [.usage, .releases, .issues, .issueDays])
        #expect(snapshot.source.zone == "UTC")
        #expect(
            snapshot.health.allSatisfy { $0.sessions == nil && $0.users == nil && $0.crashedSessions == nil })
        #expect(snapshot.source.settling.settlesAfterHours == 120)
    }

    @Test func crashesAreCountedByDayAndVersionAndArePartOfAll() async throws {
        let snapshot = try #require(try await fetchAppStoreConnect().outcome.snapshots.first)
        #expect(
            snapshot.health.map { "\($0.date) \($0.version ?? "all") \($0.crashes ?? -1)" } == [
                "2026-11-16 all 0", "2026-11-16 4.1 0", "2026-11-17 all 15", "2026-11-17 4.1 9",
                "2026-11-17 4.2 6",
            ])
        #expect(
            snapshot.coverage.map(\.line) == [
                "usage 2026-11-16...2026-11-18 partial", "crashes 2026-11-16...2026-11-17 partial",
                "releaseHealth 2026-11-16...2026-11-17 partial",
                "issueDays 2026-11-16...2026-11-17 partial",
                "issueReleases 2026-11-16...2026-11-17 partial",
            ])
    }

    @Test func crashesAreCountedByDayAndDevice() async throws {
        let snapshot = try #require(try await fetchAppStoreConnect().outcome.snapshots.first)
        #expect(
            snapshot.deviceDays.map { "\($0.date) \($0.device) \($0.crashes ?? -1)" } == [
                "2026-11-16 iPhone 0", "2026-11-17 iPad 1", "2026-11-17 iPhone 14",
            ])
    }

    /// A small app: the reports are made and hold nothing.
    @Test func suppressedReportsAreUnknown() async throws {
        var content = StubReports()
        for index in content.reports.indices {
            content.reports[index].instances = [
                .init(
                    "2026-11-18",
                    StubReports.table(StubReports.crashColumns + "\tSessions\tEvent\tDownload Type\tCounts")),
                .init("2026-11-19", ""),
            ]
        }
        let snapshot = try #require(try await fetchAppStoreConnect(content).outcome.snapshots.first)
        #expect(snapshot.warnings.isEmpty)
        #expect(
            snapshot.coverage.map(\.line) == [
                "usage 2026-11-17...2026-11-18 unknown", "crashes 2026-11-17...2026-11-18 unknown",
                "issueDays 2026-11-17...2026-11-18 unknown",
            ])
        #expect(snapshot.usage.isEmpty && snapshot.issueDays.isEmpty && snapshot.health.isEmpty)
    }

    @Test func aReportOfAnotherNameIsReportedWithTheList() async throws {
        var content = StubReports()
        content.reports = content.reports.map {
            ($0.name.replacing("App Crashes", with: "App Crash Events"), $0.instances)
        }
        let snapshot = try #require(try await fetchAppStoreConnect(content).outcome.snapshots.first)
        let warning = try #require(snapshot.warnings.first)
        #expect(warning.summary == "appstoreconnect: couldn't fetch crashes")
        #expect(warning.details.first == "appstoreconnect: unknown report 'App Crashes'")
        #expect(
            warning.details.last
                == "the service listed: App Sessions Detailed, App Sessions Standard, App Store Installation and Deletion Standard, App Crash Events"
        )
    }

    @Test func newerProcessingReplacesTheWholeDay() async throws {
        let snapshot = try #require(try await fetchAppStoreConnect().outcome.snapshots.first)
        #expect(snapshot.usage.map(\.date.description) == ["2026-11-16", "2026-11-17", "2026-11-18"])
        #expect(snapshot.usage.map(\.sessions) == [78, 100, 5])
    }

    /// Of a table that has more than one row for each kind of device, those that are there may be what is left of many.
    @Test func devicesAreGivenOnlyWhereTheyAreNotCountedTwice() async throws {
        let usual = try #require(try await fetchAppStoreConnect().outcome.snapshots.first)
        #expect(usual.usage.map(\.activeUsers) == [nil, nil, nil])
        var content = StubReports()
        content["App Sessions Standard"] = [
            .init(
                "2026-11-19",
                StubReports.table(
                    "Date\tApp Name\tApp Apple Identifier\tDevice\tSessions\tUnique Devices",
                    "2026-11-16\tFerry\t1234567890\tiPhone\t70\t30",
                    "2026-11-16\tFerry\t1234567890\tiPad\t8\t5",
                    "2026-11-17\tFerry\t1234567890\tiPhone\t70\t"))
        ]
        let undivided = try #require(try await fetchAppStoreConnect(content).outcome.snapshots.first)
        #expect(undivided.usage.map(\.sessions) == [78, 70])
        #expect(undivided.usage.map(\.activeUsers) == [35, nil])
    }

    @Test func firstTimeDownloadsAreNewUsers() async throws {
        let snapshot = try #require(try await fetchAppStoreConnect().outcome.snapshots.first)
        // On the 18th there were only updates: that is no zero, for small numbers are suppressed.
        #expect(snapshot.usage.map(\.newUsers) == [nil, 9, nil])
    }

    @Test func crashesAreEventsOfOneIssueAndNeverSessions() async throws {
        let snapshot = try #require(try await fetchAppStoreConnect().outcome.snapshots.first)
        let issue = try #require(snapshot.issues.first)
        #expect(snapshot.issues.count == 1)
        #expect(issue.kind == .crash && issue.events == nil && issue.users == nil && issue.firstSeen == nil)
        #expect(issue.lastSeen == Instant("2026-11-17T00:00:00Z"))
        #expect(issue.lastVersion == Version("4.2"))
        #expect(
            snapshot.issueDays.map { "\($0.date) \($0.version ?? "all") \($0.events ?? -1)" } == [
                "2026-11-16 all 0", "2026-11-16 4.1 0", "2026-11-17 all 15", "2026-11-17 4.1 9",
                "2026-11-17 4.2 6",
            ])
    }

    @Test func lastBuildOfEachVersionIsItsRelease() async throws {
        let snapshot = try #require(try await fetchAppStoreConnect().outcome.snapshots.first)
        #expect(snapshot.releases.map(\.version.description) == ["4.2 (421)", "4.1 (410)"])
        #expect(
            snapshot.releases.map(\.releasedAt) == [
                Instant("2026-11-11T16:00:00Z"), Instant("2026-11-02T16:00:00Z"),
            ])
    }

    /// A universal purchase has the builds of several platforms under one Apple ID.
    @Test(arguments: [
        ("ios", ["4.2 (421)", "4.1 (410)"], ""), ("iOS/iPadOS", ["4.2 (421)", "4.1 (410)"], ""),
        ("macos", ["6.3 (45)", "4.2 (46)"], ""), ("ios, macos", ["6.3 (45)", "4.2", "4.1 (410)"], ""),
        ("", ["6.3 (45)", "4.2", "4.1 (410)"], "platforms"),
        ("tvos", ["6.3 (45)", "4.2", "4.1 (410)"], "other-platform"),
    ])
    func buildsOfOtherPlatformsAreNotReleasesOfTheApp(platform: String, releases: [String], warning: String)
        async throws
    {
        var content = StubReports()
        for index in content.reports.indices { content.reports[index].instances = [] }
        content.builds = [
            .init("45", "6.3", "2026-11-12T08:00:00Z", platform: "MAC_OS"),
            .init("46", "4.2", "2026-11-12T07:00:00Z", platform: "MAC_OS"),
            .init("421", "4.2", "2026-11-11T08:00:00Z"), .init("410", "4.1", "2026-11-02T08:00:00Z"),
        ]
        let snapshot = try #require(
            try await fetchAppStoreConnect(content, platform: platform).outcome.snapshots.first)
        #expect(snapshot.releases.map(\.version.description) == releases)
        #expect(snapshot.releases.first { $0.version == Version("4.2") }?.releasedAt == nil)
        let said = snapshot.warnings.map(\.id).filter { $0 != "appstoreconnect.no-instances" }
        #expect(said == (warning.isEmpty ? [] : ["appstoreconnect.\(warning)"]))
    }

    /// A version that a report reports and only another platform has is none of the app.
    @Test func aVersionOfAnotherPlatformIsNoReleaseThoughReportsNameIt() async throws {
        var content = StubReports()
        content.builds = [
            .init("46", "4.2", "2026-11-12T07:00:00Z", platform: "MAC_OS"),
            .init("410", "4.1", "2026-11-02T08:00:00Z"),
        ]
        let snapshot = try #require(
            try await fetchAppStoreConnect(content, platform: "ios").outcome.snapshots.first)
        #expect(snapshot.releases.map(\.version.description) == ["4.1 (410)"])
    }

    @Test func filesAreRequestedAtTheirHostWithoutAnyCredential() async throws {
        let (_, stub) = try await fetchAppStoreConnect()
        #expect(stub.files.requests.count == 5)
        #expect(
            stub.files.requests.allSatisfy { $0.header("Authorization") == nil && $0.header("Cookie") == nil }
        )
        #expect(stub.api.requests.allSatisfy { $0.header("Authorization")?.hasPrefix("Bearer ") == true })
        #expect(stub.api.requests.allSatisfy { $0.method == "GET" })
    }

    @Test func oneTokenServesTheWholeFetch() async throws {
        let (_, stub) = try await fetchAppStoreConnect()
        #expect(Set(stub.api.requests.compactMap { $0.header("Authorization") }).count == 1)
    }

    @Test func tokenIsRenewedBeforeItEnds() async throws {
        // Each look at the clock is two minutes later; the stand-in refuses whatever has ended.
        let looks = Mutex(0)
        let (outcome, stub) = try await fetchAppStoreConnect(clock: {
            runTime.secondsSinceEpoch
                + looks.withLock {
                    $0 += 60; return $0
                }
        })
        #expect(outcome.failures.isEmpty && outcome.diagnostics.isEmpty)
        #expect(Set(stub.api.requests.compactMap { $0.header("Authorization") }).count > 1)
    }

    @Test func tokenThatIsRefusedIsRenewedOnce() async throws {
        let refused = Mutex<String?>(nil)
        let (outcome, stub) = try await fetchAppStoreConnect { request in
            let token = request.header("Authorization")
            let isEnded = refused.withLock { refused in
                if refused == nil, request.path.hasSuffix("/reports") { refused = token }
                return refused == token
            }
            return isEnded ? .appStoreConnect(401, "NOT_AUTHORIZED", "expired", "") : nil
        }
        #expect(outcome.diagnostics.isEmpty)
        #expect(outcome.snapshots.first?.usage.count == 3)
        #expect(Set(stub.api.requests.compactMap { $0.header("Authorization") }).count == 2)
        #expect(stub.api.requests.filter { $0.path.hasSuffix("/reports") }.count == 2)
    }

    @Test func appIsFoundByItsBundleID() async throws {
        let (outcome, stub) = try await fetchAppStoreConnect(app: "org.example.ferry")
        #expect(outcome.diagnostics.isEmpty)
        #expect(stub.api.requests.first?.parameter("filter[bundleId]") == "org.example.ferry")
        let why = try #require(
            try await fetchAppStoreConnect(app: "org.example.ferri").outcome.failures.first?.why)
        #expect(why.summary == "appstoreconnect: unknown app 'org.example.ferri'")
        #expect(why.hints == ["did you mean 'org.example.ferry'?"])
    }

    @Test(arguments: [
        ([], "the app has no ongoing report request, so the service makes no reports of it"),
        (
            [#"{"id":"rq-old","attributes":{"accessType":"ONGOING","stoppedDueToInactivity":true}}"#],
            "the ongoing report request was stopped, because its reports were not read"
        ),
        (
            [#"{"id":"once","attributes":{"accessType":"ONE_TIME_SNAPSHOT"}}"#],
            "the app has no ongoing report request, so the service makes no reports of it"
        ),
    ])
    func withoutAReportRequestTheNextStepIsReported(requests: [String], words: String) async throws {
        var content = StubReports()
        content.requests = requests
        let (outcome, stub) = try await fetchAppStoreConnect(content)
        let why = try #require(outcome.failures.first?.why)
        #expect(outcome.snapshots.isEmpty)
        #expect(why.id == "appstoreconnect.no-report-request")
        #expect(why.summary == "appstoreconnect: \(words)")
        #expect(why.hints.first?.hasPrefix("write 'createReportRequest: true' and fetch once") == true)
        #expect(stub.api.requests.allSatisfy { $0.method == "GET" })
    }

    @Test func reportRequestIsCreatedWhenTheSettingsSaySo() async throws {
        var content = StubReports()
        content.requests = []
        for index in content.reports.indices { content.reports[index].instances = [] }
        let (outcome, stub) = try await fetchAppStoreConnect(
            content, change: { $0.createsReportRequest = true })
        #expect(outcome.failures.isEmpty)
        #expect(stub.api.requests.filter { $0.method == "POST" }.count == 1)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            snapshot.warnings.map(\.id)
                == ["appstoreconnect.report-request-created"]
                + [String](repeating: "appstoreconnect.no-instances", count: 3))
        #expect(snapshot.releases.count == 2 && snapshot.usage.isEmpty && snapshot.issues.isEmpty)
    }

    @Test func oneThatRunsIsNeverCreatedAgain() async throws {
        let (_, stub) = try await fetchAppStoreConnect(change: { $0.createsReportRequest = true })
        #expect(stub.api.requests.allSatisfy { $0.method == "GET" })
    }

    @Test func onlyTheNewestInstancesAreRead() async throws {
        let (outcome, stub) = try await fetchAppStoreConnect(change: { $0.mostInstances = 1 })
        #expect(outcome.snapshots.first?.usage.map(\.date.description) == ["2026-11-17", "2026-11-18"])
        #expect(stub.files.requests.count == 4)
    }

    @Test func aPlanNamesEveryRequest() throws {
        let key = StubTeamKey.shared
        var configuration = try AppStoreConnectConfiguration(
            app: "org.example.ferry", issuer: key.issuer, keyID: key.id, key: key.pem)
        configuration.createsReportRequest = true
        let plan = AppStoreConnectProvider(configuration, sender: client()).plan(for: app("ferry"))
        #expect(plan.map(\.method) == ["GET", "GET", "POST", "GET", "GET", "GET", "GET", "GET"])
        #expect(
            plan[1].address
                == "https://api.appstoreconnect.apple.com/v1/apps/{app}/analyticsReportRequests?filter[accessType]=ONGOING&limit=200"
        )
        #expect(plan[2].purpose.contains("this writes"))
        #expect(plan[4].most == 15)
    }

    @Test func keysFromAnEnvironmentMayHaveEscapedLineBreaks() throws {
        let key = StubTeamKey.shared
        let text = key.pem.replacing("\n", with: "\\n")
        #expect(throws: Never.self) {
            try AppStoreConnectConfiguration(app: "1", issuer: key.issuer, keyID: key.id, key: text)
        }
    }

    @Test(arguments: [
        ("ferry", "i", "k", "is neither an Apple ID nor a bundle id"),
        ("org..ferry", "i", "k", "is neither an Apple ID nor a bundle id"),
        ("١٢", "i", "k", "is neither an Apple ID nor a bundle id"),
        ("1", "a b", "k", "is no issuer id"), ("1", "", "k", "is no issuer id"),
        ("1", "i", "AuthKey_X.p8", "is no key id"), ("1", "i", "k", "Private key cannot be read"),
    ])
    func otherTextsMakeNoConfiguration(app: String, issuer: String, keyID: String, words: String) throws {
        let error = #expect(throws: AppStoreConnectConfigurationError.self) {
            try AppStoreConnectConfiguration(app: app, issuer: issuer, keyID: keyID, key: "no key 7h1s")
        }
        let diagnostic = try #require(error?.diagnostic)
        #expect(diagnostic.summary.contains(words))
        #expect(!diagnostic.everything.contains("7h1s") && !diagnostic.hints.isEmpty)
    }
}
