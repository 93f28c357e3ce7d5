import Analysis
import AppHealth
import Diagnostics
import Foundation
import Markup
import Pages
import SiteChecks
import Testing

@testable import Site

/// A site for everybody: what it does not show, and what happens when it would.
struct PublicSiteTests {
    private let folder: TemporaryFolder
    private var site: String { folder.path + "/site" }

    init() throws { folder = try TemporaryFolder() }

    /// The titles are hostile in every test; here one is secret too, and counts are not round.
    private static func history(_ app: App) -> AppHistory {
        var history = AppHistory.sample(app)
        history.sources[0].issues[0].title = "Payment token 4711 was rejected"
        for index in history.sources[0].health.indices {
            history.sources[0].health[index].sessions = 23_457 + index
        }
        return history
    }

    private func input(
        _ audience: Audience, theme: ThemeLayers? = nil, content: ContentFolder = ContentFolder(),
        threads: Int = 2
    ) throws -> SiteInput {
        try sampleInput(
            site, theme: theme, content: content, threads: threads, facts: .sample { $0.audience = audience })
    }

    private func build(_ input: SiteInput) async -> [Diagnostic] {
        do throws(Diagnostics) {
            _ = try await buildSite(input) { app throws(Diagnostics) in Self.history(app) }
            return []
        } catch {
            return error.list
        }
    }

    @Test func nothingOfTheTeamIsInAnyFile() async throws {
        #expect(await build(try input(Audience(.public))) == [])
        for (file, text) in try folder.tree("site") {
            for secret in ["Pier.swift", "Payment token", "crew", "23,457", "23457", "issue-0"] {
                #expect(!text.contains(secret), "\(file) holds \(secret)")
            }
        }
        let page = try #require(try folder.tree("site")["index.html"])
        #expect(page.contains("<meta name=\"robots\" content=\"noindex\">"))
        #expect(try folder.tree("site")["robots.txt"]?.contains("Disallow: /") == true)
    }

    /// Nothing that is published depends on how many there were, within the bounds that a public site promises.
    @Test func appsOfDifferentSizesLookAlike() async throws {
        struct Size {
            var sessions, crashedSessions, users, crashedUsers, active, monthly: Int
            /// Of each issue; the first has 87.0% of all in the one app and 87.1% in the other.
            var events: [Int]
        }
        func tree(_ name: String, _ size: Size) async throws -> [String: String] {
            var input = try input(Audience(.public))
            input.output = folder.path + "/" + name
            _ = try await buildSite(input) { app throws(Diagnostics) in
                var history = AppHistory.sample(app)
                for index in history.sources[0].health.indices {
                    history.sources[0].health[index].sessions = size.sessions
                    history.sources[0].health[index].crashedSessions = size.crashedSessions
                    history.sources[0].health[index].users = size.users
                    history.sources[0].health[index].crashedUsers = size.crashedUsers
                }
                for index in history.sources[0].usage.indices {
                    history.sources[0].usage[index].activeUsers = size.active
                    history.sources[0].usage[index].monthlyActiveUsers = size.monthly
                }
                for (index, events) in size.events.enumerated() {
                    history.sources[0].issues[index].events = events
                    history.sources[0].issues[index].users = events
                    history.sources[0].issueDays[index].users = events
                    history.sources[0].issueDays[index].events = events
                }
                return history
            }
            return try folder.tree(name)
        }
        // The sums of all days are within one pair of bounds, too.
        let small = try await tree(
            "small",
            Size(
                sessions: 13_700, crashedSessions: 440, users: 5_000, crashedUsers: 420, active: 9_000,
                monthly: 50_000, events: [416, 11, 11, 10, 10, 10, 10]))
        let large = try await tree(
            "large",
            Size(
                sessions: 16_440, crashedSessions: 528, users: 6_000, crashedUsers: 504, active: 10_800,
                monthly: 60_000, events: [499, 13, 13, 12, 12, 12, 12]))
        #expect(small.keys.sorted() == large.keys.sorted())
        for (file, text) in small where large[file] != text {
            Testing.Issue.record("\(file) differs: \(difference(text, large[file] ?? ""))")
        }
    }

    /// The first lines that differ.
    private func difference(_ first: String, _ second: String) -> String {
        let pairs = zip(first.split(separator: "\n"), second.split(separator: "\n"))
        return pairs.first { $0 != $1 }.map { "\n\($0.suffix(400))\n\($1.suffix(400))" } ?? "length"
    }

