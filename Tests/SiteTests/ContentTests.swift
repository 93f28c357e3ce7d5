import Diagnostics
import Foundation
import Pages
import Testing

@testable import Site

struct ContentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func missingFolderHasNoPages() {
        let (content, problems) = ContentFolder.read(folder.path + "/none")
        #expect(content.pages.isEmpty)
        #expect(content.introduction == nil)
        #expect(content.methods == nil)
        #expect(problems == [])
    }

    @Test func pagesAreReadInTheOrderOfTheirPaths() throws {
        try folder.write("zoo.md", "# Zoo\n\nWords.")
        try folder.write("about.md", "---\ntitle: About us\nsummary: Who we are\n---\n# Other\n")
        try folder.write("pages/imprint.md", "No heading")
        try folder.write("README.md", "# Not a page")
        try folder.write(".hidden.md", "# Not a page")
        try folder.write("notes.txt", "not a page")
        try folder.write("deep/down/lost.md", "# Not a page")
        let (content, problems) = ContentFolder.read(folder.path)
        #expect(problems == [])
        #expect(content.pages.map(\.path.stem) == ["about/index", "imprint/index", "zoo/index"])
        #expect(content.pages.map(\.title) == ["About us", "imprint", "Zoo"])
        #expect(content.pages.map(\.summary) == ["Who we are", "imprint", "Zoo"])
        #expect(content.pages.map(\.text.source) == ["", "No heading", "\nWords."])
    }

    @Test func sectionsHavePagesBelowTheirAddress() throws {
        try folder.write("guide.md", "# Guide")
        try folder.write("providers/index.md", "# Providers")
        try folder.write("providers/sentry.md", "# Sentry")
        try folder.write("providers/deep/index.md", "# Deep")
        try folder.write("providers/deep/down.md", "---\nnavigation: true\n---\n# Down")
        try folder.write("drafts/lost.md", "# No section")
        try folder.write("manual/index.md", "# Another site")
        try folder.write("manual/plimsoll.yml", "apps: []")
        let (content, problems) = ContentFolder.read(folder.path)
        #expect(problems == [])
        #expect(
            content.pages.map(\.path.stem) == [
                "guide/index", "providers/deep/down/index", "providers/deep/index", "providers/index",
                "providers/sentry/index",
            ])
        #expect(content.pages.filter { !$0.isInNavigation }.map(\.title) == ["Sentry"])
        let down = try #require(content.pages.first { $0.title == "Down" })
        #expect(content.sections(above: down).map(\.title) == ["Providers", "Deep"])
    }

    @Test(arguments: ["apps", "Upper", "two words", "a.b"])
    func sectionWithATakenOrUnfitNameIsRefused(name: String) throws {
        try folder.write(name + "/index.md", "# x")
        let (content, problems) = ContentFolder.read(folder.path)
        #expect(content.pages.isEmpty)
        #expect(problems.map(\.id) == ["content.bad-name"])
    }

    @Test func aSectionThatLiesTooDeepIsNamed() throws {
        for depth in 1...5 {
            let place = (1...depth).map { "s\($0)" }.joined(separator: "/")
            try folder.write("content/\(place)/index.md", "# \(depth)")
        }
        let (content, problems) = ContentFolder.read(folder.path + "/content")
        #expect(content.pages.count == 4)
        #expect(problems.map(\.id) == ["content.too-deep"])
        #expect(problems.first?.location == .file(path: folder.path + "/content/s1/s2/s3/s4/s5"))
    }

    /// A section that is a link to a folder that it is in has no pages a second time.
    @Test(arguments: ["guide/all": "..", "guide/self": ".", "guide/deep/up": "../../guide"])
    func aLinkBackIsNoSection(link: String, target: String) throws {
        try folder.write("content/index.md", "# Entry")
        try folder.write("content/guide/index.md", "# Guide")
        try folder.write("content/guide/deep/index.md", "# Deep")
        let path = folder.path + "/content/" + link
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let (content, problems) = ContentFolder.read(folder.path + "/content")
        #expect(content.pages.map(\.path.stem) == ["guide/deep/index", "guide/index"])
        #expect(problems.map(\.id) == ["content.link-circle"])
        #expect(problems.first?.location == .file(path: path))
    }

    /// A link as it is written in `providers/sentry.md`, and what becomes of it in HTML.
    @Test(arguments: [
        ("../guide.md", "../../guide/index.html"), ("../guide.md#signs", "../../guide/index.html#signs"),
        ("index.md", "../index.html"), ("./bugsnag.md", "../bugsnag/index.html"),
        ("../index.md", "../../index.html"), ("../missing.md", "../missing.md"),
        ("../../../guide.md", "../../../guide.md"), ("#here", "#here"),
        ("../guide.md?x=1#y", "../../guide/index.html?x=1#y"),
        ("https://host/guide.md", "https://host/guide.md"),
        ("../sources/index.html", "../sources/index.html"),
        ("../guide%2Emd", "../../guide/index.html"),
        ("%2e%2e/gu%69de.md#signs", "../../guide/index.html#signs"),
        ("../guide&#46;md", "../../guide/index.html"), ("../guide&period;md", "../../guide/index.html"),
        ("..&sol;guide.md", "../../guide/index.html"),
        ("../guide.md&num;signs", "../../guide/index.html#signs"),
        ("../guide.md?x=1&amp;y=2", "../../guide/index.html?x=1&y=2"),
        ("../guide.md?x=1&amp;lt;", "../../guide/index.html?x=1&amp;lt;"),
        ("../missing&#46;md", "../missing&#46;md"), ("../guide%252Emd", "../guide%252Emd"),
        ("../pictures/map%2Epng", "../pictures/map%2Epng"),
    ])
    func linksBetweenFilesLeadToTheirPages(link: String, address: String) throws {
        try folder.write("index.md", "# Entry\n")
        try folder.write("guide.md", "# Guide\n")
        try folder.write("providers/index.md", "# Providers\n")
        try folder.write("providers/bugsnag.md", "# BugSnag\n")
        try folder.write("providers/sentry.md", "See [this](\(link) \"x\") and `[this](\(link))`.")
        let (content, _) = ContentFolder.read(folder.path)
        let page = try #require(content.pages.first { $0.file == "providers/sentry.md" })
        #expect(page.text.source == "See [this](\(address) \"x\") and `[this](\(link))`.")
        let isRewritten = link != address
        let markdown = isRewritten ? address.replacing("index.html", with: "index.md") : address
        #expect(page.text.markdown == "See [this](\(markdown) \"x\") and `[this](\(link))`.")
    }

    /// A link as it is written in `providers/sentry.md`, and the hint of the warning where it leads to no page.
    @Test(arguments: [
        ("../gide.md", "did you mean '../guide.md'?"), ("bugsnak.md", "did you mean 'bugsnag.md'?"),
        ("../entirely-other.md#x", "correct the path, or create 'Content/entirely-other.md'"),
        ("../drafts/lost.md", "add 'Content/drafts/index.md': a folder without it holds no pages"),
        ("../README.md", "link to another file: this one is no page"),
        ("../drafts/README.md", "link to another file: this one is no page"),
        (
            "../../../far.md",
            "write the path from this file to that of a page, such as 'guide.md', or a whole URL"
        ),
        (
            "../../guide.md",
            "write the path from this file to that of a page, such as 'guide.md', or a whole URL"
        ),
        ("../gide%2Emd", "did you mean '../guide.md'?"), ("../gide&#46;md", "did you mean '../guide.md'?"),
        (
            "../assets/guide.md", "link to a page elsewhere: no file of content is one below 'assets/'"
        ),
        (
            "../../assets/guide.md",
            "write the path from this file to that of a page, such as 'guide.md', or a whole URL"
        ),
        ("../guide%2Emd", nil), ("../../guide/index&period;md", nil),
        ("../guide.md", nil), ("../../apps/harbour/index.md", nil), ("../../guide/index.md", nil),
        ("https://host/no.md", nil), ("/no.md", nil), ("no.html", nil), ("../../docs/report.md", nil),
    ])
    func linkOfAPageThatLeadsNowhereIsReported(link: String, hint: String?) throws {
        try folder.write("Content/guide.md", "# Guide\n")
        try folder.write("Content/README.md", "# Not a page\n")
        try folder.write("Content/drafts/lost.md", "# Not a page\n")
        try folder.write("Content/drafts/README.md", "# Not a page\n")
        try folder.write("Content/providers/index.md", "# Providers\n")
        try folder.write("Content/providers/bugsnag.md", "# BugSnag\n")
        try folder.write(
            "Content/providers/sentry.md", "---\ntitle: S\n---\nOne.\n\n[a](\(link)) [b](\(link))\n")
        let content = folder.path + "/Content"
        let problems = ContentFolder.read(content, keep: ["docs"]).1
        let hints = problems.flatMap(\.hints).map { $0.replacing(content, with: "Content") }
        #expect(hints == [hint].compactMap(\.self))
        #expect(problems.allSatisfy { $0.id == "content.page-link" && $0.severity == .warning })
        #expect(
            problems.allSatisfy { $0.location == .file(path: content + "/providers/sentry.md", line: 6) })
    }

    /// A text of a page or a note below front matter of four lines, and the line of the warning.
    @Test(arguments: [
        ("One.\n\n```sh\nplimsoll show\n", 7), ("<!-- later\n\nTwo.", 5), ("~~~\na\n~~~\n", nil),
    ])
    func blockWithoutAnEndIsReported(text: String, line: Int?) throws {
        try folder.write("a.md", "---\ntitle: A\norder: 2\n---\n" + text)
        try folder.write("index.md", "---\ntitle: Home\norder: 1\n---\n" + text)
        let problems = ContentFolder.read(folder.path).1
        #expect(problems.map(\.id) == (line == nil ? [] : ["content.open-block", "content.open-block"]))
        #expect(problems.allSatisfy { $0.severity == .warning })
        #expect(
            problems.map(\.location)
                == ["a.md", "index.md"].compactMap { name in
                    line.map { Location.file(path: "\(folder.path)/\(name)", line: $0, column: 1) }
                })
    }

    /// Code that an author did not end holds nothing that the site writes below it.
    @Test func openFenceEndsBeforeWhatTheSiteWrites() async throws {
        for name in ["index", "methods", "guide"] {
            try folder.write("Content/\(name).md", "# Words\n\n```sh\nplimsoll show \(name)\n")
        }
        let (content, _) = ContentFolder.read(folder.path + "/Content")
        _ = try await build(sampleInput(folder.path + "/site", content: content))
        let tree = try folder.tree("site")
        for (file, name) in [
            ("index.md", "index"), ("methods/index.md", "methods"), ("guide/index.md", "guide"),
            ("llms-full.txt", "index"), ("llms-full.txt", "methods"), ("llms-full.txt", "guide"),
        ] {
            #expect(tree[file]?.contains("```sh\nplimsoll show \(name)\n```\n") == true, "\(file)")
        }
    }

    /// Two files with one address are refused, and links from and to the file that is there lead to its page.
    @Test(arguments: ["index", "methods"])
    func onlyOneFileHasAnAddress(name: String) throws {
        try folder.write("pages/\(name).md", "# Ours\n\n[Guide](guide.md)")
        try folder.write("pages/guide.md", "# Guide\n\n[Back](\(name).md)")
        let (content, problems) = ContentFolder.read(folder.path)
        #expect(problems == [])
        let own = name == "index" ? content.introduction : content.methods
        #expect(own?.source.contains("[Guide](\(name == "index" ? "" : "../")guide/index.html)") == true)
        let back = name == "index" ? "../index.html" : "../methods/index.html"
        #expect(content.pages.first?.text.source.contains("[Back](\(back))") == true)
        try folder.write("\(name).md", "# Theirs")
        let both = ContentFolder.read(folder.path).1
        #expect(both.map(\.id) == ["content.bad-name"])
        #expect(both.first?.location == .file(path: "\(folder.path)/pages/\(name).md"))
    }

    @Test func wordsForTheSitesOwnPagesAreNoPages() throws {
        try folder.write("index.md", "---\ntitle: Ours\n---\nWelcome")
        try folder.write("methods.md", "How we count")
        let (content, problems) = ContentFolder.read(folder.path)
        #expect(problems == [])
        #expect(content.pages.isEmpty)
        #expect(content.introduction?.source == "Welcome")
        #expect(content.methods?.source == "How we count")
    }

    @Test(arguments: [
        "all", "apps", "assets", "groups", "health", "sources", "weeks", "404", "feed.xml", "status.json",
        "index.html",
        "Upper",
        "two words", "über", "_x", "-x", "a|b",
    ])
    func nameThatIsTakenOrUnfitIsRefused(name: String) throws {
        try folder.write(name + ".md", "# x")
        let (content, problems) = ContentFolder.read(folder.path)
        #expect(content.pages.isEmpty)
        #expect(problems.map(\.id) == ["content.bad-name"])
        #expect(problems.first?.location == .file(path: "\(folder.path)/\(name).md"))
        #expect(problems.first?.hints.isEmpty == false)
    }

    @Test(arguments: [(50, []), (51, ["content.navigation"])])
    func crowdedNavigationIsReported(pages: Int, ids: [String]) throws {
        for number in 1...pages { try folder.write("page-\(number).md", "# Page \(number)") }
        try folder.write("hidden.md", "---\nnavigation: false\n---\n# Hidden")
        try folder.write("guide/index.md", "---\nnavigation: false\n---\n# Guide")
        try folder.write("guide/first.md", "# First")
        #expect(ContentFolder.read(folder.path).1.map(\.id) == ids)
    }

    /// Files that would be read under another name, or in another folder, are named.
    @Test(arguments: [
        ("notes/2026/x.md", "move it into the folder 'notes' itself"),
        ("notes/x.MD", "call it 'x.md'"), ("mutes.yaml", "call it 'mutes.yml'"),
        ("Mutes.yml", "call it 'mutes.yml'"), ("x.markdown", "call it 'x.md'"), ("x.MD", "call it 'x.md'"),
        ("pages/x.mdown", "call it 'x.md'"), ("guide/x.MD", "call it 'x.md'"),
        ("notes/README.md", nil), ("README.markdown", nil), ("x.txt", nil), ("drafts/x.markdown", nil),
        ("mutes.yml", nil),
    ])
    func fileThatIsNotReadIsReported(file: String, hint: String?) throws {
        try folder.write("guide/index.md", "# Guide")
        try folder.write(file, "# x")
        let problems = ContentFolder.read(folder.path).1.filter { $0.id == "content.unread" }
        #expect(problems.map(\.hints) == [hint].compactMap(\.self).map { [$0] })
        #expect(problems.allSatisfy { $0.severity == .warning })
        #expect(problems.allSatisfy { $0.location == .file(path: "\(folder.path)/\(file)") })
    }

    /// With a title of other words, for the navigation, a page shows its own heading.
    @Test func headingNextToATitleIsShown() async throws {
        for (file, text) in [
            ("index.md", "---\ntitle: Home\n---\n# Welcome aboard\n"),
            ("a.md", "---\ntitle: On call\n---\n# Who is called at night\n\nAna.\n"),
            ("b.md", "---\ntitle: Same\n---\n# Same\n\nWords.\n"),
        ] { try folder.write("Content/\(file)", text) }
        let (content, problems) = ContentFolder.read(folder.path + "/Content", isWholeSite: true)
        #expect(problems == [])
        var input = try sampleInput(folder.path + "/site", content: content)
        (input.apps, input.facts.hasApps) = ([], false)
        _ = try await build(input)
        let tree = try folder.tree("site")
        let page = try #require(tree["a/index.html"])
        #expect(page.contains("<h1 dir=\"auto\"><bdi>Who is called at night</bdi></h1>"))
        #expect(page.contains("<title>On call"))
        #expect(tree["a/index.md"]?.contains("# Who is called at night\n") == true)
        #expect(tree["index.html"]?.contains("<bdi>Welcome aboard</bdi></h1>") == true)
        #expect(tree["b/index.html"]?.ranges(of: "<h1").count == 1)
    }

    /// A name that is fit and taken needs another hint than one that is not fit.
    @Test(arguments: [
        ("404", ["'404.md' is not a valid page name: the site has its own page there", "use another name"]),
        ("Upper", ["'Upper.md' is not a valid page name", "use lowercase letters, digits and '-'"]),
        ("con", ["'con.md' is not a valid page name: Windows keeps it for a device", "use another name"]),
    ])
    func aNameThatIsTakenSaysSo(name: String, words: [String]) throws {
        try folder.write(name + ".md", "# x")
        let problem = try #require(ContentFolder.read(folder.path).1.first)
        #expect([problem.summary] + problem.hints == words)
    }

    @Test func aNameThatIsTooLongSaysSo() throws {
        try folder.write(String(repeating: "a", count: 81) + ".md", "# x")
        #expect(ContentFolder.read(folder.path).1.map(\.hints) == [["use at most 80 characters"]])
    }

    @Test func twoPagesOfOneNameAreRefused() throws {
        try folder.write("about.md", "# 1")
        try folder.write("pages/about.md", "# 2")
        let (content, problems) = ContentFolder.read(folder.path)
        #expect(content.pages.map(\.title) == ["1"])
        #expect(problems.map(\.id) == ["content.bad-name"])
        #expect(problems.first?.location == .file(path: "\(folder.path)/pages/about.md"))
        #expect(problems.first?.summary.hasSuffix(": 'about.md' has the same address") == true)
    }

    /// Text, and the expected `id:line:column`.
    @Test(arguments: [
        ("---\ntitle: x\n", "content.front-matter:1:1"), ("---  \ntitle: x\n", "content.front-matter:1:1"),
        ("---\ntitle: [a]\n---\n", "yaml.wrong-type:2:8"),
        ("---\ntitle: x\nsumary: y\n---\n", "yaml.unknown-key:3:1"),
        ("---\ntitle: 'x\n---\n", "yaml.syntax:2:10"),
        ("---\ntitle: a\ntitle: b\n---\n", "yaml.duplicate-key:3:1"),
        ("---\n- a\n---\n", "yaml.wrong-type:2:1"),
        ("---\r\ntitle: x\r\nsumary: y\r\n---\r\n", "yaml.unknown-key:3:1"),
    ])
    func badFrontMatterIsReportedWithItsLine(text: String, place: String) throws {
        try folder.write("about.md", text)
        let (_, problems) = ContentFolder.read(folder.path)
        let parts = place.split(separator: ":")
        #expect(problems.map(\.id) == [String(parts[0])])
        #expect(
            problems.first?.location
                == .file(path: folder.path + "/about.md", line: Int(parts[1]), column: Int(parts[2])))
        #expect(problems.first?.hints.isEmpty == false || parts[0] == "yaml.wrong-type")
    }

    @Test(arguments: [
        ("---\ntitle: T\n---\nBody", "T", "Body"), ("---\r\ntitle: T\r\n---\r\nBody\r\n", "T", "Body\n"),
        ("---\n---\n# H\nBody", "H", "Body"), ("--- \ntitle: T\n---\t \nBody", "T", "Body"),
        ("--- x\ntitle: T\n---\n", nil, "--- x\ntitle: T\n---\n"),
        ("text\n---\ntitle: T\n---\n", nil, "text\n---\ntitle: T\n---\n"), ("", nil, ""),
        ("\u{FEFF}---\ntitle: T\n---\nBody", "T", "Body"),
        ("# One\r\n# Two\r\n", "One", "# Two\n"), ("\n \n# One\ntext", "One", "text"),
        ("text\n# One\n", nil, "text\n# One\n"),
        ("# The `a.yml` of *ours* ##\ntext", "The a.yml of ours", "text"),
        ("# Q&amp;A of C\\#", "Q&A of C#", ""), ("# A [link](x.md) <b>raw</b>\n", "A link raw", ""),
        ("# A [link][x]\n\n[x]: b.md\n", "A link", "\n[x]: b.md\n"),
        ("Two\nlines\n===\ntext", "Two lines", "text"), ("   # Indented", "Indented", ""),
        ("#\ttab", "tab", ""), ("    # code", nil, "    # code"), ("#none", nil, "#none"),
        ("#\n\ntext", nil, "#\n\ntext"), ("## Second", nil, "## Second"),
        ("[x]: b.md\n\n# One\n", nil, "[x]: b.md\n\n# One\n"),
        ("[x]: b.md\nOne\n===\n", nil, "[x]: b.md\nOne\n===\n"),
    ])
    func frontMatterIsTakenOff(text: String, title: String?, body: String) {
        let document = ContentDocument(text, path: "a.md")
        #expect(document.problems == [])
        #expect(document.title == title)
        #expect(document.body == body)
    }

    @Test func fileThatIsNotUTF8IsReported() throws {
        try folder.write("about.md", "")
        try Data([0x43, 0x61, 0x66, 0xE9]).write(to: URL(fileURLWithPath: folder.path + "/about.md"))
        let (content, problems) = ContentFolder.read(folder.path)
        #expect(content.pages.isEmpty)
        #expect(problems.map(\.id) == ["content.not-utf8"])
    }

    #if os(Linux)
        @Test func fileWithANameThatIsNotUTF8IsReported() throws {
            let name = Array("\(folder.path)/caf".utf8) + [0xE9] + Array(".md".utf8) + [0]
            let made = name.map(CChar.init(bitPattern:)).withUnsafeBufferPointer {
                fopen($0.baseAddress!, "w")
            }
            fclose(made)
            let (content, problems) = ContentFolder.read(folder.path)
            #expect(content.pages.isEmpty)
            #expect(problems.map(\.id) == ["file.name"], "\(problems)")
            #expect(problems.first?.summary.contains(#"/caf\xe9.md': its name is not UTF-8"#) == true)
        }
    #endif

    @Test func fileThatIsTooLargeIsReported() throws {
        try folder.write("about.md", String(repeating: "x", count: (4 << 20) + 1))
        let (content, problems) = ContentFolder.read(folder.path)
        #expect(content.pages.isEmpty)
        #expect(problems.map(\.id) == ["file.too-large"])
    }

    @Test func ownPagesAreInTheSiteAndItsNavigation() async throws {
        try folder.write(
            "Content/about.md",
            "---\ntitle: About <us>\n---\n# Who\n\n<script>alert(1)</script> [x](javascript:alert(1))\n")
        try folder.write("Content/index.md", "Welcome, *all*.")
        try folder.write("Content/methods.md", "We count **twice**.")
        let (content, problems) = ContentFolder.read(folder.path + "/Content")
        #expect(problems == [])
        _ = try await build(sampleInput(folder.path + "/site", content: content))
        let tree = try folder.tree("site")
        let about = try #require(tree["about/index.html"])
        #expect(about.contains("About &lt;us&gt;"))
        #expect(!about.contains("<script>"))
        #expect(!about.contains("href=\"javascript:"))
        #expect(tree["about/index.md"]?.contains("# Who\n") == true)
        #expect(tree["index.html"]?.contains("href=\"about/index.html\"") == true)
        #expect(tree["apps/harbour/index.html"]?.contains("href=\"../../about/index.html\"") == true)
        #expect(tree["index.html"]?.contains("Welcome, <em>all</em>.") == true)
        #expect(tree["methods/index.html"]?.contains("<strong>twice</strong>") == true)
        #expect(tree["sitemap.xml"]?.contains("https://quay.example/about/index.html") == true)
    }
}
