import AppStoreConnectStub
import Foundation
import LoopbackServer
import Testing

/// The real program queries a stand-in for App Store Connect.
struct AppStoreConnectTests {
    private let variables = [
        "ASC_KEY": StubTeamKey.shared.pem, "ASC_ISSUER": StubTeamKey.shared.issuer,
    ]

    /// The program takes its tokens' times from the clock of the machine.
    private func start(
        _ content: StubReports = StubReports(), fault: @escaping StubAppStoreConnect.Fault = { _ in nil }
    ) async throws -> StubAppStoreConnect {
        try await StubAppStoreConnect.start(
            content, clock: { Int(Date().timeIntervalSince1970) }, fault: fault)
    }

    private func folder(_ stub: StubAppStoreConnect, _ more: String = "") throws -> Folder {
        let folder = try Folder()
        try folder.write(
            "plimsoll.yml",
            """
            title: Quay
            asOf: 2026-11-20T06:00:00Z
            apps:
              - id: ferry
                name: Ferry
                platform: ios
                sources:
                  - provider: appstoreconnect
                    app: org.example.ferry
                    issuer: ${ASC_ISSUER}
                    keyId: \(StubTeamKey.shared.id)
                    key: ${ASC_KEY}
                    url: \(stub.api.origin)
                    \(more)

            """)
        return folder
    }

