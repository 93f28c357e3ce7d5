import Analysis
import AppHealth
import Cryptography
import Diagnostics
import Files
import Foundation
import Pages
import Testing

@testable import Site

/// The report of one app in one file.
struct SingleFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(
        _ audience: Audience = .team, base: String? = "https://quay.example/", threads: Int = 1,
        theme: ThemeLayers? = nil
    ) throws(Diagnostics) -> String {
        let input: SiteInput
        do {
            input = try sampleInput(
                folder.path + "/site", theme: theme, threads: threads,
                facts: .sample {
                    $0.audience = audience
                    $0.baseURL = base
                })
        } catch {
            throw Diagnostics([.error("test", "\(error)")])
        }
        let file = try SingleFile(of: .lantern, .standard, .sample(.lantern), input)
        return String(decoding: file.bytes, as: UTF8.self)
    }

    @Test(arguments: [Audience.team, Audience(.public)])
    func idsAreUniqueAndLinksResolveInside(audience: Audience) throws {
        let text = try file(audience)
        let ids = text.matches(of: /\sid="([^"]+)"/).map { String($0.1) }
        #expect(ids.count > 40)
        #expect(
            Set(ids).count == ids.count,
            "\(Dictionary(grouping: ids, by: \.self).filter { $1.count > 1 }.keys)")
        let inner = text.matches(of: /href="#([^"]+)"/).map { String($0.1) }
        #expect(inner.count >= 7 && Set(inner).subtracting(ids) == [])
        for match in text.matches(of: /aria-(?:labelledby|describedby)="([^"]+)"/) {
            for name in match.1.split(separator: " ") { #expect(ids.contains(String(name)), "\(name)") }
        }
        for match in text.matches(of: /url\(#([^)]+)\)/) { #expect(ids.contains(String(match.1))) }
    }

    @Test func nothingIsLoaded() throws {
        let text = try file()
        #expect(!text.contains("<script") && !text.contains("<iframe") && !text.contains("@import"))
        for name in ["src", "srcset", "poster", "action", "formaction", "xlink:href"] {
            #expect(!text.contains(" \(name)=\"h") && !text.contains(" \(name)=\"/"), "\(name)")
        }
        for match in text.matches(of: /<link [^>]*href="([^"]*)"/) { #expect(match.1 == "data:,") }
        for match in text.matches(of: /url\(["']?([^)"']{0,5})/) {
            #expect(match.1 == "data:" || match.1.hasPrefix("#"))
        }
    }

    @Test func thePolicyNamesTheStyleSheetAlone() throws {
        let text = try file()
        let style = try #require(text.firstMatch(of: /<style>([\s\S]*?)<\/style>/)).1
        let hash = Data(digest(of: style.utf8)).base64EncodedString()
        let policy = try #require(text.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)).1
        #expect(policy.contains("default-src &#39;none&#39;") || policy.contains("default-src 'none'"))
        #expect(policy.replacing("&#39;", with: "'").contains("; font-src data:;"))
        #expect(policy.replacing("&#43;", with: "+").contains("sha256-\(hash)"))
        #expect(!policy.contains("unsafe"))
        #expect(!text.contains(" style=\""))
    }

    @Test func everyElementIsClosed() throws {
        let text = try file()
        for name in [
            "html", "head", "body", "main", "section", "header", "footer", "nav", "ul", "ol", "dl", "table",
            "svg", "details", "figure",
        ] {
            let opened = text.matches(of: try Regex("<\(name)[ >]")).count
            #expect(opened == text.matches(of: try Regex("</\(name)>")).count, "\(name)")
        }
    }

    @Test func linksToOtherPagesAreWholeOrAbsent() throws {
        let own = "https://quay.example/apps/lantern/issues/issue-0/index.html"
        #expect(try file().contains(own))
        let alone = try file(base: nil)
        #expect(!alone.contains("issue-0/index.html"))
        for match in alone.matches(of: /<a [^>]*href="([^"]*)"/) {
            #expect(match.1.hasPrefix("#") || match.1.isEmpty, "\(match.1)")
        }
    }

    @Test func threadsChangeNoByte() throws {
        #expect(try file(threads: 1) == file(threads: 7))
    }

    @Test func thePublicFileShowsNoSecret() throws {
        let text = try file(Audience(.public))
        for secret in ["Pier.swift", "crew", "issue-0"] { #expect(!text.contains(secret), "\(secret)") }
        #expect(text.contains("Hidden on this site"))
    }

    @Test(arguments: [
        ("a {background: url(//a.example/paper.png)}", "'data:' URLs"),
        ("@import 'https://a.example/other.css';", "put the rules"),
        ("@import url(paper.png);", "put the rules"),
        ("b {margin: 0} @import 'other.css';", "before them"),
        ("@import 'other.css' scope(b);", "layer, supports()"),
        ("@import 'other.css' layer(a{}b);", "layer, supports()"), ("@import {}", "layer, supports()"),
        ("@media print {@import 'other.css';}", "before them"),
        ("@import 'other.css'; @namespace svg 'a';", "@namespace"), ("} b {margin: 0}", "one of the pair"),
        ("a::after {content: 'b", "one of the pair"), ("a {background: url(a.eot)}", "use woff2"),
        ("a::after {content: '</style><script>'}", "remove '</style'"),
        ("a {background: URL( \"https://a.example/x.png\")}", "'data:' URLs"),
    ])
    func aStyleSheetThatLoadsIsRefused(style: String, hint: String) throws {
        try folder.write("Themes/loud/theme.yml", "name: loud\n")
        try folder.write("Themes/loud/assets/site.css", style)
        try folder.write("Themes/loud/assets/other.css", "b {margin: 0}")
        try folder.write("Themes/loud/assets/a.eot", "a font")
        try folder.write("Themes/loud/assets/paper.png", "an image")
        let theme = try ThemeLayers(name: "loud", roots: [folder.path + "/Themes", installedThemes])
        do throws(Diagnostics) {
            _ = try file(theme: theme)
            Testing.Issue.record("the style sheet was taken")
        } catch {
            #expect(error.list.map(\.id) == ["theme.not-alone"])
            #expect(error.list.first?.hints.first?.contains(hint) == true)
        }
    }

    @Test func aStyleSheetThatNoPageUsesStopsNoFile() throws {
        try folder.write("Themes/loud/theme.yml", "name: loud\n")
        try folder.write("Themes/loud/assets/old.css", "a {background: url(paper.png)}")
        try folder.write("Themes/loud/assets/more.css", "b {margin: 42px}")
        try folder.write("Themes/loud/assets/paper.png", "an image")
        let theme = try ThemeLayers(name: "loud", roots: [folder.path + "/Themes", installedThemes])
        let text = try file(theme: theme)
        #expect(!text.contains("paper.png"))
        // The file looks as the pages do.
        #expect(!text.contains("margin:42px"))
    }

    /// The layout of the theme below with some more lines in its head.
    private func theme(adding lines: String, _ files: [String: String]) throws -> ThemeLayers {
        let layout = try String(
            contentsOfFile: installedThemes + "/default/templates/partials/layout.html", encoding: .utf8)
        try folder.write("Themes/own/theme.yml", "name: own\n")
        try folder.write(
            "Themes/own/templates/partials/layout.html",
            layout.replacing("</head>", with: lines + "\n</head>"))
        for (path, text) in files { try folder.write("Themes/own/" + path, text) }
        return try ThemeLayers(name: "own", roots: [folder.path + "/Themes", installedThemes])
    }

    /// Rules are in the order of the links, each for its media: the last one wins, as on the pages.
    @Test func styleSheetsAreThoseThatPagesLink() throws {
        let text = try file(
            theme: theme(
                adding: """
                    <LINK media="print" rel=stylesheet href="{{frame.root}}{{asset.paper.css}}">
                    <link rel='stylesheet' href='{{frame.root}}{{asset.brand.css}}'>
                    <link rel="alternate stylesheet" href="{{frame.root}}{{asset.other.css}}">
                    """,
                [
                    "assets/brand.css": ":root{--ink:#010203}", "assets/paper.css": "main{display:none}",
                    "assets/other.css": "b{margin:43px}",
                ]))
        let style = try #require(text.firstMatch(of: /<style>([\s\S]*?)<\/style>/)).1
        #expect(style.contains("@media print {main{display:none}}"))
        #expect(style.hasSuffix("\n:root{--ink:#010203}") && !style.contains("margin:43px"))
        #expect(style.ranges(of: "@media print {").count == 2)
    }

    /// The element's text for a sheet of the theme that all pages link.
    private func style(_ sheet: String, _ files: [String: String] = [:], _ audience: Audience = .team) throws
        -> String
    {
        let assets = Dictionary(uniqueKeysWithValues: files.map { ("assets/" + $0.key, $0.value) })
        let text = try file(
            audience,
            theme: theme(
                adding: #"<link rel="stylesheet" href="{{frame.root}}{{asset.brand.css}}">"#,
                assets.merging(["assets/brand.css": sheet]) { $1 }))
        let style = try #require(text.firstMatch(of: /<style>([\s\S]*?)<\/style>/)).1
        let hash = Data(digest(of: style.utf8)).base64EncodedString()
        #expect(text.replacing("&#43;", with: "+").contains("sha256-\(hash)"))
        return String(style)
    }

    @Test(arguments: [
        ("@import 'b.css';", "b{margin:44px}"),
        ("@import url( \"b.css\" ) print;", "@media print{b{margin:44px}}"),
        ("@import/**/'b.css'/**/layer;", "@layer{b{margin:44px}}"),
        (
            "@layer a, b; @import 'b.css' layer(a.c) supports(not (d: e)) screen and (width < 9em), print; i {j: k}",
            "@layer a,b;@media screen and (width < 9em),print{@supports (not (d:e)){@layer a.c{b{margin:44px}}}}i{j:k}"
        ),
        (
            "@import 'deep/c.css' supports(display: grid)",
            "@supports (display:grid){@media print{b{margin:44px}}c{d:e}}"
        ),
        ("@charset 'utf-8'; @import 'open.css' print;", "@media print{p{q:r}}"),
    ])
    func importedSheetsAreInTheirPlaces(sheet: String, expected: String) throws {
        let style = try style(
            sheet,
            [
                "b.css": "b {margin: 44px}", "deep/c.css": "@import '../b.css' print; c {d: e}",
                "open.css": "p {q: r",
            ])
        #expect(style.hasSuffix("\n" + expected), "\(style.suffix(200))")
    }

    /// Each address is counted from its own sheet.
    @Test func picturesAndFontsOfStyleSheetsAreInTheFile() throws {
        let style = try style(
            "@import 'deep/c.css'; @font-face {font-family: F; src: url(f.woff2) format('woff2')} i {j: url(#k)}",
            [
                "f.woff2": "a font", "p.svg": "<svg/>",
                "deep/c.css": "c {background: url(\"../p.svg?v=1#d\"), url(data:,)}",
            ])
        #expect(
            style.hasSuffix(
                #"c{background:url("data:image/svg+xml;base64,PHN2Zy8+#d"),url(data:,)}"#
                    + "@font-face{font-family:F;src:url(data:font/woff2;base64,YSBmb250) format('woff2')}i{j:url(#k)}"
            ))
    }

    @Test func tooMuchForAFileIsRefused() throws {
        var files: [String: String] = ["s40.css": "a {b: c}"]
        for number in 0..<40 { files["s\(number).css"] = "@import 's\(number + 1).css';" }
        let twice = (25..<40).map { "@import 's\($0).css'; @import 's\($0).css';" }.joined()
        let picture = String(repeating: "a", count: 4_000_000)
        for (sheet, words) in [
            ("@import 's0.css';", "16 sheets deep"), (twice, "200 in all"),
            ("a {b: url(p.png)} c {d: url(p.png)}", "10 MB"),
        ] {
            let problem = #expect(throws: Diagnostics.self) {
                try style(sheet, files.merging(["p.png": picture]) { $1 })
            }
            #expect(problem?.list.map(\.id) == ["theme.not-alone"])
            #expect(problem?.list.first?.summary.contains(words) == true, "\(problem?.list ?? [])")
        }
    }

    /// What the bytes of a picture happen to be as letters is no secret.
    @Test func bytesOfPicturesAreNotSearched() throws {
        let name = "assets/p.png"
        try folder.write("Themes/own/" + name, "")
        try #require(Data(base64Encoded: "AAA/crew/AAA")).write(
            to: URL(fileURLWithPath: "\(folder.path)/Themes/own/\(name)"))
        let style = try style("a {b: url(p.png)}", [:], Audience(.public))
        #expect(style.contains("AAA/crew/AAA"))
    }

    @Test func mediaThatWouldEndTheirRuleAreRefused() throws {
        let problem = #expect(throws: Diagnostics.self) {
            try file(
                theme: theme(
                    adding: #"<link rel="stylesheet" media="all {} b" href="{{frame.root}}{{asset.b.css}}">"#,
                    ["assets/b.css": "b{margin:0}"]))
        }
        #expect(problem?.list.map(\.id) == ["theme.not-alone"])
    }

    @Test func picturesOfTheThemeAreInTheFile() throws {
        let verdict = try String(
            contentsOfFile: installedThemes + "/default/templates/partials/verdict.html", encoding: .utf8)
        let picture = #"<img alt="" src="{{frame.root}}{{asset.pictures/logo.svg}}">"#
        let theme = try theme(
            adding: "",
            [
                "assets/pictures/logo.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
                "templates/partials/verdict.html": picture + verdict,
            ])
        let text = try file(theme: theme)
        #expect(text.contains(#"<img alt="" src="data:image/svg+xml;base64,PHN2Zy"#))
        #expect(!text.contains("assets/pictures"))
    }

    @Test(arguments: [
        ("a.txt", #"<a href="{{frame.root}}{{asset.a.txt}}">x</a>"#),
        ("a.svg", #"<img alt="" srcset="{{frame.root}}{{asset.a.svg}} 2x">"#),
        ("a.png", #"<img alt="" srcset="data:, 1x, {{frame.root}}{{asset.a.png}} 2x">"#),
        ("b.svg", #"<img alt="" src={{frame.root}}{{asset.b.svg}}>"#),
    ])
    func assetsThatCannotBeInTheFileAreNamed(name: String, tag: String) throws {
        let verdict = try String(
            contentsOfFile: installedThemes + "/default/templates/partials/verdict.html", encoding: .utf8)
        let theme = try theme(
            adding: "", ["assets/" + name: "x", "templates/partials/verdict.html": tag + verdict])
        let problem = #expect(throws: Diagnostics.self) { try file(theme: theme) }
        #expect(problem?.list.map(\.id) == ["theme.not-alone"])
        #expect(problem?.list.first?.summary.contains(name) == true)
    }

    @Test func fileIsReplacedAsAWhole() throws {
        for text in ["first", "second"] {
            try replaceFile(folder.path + "/harbour.html", text.utf8)
            #expect(try folder.tree() == ["harbour.html": text])
        }
    }

    /// Of a file of any size only the beginning is read; what cannot be read is not taken for the file of another.
    @Test(arguments: [0, 65 << 20])
    func markIsFoundInFilesOfAnySize(size: Int) throws {
        let html = Array("<!DOCTYPE html>\n<html>".utf8)
        try folder.write("mine.html", String(decoding: SingleFileMark.put(into: html), as: UTF8.self))
        try folder.write("theirs.html", String(decoding: html, as: UTF8.self))
        try folder.write("empty.html", "")
        for name in ["mine", "theirs"] where size > 0 {
            #expect(truncate("\(folder.path)/\(name).html", off_t(size)) == 0)
        }
        #expect(try singleFileProblem(at: folder.path + "/mine.html") == nil)
        for name in ["theirs", "empty"] {
            #expect(try singleFileProblem(at: "\(folder.path)/\(name).html")?.id == "build.foreign-file")
        }
        #expect(throws: FileFailure.self) { try SingleFileMark.isIn(folder.path + "/missing.html") }
    }

    /// A file that shows more than a site hides is no part of it; one that hides as much or more is.
    @Test(arguments: [
        (Audience.team, Audience(.public), false),
        (Audience(.team, counts: .hidden), Audience(.public), false),
        (Audience(.public, counts: .shown), Audience(.public), false),
        (Audience(.public), Audience.team, true),
        (Audience(.public), Audience(.public), true),
        (Audience(.public), Audience(.public, counts: .shown), true),
    ])
    func fileInASiteShowsNoMoreThanTheSite(row: (file: Audience, site: Audience, isAdded: Bool)) async throws
    {
        let input = try sampleInput(folder.path + "/site", facts: .sample { $0.audience = row.site })
        _ = try await build(input)
        let before = try folder.tree("site")
        let bytes = Array(try file(row.file).utf8)
        let problem: Diagnostic?
        do throws(Diagnostic) {
            try addFile("lantern.html", bytes, for: row.file, toSite: input.output, OutputPolicy())
            problem = nil
        } catch {
            problem = error
        }
        #expect((problem == nil) == row.isAdded)
        #expect(try row.isAdded || folder.tree("site") == before)
        if !row.isAdded { #expect(problem?.id == "build.audience" && problem?.hints.isEmpty == false) }
        #expect(hiddenRules(ofSingleFile: bytes) == row.file.rules.map(\.rawValue))
    }

    @Test(
        arguments: [
            ("<!DOCTYPE html>\n<!-- Single file by plimsoll -->\n<html>", []),
            (
                "<!DOCTYPE html>\n<!-- Single file by plimsoll, without: link, count -->\n<html>",
                ["link", "count"]
            ),
            ("<!DOCTYPE html>\n<html>", nil), ("", nil), ("<!-- Single file by plimsoll", nil),
            ("<meta content=\"default-src 'none'; style-src 'sha256-a'\">", nil),
        ] as [(String, [String]?)])
    func markSaysWhatTheFileHides(html: String, rules: [String]?) {
        #expect(hiddenRules(ofSingleFile: Array(html.utf8)) == rules)
    }

    @Test func fileInASiteIsKnownToTheNextBuild() async throws {
        let input = try sampleInput(folder.path + "/site")
        _ = try await build(input)
        for text in ["first", "second"] {
            try addFile(
                "harbour.html", Array(text.utf8), for: .team, toSite: input.output, OutputPolicy())
            #expect(try folder.tree("site")["harbour.html"] == text)
        }
        try folder.write("site/lantern.html", "mine")
        let problem = #expect(throws: Diagnostic.self) {
            try addFile("lantern.html", [], for: .team, toSite: input.output, OutputPolicy())
        }
        #expect(problem?.id == "site.foreign-file")
        #expect(try folder.tree("site")["lantern.html"] == "mine")
        try FileManager.default.removeItem(atPath: input.output + "/lantern.html")
        _ = try await build(input)
        #expect(try folder.tree("site")["harbour.html"] == nil)
        #expect(try folder.names() == ["site"])
    }
}
