import AppHealth
import HistoryFixtures
import Statistics
import Testing

@testable import Analysis

/// What is found of many releases without a pass through all of them is what such a pass finds.
struct ManyReleasesTests {
    /// Lives in the order of their first days, several of which begin on one day.
    private func lives(seed: UInt64) -> [ReleaseHistory] {
        var dice = Numbers(state: seed)
        var day = CivilDate.back(400)
        return (0..<60).map { place in
            day = day.advanced(by: dice.below(3))
            let start: [ReleaseHistory.Start] =
                place < 2 ? [.beforeFigures] : [.known, .known, .known, .belowShare(missing: 7)]
            let isBad = dice.below(3) == 0
            let days = (0...dice.below(12)).map { _ -> DayCount? in
                let total = dice.below(3_000)
                return dice.below(5) == 0
                    ? nil : DayCount(total: total, crashed: total / (isBad ? 20 : 400))
            }
            return ReleaseHistory(
                label: "1.\(place)", basis: .sessions, firstDay: day, start: start[dice.below(start.count)],
                days: days,
                gaps: [])
        }
    }

    private func reason(
        _ earlier: ReleaseHistory, _ life: ReleaseHistory, _ critical: Double, _ worseFrom: CivilDate?
    ) -> UnmatchedRelease.Reason? {
        switch earlier.start {
        case .beforeFigures: return .beforeFigures
        case .sameVersion: return .sameVersion
        case .belowShare: return .belowShare
        case .known: break
        }
        let age = earlier.firstDay.days(to: life.firstDay) - 1
        let total = earlier.total(through: age)
        guard
            let crashed = AlwaysValidInterval(
                events: total.crashed, of: total.total,
                dispersion: earlier.dispersion(through: age, noise: nil))
        else {
            return .uncounted
        }
        if crashed.isAbove(1 - critical) { return .critical }
        let isHalted = worseFrom.map { $0 < life.firstDay && $0 >= life.firstDay.advanced(by: -14) }
        return isHalted == true ? .worse : nil
    }

    @Test(arguments: 0..<20 as Range<UInt64>, [0, 0.98, 1])
    func earlierReleasesAreThoseOfAPassThroughAll(seed: UInt64, critical: Double) {
        let lives = lives(seed: seed)
        let releases = EarlierReleases(lives) { _ in critical }
        for life in lives {
            let earlier = lives.reversed().filter { $0.firstDay < life.firstDay }
            let all = earlier.map { one in
                let worseFrom = releases.comparisons(of: one).worseFrom(before: life.firstDay)
                return (one, reason(one, life, critical, worseFrom))
            }
            let (chosen, halted) = releases.measures(for: life)
            #expect(chosen == all.filter { $0.1 == nil }.prefix(3).map(\.0), "\(life.label)")
            let last = chosen.count < 3 ? nil : chosen.last?.label
            let passed = all.prefix { $0.0.label != last }.filter { $0.1 == .worse }.map(\.0.label)
            #expect(halted.map(\.label) == passed, "\(life.label)")
            let others = all.prefix(3).compactMap { one, reason in
                reason.map { UnmatchedRelease(label: one.label, reason: $0) }
            }
            #expect(releases.unmatched(with: life) == others, "\(life.label)")
            #expect(releases[life.label] == life)
        }
        #expect(releases["2"] == nil)
    }

    /// Whether a release was surely below the critical level is known of it as of its own verdict: where the days of the app
    /// vary, by more counts.
    @Test(arguments: [(0, [.critical]), (1, []), (5, [])] as [(Double, [UnmatchedRelease.Reason])])
    func belowTheCriticalLevelIsWhatItsVerdictSays(excess: Double, reasons: [UnmatchedRelease.Reason]) {
        let day = DayCount(total: 40_000, crashed: 852)
        let lives = ["1", "2"].enumerated().map { place, label in
            ReleaseHistory(
                label: label, basis: .sessions, firstDay: .back(20 - 10 * place), start: .known,
                days: Array(repeating: day, count: 7), gaps: [])
        }
        let releases = EarlierReleases(lives, critical: { _ in 0.98 }, noise: { _ in excess / 40_000 })
        #expect(releases.unmatched(with: lives[1]).map(\.reason) == reasons)
        #expect(releases.measures(for: lives[1]).chosen.map(\.label) == (reasons.isEmpty ? ["1"] : []))
    }

    /// Issues, notes, pairs and shares of each of many releases.
    @Test func factsOfAReleaseAreThoseOfAPassThroughAll() throws {
        let labels = (0..<12).map { "1.\($0)" }
        let health = labels.indices.flatMap { place -> [HealthDay] in
            let back = 3 * (labels.count - 1 - place)
            return (back...(back + 2)).flatMap { day in
                [
                    HealthDay.make(day, of: labels[place], sessions: 900, crashed: 9),
                    HealthDay.make(day, sessions: 1_000, crashed: 9),
                ]
            }
        }
        let analysis = AppAnalysis(
            .make(
                .make(
                    health: health,
                    releases: labels.reversed().map { Release(version: Version($0), releasedAt: nil) },
                    issues: (0..<40).map {
                        Issue(id: "\($0)", title: "Knot \($0)", firstVersion: Version(labels[$0 % 11]))
                    },
                    issueDays: (0..<40).flatMap { issue in
                        [issue % 12, (issue * 5 + 1) % 12].map { place in
                            IssueDay.make(
                                "\(issue)", 3 * (11 - place), of: labels[place], events: 1 + issue % 7)
                        }
                    },
                    notes: labels.flatMap { label in
                        ["a", "b"].map {
                            Note(
                                id: "\(label) \($0)", at: .noon(back: 40), author: "Ana", text: $0,
                                subject: .release(label))
                        }
                    })), targets: .standard, asOf: reportTime)
        #expect(analysis.releases.all.count == 12)
        for release in analysis.releases.all {
            let label = release.label
            let expected = analysis.issues.all.filter { facts in
                facts.issue.firstVersion?.label == label
                    || facts.releaseDays.contains { $0.version == label }
            }
            #expect(release.issues.map(\.id) == expected.map(\.issue.id))
            #expect(
                release.newIssues.map(\.id).sorted()
                    == expected.filter { $0.issue.firstVersion?.label == label }.map(\.issue.id).sorted())
            #expect(Set(release.notes.map(\.subject)) == [.release(label)] && release.notes.count == 2)
            #expect(release.sessions == 2_700)
        }
        #expect(analysis.releases.all.first?.adoption.value?.value == 0.9)
    }
}

/// Numbers from a seed that are the same on every run.
private struct Numbers {
    var state: UInt64

    mutating func below(_ end: Int) -> Int {
        state = (state ^ 0x5DEE_CE66D) &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(end))
    }
}
