import AppHealth
import HistoryFixtures
import Statistics
import Testing

@testable import Analysis

/// That no crash at all is counted where many are usual.
struct CrashSilenceTests {
    /// Sixty days of 20,000 sessions, with so many crashed ones by how many days ago.
    private static func health(_ crashed: (Int) -> Int) -> [HealthDay] {
        (0..<60).reversed().map { .make($0, sessions: 20_000, crashed: crashed($0)) }
    }

    private static func index(_ crashed: (Int) -> Int) -> HistoryIndex {
        HistoryIndex(
            .make(.make(knows: [.sessions], health: health(crashed))), asOf: reportTime, targets: .standard)
    }

    private static func near(_ usual: Int, _ back: Int) -> Int { usual + back * 5 % 7 - 3 }

    /// What is usual, how many days were silent, and about how many were to be expected of them.
    @Test(
        arguments: [(40, 1, 40), (40, 3, 120), (25, 1, 25), (15, 1, nil), (6, 21, nil), (40, 0, nil)]
            as [(Int, Int, Int?)])
    func noneWhereManyAreUsualIsSilence(usual: Int, days: Int, expected: Int?) {
        let index = Self.index { $0 < days ? 0 : Self.near(usual, $0) }
        let silences = index.rates.crashSilences(.sessions)
        #expect(silences.count == (expected == nil ? 0 : days))
        #expect(silences[lastDay]?.since == (expected == nil ? nil : .back(days - 1)))
        #expect(expected.map { abs($0 - (silences[lastDay]?.expected ?? 0)) <= 3 * days } ?? true)
    }

    /// Where a day alone could be chance, up to three of them tell.
    @Test func aFewDaysTellTogether() {
        let silences = Self.index { $0 < 5 ? 0 : Self.near(15, $0) }.rates.crashSilences(.sessions)
        #expect(silences.keys.sorted() == [.back(3), .back(2), .back(1), .back(0)])
        #expect(silences[lastDay]?.since == .back(4))
    }

    /// Crashes that come nights later, as earlier days show, are missed by no one.
    @Test func lateCrashesAreNoSilence() {
        var source = SourceHistory.make(
            knows: [.sessions], health: Self.health { $0 == 0 ? 0 : Self.near(40, $0) })
        source.lateCounts = [.sessions: [lastDay: LateCounts(nights: 1, total: 1, crashed: 0)]]
        let index = HistoryIndex(.make(source), asOf: reportTime, targets: .standard)
        #expect(index.rates.crashSilences(.sessions).isEmpty)
    }

    /// What was usual before weeks without any crash is not expected of an app that grows after them.
    @Test func whatWasFixedIsNotExpected() {
        let health = (0..<120).reversed().map { back in
            HealthDay.make(
                back, sessions: back < 3 ? 100_000 : 1_500, crashed: back < 60 ? 0 : Self.near(5, back))
        }
        let index = HistoryIndex(
            .make(.make(knows: [.sessions], health: health)), asOf: reportTime, targets: .standard)
        #expect(index.rates.crashSilences(.sessions).isEmpty)
    }

    /// Days that vary much may have none.
    @Test func daysThatVaryMuchMayHaveNone() {
        let index = Self.index { $0 == 0 ? 0 : $0 % 2 == 0 ? 1 : 55 }
        #expect(index.rates.crashSilences(.sessions).isEmpty)
    }

    /// One crash that is counted ends the doubt, also of days without any after it.
    @Test func aForcedCrashEndsTheDoubt() {
        let index = Self.index { $0 > 6 ? 40 : $0 == 3 ? 1 : 0 }
        #expect(index.rates.crashSilences(.sessions).keys.sorted() == [.back(6), .back(5), .back(4)])
    }

    /// After a drop, a day without any crash is no recovery, no day that met the target, and not quiet.
    @Test(arguments: [(0, false), (40, true)])
    func silenceIsNoRecovery(crashed: Int, isBack: Bool) {
        let health = Self.health { back in
            switch back {
            case ..<4: crashed == 0 ? 0 : Self.near(crashed, back)
            case ..<8: 300
            default: Self.near(40, back)
            }
        }
        let analysis = report(.make(knows: [.sessions], health: health))
        let kinds = Set(analysis.activity.events.map(\.kind))
        #expect(kinds.contains(.stability) && kinds.contains(.recovery) == isBack, "\(kinds)")
        let day = analysis.day(lastDay)
        #expect((day.silence == nil) == isBack)
        #expect(day.verdict == (isBack ? .meets : .unknown))
        #expect(isBack || day.quiet == nil)
        #expect(day.sessions.value?.numerator == (isBack ? Self.near(40, 0) : 0))
    }

