import Diagnostics
import Foundation
import Site
import Testing

@testable import SiteChecks

struct ThemeCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ files: [String: String]) throws -> [Diagnostic] {
        for (path, text) in files { try folder.write("Themes/paper/" + path, text) }
        return checkTheme(try ThemeLayers(name: "paper", roots: [folder.path + "/Themes", installedThemes]))
    }

    @Test(arguments: ["default", "plain"])
    func installedThemeIsSound(name: String) throws {
        #expect(checkTheme(try ThemeLayers(name: name, roots: [installedThemes])) == [])
    }

    @Test func everyMistakeIsReported() throws {
        let problems = try check([
            "templates/app.html": "{{one}}{{two}}", "templates/sources.md": "{{three}}",
            "assets/a.css": "p{a:url(none.png)}",
        ])
        #expect(
            problems.map(\.id) == [
                "theme.missing-asset", "template.unknown-name", "template.unknown-name",
                "template.unknown-name",
            ])
    }

    @Test func templateThatNoPageUsesIsReported() throws {
        let problems = try check(["templates/partials/layuot.html": "x", "theme.yml": "name: paper"])
        #expect(problems.map(\.id) == ["check.unused-template"])
        #expect(problems.first?.severity == .warning)
    }

    @Test func colorsOfImportedSheetsCount() throws {
        let problems = try check([
            "theme.yml": "name: paper\ncontrast:\n  text: [ink on paper]\n",
            "assets/colours.css": "@import 'brand/ink.css' screen;:root{--paper:#fff}",
            "assets/brand/ink.css": ":root{--ink:#ccc}",
        ])
        #expect(problems.map(\.id) == ["check.contrast", "check.contrast"], "\(problems)")
    }

    /// Colors are those of the style sheets that pages link, in the order of the links and for the screen.
    @Test(
        arguments: [
            ("brand.css", "", ":root{--ink:#ccc;--paper:#fff}", ["check.contrast", "check.contrast"]),
            ("brand.css", #"media="print""#, ":root{--ink:#ccc;--paper:#fff}", []),
            ("brand.css", #"media="(prefers-color-scheme: dark)""#, ":root{--ink:#ccc}", ["check.contrast"]),
            ("old.css", nil, ":root{--ink:#ccc}", []),
        ] as [(String, String?, String, [String])])
    func colorsAreThoseOfLinkedSheets(name: String, media: String?, rules: String, expected: [String]) throws
    {
        let layout = try String(
            contentsOfFile: installedThemes + "/default/templates/partials/layout.html", encoding: .utf8)
        let link = media.map { "<link rel=\"stylesheet\" \($0) href=\"{{frame.root}}{{asset.\(name)}}\">" }
        let problems = try check([
            "theme.yml": "name: paper\ncontrast:\n  text: [ink on paper]\n",
            "assets/colours.css": ":root{--ink:#000;--paper:#fff}", "assets/" + name: rules,
            "templates/partials/layout.html": layout.replacing("</head>", with: (link ?? "") + "</head>"),
        ])
        #expect(problems.map(\.id) == expected, "\(problems)")
    }

    /// A path of a theme with the hint to what nothing reads there; nil for what is read, and for readers.
    @Test(arguments: [
        ("partials/footer.html", "move it to 'templates/partials'"),
        ("template/partials/chart.html", "did you mean 'templates'?"),
        ("asset/site.css", "did you mean 'assets'?"), ("theme.yaml", "did you mean 'theme.yml'?"),
        ("footer.html", "move it to 'templates/partials/footer.html'"),
        ("activity.md", "move it to 'templates/activity.md'"),
        ("fonts/a.woff2", "templates belong in 'templates', style sheets and fonts in 'assets'"),
        ("site.css", "templates belong in 'templates', style sheets and fonts in 'assets'"),
        ("README.md", nil), ("LICENSE", nil), (".git/config", nil), ("assets/a.css", nil),
    ])
    func entryThatNothingReadsIsReported(path: String, hint: String?) throws {
        let problems = try check([path: "x{}", "theme.yml": "name: paper"])
        #expect(problems.map(\.id) == (hint == nil ? [] : ["check.unread-entry"]))
        #expect(problems.first?.hints.first == hint)
        #expect(problems.allSatisfy { $0.severity == .warning })
    }

    @Test func partialAmongThePagesIsReportedWithItsPlace() throws {
        let problems = try check(["templates/footer.html": "x", "theme.yml": "name: paper"])
        #expect(problems.map(\.hints) == [["did you mean 'partials/footer.html'?"]])
    }

    @Test(arguments: [
        ("text: [ink on paper]", ":root{--ink:#777;--paper:#fff}", ["check.contrast", "check.contrast"]),
        ("marks: [ink on paper]", ":root{--ink:#777;--paper:#fff}", []),
        (
            "text: [ink on paper]",
            ":root{--ink:#000;--paper:#fff}@media (prefers-color-scheme:dark){:root{--paper:#222}}",
            ["check.contrast"]
        ),
        (
            "text: [ink on paper]", ":root{--ink:#000;--paper:#fff}@supports (x:y){:root{--ink:#eee}}",
            ["check.contrast", "check.contrast"]
        ),
        ("text: [ikn on paper]", ":root{--ink:#000;--paper:#fff}", ["check.colour", "check.colour"]),
        (
            "text: [ink on paper]", ":root{--ink:oklch(0.4 0.1 300);--paper:#fff}",
            ["check.colour", "check.colour"]
        ),
        ("text: [ink on paper]", ":root{--ink:rebeccapurple;--paper:#fff}", []),
        ("text: [ink on paper]", ":root{--ink:silver;--paper:#fff}", ["check.contrast", "check.contrast"]),
        (
            "text: [ink on paper]", ":root{--ink:hsla(0, 0%, 60%, 1);--paper:hsl(0 0% 100%)}",
            ["check.contrast", "check.contrast"]
        ),
        (
            "text: [ink on paper]", ":root{--ink:#ccc !important;--paper:#fff}:root{--ink:#000}",
            ["check.contrast", "check.contrast"]
        ),
    ])
    func contrastIsThatOfThePairs(pairs: String, colors: String, expected: [String]) throws {
        // Without its own colors the theme below would be measured too.
        let problems = try check([
            "theme.yml": "name: paper\ncontrast:\n  \(pairs)\n", "assets/colours.css": colors,
        ])
        #expect(problems.map(\.id) == expected)
    }

    @Test func pairHasItsPlaceAndItsPalette() throws {
        let problem = try #require(
            try check([
                "theme.yml": "name: paper\ncontrast:\n  text:\n    - ink on paper\n",
                "assets/colours.css":
                    ":root{--ink:#000;--paper:#fff}@media (prefers-color-scheme:dark){:root{--paper:#123}}",
            ]).first)
        #expect(problem.summary == "Contrast of ink on paper is 1.30:1, minimum 4.50:1")
        #expect(problem.details == ["palette: dark"])
        #expect(problem.location == .file(path: folder.path + "/Themes/paper/theme.yml", line: 4, column: 7))
    }

    @Test func pairThatIsNoneIsRefusedWithTheTheme() throws {
        let problem = #expect(throws: Diagnostic.self) {
            try check(["theme.yml": "contrast:\n  text: [ink and paper]"])
        }
        #expect(problem?.id == "theme.contrast")
    }
}