    @Test func wholeNightEndsWell() async throws {
        let stub = try await start()
        let folder = try folder(stub)
        let run = try await Program.run("run", "--threads", "1", in: folder, environment: variables)
        await stub.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("✓ ferry from appstoreconnect: 1 snapshot"))
        let usage = folder.text("site/apps/ferry/usage/index.md")
        #expect(usage.contains("| 2026-11-17 | – | – | – | 9 | 100 | – |"))
        #expect(usage.contains("| 2026-11-16 | – | – | – | – | 78 | – |"))
        #expect(
            folder.text("site/apps/ferry/issues/index.md").contains("All crashes, whatever their cause"))
        #expect(folder.text("site/apps/ferry/releases/index.md").contains("4.2 (421)"))
        // Crashes and sessions are known, and no rate is made of them.
        let page = folder.text("site/apps/ferry/index.md")
        #expect(page.contains("No rate: 'appstoreconnect' doesn't provide this."))
        #expect(!page.contains("\n| Crash-free sessions |") && !page.contains("| 100%"))
        #expect(page.contains("| Events in 28 days | 15 |"))
        let everything = try folder.tree()
        let keyLine = String(StubTeamKey.shared.pem.split(separator: "\n")[1])
        for secret in [StubAppStoreConnect.signature, "eyJ", keyLine] {
            #expect(everything.files(with: secret) == [], "\(secret.prefix(4))")
            #expect(!run.printed.contains(secret))
        }
    }

    /// What the first night read is next to the archive: the second requests the files of the new instance alone.
    @Test func theSecondNightRequestsOnlyWhatIsNew() async throws {
        let stub = try await start()
        let folder = try folder(stub)
        let first = try await Program.run("fetch", in: folder, environment: variables)
        #expect(first.status == 0, "\(first.errors)")
        let (lists, files) = (segmentLists(stub), stub.files.requests.count)
        #expect(lists.count == 4 && files == 5)
        try beginNextNight(stub, folder)
        let second = try await Program.run("run", in: folder, environment: variables)
        await stub.stop()
        #expect(second.status == 0, "\(second.errors)")
        // The lists of instances that were processed two days before the first night or later are read again, no file.
        #expect(
            segmentLists(stub).dropFirst(lists.count).elementsEqual(
                ["1-2", "1-1", "2-0", "3-0"].map { "/v1/analyticsReportInstances/\($0)/segments" }))
        #expect(stub.files.requests.dropFirst(files).map(\.path) == ["/1/2/0.txt.gz"])
        let usage = folder.text("site/apps/ferry/usage/index.md")
        #expect(usage.contains("| 2026-11-19 | – | – | – | – | 733 | – |"), "\(usage)")
        #expect(usage.contains("| 2026-11-17 | – | – | – | 9 | 100 | – |"))
        #expect(try folder.tree().files(with: StubAppStoreConnect.signature) == [])
    }

    /// What was kept of older instances makes no good night: the scheduler hears of it at once.
    @Test func aNightWithoutTheNewestInstanceEndsWithOne() async throws {
        let stub = try await start { request in
            request.path == "/v1/analyticsReportInstances/1-2/segments"
                ? .appStoreConnect(403, "FORBIDDEN_ERROR", "This request is forbidden", "") : nil
        }
        let folder = try folder(stub)
        #expect(try await Program.run("fetch", in: folder, environment: variables).status == 0)
        try beginNextNight(stub, folder)
        let second = try await Program.run("fetch", in: folder, environment: variables)
        await stub.stop()
        #expect(second.status == 1)
        #expect(second.errors.contains("couldn't fetch sessions and active devices up to 2026-11-19"))
        // The days of earlier nights stay.
        _ = try await Program.run("build", in: folder, environment: variables)
        #expect(
            folder.text("site/apps/ferry/usage/index.md").contains("| 2026-11-17 | – | – | – | 9 | 100 | – |")
        )
    }

    /// Moves to the next night, with one more instance of sessions.
    private func beginNextNight(_ stub: StubAppStoreConnect, _ folder: Folder) throws {
        var content = StubReports()
        content["App Sessions Standard"].append(
            StubReports.Instance(
                "2026-11-20",
                StubReports.table(
                    StubReports.sessionColumns, StubReports.sessions("2026-11-19", "4.2", "iPhone", "733"))))
        stub.report(content)
        try folder.write(
            "plimsoll.yml",
            folder.text("plimsoll.yml").replacing("asOf: 2026-11-20", with: "asOf: 2026-11-21"))
    }

    private func segmentLists(_ stub: StubAppStoreConnect) -> [String] {
        stub.api.requests.map(\.path).filter { $0.hasSuffix("/segments") }
    }

    @Test func aRecordingReplaysWithoutAnyServer() async throws {
        let stub = try await start()
        let folder = try folder(stub)
        let first = try await Program.run(
            "fetch", "--record", "exchanges", in: folder, environment: variables)
        await stub.stop()
        #expect(first.status == 0, "\(first.errors)")
        try FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite")
        let again = try await Program.run(
            "fetch", "--replay", "exchanges", in: folder, environment: variables)
        #expect(again.status == 0, "\(again.errors)")
        #expect(again.output == first.output)
        #expect(try folder.tree("exchanges").files(with: StubAppStoreConnect.signature) == [])
    }

    @Test func doctorNeverCreatesAReportRequest() async throws {
        var content = StubReports()
        content.requests = []
        let stub = try await start(content)
        let folder = try folder(stub, "createReportRequest: true")
        let run = try await Program.run("doctor", in: folder, environment: variables)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("✓ ferry from appstoreconnect (appstoreconnect)"))
        #expect(run.output.contains("rate limit: 3121 requests remaining"))
        #expect(run.errors.contains("no ongoing report request yet; 'plimsoll fetch' creates one"))
        #expect(stub.api.requests.allSatisfy { $0.method == "GET" })
        let fetch = try await Program.run("fetch", in: folder, environment: variables)
        await stub.stop()
        #expect(fetch.status == 0, "\(fetch.errors)")
        #expect(fetch.errors.contains("[appstoreconnect.report-request-created]"))
        #expect(stub.api.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test func aPlanSendsNothing() async throws {
        let stub = try await start()
        let folder = try folder(stub)
        let run = try await Program.run("fetch", "--plan", in: folder, environment: variables)
        await stub.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("  GET \(stub.api.origin)/v1/apps/{app}/analyticsReportRequests"))
        #expect(run.output.contains("  GET {segment} ×105"))
        #expect(stub.api.requests.isEmpty)
    }

    @Test(arguments: [
        ("ASC_KEY", "", "Environment variable ASC_KEY is not set"),
        ("ASC_ISSUER", "", "Environment variable ASC_ISSUER is not set"),
        ("ASC_KEY", "no key", "Private key cannot be read as an elliptic-curve key on P-256"),
    ])
    func whatIsNotThereIsReported(variable: String, value: String, words: String) async throws {
        let stub = try await start()
        let folder = try folder(stub)
        var variables = variables
        variables[variable] = value
        let run = try await Program.run("fetch", in: folder, environment: variables)
        await stub.stop()
        #expect(run.status == 1)
        #expect(run.errors.contains(words))
        #expect(stub.api.requests.isEmpty)
    }
}
