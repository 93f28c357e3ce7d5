import Foundation
import Testing

struct ThemeCommandTests {
    @Test(arguments: ["default", "plain"])
    func newThemeBuildsAndPassesTheCheck(start: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run("theme", "new", "harbour", "--from", start, in: project.folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("Next: set 'theme: harbour' in "))
        #expect(project.folder.text("Themes/harbour/theme.yml").hasPrefix("name: harbour\n"))
        try project.folder.write(
            "plimsoll.yml",
            project.folder.text("plimsoll.yml").replacing("theme: default", with: "")
                .replacing("content: \(bundled)/Content", with: "content: Content") + "\ntheme: harbour\n")
        try project.folder.write("Content/index.md", "Ours.\n")
        let built = try await Program.run("build", in: project.folder)
        #expect(built.status < 2, "\(built.errors)")
        #expect(project.folder.text("site/index.html").contains("ask your own team"))
        let check = try await Program.run("check", in: project.folder)
        #expect(check.status == 0, "\(check.errors)")
        #expect(
            !check.errors.contains("[check.contrast]") && !check.errors.contains("[check.unused-template]"))
        let list = try await Program.run("theme", "list", in: project.folder)
        #expect(
            list.output.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
                "harbour", "default", "plain",
            ])
    }

    @Test(arguments: ["Harbour", "9lives", "-x", "a/b", "..", "", "a b", "default", "plain", "caf\u{E9}"])
    func oddNameIsRefused(name: String) async throws {
        let project = try await DemoProject()
        let before = try project.folder.names()
        let run = try await Program.run("theme", "new", "--", name, in: project.folder)
        #expect(run.status == 2)
        #expect(run.errors.contains("[theme.bad-name]"))
        #expect(try project.folder.names() == before)
    }

    @Test func whatExistsIsNotWrittenOver() async throws {
        let project = try await DemoProject()
        try project.folder.write("Themes/harbour/mine.txt", "x")
        let run = try await Program.run("theme", "new", "harbour", in: project.folder)
        #expect(run.status == 2)
        #expect(run.errors.contains("[theme.exists]"))
        #expect(try project.folder.tree("Themes").files.count == 1)
    }

    @Test func withoutAProjectThereIsNothingToBeginIn() async throws {
        let folder = try Folder()
        let run = try await Program.run("theme", "new", "harbour", in: folder)
        #expect(run.status == 2)
        #expect(run.errors.contains("[config.missing]"))
        #expect(try folder.names() == [])
    }
}
