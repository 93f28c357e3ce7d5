import Analysis
import AppHealth
import Formatting
import Foundation
import HistoryFixtures
import Pages
import Testing

@testable import Site

/// What every kind of event says in each language of the site, through the templates of the default theme.
struct EventSentenceTests {
    /// An app with an event of every kind.
    static let history: AppHistory = {
        let withdrawn = LedgerEntry(
            id: "sketchbook/stability/2016-01-20", app: Slug(anyText: "sketchbook"), rule: "stability",
            subject: "", firstDay: .back(7), lastDay: .back(7), raisedAt: .noon(back: 6), state: .withdrawn,
            sentence: "It fell.", reportedSize: nil)
        let source = SourceHistory.make(
            failure: timeout, health: wholeHealth + releaseHealth,
            usage: (0...90).map { UsageDay(date: .back($0), activeUsers: $0 == 5 ? 8000 : 10_000) },
            releases: [
                Release(version: Version("1.1", build: "9"), releasedAt: .noon(back: 3)),
                Release(version: Version("1.0", build: "7"), releasedAt: .noon(back: 90)),
            ],
            issues: ["a", "b", "c", "d"].map {
                Issue(
                    id: $0, title: "Failure of <\($0)>", place: CodePlace(file: "\($0).swift", line: 7),
                    firstSeen: .noon(back: $0 == "c" ? 40 : 0), fixedIn: $0 == "b" ? Version("1.0") : nil)
            },
            issueDays: ["a", "d"].map { .make($0, events: 400, users: 40) }
                + [
                    .make("b", of: "1.1"), .make("c", 20, events: 90, users: 80),
                    .make("c", 21, events: 3, users: 3),
                ],
            notes: [Note(id: "1", at: .noon(back: 0), author: "Ana", text: "Look at *this*.", subject: .app)])
        return AppHistory(app: AppHistory.make().app, sources: [source], ledger: [withdrawn])
    }()

    private static let wholeHealth: [HealthDay] = (0...90).map { back in
        .make(
            back, sessions: 10_000, crashed: back == 20 ? 240 : 52, users: 10_000,
            crashedUsers: back == 20 ? 233 : back == 0 ? 55 : 50)
    }

    /// One release did it on the day of the drop; a newer one crashes far too much.
    private static let releaseHealth: [HealthDay] =
        (6...90).map { .make($0, of: "1.0", sessions: 10_000, crashed: $0 == 20 ? 240 : 52) }
        + (0...5).map { .make($0, of: "1.1", sessions: 5000, crashed: 1000) }

    private static let site = SiteFacts(
        title: "Quay", asOf: reportTime, isDemo: false, baseURL: "https://quay.example/", isIndexed: false,
        contentPages: [])
    private static let report = AppAnalysis(history, targets: .standard, asOf: reportTime)

    /// The activity pages of the weeks in HTML and in Markdown.
    private static let pages = Task<[String: String], any Error> {
        let folder = try TemporaryFolder()
        let app = history.app
        let input = SiteInput(
            facts: site, theme: try defaultTheme(), content: ContentFolder(), output: folder.path + "/site",
            apps: [(app, .standard)], threads: 2)
        _ = try await buildSite(input) { _ in history }
        let tree = try folder.tree("site/apps/\(app.id)/activity")
        return tree
    }

    @Test(arguments: EventKind.allCases)
    func kindHasTheSameTextInEveryLanguage(kind: EventKind) async throws {
        let events = Self.report.activity.events.filter { $0.kind == kind }
        // The oldest summaries are of days without an issue.
        let event = try #require(kind == .topIssues ? events.first : events.last, "no event of this kind")
        let pages = try await Self.pages.value
        let anchor = event.occasion.id.replacing("/", with: "-")
        let week = CivilWeek(of: event.occasion.day).description
        let reported = """
            == HTML
            \(try #require(htmlEntry(anchor, in: pages[week + "/index.html", default: ""])))
            == Markdown
            \(try #require(markdownEntry(event, in: pages[week + "/index.md", default: ""])))
            == Atom
            \(try #require(atomEntry(event)))
            == JSON
            \(try #require(try jsonItem(event)))

            """
        try expectGolden(reported, kind)
    }

    /// What is no longer reported has no golden; that each kind has one is seen above.
    @Test func everyGoldenBelongsToAKind() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: goldens.path)
        #expect(Set(files).isSubset(of: EventKind.allCases.map(goldenName)))
    }

    /// The `li` with an anchor.
    private func htmlEntry(_ anchor: String, in page: String) -> String? {
        guard let id = page.range(of: "id=\"\(anchor)\""),
            let start = page.range(of: "<li", options: .backwards, range: page.startIndex..<id.lowerBound),
            let end = page.range(of: "\n</li>", range: id.upperBound..<page.endIndex)
        else { return nil }
        return String(page[start.lowerBound..<end.upperBound])
    }

    /// The line of the event below the heading of its day.
    private func markdownEntry(_ event: Event, in page: String) -> String? {
        let day = page.components(separatedBy: "\n## ").first {
            $0.hasPrefix(event.occasion.day.compactText)
        }
        let entries = day?.components(separatedBy: "\n- **").filter {
            $0.hasPrefix(event.kind.title + "**")
        }
        // What is indented belongs to it.
        return entries?.last.map { entry in
            let lines = entry.split(separator: "\n", omittingEmptySubsequences: false)
            let rest = lines.dropFirst().prefix { $0.isEmpty || $0.hasPrefix("  ") }
            return "- **" + (lines.prefix(1) + rest).joined(separator: "\n").trimmingCharacters(in: .newlines)
        }
    }

    private func atomEntry(_ event: Event) -> String? {
        let bytes = atomBytes(
            [FeedItem(Self.report.record(of: event), Self.report.facts)], title: "x",
            at: "apps/sketchbook/feed.xml", site: Self.site)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.range(of: "<entry>"), let end = text.range(of: "</entry>") else { return nil }
        return String(text[start.lowerBound..<end.upperBound])
    }

    private func jsonItem(_ event: Event) throws -> String? {
        let bytes = try jsonFeedBytes(
            [FeedItem(Self.report.record(of: event), Self.report.facts)], title: "x",
            at: "apps/sketchbook/feed.json", site: Self.site)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let items = text.range(of: "\"items\""),
            let start = text.range(of: "{", range: items.upperBound..<text.endIndex),
            let end = text.range(of: "}", range: start.upperBound..<text.endIndex)
        else { return nil }
        return String(text[start.lowerBound..<end.upperBound])
    }
}

private let goldens = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Goldens/events")

private func goldenName(_ kind: EventKind) -> String {
    kind.rawValue.lowercased().replacing(" ", with: "-") + ".txt"
}

/// Compares with the stored text next to the tests; UPDATE_GOLDEN=1 rewrites it.
private func expectGolden(_ reported: String, _ kind: EventKind) throws {
    let url = goldens.appendingPathComponent(goldenName(kind))
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
        try FileManager.default.createDirectory(at: goldens, withIntermediateDirectories: true)
        try reported.write(to: url, atomically: true, encoding: .utf8)
    }
    let expected = try? String(contentsOf: url, encoding: .utf8)
    #expect(reported == expected, "golden \(url.lastPathComponent) differs; UPDATE_GOLDEN=1 rewrites it")
}
