import Analysis
import AppHealth
import Formatting
import HistoryFixtures
import Testing

@testable import Pages

struct FreshnessTests {
    private static let end = Instant(startOf: lastDay.advanced(by: 1))

    @Test(arguments: [(0, true), (47, true), (48, false), (49, false)])
    func dayIsProvisionalForTwoDays(hours: Int, isProvisional: Bool) {
        let captured = Self.end.advanced(bySeconds: hours * 3600)
        let source = SourceHistory.make(capturedAt: captured, health: [.make(users: 9, crashedUsers: 0)])
        let report = AppAnalysis.make(source, asOf: captured.advanced(bySeconds: 9_000_000))
        #expect(AppPages(report, site: site).day(lastDay).isProvisional == isProvisional)
        #expect(
            AppPages(report, site: site).day(lastDay).frame.freshness
                == "Data as of \(captured.proseText)\(isProvisional ? "; provisional" : "").")
    }

    /// A summary has numbers of earlier days, of which the newest may be from later.
    @Test func aSummaryIsAsNewAsTheDaysOfItsNumbers() {
        var source = SourceHistory.make(health: (0...40).map { .make($0, sessions: 9000, crashed: 9) })
        source.note(Self.end)
        source.captures.add(reportTime, day: .back(7))
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        func freshness(_ back: Int) -> [String] {
            [
                daySummary(of: .back(back), report, .absent, isDemo: false).freshness,
                AppPages(report, site: site).day(.back(back)).frame.freshness,
            ]
        }
        let (early, late) = ("Data as of \(Self.end.proseText)", "Data as of \(reportTime.proseText)")
        #expect(zip(freshness(8), [early, early]).allSatisfy { $0.hasPrefix($1) }, "\(freshness(8))")
        #expect(zip(freshness(6), [late, early]).allSatisfy { $0.hasPrefix($1) }, "\(freshness(6))")
        let weeks = report.weeks
        #expect(weeks.first?.capturedAt == reportTime && weeks.last?.capturedAt == Self.end)
    }

    /// A release lists its issues with their users of all releases, which a later capture may have.
    @Test(arguments: [false, true])
    func aReleaseIsAsNewAsItsIssues(isNewer: Bool) throws {
        var source = SourceHistory.make(
            health: (0...40).map { .make($0, sessions: 9000, crashed: 9) },
            releases: [Release(version: Version("1.1"), releasedAt: .noon(back: 9))],
            issues: [
                Issue(
                    id: "a", title: "A", firstSeen: .noon(back: 9), firstVersion: Version("1.1"), users: 30)
            ])
        source.note(Self.end)
        if isNewer { source.captures.add(reportTime, issue: "a") }
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let release = try #require(report.releases.all.first { $0.label == "1.1" })
        let pages = AppPages(report, site: site)
        let capture = isNewer ? reportTime : Self.end
        #expect(release.newIssues.map(\.id) == ["a"] && release.pageCapturedAt == capture)
        for freshness in [pages.release(release).frame.freshness, pages.summary(of: release).freshness] {
            #expect(freshness.hasPrefix("Data as of \(capture.proseText)"), "\(freshness)")
        }
    }

    @Test func lastSecondOfTheTwoDaysCounts() {
        for (seconds, isProvisional) in [(48 * 3600 - 1, true), (48 * 3600, false)] {
            let source = SourceHistory.make(
                capturedAt: Self.end.advanced(bySeconds: seconds), health: [.make()])
            let report = AppAnalysis.make(source, asOf: .noon(back: -9))
            #expect(AppPages(report, site: site).day(lastDay).isProvisional == isProvisional)
        }
    }

    @Test func staleSourceIsNamed() {
        let good = SourceHistory.make("files", knows: [.users, .sessions], health: [.make(3)])
        let bad = SourceHistory.make(
            "bugsnag", knows: [.issues], capturedAt: .noon(back: 1), failure: timeout,
            issues: [Issue(id: "a", title: "A")])
        let page = AppPages(.make(good, bad), site: site).overview
        #expect(
            page.frame.freshness == "Data through Sun, Jan 24, 2016 (UTC). Latest fetch of 'bugsnag' failed.")
        #expect(page.sources.map(\.state) == [.loaded, .stale])
        #expect(page.sources.map(\.age) == ["0 minutes", "42 hours"])
        #expect(
            page.sources.map(\.captured) == ["2016-01-28 06:30 UTC", "2016-01-26 12:00 UTC"])
        #expect(page.issues.map(\.title) == ["A"])
    }

    @Test(arguments: [
        (-5, "0 minutes"), (0, "0 minutes"), (59, "0 minutes"), (60, "1 minute"), (7199, "119 minutes"),
        (7200, "2 hours"), (172_799, "47 hours"), (172_800, "2 days"), (.max, "106751991167300 days"),
    ])
    func ageIsGivenInTheLargestFittingUnit(seconds: Int, text: String) {
        #expect(ageText(seconds) == text)
    }

    @Test(arguments: [
        (["loaded"], "1 of 1 source up to date."), (["loaded", "loaded"], "2 of 2 sources up to date."),
        (["stale", "loaded", "failed"], "1 of 3 sources up to date, 1 stale, 1 failed."),
        (["never fetched", "stale", "stale"], "0 of 3 sources up to date, 2 stale, 1 never fetched."),
        ([], "No sources configured."), (["ended"], "1 source ended."),
        (["stale", "ended", "ended"], "0 of 1 source up to date, 1 stale, 2 ended."),
    ])
    func sentenceCountsTheSources(states: [String], sentence: String) {
        let digests = states.enumerated().map { index, state in
            let capturedAt: Instant? = state == "loaded" || state == "stale" ? reportTime : nil
            var source = SourceHistory.make(
                capturedAt: capturedAt, failure: state == "stale" || state == "failed" ? timeout : nil)
            if state == "never fetched" { source.lastAttempt = nil }
            if state == "ended" { source.source.until = .back(9) }
            return AppSummaryRow(AppAnalysis.make(source, named: "app\(index)"))
        }
        #expect(SourcesPage(digests, site: site).sentence == sentence)
    }

    /// A class is one word, or it would be two.
    @Test func stateOfASourceHasALabelAndAClass() {
        #expect(
            SourceState.allCases.map(\.className) == ["loaded", "stale", "failed", "never", "ended"])
        #expect(
            SourceState.allCases.map(\.label) == ["Up to date", "Stale", "Failed", "Never fetched", "Ended"])
        #expect(SourceState.allCases.filter(\.isCurrent) == [.loaded, .ended])
        #expect(SourceState(SourceFacts.State.neverFetched).rawValue == "never fetched")
    }

    @Test func sourceStatesWhatItDoesNotProvide() throws {
        let page = AppPages(
            .make(.make(knows: .all.subtracting([.usage, .notes])), .make("new", capturedAt: nil)), site: site
        ).overview
        #expect(page.sources.map(\.cannotKnow) == [["weekly, monthly and new users", "notes"], []])
    }
}