    /// Anyone who can send an event chooses what an issue is called: no title keeps a site from being built.
    @Test(arguments: [
        "2026-11-19", "\"tables\"", "Crash-free users", "About this report", "plimsoll-data", "harbour",
        "Meets target", "text/html; charset=utf-8", "<!DOCTYPE html>", "Thu, Nov 19, 2026", "index.html",
        "100%",
    ])
    func noTitleBlocksABuild(title: String) async throws {
        try folder.write("content/about.md", "# About this report\n\nRead by many.")
        let (content, _) = ContentFolder.read(folder.path + "/content")
        var input = try input(Audience(.public), content: content)
        // A fetch came before the event; of the site that was built after it nothing is here.
        var review = try #require(try PassageReview(of: input, knowing: KnownPassages()))
        review.add(Self.history(.harbour))
        input.knownPassages = review.result
        @Sendable func titled(_ app: App) -> AppHistory {
            var history = Self.history(app)
            for index in history.sources[0].issues.indices {
                history.sources[0].issues[index].title = title
            }
            return history
        }
        do throws(Diagnostics) {
            _ = try await buildSite(input) { app throws(Diagnostics) in titled(app) }
        } catch {
            #expect(error.list == [], "\(title)")
        }
        let found = checkSite(site, baseURL: nil) { audience throws(Diagnostics) in
            try leakSearch(for: audience, input) { app throws(Diagnostics) in titled(app) }
        }
        #expect(!found.contains { $0.id == "check.redaction" }, "\(title): \(found)")
    }

    /// Whoever changed a file after the build may have written anything into it.
    @Test func changedFileIsSearchedForEverything() async throws {
        let input = try input(Audience(.public))
        #expect(await build(input) == [])
        func found() -> [String] {
            checkSite(site, baseURL: nil) { audience throws(Diagnostics) in
                try leakSearch(for: audience, input) { app throws(Diagnostics) in Self.history(app) }
            }.filter { $0.id == "check.redaction" }.map(\.summary)
        }
        #expect(found() == [])
        let page = try #require(try folder.tree("site")["methods/index.md"])
        try folder.write("site/methods/index.md", page + "\nPayment token 4711 was rejected\n")
        #expect(found() == ["A file shows an issue title hidden on this site"])
    }

    @Test func threadsChangeNoByte() async throws {
        #expect(await build(try input(Audience(.public), threads: 1)) == [])
        let one = try folder.tree("site")
        #expect(await build(try input(Audience(.public), threads: 5)) == [])
        #expect(try folder.tree("site") == one)
    }

    @Test(arguments: [
        ("# A\n\nWe saw *Payment token 4711 was rejected* again.", "leak.title"),
        ("# A\n\nIt is in Pier.swift.", "leak.code-place"), ("# A\n\nAsk crew.", "leak.name"),
        ("# A\n\nWe had 23,461 sessions.", "leak.count"), ("# A\n\nIt was 23.461.", "leak.count"),
        ("# A\n\nIt was 23·461.", "leak.count"),
    ])
    func aPageThatQuotesIsRefusedAndTheOldSiteStays(text: String, id: String) async throws {
        #expect(await build(try input(Audience(.public))) == [])
        let old = try folder.tree("site")
        try folder.write("content/about.md", text)
        let (content, problems) = ContentFolder.read(folder.path + "/content")
        #expect(problems == [])
        let reported = await build(try input(Audience(.public), content: content))
        // The page, its Markdown version and the file of the main pages.
        #expect(reported.map(\.id) == [id, id, id])
        let first = try #require(reported.first)
        #expect(first.summary.contains("'about/index.html' shows"))
        #expect(!first.details.joined().contains("4711"))
        #expect(try folder.tree("site") == old)
        #expect(try folder.names().filter { $0.contains("staging") } == [])
        #expect(await build(try input(.team, content: content)) == [])
    }

