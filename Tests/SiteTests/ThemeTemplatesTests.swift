import Diagnostics
import Files
import Foundation
import Testing

@testable import Site

struct ThemeTemplatesTests {
    private let folder: TemporaryFolder
    private var roots: [String] { [folder.path + "/Themes", installedThemes] }
    private var site: String { folder.path + "/site" }

    init() throws { folder = try TemporaryFolder() }

    @Test func everyTemplateOfTheDefaultThemeResolves() throws {
        let (templates, problems) = ThemeTemplates.load(try defaultTheme())
        #expect(problems == [])
        #expect(templates != nil)
    }

    /// A file that no page requests would never be checked.
    @Test func everyFileOfTheDefaultThemeIsRead() throws {
        let templates = installedThemes + "/default/templates"
        for file in try filesBelow(templates) {
            let folder = try TemporaryFolder()
            try folder.write("paper/templates/\(file)", "{{/nothing}}")
            let theme = try ThemeLayers(name: "paper", roots: [folder.path, installedThemes])
            let (_, problems) = ThemeTemplates.load(theme)
            #expect(problems.contains { $0.id == "template.unopened-section" }, "no page uses \(file)")
        }
    }

    /// File, text, and the expected `id:line:column`.
    @Test(arguments: [
        (
            "not-found.html", "<h1>\n{{frame.titel}}</h1>", "template.unknown-name:2:1",
            "did you mean 'title'?"
        ),
        ("not-found.html", "<h1>é{{titel}}</h1>", "template.unknown-name:1:6", ""),
        (
            "not-found.md", "# {{#frame.navigation}}{{titl}}{{/frame.navigation}}",
            "template.unknown-name:1:24", "did you mean 'title'?"
        ),
        ("app.html", "\n\n  {{tiles}}", "template.wrong-kind:3:3", ""),
        ("app.html", "{{{name}}}", "template.raw-text:1:1", "write {{name}}"),
        (
            "app.html", "a\n{{>gone}}", "template.missing-partial:2:1",
            "add one of these files or correct the name"
        ),
        ("app.html", "a\n{{#tiles}}", "template.unclosed-section:2:1", "add its closing tag"),
        ("app.md", "{{/tiles}}", "template.unopened-section:1:1", "remove it or add the opening tag"),
        ("app.md", "{{name", "template.unclosed-tag:1:1", "close the tag"),
        ("summary.md", "{{nothingLikeIt}}", "template.unknown-name:1:1", ""),
        (
            "partials/layout.html", "{{$main}}{{/main}}{{frame.rot}}", "template.unknown-name:1:19",
            "did you mean 'root'?"
        ),
    ])
    func mistakeInAnOverrideIsReportedAndNothingWritten(
        file: String, text: String, place: String, hint: String
    )
        async throws
    {
        try folder.write("Themes/paper/templates/\(file)", text)
        let problems = await problems(
            of: try sampleInput(site, theme: try ThemeLayers(name: "paper", roots: roots)))
        let problem = try #require(problems.first)
        let path = "\(folder.path)/Themes/paper/templates/\(file)"
        let parts = place.split(separator: ":")
        #expect(problems.count == 1)
        #expect(problem.id == parts[0])
        #expect(problem.location == .file(path: path, line: Int(parts[1]), column: Int(parts[2])))
        if !hint.isEmpty { #expect(problem.hints == [hint]) }
        #expect(try folder.names() == ["Themes"])
    }

    /// What editors of other systems write: a byte order mark is no part of the text.
    @Test(arguments: ["templates/not-found.html", "templates/partials/issue-row.md", "assets/site.css"])
    func byteOrderMarkIsDropped(file: String) async throws {
        let original = try readFile("\(installedThemes)/default/\(file)")
        let plain = try await build(
            sampleInput(folder.path + "/plain", theme: try ThemeLayers(name: "default", roots: roots)))
        try folder.write("Themes/paper/\(file)", "")
        try replaceFile("\(folder.path)/Themes/paper/\(file)", [0xEF, 0xBB, 0xBF] + original)
        let marked = try await build(
            sampleInput(site, theme: try ThemeLayers(name: "paper", roots: roots)))
        #expect(plain.failedChecks == [] && marked.failedChecks == [])
        #expect(try folder.tree("site") == folder.tree("plain"))
    }

    @Test(arguments: ["app.html", "app.md", "partials/footer.html"])
    func templateThatIsNotUTF8IsRefused(file: String) async throws {
        try folder.write("Themes/paper/templates/\(file)", "")
        let path = "\(folder.path)/Themes/paper/templates/\(file)"
        try replaceFile(path, Array("One.\ncaf".utf8) + [0xE9])
        let problems = await problems(
            of: try sampleInput(site, theme: try ThemeLayers(name: "paper", roots: roots)))
        #expect(problems.map(\.id) == ["template.unreadable"])
        #expect(problems.first?.summary == "Template '\(path)' is not UTF-8 text (line 2)")
        #expect(problems.first?.hints == ["save it as UTF-8"])
    }

    @Test func missingPartialListsThePlaces() async throws {
        try folder.write("Themes/paper/templates/app.html", "{{>gone}}")
        let problems = await problems(
            of: try sampleInput(site, theme: try ThemeLayers(name: "paper", roots: roots)))
        #expect(
            problems.first?.details == [
                "searched: \(folder.path)/Themes/paper/templates/partials/gone.html, "
                    + "\(installedThemes)/default/templates/partials/gone.html"
            ])
    }

    @Test func allMistakesAreReportedAtOnce() async throws {
        try folder.write("Themes/paper/templates/app.html", "{{one}}{{two}}")
        try folder.write("Themes/paper/templates/sources.md", "{{three}}")
        let problems = await problems(
            of: try sampleInput(site, theme: try ThemeLayers(name: "paper", roots: roots)))
        #expect(problems.map(\.id) == Array(repeating: "template.unknown-name", count: 3))
    }

    @Test func mistakeLeavesTheOldSite() async throws {
        _ = try await build(sampleInput(site))
        let before = try folder.tree("site")
        try folder.write("Themes/paper/templates/app.html", "{{one}}")
        let problems = await problems(
            of: try sampleInput(site, theme: try ThemeLayers(name: "paper", roots: roots)))
        #expect(problems.count == 1)
        #expect(try folder.tree("site") == before)
    }

    @Test func templateThatIsNotTextLeavesTheOldSite() async throws {
        _ = try await build(sampleInput(site))
        let before = try folder.tree("site")
        let file = folder.path + "/Themes/paper/templates/not-found.html"
        try folder.write("Themes/paper/templates/not-found.html", "")
        try Data([0xFF, 0xFE, 0x00, 0x80]).write(to: URL(fileURLWithPath: file))
        let problems = await problems(
            of: try sampleInput(site, theme: try ThemeLayers(name: "paper", roots: roots)))
        #expect(problems.map(\.id) == ["template.unreadable"])
        #expect(problems.first?.summary == "Template '\(file)' is not UTF-8 text (line 1)")
        #expect(try folder.tree("site") == before)
    }
}
