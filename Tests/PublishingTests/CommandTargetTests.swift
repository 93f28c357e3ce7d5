import Diagnostics
import Foundation
import Testing
import Transport

@testable import Publishing

struct CommandTargetTests {
    /// A program that keeps what it read, and does it.
    private static let deploy = """
        #!/bin/sh
        set -e
        cat > changes.json
        python3 - <<'END'
        import json, os, shutil
        changes = json.load(open("changes.json"))
        for one in changes["upload"]:
            path = "out/" + one["path"]
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copy(changes["site"] + "/" + one["path"], path)
        for path in changes["remove"]:
            os.remove("out/" + path)
        END
        """

    private func target(_ folder: TestFolder, _ script: String, seconds: Int = 300) throws -> any Target {
        try folder.write("deploy.sh", script)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/deploy.sh")
        let client = Client(Client.Options(version: "1"))
        return try TargetDescriptor.command.make(
            TargetSetup(
                id: "own",
                values: [
                    "run": .text("\(folder.path)/deploy.sh"), "timeLimit": .text("\(seconds)"),
                ],
                folder: folder.path, environment: ProcessInfo.processInfo.environment
            ) { _ in client })
    }

    @Test func givesTheProgramWhatChanged() async throws {
        let folder = try TestFolder()
        let target = try target(folder, Self.deploy)
        for edition in [0, 1] {
            let outcome = await publishing(try folder.site(Edition.files(edition)), to: target)
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        }
        var expected = folder.tree("site")
        expected["assets/style.0123456789.css"] = "body {}"
        #expect(folder.tree("out") == expected)
        let text = folder.text("changes.json") ?? ""
        #expect(
            text.contains(#""contentType" : "text/html; charset=utf-8""#) && text.contains("pages/p0.html"))
        // The style sheet of the first edition goes one publication later.
        for word in ["published", "unchanged"] {
            #expect(await publishing(try folder.site(Edition.files(1)), to: target).word == word)
        }
        #expect(folder.tree("out") == folder.tree("site"))
    }

    @Test(arguments: [
        ("#!/bin/sh\necho 'quota exceeded' >&2\nexit 3", "publish.command"),
        ("#!/bin/sh\nkill -9 $$", "publish.command"), ("#!/no/such/shell\n", "publish.program"),
    ])
    func aProgramThatFailsIsReportedAndRepeated(script: String, id: String) async throws {
        let folder = try TestFolder()
        let site = try folder.site(Edition.files(0))
        let outcome = await publishing(site, to: try target(folder, script))
        #expect(outcome.word == id)
        if script.contains("quota") { #expect(outcome.failure?.details == ["quota exceeded"]) }
        let next = await publishing(site, to: try target(folder, Self.deploy))
        #expect(next.word == "published" && next.sentFiles == site.files.count)
    }

    /// A build comes while the program works: also one of which nothing is left in the end, and one that changes what is
    /// not sent.
    @Test(arguments: [
        "printf 9 >site/index.html", "rm site/index.html", "printf 9 >site/manifest.json",
        "mv site/index.html kept && cp kept site/index.html", "printf 9 >site/same.html",
    ])
    func aSiteThatChangesWhileTheProgramRunsIsSentAgain(change: String) async throws {
        let folder = try TestFolder()
        let first = try folder.site(["index.html": "1", "same.html": "1"])
        #expect(await publishing(first, to: try target(folder, Self.deploy)).word == "published")
        let files = ["index.html": "2", "same.html": "1"]
        let site = try folder.site(files)
        let broken = await publishing(site, to: try target(folder, Self.deploy + "\n" + change))
        #expect(broken.word == "publish.site-changed" && broken.sentFiles == 0)
        let next = await publishing(try folder.site(files), to: try target(folder, Self.deploy))
        #expect(next.word == "published" && next.sentFiles == 2, "\(String(describing: next.failure))")
        #expect(folder.tree("out") == folder.tree("site"))
    }

    @Test func aProgramThatDoesNotEndIsEnded() async throws {
        let folder = try TestFolder()
        let outcome = await publishing(
            try folder.site(["index.html": "1"]),
            to: try target(folder, "#!/bin/sh\nexec sleep 100000", seconds: 1))
        #expect(outcome.word == "publish.time-limit")
        #expect(outcome.failure?.summary.hasSuffix("was ended after 1 seconds") == true)
        #expect(outcome.failure?.hints.first?.contains("'timeLimit'") == true)
    }
}