    /// A release without any crash is no go where the app had many before it, and is one once a crash was counted.
    @Test(arguments: [(0, ReleaseVerdict.unknown), (1, .go)])
    func aReleaseWithoutAnyCrashIsNoGo(crashed: Int, verdict: ReleaseVerdict) throws {
        let health = (0..<60).reversed().flatMap { back -> [HealthDay] in
            let all = HealthDay.make(
                back, sessions: 20_000, crashed: Self.near(40, back) / (back < 4 ? 2 : 1))
            guard back < 4 else {
                return [all, .make(back, of: "1.0", sessions: 20_000, crashed: Self.near(40, back))]
            }
            return [
                all, .make(back, of: "1.0", sessions: 10_000, crashed: Self.near(40, back) / 2),
                .make(back, of: "2.0", sessions: 10_000, crashed: back == 3 ? crashed : 0),
            ]
        }
        let analysis = report(.make(health: health))
        let release = try #require(analysis.releases["2.0"])
        #expect(release.evaluation.verdict == verdict)
        #expect(release.verdict == (verdict == .go ? .meets : .unknown))
        let silence = release.evaluation.silence
        #expect((silence == nil) == (verdict == .go))
        #expect(silence.map { $0.since == .back(3) && abs($0.expected - 80) < 10 } ?? true)
        let reached = analysis.activity.events.filter { $0.releaseOfVerdict == "2.0" }
        #expect(reached.isEmpty == (verdict != .go))
    }

    /// The status of a release without any crash does not wait for a second day.
    @Test func aSilentReleaseIsUnknownOnItsFirstDay() throws {
        let health = (0..<60).reversed().flatMap { back -> [HealthDay] in
            let usual = Self.near(40, back)
            guard back == 0 else {
                return [
                    .make(back, sessions: 20_000, crashed: usual),
                    .make(back, of: "1.0", sessions: 20_000, crashed: usual),
                ]
            }
            return [
                .make(back, sessions: 40_000, crashed: usual),
                .make(back, of: "1.0", sessions: 20_000, crashed: usual),
                .make(back, of: "2.0", sessions: 20_000, crashed: 0),
            ]
        }
        let release = try #require(report(.make(health: health)).releases["2.0"])
        #expect(release.evaluation.verdict == .notEnoughData(needed: nil))
        #expect(release.evaluation.silence != nil && release.verdict == .unknown)
    }

    /// A week goes by its days with reports: what is usual, how many of the newest days are silent, and what crashed on
    /// others of the newest ten. The week ends three days before the last one.
    @Test(
        arguments: [
            (40, 0, 40, .meets, 7), (40, 6, 40, .meets, 4), (40, 6, 130, .misses, 4),
            (40, 11, 40, .unknown, 0),
            // The first two days did not show it.
            (8, 10, 8, .unknown, 0),
        ] as [(Int, Int, Int, Verdict, Int)])
    func silentDaysAreNoGoodDays(usual: Int, silent: Int, late: Int, verdict: Verdict, counted: Int) throws {
        let health = Self.health { $0 < silent ? 0 : Self.near($0 < 10 ? late : usual, $0) }
        let analysis = report(.make(knows: [.sessions], health: health))
        let week = try #require(analysis.weeks.first)
        #expect(week.verdict == verdict && week.countedDays == counted && week.silentDays == 7 - counted)
        #expect(week.crashed?.denominator == (counted == 0 ? nil : counted * 20_000))
        #expect(analysis.day(lastDay).budget?.countedDays == 28 - silent)
    }

    /// Crashes of a release before or after the days that are judged say that its reports arrive.
    @Test(arguments: [0, 3]) func oneCrashOfAReleaseEndsItsSilence(early: Int) throws {
        let health = (0..<60).reversed().flatMap { back -> [HealthDay] in
            let usual = Self.near(40, back)
            let new: [HealthDay] =
                switch back {
                case 0: [.make(back, of: "2.0", sessions: 20_000, crashed: 0)]
                case 9: [.make(back, of: "2.0", sessions: 30, crashed: early)]
                default: []
                }
            return [
                .make(back, sessions: back == 0 ? 40_000 : 20_000, crashed: usual),
                .make(back, of: "1.0", sessions: 20_000, crashed: usual),
            ] + new
        }
        let release = try #require(report(.make(health: health)).releases["2.0"])
        #expect((release.evaluation.silence == nil) == (early > 0))
        #expect((release.verdict == .unknown) == (early == 0))
    }

    /// Four weeks without reports have no budget.
    @Test func silentWeeksHaveNoBudget() {
        let health = Self.health { $0 < 28 ? 0 : Self.near(40, $0) }
        #expect(report(.make(knows: [.sessions], health: health)).day(lastDay).budget == nil)
    }

    /// A release of which more crashed than there were is known, the newest, and never a go.
    @Test func aReleaseWhoseCrashesAreUnknownIsTheNewest() throws {
        let health = (0..<60).reversed().flatMap { back -> [HealthDay] in
            [
                .make(back, sessions: 10_000, crashed: 40),
                .make(back, of: "1.0", sessions: 9_700, crashed: 39),
            ] + (back < 4 ? [.make(back, of: "2.0", sessions: 300)] : [])
        }
        let releases = report(.make(health: health)).releases
        let release = try #require(releases.latest)
        #expect(release.label == "2.0")
        #expect(release.evaluation.verdict == .unknown && release.evaluation.grounds == .noCrashCounts)
        #expect(release.adoption.value?.numerator == 300)
    }
}

private func report(_ source: SourceHistory) -> AppAnalysis {
    AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
}
