import AppHealth
import Diagnostics
import Markup
import Pages
import Testing

@testable import Site

struct MarkdownParityCheckTests {
    private func missing(_ html: String, _ markdown: String) -> String? {
        markdownMismatch(html: Array(html.utf8), markdown: Array(markdown.utf8))?.first
    }

    @Test(
        arguments: [
            ("<p>12,345 of 99.12%.</p>", "12,345 of 99\\.12%.", nil), ("<p>12</p>", "", "HTML: 12"),
            ("<p>12,345</p>", "12 345", "HTML: 12,345"), ("<td>1<td>2", "| 1 | 2 |", nil),
            ("<td>&lt;0.001%<td>&gt;99.99%", "| &lt;0.001% | &gt;99.99% |", nil),
            ("<a href=\"x-77.html\" title='>8'>a</a>", "", nil), ("<svg><text>5</text></svg>", "", nil),
            ("<svg><text>5</text></svg>6", "5", "HTML: 6"), ("<head><title>3</title></head>", "", nil),
            ("<div class=\"prose\"><p>7</p></div>8", "8", nil), ("&#39;a&#x27; &amp; 4", "4", nil),
            ("<p>19</p>", "[day](../2026-11-19/index.md)", "HTML: 19"), ("<p>19</p>", "[19](a.md)", nil),
            ("2026-11-19", "2026\\-11\\-19", nil), ("<p>1.</p>", "1", nil), ("é1é", "é1", nil), ("", "", nil),
            ("<p", "1", nil), ("<svg", "", nil), ("&", "&", nil), ("1&2", "1 &amp; 2", nil),
            ("<p>1</p>", "[", "HTML: 1"), ("<p>1</p>", "](", "HTML: 1"),
            ("operator[](uint64_t)", "operator\\[\\](uint64\\_t)", nil),
            ("-[A open:](A.m:45)", "\\-\\[A open:\\](A\\.m:45)", nil), ("a\\](7)", "a\\\\\\](7)", nil),
            ("a\\", "[a\\\\](7.md)", nil), ("<p>7</p>", "[a\\\\](7.md)", "HTML: 7"),
            ("&amp;lt7;", "\\&lt7;", nil), ("1\\2", "1\\2", "HTML: 1"), ("", "\\", nil),
            ("<nav class=\"menu\"><a href=\"pm.html\">Postmortem 12</a></nav>", "", nil),
            ("<nav><a>Plan for Q3</a></nav><p>4</p>", "3", "HTML: 4"), ("<nav", "1", nil),
        ] as [(String, String, String?)])
    func numberOfTheHTMLIsInTheMarkdown(html: String, markdown: String, reported: String?) {
        #expect(missing(html, markdown) == reported)
    }

    /// What the templates of a theme write themselves, and what is reported then of a page without Markdown.
    @Test(arguments: [
        ("<p>© 2026, ISO 27001</p>", "<p>2026 27001</p>", nil),
        ("<p class=\"5\">2026</p>", "<p>5</p>", "HTML: 5"),
        ("2026", "<p>2,026</p>", "HTML: 2,026"), ("", "<p>1</p>", "HTML: 1"),
    ])
    func numbersOfTheThemeAreNoData(theme: String, html: String, reported: String?) {
        let mismatch = markdownMismatch(
            html: Array(html.utf8), markdown: [], literals: shownNumbers(inHTML: theme))
        #expect(mismatch?.first == reported)
    }

    /// In text without markup brackets and `&` mean nothing.
    @Test(
        arguments: [
            ("<p>12</p>", "a ](12", .plain, nil), ("<p>12</p>", "a", .plain, "HTML: 12"),
            ("<p>12</p>", "R&D 12;", .plain, nil), ("<p>12</p>", "<https://a.example/|12>", .slack, nil),
            ("<p>12</p>", "x", .slack, "HTML: 12"), ("<p>12</p>", "a ](12", .commonmark, "HTML: 12"),
        ] as [(String, String, MarkdownDialect, String?)])
    func numberIsInTheDialect(html: String, markdown: String, dialect: MarkdownDialect, reported: String?) {
        let mismatch = markdownMismatch(html: Array(html.utf8), markdown: Array(markdown.utf8), in: dialect)
        #expect(mismatch?.first == reported)
    }
}

