import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// A version came out with its first build, and one that is announced has not come out.
struct ReleaseDayTests {
    /// 2.0 that is in use on the first day of data, and 2.1 since ten days, in which three of a hundred sessions crash.
    private func report(_ releases: [Release], uses: [HealthDay] = []) -> AppAnalysis {
        let health = (0..<30).reversed().flatMap { back -> [HealthDay] in
            let new = back < 10 ? 4000 : 0
            return [
                .make(back, sessions: 20_000, crashed: 40 + new * 3 / 100),
                .make(back, of: "2.0", sessions: 20_000 - new, crashed: 40),
            ] + (new > 0 ? [.make(back, of: "2.1", sessions: new, crashed: new * 3 / 100)] : [])
        }
        return AppAnalysis(
            .make(.make(health: health + uses, releases: releases)), targets: .standard, asOf: reportTime)
    }

    private func release(_ label: String, _ build: String, back: Int?) -> Release {
        Release(version: Version(label, build: build), releasedAt: back.map { .noon(back: $0) })
    }

    /// The builds of 2.0 with their days before the last one, and the day of the version.
    @Test(
        arguments: [
            ([("300", 80)], 80), ([("305", 0), ("300", 80)], 80), ([("300", 80), ("305", 0)], 80),
            ([("310", 0), ("305", 3), ("300", 80)], 80), ([("305", nil), ("300", 80)], 80),
        ] as [([(String, Int?)], Int)])
    func aRebuildIsNoNewRelease(builds: [(String, Int?)], day: Int) throws {
        let report = report(
            [release("2.1", "310", back: 9)] + builds.map { release("2.0", $0.0, back: $0.1) })
        let old = try #require(report.releases["2.0"])
        #expect(old.release.releaseDay == .back(day) && old.cameOut == .back(day))
        #expect(old.evaluation.basis?.life.start == .beforeFigures)
        #expect(report.releases.all.map(\.label) == ["2.1", "2.0"] && report.releases.latest?.label == "2.1")
        #expect(report.releases.latest?.evaluation.verdict != .go)
    }

    /// How many days after the report 2.2 is announced for, its sessions of the last day, and the latest release.
    @Test(
        arguments: [(34, 0, "2.1"), (2, 0, "2.1"), (1, 0, "2.2"), (34, 500, "2.2"), (nil, 0, "2.2")]
            as [(Int?, Int, String)])
    func aReleaseToComeIsNotTheLatest(ahead: Int?, sessions: Int, latest: String) throws {
        let uses = sessions > 0 ? [HealthDay.make(of: "2.2", sessions: sessions, crashed: 0)] : []
        let report = report(
            [
                release("2.2", "320", back: ahead.map { -$0 }), release("2.1", "310", back: 9),
                release("2.0", "300", back: 80),
            ], uses: uses)
        #expect(report.releases.latest?.label == latest)
        #expect(report.releases["2.2"]?.release.releaseDay == (ahead == 1 ? .back(-1) : nil))
        #expect(report.releases["2.1"]?.release.releaseDay == .back(9))
    }

    /// 2.1 is withdrawn: its share of 0% is of a day that was captured later than its last row.
    @Test func aShareWithoutARowIsAsNewAsItsDay() throws {
        let health = (0..<30).reversed().flatMap { back -> [HealthDay] in
            let new = (5..<10).contains(back) ? 4000 : 0
            return [
                .make(back, sessions: 20_000, crashed: 40),
                .make(back, of: "2.0", sessions: 20_000 - new, crashed: 40),
            ] + (new > 0 ? [.make(back, of: "2.1", sessions: new, crashed: 3)] : [])
        }
        var source = SourceHistory.make(
            health: health, releases: [release("2.1", "310", back: 9), release("2.0", "300", back: 80)])
        source.captures = FactCaptures()
        for day in health {
            source.captures.add(
                Instant(startOf: day.date.advanced(by: 1)).advanced(bySeconds: 18_000), day: day.date,
                release: day.version)
        }
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let withdrawn = try #require(report.releases["2.1"])
        #expect(withdrawn.adoption.value?.value == 0 && withdrawn.adoptionDay == lastDay)
        #expect(withdrawn.capturedAt == Instant(startOf: .back(-1)).advanced(bySeconds: 18_000))
    }
}
