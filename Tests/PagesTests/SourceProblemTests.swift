import Analysis
import AppHealth
import Charts
import Diagnostics
import HistoryFixtures
import Testing

@testable import Pages

/// Why the figures of a source are not current, and what is wrong with it, in the words of each audience.
struct SourceProblemTests {
    private static let health = (0..<40).map {
        HealthDay.make($0, sessions: 20_000, crashed: 20, users: 10_000, crashedUsers: 9)
    }

    /// A source whose newest fetch failed.
    private static let failed = SourceHistory.make(failure: timeout, health: health)

    /// One that was fetched each night, and no more before the report of `late`.
    private static let overdue: SourceHistory = {
        var source = SourceHistory.make(health: health)
        source.previousCapture = reportTime.advanced(bySeconds: -86_400)
        return source
    }()

    /// One that is fetched, and whose days end five days ago.
    private static let idle: SourceHistory = {
        var source = SourceHistory.make(health: health.filter { $0.date <= .back(5) })
        source.captures = FactCaptures()
        for back in (5..<40).reversed() {
            let night = Instant(startOf: .back(back - 1)).advanced(bySeconds: 5 * 3600)
            source.captures.add(night, days: .back(back) ... .back(back))
        }
        return source
    }()

    /// One that ended, and that no other one follows.
    private static let ended: SourceHistory = {
        var source = SourceHistory.make(health: health.filter { $0.date <= .back(20) })
        source.source.until = .back(20)
        return source
    }()

    private static let late = reportTime.advanced(bySeconds: 3 * 86_400)

    private func report(_ source: SourceHistory, asOf: Instant, _ reader: Audience.Reader) -> AppAnalysis {
        AppAnalysis(.make(source), targets: .standard, asOf: asOf, audience: Audience(reader))
    }

    /// What a badge says; the message of a service is hidden from the public, and what Plimsoll found is not.
    @Test(
        arguments: [
            (failed, reportTime, .team, "No answer within 30 seconds"),
            (failed, reportTime, .public, "Couldn't fetch the source"),
            (idle, reportTime, .public, "no new data since 2016-01-22 although fetched on 2016-01-28"),
            (ended, reportTime, .public, "'files' ended on 2016-01-07, and no other source has newer data"),
            (overdue, late, .public, "nothing newer than 2016-01-28T06:30:00Z"),
        ] as [(SourceHistory, Instant, Audience.Reader, String)])
    func badgeSaysWhyItIsStale(
        source: SourceHistory, asOf: Instant, reader: Audience.Reader, why: String
    ) {
        let report = report(source, asOf: asOf, reader)
        let title = BadgeDocument(report.lastDay, report.stability, report.facts).badge.title
        #expect(title.hasSuffix(" Stale: \(why)."), "\(title)")
        #expect(report.sources.all[0].trouble?.diagnostic(for: reader).summary == why)
    }

    /// What to do about it is for those who configure the site.
    @Test(
        arguments: [
            (failed, reportTime, "transport.timeout", []),
            (
                idle, reportTime, "source.idle",
                ["check that the app still reports to the service, and that what fills it runs"]
            ),
            (
                overdue, late, "source.overdue",
                ["run 'plimsoll fetch' before each build; of files, check what writes them"]
            ),
        ] as [(SourceHistory, Instant, String, [String])])
    func hintsAreForTheTeam(source: SourceHistory, asOf: Instant, id: String, hints: [String]) {
        for reader in Audience.Reader.allCases {
            let report = report(source, asOf: asOf, reader)
            let shown = AppPages(report, site: site).overview.sources[0].failure?.diagnostic
            #expect(shown?.id == id && shown?.hints == (reader == .team ? hints : []))
            #expect(report.sources.all[0].trouble?.id == id)
        }
    }

    @Test func idleFigureIsNamed() {
        let problem = SourceProblem.idle(.rates, since: .back(4), fetchedAt: reportTime)
        let shown = problem.diagnostic(for: .team)
        #expect(shown.summary.hasPrefix("no new crash-free rates since \(CivilDate.back(4))"))
        #expect(shown.hints == ["check that the app still reports sessions or users to the service"])
    }

    @Test func unusedSourceIsNamed() throws {
        var sources = ["ios", "android"].map { SourceHistory.make($0) }
        for place in sources.indices { sources[place].source.provider = "sentry" }
        let report = AppAnalysis.make(sources[0], sources[1])
        let problem = try #require(report.sources.all[1].unused).problem(of: report.facts.app.id, in: \.words)
        #expect(problem.summary == "sketchbook: nothing of 'android' is shown, as 'ios' provides the same")
        #expect(problem.hints.first?.contains("'group'") == true)
    }

    /// Crashes and hangs of one package.
    @Test(arguments: [true, false]) func twoMeasuresAreTwoApps(areTwo: Bool) throws {
        var sources = ["crashes", "anr"].map { SourceHistory.make($0, knows: [.users]).source }
        for place in sources.indices { sources[place].provider = "play" }
        if areTwo { sources[1].userDefinition = "Users with a hang" }
        let problem = try #require(UnusedSource.all(in: sources).first)
            .problem(of: Slug(anyText: "quay"), in: \.words)
        #expect((problem.hints.first?.hasPrefix("for two measures of one app") == true) == areTwo)
        #expect(problem.hints.count == (areTwo ? 3 : 2))
        #expect(problem.hints.first?.contains("move 'anr' to one of its own") == true)
    }

    @Test(arguments: [("3.7.0", 1), ("3.6.0", 2)])
    func unmatchedVersionsAreNamed(listed: String, hints: Int) throws {
        let warehouse = SourceHistory.make(
            "warehouse", knows: [.sessions, .releaseHealth],
            health: (0..<20).flatMap { back in
                [.make(back, sessions: 1000), .make(back, of: "3.7.0 (371)", sessions: 400)]
            })
        let lister = SourceHistory.make(
            "lister", knows: [.releases, .issues],
            releases: [Release(version: Version(listed), releasedAt: nil)])
        let report = AppAnalysis.make(lister, warehouse)
        let problem = try #require(report.sources.all[1].unmatched).problem(of: report.facts.app.id)
        #expect(problem.id == "source.versions" && problem.hints.count == hints)
    }
}
