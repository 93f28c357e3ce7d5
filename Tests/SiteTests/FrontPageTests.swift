import Analysis
import AppHealth
import Diagnostics
import Markup
import Pages
import Testing

@testable import Site

/// An overview whose gaps a later build fills is the one that this build would make.
struct FrontPageTests {
    /// What a theme may do with the instant.
    private static let templates = [
        "theme.yml": "name: own\n",
        "templates/app.html": """
        <h1>{{name}}</h1><p title="At {{frame.asOf}}">{{frame.asOf}}</p>
        <table><tr><th>{{frame.asOf}}</th><th>of</th></tr>
        {{#sources}}<tr><td><b>{{age}}</b></td><td><code>{{age}}</code></td></tr>{{/sources}}</table>
        """,
        "templates/app.md": """
        # {{name}}

        {{frame.asOf}}

        | {{frame.asOf}} | of |
        |---|---|
        {{#sources}}
        | **{{age}}** | `{{age}}` |
        {{/sources}}
        """,
    ]

    /// A theme, a dialect, and whether its overviews are kept.
    @Test(arguments: [
        ("default", MarkdownDialect.github, true), ("default", .plain, true), ("default", .slack, true),
        ("plain", .commonmark, true), ("own", .github, true), ("own", .plain, true), ("own", .slack, true),
        ("unlike", .github, false),
    ])
    func filledPageIsThatOfTheInstant(theme: String, dialect: MarkdownDialect, isKept: Bool) throws {
        let folder = try TemporaryFolder()
        for (path, text) in Self.templates { try folder.write("own/\(path)", text) }
        // Its Markdown lacks figures of its HTML, which is reported on the page.
        try folder.write("unlike/theme.yml", "name: unlike\n")
        try folder.write("unlike/templates/app.html", "<h1>{{name}}</h1><p>{{frame.asOf}}</p>")
        try folder.write("unlike/templates/app.md", "# {{name}}\n")
        let layers = try ThemeLayers(name: theme, roots: [folder.path, installedThemes])
        let (loaded, problems) = ThemeTemplates.load(layers)
        let templates = try #require(loaded, "\(problems)")
        func made(at seconds: Int) -> (page: MadePage, overview: Overview, site: SiteFacts) {
            let first = SiteFacts.sample().asOf
            let site = SiteFacts.sample {
                ($0.markdown, $0.asOf) = (dialect, first.advanced(bySeconds: seconds))
            }
            let overview = AppAnalysis(.sample(.harbour), targets: .standard, asOf: first).overview.at(
                site.asOf)
            var writer = ByteWriter(capacity: 1 << 14)
            let file = overviewFile(overview, templates, site)
            return (file.prepare().make(MarkdownPageWriter(site), &writer), overview, site)
        }
        let first = made(at: 0)
        let front = FrontPage(
            first.page, first.overview, templates, first.site, MarkdownPageWriter(first.site))
        #expect((front != nil) == isKept)
        guard let front else { return }
        for seconds in [0, 59, 3_600, 40_000] {
            let (page, overview, site) = made(at: seconds)
            let texts = overview.ofRow.instantTexts
            let files = front.files(texts, at: .app(App.harbour.id), MarkdownPageWriter(site))
            let expected = page.files.filter { !front.plain.contains($0.path) }
            #expect(text(of: files) == text(of: expected))
            #expect(front.source.filled(texts) == page.source)
            #expect(
                text(of: page.files.filter { front.plain.contains($0.path) })
                    == text(of: first.page.files.filter { front.plain.contains($0.path) }))
            #expect(
                files.contains { $0.path.hasSuffix(".html") } && files.contains { $0.path.hasSuffix(".md") })
        }
    }

    private func text(of files: [(path: String, bytes: [UInt8])]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    }

    /// What a row needs of an overview is the same in what is kept for it.
    @Test(arguments: [App.harbour, .lantern]) func rowIsThatOfTheOverview(app: App) {
        let site = SiteFacts.sample()
        for days in [1, 9, 60] {
            let overview = AppAnalysis(.sample(app, days: days), targets: .standard, asOf: site.asOf).overview
            let (kept, whole) = (
                AppSummaryRow(overview.ofRow, feed: []), AppSummaryRow(overview, feed: [])
            )
            #expect(kept.line == whole.line && kept.openAlerts == whole.openAlerts)
            #expect("\(kept)" == "\(whole)")
            let badges = [overview.ofRow, overview].map {
                BadgeDocument($0.last, $0.stability, $0.facts).svg.text
            }
            #expect(badges[0] == badges[1])
        }
    }
}
