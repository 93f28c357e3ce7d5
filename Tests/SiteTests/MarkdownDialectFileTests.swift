import Analysis
import AppHealth
import Diagnostics
import Files
import Markup
import Testing

@testable import Pages
@testable import Site
@testable import SiteChecks

/// Every kind of page in every dialect, with texts that want to be more than text.
struct MarkdownDialectFileTests {
    private let folder: TemporaryFolder
    private static let kinds: Set = [
        "portfolio", "app", "activity", "issues", "issue", "releases", "release", "day", "usage", "methods",
        "sources", "not-found", "content", "list",
    ]

    private static let group = "<b> | *x*"

    init() throws { folder = try TemporaryFolder() }

    /// The Markdown versions of a site in a dialect, by path.
    private func markdownVersions(_ dialect: MarkdownDialect, base: String? = "https://quay.example/")
        async throws
        -> [String: String]
    {
        let everything = try readFile(installedThemes + "/../Tests/SiteChecks/project/Content/everything.md")
        try folder.write("Content/everything.md", String(decoding: everything, as: UTF8.self))
        try folder.write(
            "Content/live.md",
            "# <b> | *x*\n\n```block\nkind: top-issues\napp: harbour\n```\n\n```chart\nkind: crash-free\napp: harbour\n```\n"
        )
        try folder.write("Content/guide.md", "# Guide\n\nWords.\n")
        let (content, _) = ContentFolder.read(folder.path + "/Content", apps: [App.harbour.id])
        var input = try sampleInput(
            folder.path + "/site", content: content,
            facts: .sample {
                $0.markdown = dialect
                $0.baseURL = base
            })
        input.apps[0].app.group = Self.group
        let outcome = try await build(input)
        #expect(outcome.failedChecks == [], "\(dialect)")
        let reported = checkSite(folder.path + "/site", baseURL: nil).filter { $0.severity == .error }
        #expect(reported == [], "\(dialect)")
        let tree = try folder.tree("site")
        let kinds = Set(tree.keys.filter { $0.hasSuffix(".html") }.map(pageKind))
        #expect(kinds == Self.kinds)
        return tree.filter { $0.key.hasSuffix(".md") && !$0.key.hasSuffix("summary.md") }
    }

    /// A CommonMark parser reads the text in GitHub's dialect, and nothing more.
    @Test func commonMarkMeansTheSame() async throws {
        let (github, plain) = (try await markdownVersions(.github), try await markdownVersions(.commonmark))
        #expect(Set(github.keys) == Set(plain.keys))
        for (path, text) in plain {
            let page = html(fromCommonMark: text).text
            for tag in ["raw HTML omitted", "<script", "href=\"javascript", "<pre><code>&lt;", "<td"] {
                #expect(!page.contains(tag), "\(path): \(tag)")
            }
            #expect(words(github[path] ?? "").subtracting(words(text)) == [], "\(path)")
        }
    }

    @Test func gitHubSurvivesBeingReadAndWritten() async throws {
        for (path, text) in try await markdownVersions(.github) {
            // Addresses of the owner's pages are percent-encoded when they are written.
            let blocks = documentBlocks(
                ofMarkdown: documentText(documentBlocks(ofMarkdown: text), in: .github))
            let again = documentText(blocks, in: .github)
            #expect(words(again) == words(text), "\(path)")
            let read = documentBlocks(ofMarkdown: again)
            for (one, other) in zip(read, blocks) { #expect(one == other, "\(path)") }
            #expect(read.count == blocks.count, "\(path)")
        }
    }

    @Test func plainTextHasNoMarkupAndKeepsToItsWidth() async throws {
        for (path, text) in try await markdownVersions(.plain) {
            #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" }, "\(path)")
            for line in text.split(separator: "\n") {
                // A long word has a line of its own; code and its lines stay as they are.
                let words = line.split(separator: " ")
                let isWhole = words.contains { displayWidth(String($0)) > 60 } || line.hasPrefix("    ")
                #expect(isWhole || displayWidth(String(line)) <= 100, "\(path): \(line)")
                #expect(!line.contains("**") || line.contains("**bold**"), "\(path): \(line)")
                #expect(!line.contains("</details>") && !line.contains("---|"), "\(path): \(line)")
            }
        }
    }

    @Test(arguments: ["https://quay.example/", nil])
    func slackMentionsNoOneAndLinksWholeAddresses(base: String?) async throws {
        for (path, text) in try await markdownVersions(.slack, base: base) {
            #expect(text.utf16.count <= 40_000)
            for part in text.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
                let isLink = part.hasPrefix("https://") || part.hasPrefix("mailto:")
                #expect(isLink && part.contains("|") && part.contains(">"), "\(path): \(part.prefix(80))")
                if base == nil { #expect(!part.hasPrefix("https://quay.example"), "\(path)") }
                #expect(!part.contains("/index.md"), "a browser opens it: \(path): \(part.prefix(80))")
            }
            #expect(
                !text.contains("@channel") && !text.contains("](") && !text.contains("\u{202E}"), "\(path)")
        }
    }