    /// The address of a page is in the navigation of every page.
    @Test(arguments: ["issue-0.md", "pages/issue-0.md", "issue-0/index.md", "team/issue-0.md"])
    func aPageThatIsCalledAsSomethingHiddenIsRefused(file: String) async throws {
        for file in [file, "team/index.md"] { try folder.write("content/" + file, "# Words") }
        let (content, problems) = ContentFolder.read(folder.path + "/content")
        #expect(problems == [])
        #expect(
            Set(await build(try input(Audience(.public), content: content)).map(\.id)) == ["leak.issue-id"])
        #expect(await build(try input(.team, content: content)) == [])
    }

    @Test func anAssetThatIsCalledAsSomethingHiddenIsRefused() async throws {
        try folder.write("Themes/loud/theme.yml", "name: loud\n")
        try folder.write("Themes/loud/assets/Pier.swift.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        try folder.write(
            "Themes/loud/templates/partials/footer.html",
            "<img src=\"{{frame.root}}{{asset.Pier.swift.svg}}\">")
        let theme = try ThemeLayers(name: "loud", roots: [folder.path + "/Themes", installedThemes])
        let reported = await build(try input(Audience(.public), theme: theme))
        #expect(Set(reported.map(\.id)) == ["leak.code-place"])
        #expect(await build(try input(.team, theme: theme)) == [])
    }

    @Test func aThemeThatLeaksIsRefused() async throws {
        try folder.write("Themes/loud/theme.yml", "name: loud\n")
        try folder.write(
            "Themes/loud/templates/usage.md", "Ask crew about 23,465 sessions of {{name}}.\n")
        let theme = try ThemeLayers(name: "loud", roots: [folder.path + "/Themes", installedThemes])
        let reported = await build(try input(Audience(.public), theme: theme))
        #expect(reported.map(\.id) == ["leak.name", "leak.name", "leak.name"])
        #expect(reported.first?.summary.contains("'apps/harbour/usage/index.md'") == true)
        #expect(await build(try input(.team, theme: theme)) == [])
    }

    /// A note of the owner's is hidden, and a chart of an issue is drawn by the id that its source gave it.
    @Test func notesAndFencesNameNothing() async throws {
        try folder.write(
            "content/notes/one.md",
            "---\napp: harbour\nby: Quay master\nat: 2026-11-19\n---\nThe mole broke.\n")
        try folder.write(
            "content/about.md",
            """
            # A

            ```chart
            kind: issue-events
            app: harbour
            issue: issue-0
            ```

            ```block
            kind: notes
            app: harbour
            ```

            ```block
            kind: budget
            app: harbour
            ```

            ```block
            kind: tiles
            app: harbour
            ```
            """)
        let (content, problems) = ContentFolder.read(
            folder.path + "/content", apps: [App.harbour.id, App.lantern.id])
        #expect(problems == [])
        #expect(await build(try input(.team, content: content)) == [])
        let team = try folder.tree("site")
        #expect(team.values.contains { $0.contains("The mole broke.") && $0.contains("Quay master") })
        #expect(await build(try input(Audience(.public), content: content)) == [])
        for (file, text) in try folder.tree("site") {
            for secret in ["The mole broke", "Quay master", "issue-0"] {
                #expect(!text.contains(secret), "\(file) holds \(secret)")
            }
        }
        let page = try #require(try folder.tree("site")["about/index.html"])
        #expect(page.contains("Notes are hidden on this site."))
        #expect(page.contains("100 = the highest day"))
    }

    @Test func titlesMayBeShown() async throws {
        #expect(await build(try input(Audience(.public, titles: .shown))) == [])
        let tree = try folder.tree("site")
        #expect(tree["apps/harbour/issues/index.html"]?.contains("Payment token 4711 was rejected") == true)
        #expect(!tree.values.contains { $0.contains("Pier.swift") })
    }

    /// A release may have the name of a count.
    @Test func namesOfReleasesAreNoCounts() async throws {
        let input = try input(Audience(.public))
        var problems: [Diagnostic] = []
        do throws(Diagnostics) {
            _ = try await buildSite(input) { app throws(Diagnostics) in
                var history = Self.history(app)
                for index in history.sources[0].releases.indices {
                    history.sources[0].releases[index].version = Version("Total")
                }
                for index in history.sources[0].health.indices
                where history.sources[0].health[index].version != nil {
                    history.sources[0].health[index].version = "Total"
                }
                return history
            }
        } catch {
            problems = error.list
        }
        #expect(problems == [])
    }

    /// Whoever can send an event chooses what it is called: that stops no build.
    @Test(arguments: [
        "Lost 23,457 sessions", "Dropped 9 events", "Users: 69", "Events: 23457", "Total", "- users",
    ])
    func aShownTitleThatLooksLikeACountStopsNoBuild(title: String) async throws {
        for dialect in [MarkdownDialect.github, .plain] {
            var input = try input(Audience(.public, titles: .shown))
            input.facts.markdown = dialect
            var problems: [Diagnostic] = []
            do throws(Diagnostics) {
                _ = try await buildSite(input) { app throws(Diagnostics) in
                    var history = Self.history(app)
                    for index in history.sources[0].issues.indices {
                        history.sources[0].issues[index].events = 9 + index
                    }
                    history.sources[0].issues[0].title = title
                    return history
                }
            } catch {
                problems = error.list
            }
            #expect(problems == [], "\(dialect)")
        }
    }
}
