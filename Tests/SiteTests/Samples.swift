import AppHealth
import Diagnostics
import Pages
import Settings

@testable import Site

extension CivilDate {
    static let last = CivilDate(daysSinceEpoch: 20_776)
}

extension App {
    static let harbour = App(id: Slug(anyText: "harbour"), name: "Harbour", platform: "ios")
    static let lantern = App(id: Slug(anyText: "lantern"), name: "Lantern & <Sons>", platform: "")
}

extension SiteFacts {
    static func sample(_ change: (inout SiteFacts) -> Void = { _ in }) -> SiteFacts {
        var facts = SiteFacts(
            title: "Quay \"apps\"", asOf: Instant(startOf: .last.advanced(by: 1)).advanced(bySeconds: 21_600),
            isDemo: false,
            baseURL: "https://quay.example/", isIndexed: false, contentPages: [])
        facts.outputs = .all
        change(&facts)
        return facts
    }
}

extension AppHistory {
    /// Some days, the last of which is bad, with two releases and issues whose titles are hostile.
    static func sample(_ app: App, days: Int = 9) -> AppHistory {
        let captured = Instant(startOf: .last.advanced(by: 1)).advanced(bySeconds: 18_000)
        let source = Source(
            id: Slug(anyText: "files"), provider: "files", sessionDefinition: "one run",
            userDefinition: "one install",
            zone: "UTC", delay: "one day", capabilities: Set(Capability.allCases))
        var history = SourceHistory(
            source: source, capturedAt: captured,
            lastAttempt: FetchAttempt(at: captured, outcome: .succeeded(warnings: [])))
        for age in (0..<days).reversed() {
            let date = CivilDate.last.advanced(by: -age)
            history.health.append(
                HealthDay(
                    date: date, sessions: 20_000, crashedSessions: age == 0 ? 900 : 60, users: 9_000,
                    crashedUsers: age == 0 ? 700 : 40))
            history.usage.append(
                UsageDay(date: date, activeUsers: 9_000, weeklyActiveUsers: 30_000, monthlyActiveUsers: nil))
        }
        history.releases = [
            Release(version: Version("2.0", build: "7"), releasedAt: captured),
            Release(version: Version("1.9"), releasedAt: nil),
        ]
        history.issues = hostileTitles.enumerated().map { index, title in
            Issue(
                id: "issue-\(index)", title: title, place: CodePlace(file: "Pier.swift", line: index + 1),
                firstSeen: captured.advanced(bySeconds: -90_000), firstVersion: Version("2.0", build: "7"),
                events: 30 - index,
                users: 20 - index)
        }
        history.issueDays = history.issues.map {
            IssueDay(issue: $0.id, date: .last, events: $0.events, users: $0.users)
        }
        history.notes = [
            Note(id: "n", at: captured, author: "crew", text: "A *note* with <b>", subject: .app)
        ]
        let first = CivilDate.last.advanced(by: 1 - days)
        history.coverage = CoverageHistory(
            CoveredFact.allCases.map { CoverageSpan($0, min(first, .last)...CivilDate.last) })
        return AppHistory(app: app, sources: [history])
    }
}

let hostileTitles = [
    "<script>alert(1)</script>", "a | b | c", "=HYPERLINK(\"http://a\")", "two\nlines",
    "]]> & \u{0} \u{202E}x", "`code` **bold**", "",
]

/// The theme of the checkout.
func defaultTheme() throws -> ThemeLayers {
    try ThemeLayers(name: "default", roots: [installedThemes])
}

/// What a small site of two apps is built from.
func sampleInput(
    _ output: String, theme: ThemeLayers? = nil, content: ContentFolder = ContentFolder(), threads: Int = 2,
    facts: SiteFacts = .sample()
) throws -> SiteInput {
    SiteInput(
        facts: facts, theme: try theme ?? defaultTheme(), content: content, output: output,
        apps: [(.harbour, .standard), (.lantern, .standard)], threads: threads)
}

/// Builds from histories in memory.
func build(_ input: SiteInput, days: Int = 9) async throws(Diagnostics) -> SiteOutcome {
    try await buildSite(input) { app throws(Diagnostics) in AppHistory.sample(app, days: days) }
}

/// The diagnostics of a build that must fail.
func problems(of input: SiteInput) async -> [Diagnostic] {
    do throws(Diagnostics) {
        _ = try await build(input)
        return []
    } catch {
        return error.list
    }
}
