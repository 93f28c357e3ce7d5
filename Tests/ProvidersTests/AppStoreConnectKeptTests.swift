import AppHealth
import AppStoreConnectStub
import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// What was read in one night is not requested in the next.
struct AppStoreConnectKeptTests {
    private static let sessions = "App Sessions Standard"

    /// The nights of one service with one folder; gives for each the outcome, and what was requested.
    private func nights(
        _ nights: [(day: String, content: StubReports)],
        between: (String) throws -> Void = { _ in },
        fault: @escaping StubAppStoreConnect.Fault = { _ in nil }
    ) async throws -> [Night] {
        try await withTemporaryDirectory { folder in
            let stub = try await StubAppStoreConnect.start(
                StubReports(), clock: { runTime.secondsSinceEpoch }, fault: fault)
            var result: [Night] = []
            for (day, content) in nights {
                stub.report(content)
                let before = (stub.api.requests.count, stub.files.requests.count)
                let kept = KeptBytes(ResponseCache(folder: "\(folder)/kept"), scope: "ferry")
                let provider = try appStoreConnectProvider(stub, kept: kept)
                let outcome = await provider.fetch(
                    app("ferry"), at: try #require(Instant("\(day)T06:00:00Z")))
                result.append(
                    Night(
                        outcome: outcome,
                        lists: stub.api.requests.dropFirst(before.0).map(\.path).filter {
                            $0.hasSuffix("/segments")
                        }.map { String($0.split(separator: "/")[2]) },
                        files: stub.files.requests.dropFirst(before.1).map(\.path)))
                try between("\(folder)/kept")
            }
            await stub.stop()
            return result
        }
    }

    private struct Night {
        var outcome: FetchOutcome
        /// The instances whose segments were listed.
        var lists: [String]
        var files: [String]

        var snapshot: Snapshot? { outcome.snapshots.first }
    }

    /// The usual reports, and one more processing of the sessions.
    private func nextDay(_ processed: String = "2026-11-20") -> StubReports {
        var content = StubReports()
        content[Self.sessions].append(
            StubReports.Instance(
                processed,
                StubReports.table(
                    StubReports.sessionColumns, StubReports.sessions("2026-11-18", "4.2", "iPhone", "50"),
                    StubReports.sessions("2026-11-19", "4.2", "iPhone", "7"))))
        return content
    }

    @Test func theSecondNightRequestsOnlyTheNewInstance() async throws {
        let nights = try await nights([
            ("2026-11-20", StubReports()), ("2026-11-22", nextDay()), ("2026-11-23", nextDay("2026-11-22")),
        ])
        #expect(nights[0].lists == ["1-1", "1-0", "2-0", "3-0"])
        #expect(nights[0].files.count == 5)
        // What was listed two days after its processing is all of it.
        #expect(nights[1].lists == ["1-2", "1-1", "2-0", "3-0"])
        #expect(nights[1].files == ["/1/2/0.txt.gz"])
        #expect(nights[2].lists == ["1-2"])
        #expect(nights.allSatisfy { $0.outcome.diagnostics.isEmpty })
        // The newer processing replaces its days; all others stand as they were.
        #expect(nights[1].snapshot?.usage.map(\.sessions) == [78, 100, 50, 7])
        #expect(nights[1].snapshot?.issues == nights[0].snapshot?.issues)
        #expect(nights[1].snapshot?.issueDays == nights[0].snapshot?.issueDays)
        #expect(nights[1].snapshot?.releases == nights[0].snapshot?.releases)
    }

    /// An instance of the last days may get more segments; files that are the same are not read again.
    @Test func recentInstancesAreListedAgain() async throws {
        var more = StubReports()
        more[Self.sessions][1].segments.append(
            StubReports.table(
                StubReports.sessionColumns, StubReports.sessions("2026-11-18", "4.2", "iPad", "3")))
        let nights = try await nights([
            ("2026-11-20", StubReports()), ("2026-11-20", StubReports()), ("2026-11-20", more),
        ])
        #expect(nights[1].lists == ["1-1", "2-0", "3-0"])
        #expect(nights[1].files == [])
        #expect(nights[1].snapshot == nights[0].snapshot)
        #expect(nights[2].lists == ["1-1", "2-0", "3-0"])
        #expect(nights[2].files == ["/1/1/0.txt.gz", "/1/1/1.txt.gz", "/1/1/2.txt.gz"])
        #expect(nights[2].snapshot?.usage.map(\.sessions) == [78, 100, 8])
    }

    /// An instance may be listed before any of its segments is: it is not empty, and is requested until it has one. What
    /// earlier versions kept of such an instance is no reading.
    @Test func anInstanceWithoutSegmentsIsRequestedAgain() async throws {
        var early = StubReports()
        early[Self.sessions][1].segments = []
        let nights = try await nights([
            ("2026-11-20", early), ("2026-11-25", early), ("2026-11-26", StubReports()),
        ])
        #expect(nights.map { $0.lists.contains("1-1") } == [true, true, true])
        #expect(nights[0].snapshot?.usage.map(\.sessions) == [nil])
        #expect(nights[1].snapshot?.usage.map(\.sessions) == [nil])
        #expect(nights[2].snapshot?.usage.map(\.sessions) == [78, 100, 5])
        #expect(nights.allSatisfy { $0.outcome.diagnostics.isEmpty })
    }

    /// A damaged folder costs requests and nothing else.
    @Test func whatIsDamagedIsRequestedAgain() async throws {
        let nights = try await nights([("2026-11-22", StubReports()), ("2026-11-22", StubReports())]) {
            folder in
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try "plimsoll-response 1\n{".write(
                    toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            }
        }
        #expect(nights[1].lists == nights[0].lists && nights[1].files == nights[0].files)
        #expect(nights[1].snapshot == nights[0].snapshot)
    }

    /// An instance that did not come whole, or lacks a column, is not kept.
    @Test func whatIsNotWholeIsNotKept() async throws {
        var odd = StubReports()
        odd[Self.sessions][1].segments[1] = StubReports.table("Date\tApp Name")
        let nights = try await nights([("2026-11-22", odd), ("2026-11-22", StubReports())])
        #expect(
            nights[0].outcome.diagnostics.map(\.id) == [
                "appstoreconnect.instances-missing", "appstoreconnect.column",
            ])
        #expect(nights[1].lists == ["1-1"])
        #expect(nights[1].outcome.diagnostics.isEmpty)
        #expect(nights[1].snapshot?.usage.map(\.sessions) == [78, 100, 5])
    }

