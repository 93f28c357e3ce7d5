import Diagnostics
import Files
import Testing

@testable import Site

struct ThemeAssetsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func load() throws -> (ThemeAssets, [Diagnostic]) {
        ThemeAssets.load(try ThemeLayers(name: "paper", roots: [folder.path + "/Themes", installedThemes]))
    }

    private func asset(_ name: String) throws -> ThemeAsset {
        let (assets, problems) = try load()
        #expect(problems == [])
        return try #require(assets.files.first { $0.name == name })
    }

    @Test(arguments: [
        ("a.css", "p{}", "assets/a.806db22126.css"), ("plain", "x", "assets/plain.2d711642b7"),
        ("deep/er/b.min.js", "x", "assets/deep/er/b.min.2d711642b7.js"),
    ])
    func addressHasTheFingerprint(name: String, text: String, address: String) throws {
        try folder.write("Themes/paper/assets/\(name)", text)
        #expect(try asset(name).address == address)
    }

    @Test func addressesInStyleSheetsFollow() throws {
        try folder.write(
            "Themes/paper/assets/css/a.css",
            "@import 'b.css';\np {a: url(../x.svg#y); b: url(data:z); c: url(#d)}")
        try folder.write("Themes/paper/assets/css/b.css", "q {a: url(\"/top.png\")}")
        try folder.write("Themes/paper/assets/x.svg", "<svg/>")
        let (a, b, x) = (try asset("css/a.css"), try asset("css/b.css"), try asset("x.svg"))
        #expect(
            String(decoding: a.bytes, as: UTF8.self)
                == "@import '../\(b.address.dropFirst(7))';p{a:url(../\(x.address.dropFirst(7))#y);b:url(data:z);c:url(#d)}"
        )
        #expect(String(decoding: b.bytes, as: UTF8.self) == "q{a:url(\"/top.png\")}")
        let before = a.address
        try folder.write("Themes/paper/assets/x.svg", "<svg> </svg>")
        #expect(try asset("css/a.css").address != before)
    }

    @Test func inheritedStyleSheetLeadsToTheOverride() throws {
        try folder.write("Themes/default/assets/mine.css", "p{a:url(dot.png)}")
        try folder.write("Themes/default/assets/dot.png", "1")
        try folder.write("Themes/paper/assets/dot.png", "2")
        let dot = try asset("dot.png")
        #expect(dot.bytes == [0x32])
        #expect(
            String(decoding: try asset("mine.css").bytes, as: UTF8.self).contains(dot.address.dropFirst(7)))
    }

    @Test func addressThatLeadsToNothingIsReportedWithThePlaces() throws {
        try folder.write("Themes/paper/assets/a.css", "p {}\n\nq {a: url(icno.svg)}")
        let problem = try #require(try load().1.first)
        #expect(problem.id == "theme.missing-asset")
        #expect(problem.location == .file(path: folder.path + "/Themes/paper/assets/a.css", line: 3))
        #expect(problem.hints == ["did you mean 'icon.svg'?"])
        #expect(
            problem.details == [
                "searched: \(folder.path)/Themes/paper/assets/icno.svg, \(installedThemes)/default/assets/icno.svg"
            ])
    }

    @Test(arguments: [
        (["a.css": "@import 'b.css'", "b.css": "@import 'a.css'"], "theme.style-cycle"),
        (["a.css": "@import 'a.css'"], "theme.style-cycle"), (["a b.css": ""], "theme.asset-name"),
        (["caf\u{E9}.png": ""], "theme.asset-name"),
    ])
    func whatCannotBeIsRefused(files: [String: String], id: String) throws {
        for (name, text) in files { try folder.write("Themes/paper/assets/\(name)", text) }
        let theme = try ThemeLayers(name: "paper", roots: [folder.path + "/Themes", installedThemes])
        let (templates, problems) = ThemeTemplates.load(theme)
        #expect(problems.map(\.id) == [id])
        #expect(templates == nil)
    }

    /// Browsers read a style sheet in the encoding of its page, which is UTF-8.
    @Test func styleSheetThatIsNotUTF8IsRefused() throws {
        try folder.write("Themes/paper/assets/site.css", "")
        let path = folder.path + "/Themes/paper/assets/site.css"
        try replaceFile(path, Array("p {}\na::before {content: \"caf".utf8) + [0xE9] + Array("\"}".utf8))
        let theme = try ThemeLayers(name: "paper", roots: [folder.path + "/Themes", installedThemes])
        let (templates, problems) = ThemeTemplates.load(theme)
        #expect(templates == nil)
        #expect(problems.map(\.id) == ["theme.not-utf8"])
        #expect(problems.first?.summary == "Style sheet '\(path)' is not UTF-8 text (line 2)")
        #expect(problems.first?.location == .file(path: path, line: 2))
    }

    @Test func templateThatNamesAnAssetNoLayerHasIsRefused() throws {
        try folder.write("Themes/paper/templates/not-found.html", "\n {{asset.siet.css}}")
        let problems = ThemeTemplates.load(
            try ThemeLayers(name: "paper", roots: [folder.path + "/Themes", installedThemes])
        ).1
        #expect(problems.map(\.id) == ["template.missing-asset"])
        #expect(
            problems.first?.location
                == .file(path: folder.path + "/Themes/paper/templates/not-found.html", line: 2, column: 2))
        #expect(problems.first?.hints == ["did you mean {{asset.site.css}}?"])
    }
}
