import Diagnostics
import Foundation
import Markup
import Templates
import Testing

@testable import Site

struct ThemeLayersTests {
    private let folder: TemporaryFolder
    private var roots: [String] { [folder.path + "/Themes", installedThemes] }

    init() throws { folder = try TemporaryFolder() }

    @Test func oneFileIsOverriddenAndTheRestInherited() async throws {
        try folder.write(
            "Themes/paper/templates/not-found.html",
            "{{<layout}}{{$main}}<h1>Lost at sea</h1>{{/main}}{{/layout}}")
        try folder.write("Themes/paper/assets/paper.css", "p{}")
        try folder.write("Themes/paper/assets/site.css", "body{}")
        let theme = try ThemeLayers(name: "paper", roots: roots)
        _ = try await build(sampleInput(folder.path + "/site", theme: theme))
        let tree = try folder.tree("site")
        #expect(tree["404.html"]?.contains("<h1>Lost at sea</h1>") == true)
        #expect(tree["404.html"]?.contains("</html>") == true)
        #expect(tree["404.md"]?.contains("Lost at sea") == false)
        #expect(tree["assets/paper.806db22126.css"] == "p{}")
        #expect(tree.values.contains("body{}"))
        #expect(tree["404.html"]?.contains("assets/site.") == true)
        #expect(tree.keys.contains { $0.hasPrefix("assets/icon.") })
    }

    @Test func siteOverrideComesBeforeTheThemeAndTheThemeBeforeDefault() throws {
        try folder.write("A/paper/templates/x.html", "1")
        try folder.write("B/paper/templates/x.html", "2")
        try folder.write("B/paper/templates/y.html", "2")
        try folder.write("A/default/templates/x.html", "3")
        try folder.write("A/default/templates/y.html", "3")
        try folder.write("A/default/templates/z.html", "3")
        let theme = try ThemeLayers(name: "paper", roots: [folder.path + "/A", folder.path + "/B"])
        #expect(text(theme, "x") == "1")
        #expect(text(theme, "y") == "2")
        #expect(text(theme, "z") == "3")
        #expect(text(theme, "w") == nil)
    }

    @Test func missingTemplateListsThePlacesInOrder() throws {
        try folder.write("Themes/paper/theme.yml", "")
        let theme = try ThemeLayers(name: "paper", roots: roots)
        guard case .missing(let places) = theme.lookup(.partial, "gone", .markdown) else {
            Testing.Issue.record("found")
            return
        }
        #expect(
            places == [
                "\(folder.path)/Themes/paper/templates/partials/gone.md",
                "\(installedThemes)/default/templates/partials/gone.md",
            ])
    }

    @Test(arguments: [
        ("papre", "did you mean 'paper'?"), ("deafult", "did you mean 'default'?"),
        ("zzzzzz", "use one of: default, paper, plain"),
    ])
    func missingThemeListsPlacesAndANearName(name: String, hint: String) throws {
        try folder.write("Themes/paper/theme.yml", "")
        let problem = #expect(throws: Diagnostic.self) { try ThemeLayers(name: name, roots: roots) }
        #expect(problem?.id == "theme.missing")
        #expect(problem?.summary == "Unknown theme '\(name)'")
        #expect(problem?.details == ["searched: \(folder.path)/Themes/\(name), \(installedThemes)/\(name)"])
        #expect(problem?.hints == [hint])
    }

    @Test(arguments: [
        "../Themes/paper", "../paper", "paper/", "paper/../paper", "/etc", ".", "..", "", ".paper",
        "pa\u{0}per",
    ])
    func nameThatIsAPathIsNoTheme(name: String) throws {
        try folder.write("Themes/paper/theme.yml", "")
        try folder.write("Themes/.paper/theme.yml", "")
        try folder.write("paper/theme.yml", "")
        let problem = #expect(throws: Diagnostic.self) { try ThemeLayers(name: name, roots: roots) }
        #expect(problem?.id == "theme.missing")
    }

    @Test func themeNeedsTheDefaultBelowIt() throws {
        try folder.write("Themes/paper/theme.yml", "")
        let problem = #expect(throws: Diagnostic.self) {
            try ThemeLayers(name: "paper", roots: [folder.path + "/Themes"])
        }
        #expect(problem?.summary == "Unknown theme 'default'")
    }

    @Test func fileInThePlaceOfAThemeIsNone() throws {
        try folder.write("Themes/paper", "")
        #expect(throws: Diagnostic.self) { try ThemeLayers(name: "paper", roots: roots) }
    }

    private func text(_ theme: ThemeLayers, _ name: String) -> String? {
        guard case .found(let source) = theme.lookup(.page, name, .html) else { return nil }
        return source.text
    }
}