    /// What is listed and not there is passed over in the first night and reported in the next.
    @Test func aMissingInstanceIsRequestedAgainBeforeItIsReported() async throws {
        let nights = try await nights(
            [("2026-11-20", StubReports()), ("2026-11-20", StubReports()), ("2026-11-21", StubReports())],
            fault: { request in
                isSegments(request, of: "1-1") ? .appStoreConnect(404, "NOT_FOUND", "no", "") : nil
            })
        #expect(nights.map { $0.lists.contains("1-1") } == [true, true, true])
        #expect(
            nights.map { $0.outcome.diagnostics.map(\.id) } == [
                [], [], ["appstoreconnect.instances-missing"],
            ])
        // The older processing of the day does not count in its place: what is stored stays.
        #expect(nights.allSatisfy { $0.snapshot?.usage.map(\.sessions) == [nil] })
    }

    /// What answers for a new instance, and what is missing then. First-time downloads are not what the source is for,
    /// and what is not there (404) is requested again.
    private static let newest: [(instance: String, status: Int, missing: String?)] = [
        ("1-2", 500, "sessions and active devices"), ("1-2", 429, "sessions and active devices"),
        ("1-2", 404, nil), ("2-1", 500, nil), ("3-1", 500, "crashes"),
    ]

    /// Older instances, which come from the folder, make no good night of one without the newest.
    @Test(arguments: newest.indices) func aNightWithoutTheNewestInstanceHasFailed(index: Int) async throws {
        let (instance, status, missing) = Self.newest[index]
        var content = nextDay()
        content["App Store Installation and Deletion Standard"].append(
            StubReports.Instance(
                "2026-11-20",
                StubReports.table(
                    StubReports.installColumns,
                    StubReports.installs("2026-11-18", "Install", "First-time download", "8"))))
        content["App Crashes"].append(
            StubReports.Instance(
                "2026-11-20",
                StubReports.table(
                    StubReports.crashColumns, StubReports.crashes("2026-11-18", "4.2", "iPhone", "6"))))
        let nights = try await nights(
            [("2026-11-20", StubReports()), ("2026-11-22", content)],
            fault: { request in
                isSegments(request, of: instance) ? .appStoreConnect(status, "X", "no", "") : nil
            })
        #expect(nights[0].outcome.failures.isEmpty)
        let failures = nights[1].outcome.failures
        #expect(failures.map(\.why.id) == (missing == nil ? [] : ["transport.status-\(status)"]))
        #expect(
            failures.map(\.why.details.last) == missing.map { ["couldn't fetch \($0) up to 2026-11-19"] }
                ?? [])
        // What came is stored, as what it is.
        let snapshot = try #require(nights[1].snapshot)
        #expect(failures.allSatisfy(\.makesStale) && snapshot.failure == failures.first?.why)
        #expect(snapshot.issues.isEmpty == (instance == "3-1" || status == 429))
    }

    @Test func noSecretIsKept() async throws {
        _ = try await nights([("2026-11-20", StubReports())]) { folder in
            let text = try everyFile(in: folder)
            #expect(text.contains("Total Session Duration"))
            #expect(!text.contains(StubAppStoreConnect.signature) && !text.contains("eyJ"))
        }
    }

    @Test func bytesAreReadAsTheyWereWritten() throws {
        for files in [
            AppStoreConnectKept(marks: [], texts: []),
            AppStoreConnectKept(marks: ["a 1", nil], texts: [[10, 0, 255], []]),
        ] {
            let bytes = try #require(files.bytes)
            #expect(AppStoreConnectKept(bytes: bytes) == files)
            #expect(AppStoreConnectKept(bytes: bytes + [1]) == nil)
            #expect(AppStoreConnectKept(bytes: Array(bytes.dropFirst())) == nil)
        }
        for text in [
            "", "{}", "{}\n", #"{"lengths":[1],"marks":[null]}"# + "\n",
            #"{"lengths":[-1],"marks":[null]}"# + "\n",
        ] {
            #expect(AppStoreConnectKept(bytes: Array(text.utf8)) == nil)
        }
    }
}
