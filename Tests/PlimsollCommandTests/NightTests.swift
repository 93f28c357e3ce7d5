import Foundation
import LoopbackServer
import Testing

struct NightTests {
    @Test func wholeNightEndsWell() async throws {
        let night = try await FirstNight.shared
        #expect(night.run.status == 0, "\(night.run.errors)")
        #expect(night.run.output.contains("✓ ferry from bugsnag: 1 snapshot, "))
        #expect(night.run.output.contains("✓ buoy from files: 1 snapshot, "))
        #expect(night.run.output.hasSuffix("Site: site/index.html\n"))
        #expect(night.tree["status.json"].contains("\"state\" : \"ok\""))
        let page = night.tree["apps/ferry/index.html"]
        #expect(page.contains("3,018"))
        #expect(page.contains("Mooring.kt"))
        #expect(page.contains("&lt;script&gt;"))
        #expect(!page.contains("is-stale"))
    }

    /// The buckets of the trend stand on the issue's page as days; those that are no whole day do not.
    @Test func anIssueOfBugsnagShowsItsDays() async throws {
        let tree = try await FirstNight.shared.tree
        let page = tree["apps/ferry/issues/e1/index.md"]
        for day in 9...18 { #expect(page.contains("\(70 + day)"), "\(day): \(page)") }
        #expect(!page.contains("3,331") && !page.contains("4,441"))
    }

    @Test func pagesSayWhatBugsnagCannotKnow() async throws {
        let tree = try await FirstNight.shared.tree
        for file in ["methods/index.html", "methods/index.md", "apps/ferry/index.md"] {
            #expect(tree[file].contains("Not provided"), "\(file)")
            #expect(tree[file].contains("new users"), "\(file)")
        }
        // Users of its rates are active users of a day; no more than that is known of them.
        for file in ["apps/ferry/usage/index.html", "apps/ferry/usage/index.md"] {
            #expect(decoded(tree[file]).contains("Not available: 'bugsnag' doesn't provide this"), "\(file)")
            #expect(tree[file].contains("3,018"), "\(file)")
        }
        #expect(tree["methods/index.html"].contains("at least 30 seconds in the background"))
    }

    @Test func tokenIsNowhere() async throws {
        let night = try await FirstNight.shared
        #expect(!night.run.printed.contains(token))
        #expect(try night.folder.tree().files(with: token) == [])
    }

    @Test func secondGoodNightShowsTheNewFigures() async throws {
        let server = try await BugsnagStub.start(lastDay: 19)
        let (folder, run) = try await FirstNight.second(asking: server.origin)
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.text("site/apps/ferry/index.html").contains("3,019"))
        #expect(folder.text("site/apps/buoy/index.html").contains("5,019"))
        #expect(server.requests.allSatisfy { $0.method == "GET" && $0.header("X-Version") == "2" })
    }

    @Test func fetchingTheSameWindowTwiceChangesNothing() async throws {
        let server = try await BugsnagStub.start(lastDay: 18)
        let folder = try Folder(copyOf: try await FirstNight.shared.folder)
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        let run = try await Program.run("fetch", in: folder, environment: ["QUAY_TOKEN": token])
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output == """
                ✓ ferry from bugsnag: 1 snapshot, 0 new or changed values
                ✓ buoy from files: 1 snapshot, 0 new or changed values

                """)
        let built = try await Program.run("build", in: folder)
        #expect(built.status == 0, "\(built.errors)")
        #expect(try folder.tree("site").differences(from: try await FirstNight.shared.tree) == [])
    }

    @Test func tokenMayLieInAFile() async throws {
        let server = try await BugsnagStub.start(lastDay: 19)
        let folder = try Folder(copyOf: try await FirstNight.shared.folder)
        try folder.write("secrets/token", token + "\n")
        try folder.write(
            "plimsoll.yml",
            Quay.configuration(bugsnag: server.origin, day: 20, secret: "tokenFile: secrets/token"))
        let run = try await Program.run("fetch", in: folder)
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.tree().files(with: token) == ["secrets/token"])
    }
}