    /// A theme's own Markdown is what every dialect is made from.
    @Test(arguments: [
        (MarkdownDialect.github, "# Own: Harbour\n\n| A | B |\n|---|--:|\n"),
        (.commonmark, "# Own: Harbour\n**A:**\n\n- x — B: 1\n"),
        (.plain, "Own: Harbour\n============\n\nA  B\nx  1\n"),
        (.slack, "*Own: Harbour*\n\n*A:*\n• x — B: 1\n"),
    ])
    func themesMarkdownKeepsItsEffect(dialect: MarkdownDialect, start: String) throws {
        try folder.write(
            "Themes/paper/templates/usage.md", "# Own: {{name}}\n\n| A | B |\n|---|--:|\n| x | 1 |\n")
        let theme = try ThemeLayers(name: "paper", roots: [folder.path + "/Themes", installedThemes])
        let page = try MarkdownPage(
            at: ["apps", "harbour", "usage"], of: sampleInput(folder.path + "/site", theme: theme)
        ) { app throws(Diagnostics) in .sample(app) }
        #expect(page.text(in: dialect).hasPrefix(start), "\(page.text(in: dialect))")
    }

    @Test func pageOfItsOwnIsTheFileOfTheSite() async throws {
        for dialect in [MarkdownDialect.github, .slack] {
            let site = try await markdownVersions(dialect)
            let (content, _) = ContentFolder.read(folder.path + "/Content", apps: [App.harbour.id])
            var input = try sampleInput(folder.path + "/site", content: content)
            input.apps[0].app.group = Self.group
            for address in ["", "live", "all", "apps/harbour/releases/2.0"] {
                let page = try MarkdownPage(at: address.split(separator: "/").map(String.init), of: input) {
                    app throws(Diagnostics) in .sample(app)
                }
                #expect(
                    page.text(in: dialect) == site[(address.isEmpty ? "" : address + "/") + "index.md"],
                    "\(address)")
            }
        }
    }

    @Test(arguments: [
        (["apps", "harbur"], "did you mean 'apps/harbour'?"),
        (["apps", "harbour", "isues"], "did you mean 'apps/harbour/issues'?"),
        (["method"], "did you mean 'methods'?"), (["404"], "use one of: /"),
    ])
    func unknownPageIsReportedWithTheNearest(folders: [String], hint: String) {
        let thrown = #expect(throws: Diagnostics.self) {
            try MarkdownPage(at: folders, of: try sampleInput(folder.path + "/site")) {
                app throws(Diagnostics) in .sample(app)
            }
        }
        #expect(thrown?.list.first?.hints.first?.hasPrefix(hint) == true, "\(String(describing: thrown))")
    }

    /// A page of issues with long headlines is cut in GitHub's dialect, and its numbers are not missed.
    @Test func pageOfLongHeadlinesFitsIntoARelease() throws {
        let page = try MarkdownPage(
            at: ["apps", "harbour", "issues"], of: sampleInput(folder.path + "/site")
        ) {
            app throws(Diagnostics) in
            var history = AppHistory.sample(app)
            let (issue, day) = (history.sources[0].issues[0], history.sources[0].issueDays[0])
            let long = String(repeating: "very ", count: 110)
            for number in 100..<290 {
                var (issue, day) = (issue, day)
                issue.id = "issue-\(number)"
                issue.title = "Fatal error \(number): index out of range in a \(long)long loop | <b>"
                day.issue = issue.id
                history.sources[0].issues.append(issue)
                history.sources[0].issueDays.append(day)
            }
            return history
        }
        #expect(page.markdown.utf16.count > 125_000)
        let text = page.text(in: .github)
        #expect((120_000...125_000).contains(text.utf16.count), "\(text.utf16.count)")
        #expect(
            text.contains("rows of tables") && text.contains("skipped: 125,000 characters")
                && text.contains("Data through "))
        #expect(!page.markdown.contains(" skipped: ") && !page.markdown.contains("check.markdown"))
        #expect(page.text(in: .commonmark).contains("Fatal error 289"))
    }

    /// The words of a page without its addresses, whatever holds them.
    private func words(_ page: String) -> Set<Substring> {
        let text = pageText(page, in: .slack, limit: nil, because: "") { _ in nil }.text
        return Set(text.split { !$0.isLetter && !$0.isNumber })
    }
}

