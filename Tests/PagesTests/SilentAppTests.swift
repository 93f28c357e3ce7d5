import Analysis
import AppHealth
import HistoryFixtures
import Testing

@testable import Pages

/// An app of which no crash is reported has a rate, and is named for what is missing.
struct SilentAppTests {
    private func digest(_ name: String, silent: Int) -> AppSummaryRow {
        let health = (0..<60).reversed().map { back in
            HealthDay.make(back, sessions: 20_000, crashed: back < silent ? 0 : 37 + back * 5 % 7)
        }
        return AppSummaryRow(AppAnalysis.make(.make(knows: [.sessions], health: health), named: name))
    }

    @Test func listsNameItForItsCrashes() throws {
        let apps = [digest("Mute", silent: 12), digest("Fine", silent: 0)]
        let named = "1 of 2 apps meets its target. No crashes reported: Mute."
        #expect(StateSentence(apps).text == named)
        let week = try #require(apps.first?.weeks.all.first?.week)
        let list = WeekList(week, apps.map(\.weeks))
        #expect(list.sentence.hasPrefix(named))
    }

    /// 20,000 sessions a day of 1.0, of which 40 crash, and of the last days as many of 2.0, of which none does but so many
    /// of a test before.
    private func silentRelease(days: Int, early: Int) -> AppAnalysis {
        let health = (0..<60).reversed().flatMap { back -> [HealthDay] in
            var new: [HealthDay] = []
            if back < days { new = [.make(back, of: "2.0", sessions: 20_000, crashed: 0)] }
            if back == 9 { new = [.make(back, of: "2.0", sessions: 30, crashed: early)] }
            return [
                .make(back, sessions: back < days ? 40_000 : 20_000, crashed: 40),
                .make(back, of: "1.0", sessions: 20_000, crashed: 40),
            ] + new
        }
        return .make(.make(health: health))
    }

    /// The days of a release without crashes, the crashes before them, what is named, and the verdict before it.
    @Test(
        arguments: [
            (2, 0, "for Jan 26–27, 2016, though about 80", ReleaseVerdict.unknown),
            (2, 3, "for Jan 26–27, 2016, though about 80", .unknown),
            (1, 0, "for Jan 27, 2016, though about 40", .notEnoughData(needed: nil)),
            (1, 3, nil, .notEnoughData(needed: nil)),
        ] as [(Int, Int, String?, ReleaseVerdict)])
    func aSilentReleaseNamesItsDays(days: Int, early: Int, named: String?, verdict: ReleaseVerdict) throws {
        let report = silentRelease(days: days, early: early)
        let release = try #require(report.releases["2.0"])
        #expect(release.evaluation.verdict == verdict)
        let page = AppPages(report, site: site).release(release)
        let document = VerdictDocument(release, of: report.releases, report.activity, report.facts)
        let sentence = named.map { "No crash of 2.0 was reported \($0) crashed sessions are expected." }
        for text in [document.why, page.rollout.why] {
            #expect(text.contains(sentence ?? "Needs a second day of data."), "\(text)")
            #expect(text.contains("No crash of 2.0") == (named != nil), "\(text)")
            #expect(days > 1 || text.contains("Needs a second day of data."), "\(text)")
        }
        #expect(page.verdict.why.contains(sentence ?? "Crash-free") == (named == nil || early == 0))
        let hidden = release.evaluation.why(counts: .hidden)
        #expect(hidden.contains("though some crashed sessions are expected") == (named != nil), "\(hidden)")
    }
}
