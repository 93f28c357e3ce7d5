import Analysis
import Diagnostics
import Foundation
import Testing

@testable import SiteChecks

/// Each fault is planted alone into a small site that has none.
struct SiteCheckTests {
    private static let policy =
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; img-src 'self' data:\">"

    /// The start of a page that has what each page needs, on one line.
    private static let head =
        "<html lang='en'><head>\(policy)<title>a</title></head><h1>a</h1>"

    private static let sound: [String: String] = [
        "index.html": """
        <!DOCTYPE html><html lang="en"><head>\(policy)<title>a < b</title><link rel="stylesheet" href="assets/a.css"></head><h1>a</h1>
        <p id="top-of-it"><a href="apps/a/">app</a> <a href="#top-of-it">here</a> <a href="https://x.example/">out</a>
        <img alt="" src="data:image/png;base64,AA=="><a href="index.md">md</a><a href="mailto:a@b.example">m</a>
        """,
        "index.md": "# Entry\n\n[app](apps/a/index.html#x) `[no](link)`\n",
        "apps/a/index.html":
            "\(head)<p id=x><a href='../../index.html?q#top-of-it'>up</a><img alt='' src='c%20d.svg'>",
        "apps/a/c d.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>p{}</style></svg>",
        "assets/a.css": "p{background:url(b.png)}", "assets/b.png": "", "status.json": "{\"leavesOut\":[]}",
        "sitemap.xml": "<urlset><url><loc>https://h.example/r/index.html</loc></url></urlset>",
        "404.html":
            "\(head)<a href=\"/r/index.html\">home</a><a href=\"https://h.example/r/apps/a/\">app</a>",
    ]

    /// The ids and places of what is reported of the small site with these files changed.
    private func check(_ changes: [String: String], baseURL: String? = nil) throws -> [String] {
        let folder = try TemporaryFolder()
        for (path, text) in Self.sound.merging(changes, uniquingKeysWith: { $1 }) {
            try folder.write("site/" + path, text)
        }
        return checkSite(folder.path + "/site", baseURL: baseURL).map { diagnostic in
            let place = diagnostic.location?.description.replacing(folder.path + "/site/", with: "") ?? ""
            return "\(diagnostic.id.dropFirst("check.".count)) \(place)"
        }
    }

    @Test func soundSiteHasNoFault() throws {
        #expect(try check([:]) == [])
        #expect(try check([:], baseURL: "https://h.example/r/") == [])
    }