struct MainPagesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ change: (inout SiteFacts) -> Void = { _ in }, threads: Int = 2) async throws -> String
    {
        _ = try await build(sampleInput(folder.path + "/site", threads: threads, facts: .sample(change)))
        return try #require(try folder.tree("site")["llms-full.txt"])
    }

    @Test func mainPagesAreInOneFile() async throws {
        let text = try await text()
        #expect(text.hasPrefix("# Quay \"apps\"\nThe main pages in one file."))
        let heads = text.matches(of: /\n## (.+)\n/).map { String($0.1) }
        #expect(
            heads == [
                "Quay \"apps\"", "Harbour (ios)", "Harbour: issues", "Harbour: releases", "Harbour: usage",
                "Harbour: activity", "Lantern &amp; &lt;Sons&gt;", "Lantern &amp; &lt;Sons&gt;: issues",
                "Lantern &amp; &lt;Sons&gt;: releases", "Lantern &amp; &lt;Sons&gt;: usage",
                "Lantern &amp; &lt;Sons&gt;: activity", "Methods", "Data sources",
            ])
        #expect(text.utf16.count <= 400_000 && !text.contains("<details>") && !text.contains("!["))
        let tree = try folder.tree("site")
        for link in text.matches(of: /\]\(([^)#]+)\)/).map({ String($0.1) }) where !link.hasPrefix("http") {
            #expect(tree[link] != nil, "\(link)")
        }
        #expect(tree["llms.txt"]?.contains("](llms-full.txt)") == true)
    }

    @Test func dialectAndThreadsDoNotChangeIt() async throws {
        let first = try await text(threads: 1)
        for dialect in MarkdownDialect.allCases {
            #expect(try await text({ $0.markdown = dialect }, threads: 5) == first)
        }
    }

    @Test func publicSiteLeavesOutThereWhatItLeavesOutElsewhere() async throws {
        let team = try await text()
        #expect(team.contains("Pier.swift") && team.contains("note with"))
        let shown = try await text { $0.audience = Audience(.public) }
        for word in ["Pier.swift", "note with", "20,000", "crew"] {
            #expect(!shown.contains(word), "\(word)")
        }
        #expect(shown.contains("Crash issue "))
    }

    /// Pages are there as a whole, and a line says that some are not; the size of a page is that of its file.
    @Test(arguments: [
        (3_900, 15_000, ["Top", "Methods"]), (15_000, 3_900, ["Methods", "Sources"]),
        (3_900, 3_900, ["Top", "Methods", "Sources"]),
    ])
    func pagesThatDoNotFitAreMissing(first: Int, last: Int, kept: [String]) throws {
        let pages: [SitePath: [UInt8]] = [
            .portfolio: page("Top", rows: first), .methods: page("Methods", rows: 3_900),
            .sources: page("Sources", rows: last),
        ]
        try check(pages, of: [], kept)
    }

    /// Overviews come before the parts of any app, both up to the first app whose page does not fit.
    @Test(arguments: [
        ([3_000, 3_000, 3_000], [100, 100, 100], ["A", "A issues", "B", "B issues", "C", "C issues"]),
        ([3_000, 15_000, 100], [100, 3_000, 100], ["A", "A issues", "B issues", "C issues"]),
        ([6_000, 6_000, 6_000], [100, 9_000, 100], ["A", "A issues", "B"]),
    ])
    func appsComeUpToTheFirstThatDoesNotFit(overviews: [Int], issues: [Int], kept: [String]) throws {
        var pages: [SitePath: [UInt8]] = [:]
        var rows: [AppSummaryRow] = []
        let facts = SiteFacts.sample()
        for (number, name) in ["A", "B", "C"].enumerated() {
            var row = AppSummaryRow(
                AppAnalysis(.sample(.harbour), targets: .standard, asOf: facts.asOf).overview, feed: [])
            row.id = Slug(anyText: name)
            pages[.app(row.id)] = page(name, rows: overviews[number])
            pages[.part(.issues, of: row.id)] = page("\(name) issues", rows: issues[number])
            rows.append(row)
        }
        try check(pages, of: rows, kept)
    }

    private func page(_ title: String, rows: Int) -> [UInt8] {
        let rows = (0..<rows).map { [[Span.text("row \($0) of a long table")]] }
        let blocks: [Block] = [
            .heading([.text(title)], level: 2), .table(BlockTable([.init("A")], rows: rows)),
        ]
        return Array(documentText(blocks, in: .github).utf8)
    }

    private func check(_ pages: [SitePath: [UInt8]], of rows: [AppSummaryRow], _ kept: [String]) throws {
        var waiting = WaitingPages(in: folder.path)
        try waiting.add(pages)
        let bytes = try mainPagesText(waiting, rows, try sampleInput(folder.path + "/site"))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.utf16.count <= 400_000)
        #expect(text.matches(of: /\n### (.+)\n/).map { String($0.1) } == kept)
        let says = text.contains("Some are missing, as this file holds at most 400,000")
        #expect(says == (kept.count < pages.count))
    }
}
