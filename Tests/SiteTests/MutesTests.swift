import Analysis
import AppHealth
import Diagnostics
import Pages
import Testing

@testable import Site

struct MutesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read() -> ([Mute], [Diagnostic]) {
        readMutesFile(in: folder.path, shownAs: "Content", apps: [App.harbour.id])
    }

    @Test func missingFileHasNoMutes() {
        let (mutes, problems) = read()
        #expect(mutes.isEmpty && problems.isEmpty)
    }

    @Test func placesAreThoseOfTheProject() throws {
        try folder.write("mutes.yml", "- app: harbuor\n  forever: true\n  by: Ana\n  why: x\n")
        #expect(read().1.map { $0.location.map { "\($0)" } } == ["Content/mutes.yml:1:8"])
    }

    @Test func mutedEventsAreFoldedInBothLanguagesAndHiddenFromFeeds() async throws {
        try folder.write(
            "mutes.yml",
            """
            - kind: stability
              app: harbour
              until: 2030-01-01
              by: "<b>Ana</b>"
              why: "*known* | <script>"
            - issue: no-such-issue
              forever: true
              by: Ana
              why: x

            """)
        let (mutes, problems) = read()
        #expect(problems.isEmpty)
        var input = try sampleInput(folder.path + "/site")
        input.control = AlertControl(mutes: mutes)
        let outcome = try await build(input, days: 60)
        #expect(outcome.muteProblems.map(\.id) == ["mute.unmatched"])
        let tree = try folder.tree("site")
        let day = "apps/harbour/days/\(CivilDate.last)/"
        for page in ["apps/harbour/activity/", "apps/harbour/", day] {
            let (html, markdown) = (
                tree["\(page)index.html", default: ""], tree["\(page)index.md", default: ""]
            )
            #expect(html.contains("<summary>Muted (1)</summary>"), "\(page)")
            #expect(
                html.contains("Muted by <bdi>&lt;b&gt;Ana&lt;/b&gt;</bdi> until Tue, Jan 1, 2030"), "\(page)")
            #expect(
                markdown.contains("<details><summary>Muted (1)</summary>\n\n- **Stability Alert**"), "\(page)"
            )
            #expect(!html.contains("<script") && !markdown.contains("<script"), "\(page)")
        }
        #expect(tree["\(day)summary.md", default: ""].contains("**Muted: Stability Alert.**"))
        #expect(tree["apps/harbour/index.html", default: ""].contains("<h3>Mutes</h3>"))
        #expect(!tree["apps/harbour/feed.xml", default: ""].contains("harbour/stability/"))
        #expect(tree["apps/lantern/feed.xml", default: ""].contains("lantern/stability/"))
        #expect(!tree["feed.xml", default: ""].contains("harbour/stability/"))
        for page in ["sources/index.html", "sources/index.md"] {
            #expect(tree[page, default: ""].contains("Content/mutes.yml:6:3"), "\(page)")
        }
    }
}