    /// Addresses of sites, and their paths as links may have them.
    @Test(arguments: [
        ("/\u{FC}/", "/%C3%BC/"), ("/\u{FC}/", "/\u{FC}/"), ("/a(b)/", "/a%28b%29/"), ("/a'b/", "/a%27b/"),
        ("/a%20b/", "/a%20b/"), ("/~me/c/", "/%7Eme/c/"),
    ])
    func addressOfTheSiteMayBeEncoded(path: String, link: String) throws {
        func links(to page: String) -> [String: String] {
            [
                "404.html":
                    "\(Self.head)<a href=\"\(link)\(page)\"></a><a href=\"https://h.example\(link)\(page)\"></a>",
                "sitemap.xml": "",
            ]
        }
        let address = "https://h.example\(path)"
        #expect(try check(links(to: "index.html"), baseURL: address).filter { $0.hasPrefix("link") } == [])
        #expect(
            try check(links(to: "gone.html"), baseURL: address).filter { $0.hasPrefix("link") }
                == ["link 404.html:1", "link 404.html:1"])
    }

    private static func refresh(_ address: String) -> String {
        "<meta http-equiv=\"refresh\" content=\"0; url=\(address)\">"
    }

    private static func page(_ body: String) -> [String: String] {
        ["apps/a/index.html": "\(head)\n<p id=x>\n<img alt='' src='c d.svg'>\(body)"]
    }

    /// A list of issues.
    private static func list(_ body: String) -> [String: String] {
        page("<a href='issues/'>issues</a>").merging([
            "apps/a/issues/index.html": "\(head)\n<p>\(body)"
        ]) { $1 }
    }

    /// A chart with all its parts but its files, on a page with a style sheet.
    private static func chart(_ links: String) -> String {
        "<link rel='stylesheet' href='../../assets/a.css'><figure><svg class='chart'><title>a</title><desc>b</desc></svg>"
            + "<details><table></table></details>\(links)</figure>"
    }

    @Test(
        arguments: [
            (page("<a href='gone.html'>"), ["link apps/a/index.html:3"]),
            (page("<a href='../../../up.html'>"), ["link apps/a/index.html:3"]),
            (page("<img alt='' src='gone.png'>"), ["link apps/a/index.html:3"]),
            (page("<img alt='' srcset='gone.png 2x'>"), ["link apps/a/index.html:3"]),
            // `%+5` is no code.
            (page("<a href='%+5.txt'>").merging(["apps/a/%+5.txt": ""]) { $1 }, []),
            (page("<a href='#gone'>"), ["anchor apps/a/index.html:3"]),
            (page("<a href='../../index.html#gone'>"), ["anchor apps/a/index.html:3"]),
            (page("<b id='x'>"), ["duplicate-id apps/a/index.html:3"]),
            (page("<b aria-labelledby='gone'>"), ["missing-id apps/a/index.html:3"]),
            (page("<svg><path fill='url(#gone)'/></svg>"), ["missing-id apps/a/index.html:3"]),
            (["index.md": "[a](gone.md)"], ["link index.md"]),
            (["index.md": "[a](apps/a/index.html#gone)"], ["anchor index.md"]),
            (["assets/a.css": "p{background:url(c.png)}"], ["link assets/a.css", "orphan assets/b.png"]),
            (["extra.txt": ""], ["orphan extra.txt"]),
            (["apps/b/index.html": "\(head)"], ["orphan apps/b/index.html"]),
            // A page at a former address is known outside the site alone.
            (["old/index.html": "<head>\(policy)\(refresh("../index.html"))</head>"], []),
            (["old/index.html": "<head>\(policy)\(refresh("gone.html"))</head>"], ["link old/index.html:1"]),
            (
                [
                    "old/index.html":
                        "<head>\(policy)<meta http-equiv='Refresh' content='0; URL = &quot;gone.html&quot;'></head>"
                ], ["link old/index.html:1"]
            ),
            (
                [
                    "sitemap.xml":
                        "<urlset><url><loc>https://h.example/r/index.html</loc></url><url><loc>https://h.example/r/gone.html</loc></url></urlset>"
                ],
                ["link sitemap.xml"]
            ),
            (
                [
                    "sitemap.xml":
                        "<sitemapindex><sitemap><loc>https://h.example/r/sitemap-1.xml</loc></sitemap></sitemapindex>",
                    "sitemap-1.xml": "<urlset><url><loc>https://h.example/r/gone.html</loc></url></urlset>",
                ],
                ["link sitemap-1.xml"]
            ),
            (page("<p style='color:red'>"), ["inline-style apps/a/index.html:3"]),
            (page("<style>p{}</style>"), ["inline-style apps/a/index.html:3"]),
            (page("<script>1</script>"), ["script apps/a/index.html:3"]),
            (page("<p onclick='x()'>"), ["handler apps/a/index.html:3"]),
            (page("<a href=' JavaScript:x()'>"), ["script apps/a/index.html:3"]),
            (page("<iframe></iframe>"), ["element apps/a/index.html:3"]),
            (page("<img alt='' src='https://x.example/a.png'>"), ["request apps/a/index.html:3"]),
            (page("<img alt='' src=' //x.example/a.png'>"), ["request apps/a/index.html:3"]),
            (
                page("<img alt='' srcset='c%20d.svg, https://x.example/a.png 2x'>"),
                ["request apps/a/index.html:3"]
            ),
            (
                page("<img alt='' srcset='data:image/png;base64,AA== 1x,https://x.example/a,b.png 2x'>"),
                ["request apps/a/index.html:3"]
            ),
            (page("<img alt='' srcset='data:image/png;base64,AA== 1x, c%20d.svg 2x'>"), []),
            (
                page("<link rel='preload' as='image' imagesrcset='//x.example/a.png 2x'>"),
                ["request apps/a/index.html:3"]
            ),
            (page("<link rel='preload' href='//x.example/a.css'>"), ["request apps/a/index.html:3"]),
            (page("<svg><image href='http://x.example/a.png'/></svg>"), ["request apps/a/index.html:3"]),
            (
                ["assets/a.css": "@import 'https://x.example/b.css';p{background:url(b.png)}"],
                ["request assets/a.css"]
            ),
            (["apps/a/c d.svg": "<svg onload='x()'/>"], ["handler apps/a/c d.svg:1"]),
            (["apps/a/c d.svg": "<svg><script/></svg>"], ["script apps/a/c d.svg:1"]),
            (
                [
                    "apps/a/index.html":
                        "<html lang=en><title>a</title><h1>a</h1><p id=x><img alt='' src='c d.svg'>"
                ], ["no-policy apps/a/index.html"]
            ),
            (
                [
                    "apps/a/index.html":
                        "<html lang=en><title>a</title><meta http-equiv='content-security-policy' content=\"default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self'\"><h1>a</h1><p id=x><img alt='' src='c d.svg'>"
                ],
                [
                    "weak-policy apps/a/index.html:1", "weak-policy apps/a/index.html:1",
                    "weak-policy apps/a/index.html:1",
                ]
            ),
            (
                [
                    "assets/a.css": "@font-face{src:url(f.woff2)}p{background:url(b.png)}",
                    "assets/f.woff2": "",
                ],
                ["font index.html:1"]
            ),
            (
                [
                    "assets/a.css":
                        "@font-face{src:url('data:font/woff2;base64,AA==')}p{background:url(b.png)}"
                ],
                ["font index.html:1"]
            ),
            (
                sound.mapValues { $0.replacing("img-src", with: "font-src 'self' data:; img-src") }.merging([
                    "assets/a.css":
                        "@font-face{src:url(f.TTF?x),url(data:font/ttf;base64,AA==)}p{background:url(b.png)}",
                    "assets/f.TTF": "",
                ]) { $1 }, []
            ),
            (
                ["index.html": (sound["index.html"] ?? "").replacing("img-src", with: "font-src *; img-src")],
                ["weak-policy index.html:1"]
            ),
            (page(String(repeating: "x", count: 59_999)), ["size apps/a/index.html"]),
            (page(String(repeating: "x", count: 59_000)), []),
            (list(String(repeating: "x", count: 200_000)), []),
            (list(String(repeating: "x", count: 260_000)), ["size apps/a/issues/index.html"]),
            (["apps/a/c d.svg": "<svg>"], ["xml apps/a/c d.svg:1"]),
            (["feed.xml": "<feed>\n&</feed>"], ["xml feed.xml:2"]),
            (page(chart("")), []),
            (
                page(chart(""))
                    .merging(["apps/a/chart-b.svg": "<svg/>"]) { $1 },
                [
                    "orphan apps/a/chart-b.svg", "chart apps/a/index.html:3", "chart apps/a/index.html:3",
                ]
            ),
            (
                page(chart("<a href='chart-a.svg'></a><a href='chart-a.csv'></a>")),
                [
                    "link apps/a/index.html:3", "link apps/a/index.html:3",
                ]
            ),
            (page("<svg class='chart'></svg>"), ["chart apps/a/index.html:3"]),
            (
                page(
                    "<figure><svg class='chart'><title>a</title><desc>b</desc></svg></figure>"),
                ["chart apps/a/index.html:3"]
            ),
            (page("<svg class='sparkline'></svg><figure><img alt='' src='c d.svg'></figure>"), []),
            (
                page("<figure><svg class='chart chart-list'></svg><table></table></figure>"),
                Array(repeating: "chart apps/a/index.html:3", count: 3)
            ),
            (
                ["status.json": "{\"leavesOut\":[\"count\"]}"].merging(page("<dl><dt>Users<dd>12</dl>")) {
                    $1
                },
                [
                    "redaction apps/a/index.html:3"
                ]
            ),
            (["status.json": "{\"leavesOut\":[]}"].merging(page("<dl><dt>Users<dd>12</dl>")) { $1 }, []),
            (["status.json": "{"], ["status status.json"]),
            (["status.json": "{}"], ["status status.json"]),
            (
                ["status.json": "{\"leavesOut\":[\"count\",\"mood\"]}"].merging(
                    page("<dl><dt>Users<dd>12</dl>")
                ) { $1 },
                ["redaction apps/a/index.html:3", "status status.json"]
            ),
            (page("<h1>b</h1>"), ["heading apps/a/index.html:3"]),
            (page("<h1>b</h1><h1>c</h1>"), ["heading apps/a/index.html:3"]),
            (page("<h2>b</h2><h3>c</h3><h2>d</h2><h6>e</h6>"), ["heading apps/a/index.html:3"]),
            (page("<H3>b</H3><hr><h4>c</h4><header></header>"), ["heading apps/a/index.html:3"]),
            (page("<table><tr><th>b<th scope=''>c<th scope=row>d</table>"), ["scope apps/a/index.html:3"]),
            (
                page("<img src='c d.svg'><svg><title>b</title><image href='c d.svg'/></svg>"),
                ["alt apps/a/index.html:3"]
            ),
            (page("<svg/><h3>b</h3>"), ["heading apps/a/index.html:3"]),
            (
                [
                    "apps/a/index.html": "\(head)<p id=x><img alt='' src='c d.svg'>".replacing(
                        "<h1>a</h1>", with: "<h2>b</h2>")
                ],
                ["heading apps/a/index.html"]
            ),
            (
                [
                    "apps/a/index.html":
                        "\(head)<svg><title>b</title></svg><p id=x><img alt='' src='c d.svg'>"
                        .replacing("<title>a</title>", with: "")
                ], ["title apps/a/index.html"]
            ),
            (
                [
                    "apps/a/index.html": "\(head)<p id=x><img alt='' src='c d.svg'>"
                        .replacing("<title>a</title>", with: "<title> \n</title>")
                ], ["title apps/a/index.html"]
            ),
            (
                [
                    "apps/a/index.html": "\(head)<p id=x><img alt='' src='c d.svg'>"
                        .replacing("<html lang='en'>", with: "\n<html lang=''>")
                ], ["language apps/a/index.html:2"]
            ),
            (
                [
                    "apps/a/index.html": "\(head)<p id=x><img alt='' src='c d.svg'>"
                        .replacing("<html lang='en'>", with: "")
                ], ["language apps/a/index.html"]
            ),
            (page("<!-- <script> --><title><script></title>"), []),
            (page("<a href='?q'>&lt;script&gt;</a>"), []),
        ] as [([String: String], [String])])
    func plantedFaultIsFound(changes: [String: String], expected: [String]) throws {
        #expect(try check(changes) == expected)
    }

    @Test func faultOfManyPagesIsReportedOnce() throws {
        let folder = try TemporaryFolder()
        for number in 0..<9 {
            try folder.write("site/p\(number)/index.html", "\(Self.head)\n<p style=''>")
        }
        let links = (0..<9).map { "<a href='p\($0)/'>" }.joined()
        try folder.write("site/index.html", "\(Self.head)\(links)")
        try folder.write("site/status.json", "{\"leavesOut\":[]}")
        let problems = checkSite(folder.path + "/site", baseURL: nil)
        #expect(problems.count == 1)
        #expect(
            problems.first?.details == [
                "also in p1/index.html:2", "also in p2/index.html:2", "also in p3/index.html:2",
                "and in 5 more places",
            ])
    }

    /// What a template lacks on hundreds of pages is one warning, with how many are like it.
    @Test func whatAPageLacksIsAWarningReportedOnce() throws {
        let folder = try TemporaryFolder()
        for number in 0..<9 {
            try folder.write(
                "site/p\(number)/index.html", "\(Self.head)\n<table><tr><th>b</table>\n<h4>c</h4>")
        }
        let links = (0..<9).map { "<a href='p\($0)/'>" }.joined()
        try folder.write("site/index.html", "\(Self.head)\(links)")
        try folder.write("site/status.json", "{\"leavesOut\":[]}")
        let problems = checkSite(folder.path + "/site", baseURL: nil)
        #expect(problems.map(\.id) == ["check.scope", "check.heading"])
        #expect(problems.allSatisfy { $0.severity == .warning && !$0.hints.isEmpty })
        #expect(
            problems.map(\.location?.description) == [2, 3].map { "\(folder.path)/site/p0/index.html:\($0)" })
        #expect(problems.last?.summary == "Heading level skipped: <h4> after <h1>")
        #expect(problems.allSatisfy { $0.details.last == "and in 5 more places" })
    }

    /// What the configuration hides is looked for in a site that does not say what it hides.
    @Test(arguments: ["{", "{}", "{\"leavesOut\":[\"mood\"]}", nil])
    func siteThatDoesNotSayWhatItHidesIsSearchedByTheConfiguration(status: String?) throws {
        let folder = try TemporaryFolder()
        try folder.write("site/index.html", "\(Self.head)\n<dl><dt>Users<dd>12</dl>")
        if let status { try folder.write("site/status.json", status) }
        let site = folder.path + "/site"
        #expect(
            checkSite(site, baseURL: nil, for: Audience(.public)).map(\.id) == [
                "check.redaction", "check.status",
            ])
        let alone = checkSite(site, baseURL: nil)
        #expect(alone.map(\.id) == ["check.status"])
        #expect(alone.first?.details.last == "not searched for hidden data")
    }

    /// A file that cannot be read costs its own findings; one without links is not read where nothing is hidden.
    @Test func fileThatCannotBeReadIsReportedWithTheFindingsOfTheOthers() throws {
        let folder = try TemporaryFolder()
        let links = "<a href='a.html'></a><a href='v.mp4'></a><p style=''>"
        try folder.write("site/index.html", "\(Self.head)\n\(links)")
        try folder.write("site/status.json", "{\"leavesOut\":[]}")
        for name in ["a.html", "v.mp4", "sitemap.xml"] {
            try folder.write("site/" + name, "")
            // Without blocks on the disk.
            let file = try #require(FileHandle(forWritingAtPath: "\(folder.path)/site/\(name)"))
            try file.truncate(atOffset: (64 << 20) + 1)
            try file.close()
        }
        let found = checkSite(folder.path + "/site", baseURL: nil)
        #expect(found.map(\.id) == ["check.inline-style", "file.too-large", "file.too-large"])
    }

    /// Why it is not known what a site hides is said, also where that is the only reason to search it.
    @Test func whyTheStatusCannotBeReadIsReported() throws {
        let folder = try TemporaryFolder()
        try folder.write("site/index.html", "\(Self.head)")
        try folder.write("site/status.json", "")
        // Without blocks on the disk.
        let file = try #require(FileHandle(forWritingAtPath: "\(folder.path)/site/status.json"))
        try file.truncate(atOffset: (64 << 20) + 1)
        try file.close()
        let found = checkSite(folder.path + "/site", baseURL: nil)
        #expect(found.map(\.id) == ["check.status", "file.too-large"])
    }

    @Test func folderWithoutAPageIsNoSite() throws {
        let folder = try TemporaryFolder()
        #expect(checkSite(folder.path, baseURL: nil).map(\.id) == ["check.no-site"])
        #expect(checkSite(folder.path + "/gone", baseURL: nil).map(\.id) == ["file.missing"])
    }

    @Test(arguments: [
        ("index.html", "portfolio"), ("404.html", "not-found"), ("guide/index.html", "content"),
        ("methods/index.html", "methods"), ("apps/a/index.html", "app"), ("apps/a/usage/index.html", "usage"),
        ("apps/a/issues/b/index.html", "issue"), ("apps/a/releases/b/index.html", "release"),
        ("apps/a/issues/page-2/index.html", "issues"), ("apps/a/issues/page-2-b/index.html", "issue"),
        ("apps/a/days/b/index.html", "day"), ("all/index.html", "list"), ("all/2/index.html", "list"),
        ("groups/index.html", "list"), ("groups/a/index.html", "list"), ("groups/a/2/index.html", "list"),
        ("apps/a/activity/b/index.html", "activity"), ("x/y/z.html", "content"),
    ])
    func pageKindFollowsThePath(path: String, kind: String) { #expect(pageKind(path) == kind) }
}
