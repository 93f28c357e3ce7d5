import Diagnostics
import Files
import Foundation
import Testing

@testable import PlimsollCommand

/// The folder of a demo: a project to try commands on, and never somebody else's.
struct DemoFolderTests {
    /// What is in the folder before, and whether a demo is made there.
    @Test(arguments: [
        "plimsoll.yml", "archive.sqlite", "site/index.html", "data/buoy/2026-11-19.json", "Content/index.md",
        "index.html", "apps/buoy/index.html",
    ])
    func aFolderOfSomebodyElseIsRefused(file: String) async throws {
        let folder = try Folder()
        try folder.write("mine/\(file)", "title: Mine\napps: []\n")
        let before = try folder.tree()
        let run = try await Program.run("demo", "--output", "mine", in: folder)
        #expect(run.status == 4, "\(run.printed)")
        #expect(run.errors.contains("[demo.not-a-demo]"), "\(run.errors)")
        #expect(run.errors.contains("  hint: use '--output' with another folder"), "\(run.errors)")
        #expect(try folder.tree() == before)
    }

    @Test func aProjectWithAnArchiveKeepsItsDataAndItsSite() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let before = try folder.tree()
        let run = try await Program.run("demo", "--output", ".", in: folder)
        #expect(run.status == 4, "\(run.printed)")
        #expect(try folder.tree() == before)
    }

    @Test func anUnknownThemeIsReportedBeforeAnythingIsMade() async throws {
        let folder = try Folder()
        let run = try await Program.run("demo", "--theme", "plane", in: folder)
        #expect(run.status == 2, "\(run.printed)")
        #expect(run.errors.contains("Unknown theme 'plane' [theme.missing]"), "\(run.errors)")
        #expect(run.errors.contains("hint: did you mean 'plain'?"), "\(run.errors)")
        #expect(run.output == "" && !run.errors.contains("lighthouse/files"), "\(run.printed)")
        #expect(try folder.names() == [])
    }

    /// What an earlier demo wrote, as its record says, is replaced; without a record it is copied first.
    @Test(arguments: [true, false]) func aDemoOfAnEarlierVersionIsMadeAgain(hasRecord: Bool) throws {
        let folder = try Folder()
        let demo = DemoFolder(path: folder.path + "/demo")
        let files = try DemoFiles(of: bundled, theme: nil)
        #expect(try demo.refusal(of: files) == nil)
        #expect(try demo.fill(with: files) == nil)
        let story = folder.text("demo/STORY.md")
        let earlier = "An earlier story.\n"
        try folder.write("demo/STORY.md", earlier)
        #expect(try demo.refusal(of: files)?.id == "demo.changed")
        let record = folder.path + "/demo/.plimsoll-demo"
        if hasRecord {
            var known = try #require(try DemoRecord(in: folder.path + "/demo"))
            known.add(contentHash(Array(earlier.utf8)), at: "STORY.md")
            try known.keep(in: folder.path + "/demo")
        } else {
            try FileManager.default.removeItem(atPath: record)
        }
        #expect(try demo.refusal(of: files) == nil)
        let warning = try demo.fill(with: files)
        #expect(warning?.id == (hasRecord ? nil : "demo.replaced"))
        #expect(folder.text("demo/STORY.md") == story)
        #expect(folder.text("demo/before/STORY.md") == (hasRecord ? "" : earlier))
        #expect(try demo.refusal(of: files) == nil)
        #expect(try demo.fill(with: files) == nil)
    }

    /// Commands work in it, and it is made again as long as its configuration is a demo's.
    @Test func aDemoIsAProjectAndIsMadeAgain() async throws {
        let folder = try Folder()
        _ = try await Program.run(
            "/bin/cp", ["-r", try await DemoSite.shared.folder.path + "/plimsoll-demo", "demo"],
            in: folder.path)
        let site = try folder.tree("demo/site")
        let commands: [([String], String)] = [
            (["show", "--app", "sketchbook"], "Sketchbook"), (["verdict", "--app", "sketchbook"], "Hold"),
            (["summary", "--app", "tidepool"], "Tidepool"), (["archive", "check"], "✓ "),
            (["archive", "stats"], "growth"),
        ]
        for (arguments, words) in commands {
            let run = try await Program.run(Program.path, arguments, in: folder.path + "/demo")
            #expect(run.status != 2 && run.status != 4 && run.output.contains(words), "\(run.printed)")
        }
        let built = try await Program.run(
            "build", "--config", "demo/plimsoll.yml", "--threads", "2", in: folder)
        #expect(built.status == 1, "Tidepool is stale: \(built.printed)")
        #expect(try folder.tree("demo/site").differences(from: site) == [])

        try folder.write(
            "demo/Content/notes/mine.md", "---\napp: sketchbook\nat: 2026-11-19T12:00:00Z\n---\nMine.\n")
        let again = try await Program.run("demo", "--output", "demo", "--threads", "2", in: folder)
        #expect(again.status == 0, "\(again.printed)")
        #expect(folder.text("demo/Content/notes/mine.md").contains("Mine."))
        for file in ["Content/index.md", "Content/mutes.yml", "data/sketchbook/2026-11-20.json", "STORY.md"] {
            let own = folder.text("demo/\(file)")
            try folder.write("demo/\(file)", own + "\n")
            let before = try folder.tree()
            let refused = try await Program.run("demo", "--output", "demo", in: folder)
            #expect(refused.status == 4 && refused.errors.contains("[demo.changed]"), "\(refused.printed)")
            #expect(refused.errors.contains("\(file)' was changed; nothing was written"), "\(refused.errors)")
            #expect(try folder.tree() == before)
            try folder.write("demo/\(file)", own)
        }
        let configuration = folder.text("demo/plimsoll.yml")
        try folder.write("demo/plimsoll.yml", configuration.replacing("Harbour apps", with: "My apps"))
        let before = try folder.tree()
        let refused = try await Program.run("demo", "--output", "demo", in: folder)
        #expect(refused.status == 4 && refused.errors.contains("plimsoll.yml'"), "\(refused.printed)")
        #expect(try folder.tree() == before)
    }
}