/// A theme whose Markdown leaves out a number that its HTML shows.
struct FailedCheckTests {
    private let folder: TemporaryFolder
    private var site: String { folder.path + "/site" }

    init() throws { folder = try TemporaryFolder() }

    @Test func rightSiteHasNothingToReport() async throws {
        let outcome = try await build(sampleInput(site))
        #expect(outcome.failedChecks == [] && !outcome.hasTrouble)
    }

    /// Every page's HTML has it in its navigation, which Markdown does not have.
    @Test(arguments: ["Postmortem 12", "Plan for Q3", "Incident of Oct 17"])
    func titleOfAnOwnPageMayHoldANumber(title: String) async throws {
        try folder.write("Content/note.md", "---\ntitle: \(title)\n---\nText.\n")
        let (content, _) = ContentFolder.read(folder.path + "/Content", apps: [App.harbour.id])
        let outcome = try await build(sampleInput(site, content: content))
        #expect(outcome.failedChecks == [])
        #expect(try folder.tree("site")["apps/harbour/index.html"]?.contains(title) == true)
    }

    /// Words of a theme of the site's own, in a part of each page and around a field.
    @Test(arguments: ["paper", "default"]) func wordsOfAThemeMayHoldNumbers(theme: String) async throws {
        try folder.write(
            "Themes/\(theme)/templates/partials/footer.html",
            "<p>© 1987–{{#frame.isDemo}}1988{{/frame.isDemo}}{{^frame.isDemo}}1989{{/frame.isDemo}}, +44 555 01987</p>\n"
        )
        let layers = try ThemeLayers(name: theme, roots: [folder.path + "/Themes", installedThemes])
        let outcome = try await build(sampleInput(site, theme: layers))
        #expect(outcome.failedChecks == [])
        #expect(try folder.tree("site")["methods/index.html"]?.contains("1989, +44 555 01987") == true)
    }

    @Test func failedCheckIsOnItsPageOnTheSourcesAndInTheOutcome() async throws {
        try folder.write(
            "Themes/paper/templates/partials/figures.md", "No figures here.{{#tiles}}{{/tiles}}\n")
        let theme = try ThemeLayers(name: "paper", roots: [folder.path + "/Themes", installedThemes])
        let outcome = try await build(sampleInput(site, theme: theme))
        let reported = try #require(outcome.failedChecks.first)
        #expect(reported.id == "check.markdown" && outcome.hasTrouble)
        #expect(reported.location?.description == "apps/harbour/index.html")
        #expect(reported.details.count == 2 && reported.details.last == "Markdown: absent")
        let tree = try folder.tree("site")
        for (page, file) in [
            ("apps/harbour/index.html", "<code>check.markdown</code>"),
            ("apps/harbour/index.md", "(check.markdown)"),
            ("sources/index.html", "apps/harbour/index.html"), ("sources/index.md", "## Failed checks"),
        ] {
            #expect(tree[page]?.contains(file) == true, "\(page)")
        }
        #expect(tree["apps/harbour/issues/index.html"]?.contains("check.markdown") == false)
        // The page has both values in both languages.
        #expect(outcome.failedChecks.count(where: { $0.location == reported.location }) == 1)
    }

    @Test func threadsDoNotChangeTheOrder() async throws {
        try folder.write("Themes/paper/templates/partials/figures.md", "{{#tiles}}{{/tiles}}\n")
        let theme = try ThemeLayers(name: "paper", roots: [folder.path + "/Themes", installedThemes])
        let alone = try await build(sampleInput(site, theme: theme, threads: 1))
        let first = try folder.tree("site")
        let many = try await build(sampleInput(site, theme: theme, threads: 7))
        #expect(alone.failedChecks == many.failedChecks && alone.failedChecks.count > 1)
        #expect(try folder.tree("site") == first)
    }
}
