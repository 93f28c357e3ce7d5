import Foundation
import Testing

/// `check` over the real demo; each run is the real program.
struct CheckCommandTests {
    private struct Document: Decodable {
        struct Problem: Decodable {
            let id: String
            let severity: String
        }
        let format: String
        let version: Int
        let isWell: Bool
        let errors: Int
        let problems: [Problem]
    }

    @Test(arguments: ["default", "plain"])
    func demoHasNoFault(theme: String) async throws {
        let folder = try Folder()
        let made = try await Program.run("demo", "--theme", theme, in: folder)
        #expect(made.status == 0, "\(made.errors)")
        let run = try await Program.run(
            "check", "--site", "plimsoll-demo/site", "--format", "json", in: folder)
        let document = try JSONDecoder().decode(Document.self, from: Data(run.output.utf8))
        #expect(run.status == 0)
        #expect(document.format == "plimsoll-check" && document.version == 1)
        #expect(document.isWell && document.errors == 0)
        #expect(document.problems.allSatisfy { $0.id == "check.size" && $0.severity == "warning" })
        #expect(!run.output.contains("A page 'app'"))
    }

    @Test func faultsOfThemePagesAndSiteAreReportedAtOnce() async throws {
        let project = try await DemoProject()
        try await project.copySite()
        try project.folder.write("Themes/mine/templates/app.html", "{{nmae}}")
        try project.folder.write("Themes/mine/theme.yml", "name: mine\ncontrast:\n  text: [line on paper]\n")
        try project.folder.write("site/extra.html", "<p onclick='x'><a href='gone.html'>")
        try project.folder.write(
            "plimsoll.yml",
            project.folder.text("plimsoll.yml").replacing("theme: default", with: "") + "\ntheme: mine\n")
        let run = try await Program.run("check", in: project.folder)
        #expect(run.status == 1, "\(run.printed.prefix(500))")
        for id in [
            "template.unknown-name", "check.contrast", "check.handler", "check.link", "check.orphan",
            "check.no-policy",
        ] {
            #expect(run.errors.contains("[\(id)]"), "\(id)")
        }
        #expect(run.output.hasPrefix("✗ "))
    }

    @Test func publicSiteIsSearchedForWhatItLeavesOut() async throws {
        let project = try await DemoProject()
        let built = try await Program.run("build", "--audience", "public", in: project.folder)
        #expect(built.status == 1, "\(built.errors)")
        let clean = try await Program.run("check", in: project.folder)
        #expect(clean.status == 0, "\(clean.printed.prefix(500))")
        let page = "site/sources/index.html"
        try project.folder.write(
            page, project.folder.text(page).replacing("</main>", with: "<p>see Atomic.swift</p></main>"))
        try project.folder.write("site/data.csv", "date,users\r\n2026-11-19,7\r\n")
        let run = try await Program.run("check", in: project.folder)
        #expect(run.status == 1)
        #expect(run.errors.components(separatedBy: "[check.redaction]").count == 3)
        #expect(run.errors.contains("A file shows a code location") && run.errors.contains("site/data.csv:2"))
        // Without the configuration only the places for what is hidden are checked.
        let alone = try await Program.run("check", "--site", "site", in: project.folder)
        #expect(alone.errors.components(separatedBy: "[check.redaction]").count == 2)
    }

    @Test func siteThatIsNotBuiltIsReportedWithTheNextStep() async throws {
        let project = try await DemoProject()
        let run = try await Program.run("check", "--site", "nothing", in: project.folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("nothing"))
    }
}
