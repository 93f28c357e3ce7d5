import Diagnostics
import Files
import Foundation
import Templates
import Testing

@testable import Site

/// Links in a theme or a content folder lead to nothing outside it, and to no endless tree of folders.
struct LinkedFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("secret.md", "A password")
        try folder.write("Themes/own/theme.yml", "name: own\n")
        try folder.write("Themes/own/assets/own.css", "p{}")
        try folder.write("content/index.md", "Words")
    }

    private func link(_ path: String, _ target: String) throws {
        let file = folder.path + "/" + path
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
    }

    @Test(
        arguments: [
            ("templates/not-found.html", "../../../secret.md", "template.unreadable"),
            ("templates/not-found.html", "/etc/hostname", "template.unreadable"),
            ("assets/words.css", "../../../secret.md", "file.link"), ("assets/all", "..", "file.link"),
            ("assets/all", "../../..", "file.link"), ("assets/all", ".", "file.link"),
            ("assets/deep/all", "../../assets", "file.link"), ("assets/words.css", "own.css", nil),
            ("templates/not-found.html", "gone.html", "template.unreadable"),
            ("templates/partials/footer.html", "gone.html", "template.unreadable"),
            ("templates/not-found.html", "../assets", "template.unreadable"),
        ] as [(String, String, String?)])
    func linksOfAThemeStayInIt(path: String, target: String, id: String?) throws {
        try link("Themes/own/" + path, target)
        let theme = try ThemeLayers(name: "own", roots: [folder.path + "/Themes", installedThemes])
        let (_, problems) = ThemeTemplates.load(theme)
        #expect(problems.first?.id == id, "\(problems)")
        #expect(!problems.contains { "\($0)".contains("password") })
    }

    /// What is in the place of a template and is no file is named; it does not count as missing.
    @Test(arguments: [true, false])
    func whatIsNoFileIsNamed(isLink: Bool) throws {
        let path = "Themes/own/templates/partials/footer.html"
        if isLink { try link(path, "gone.html") } else { try folder.write(path + "/words.md", "Words") }
        let theme = try ThemeLayers(name: "own", roots: [folder.path + "/Themes", installedThemes])
        let (templates, problems) = ThemeTemplates.load(theme)
        #expect(templates == nil)
        let place = folder.path + "/" + path
        #expect(
            problems.map(\.summary) == [
                "Template '\(place)' is \(isLink ? "a link that leads nowhere" : "no file")"
            ])
        #expect(problems.first?.location == .file(path: place))
    }

    @Test(
        arguments: [
            ("content/pages/words.md", "../../secret.md", "file.link"),
            ("content/pages/words.md", "/etc/hostname", "file.link"),
            ("content/notes/words.md", "../../secret.md", "file.link"), ("content/guide", "../content", nil),
            ("content/pages/words.md", "../index.md", nil),
        ] as [(String, String, String?)])
    func linksOfContentStayInIt(path: String, target: String, id: String?) throws {
        try link(path, target)
        let (content, problems) = ContentFolder.read(folder.path + "/content", apps: [])
        #expect(problems.first { $0.id == "file.link" }?.id == id, "\(problems)")
        #expect(!content.pages.contains { $0.text.source.contains("password") })
        #expect(content.pages.count < 40)
    }
}
