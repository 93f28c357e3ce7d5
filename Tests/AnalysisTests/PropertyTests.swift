import AppHealth
import HistoryFixtures
import Statistics
import Testing

@testable import Analysis

/// What must hold of alerts and causes whatever the figures: the order in which a source lists things changes
/// nothing, and shares keep to their sums.
struct PropertyTests {
    /// A source with a drop, a new release that crashes more, and issues of which some rise.
    private func source(_ random: inout some RandomNumberGenerator) -> SourceHistory {
        let labels = ["1.0", "1.1", "2.0"]
        var health: [HealthDay] = []
        for back in 0...80 {
            var (all, crashed) = (0, 0)
            for (place, label) in labels.enumerated() where place < 2 || back < 6 {
                let sessions = Int.random(in: 3_000...4_000, using: &random)
                let isBad = place == 2 && back < 3
                let count = sessions / (isBad ? 10 : 100) + Int.random(in: 0...5, using: &random)
                health.append(.make(back, of: label, sessions: sessions, crashed: count))
                (all, crashed) = (all + sessions, crashed + count)
            }
            health.append(.make(back, sessions: all, crashed: crashed, users: all, crashedUsers: crashed))
        }
        let ids = (0..<9).map { "issue-\($0)" }
        let days = ids.enumerated().flatMap { place, id in
            (0...80).flatMap { back -> [IssueDay] in
                let count =
                    Int.random(in: 1...(40 / (place + 1)), using: &random)
                    + (place == 4 && back < 2 ? 400 : 0)
                return [
                    .make(id, back, events: count, users: count),
                    .make(id, back, of: labels[back < 6 ? 2 : 1], events: count, users: count),
                ]
            }
        }
        return .make(
            health: health,
            usage: (0...80).map { UsageDay(date: .back($0), activeUsers: $0 == 9 ? 4_000 : 9_000) },
            issues: ids.map { Issue(id: $0, title: $0, firstSeen: .noon(back: $0 == ids[8] ? 1 : 80)) },
            issueDays: days)
    }

    private func index(_ source: SourceHistory) -> HistoryIndex {
        HistoryIndex(.make(source), asOf: reportTime)
    }

    private func shuffled(_ source: SourceHistory, _ random: inout TestNumbers) -> SourceHistory {
        var source = source
        source.health.shuffle(using: &random)
        source.usage.shuffle(using: &random)
        source.issues.shuffle(using: &random)
        source.issueDays.shuffle(using: &random)
        return source
    }

    @Test(arguments: Array(1...6))
    func orderOfFiguresChangesNothing(seed: UInt64) throws {
        var random = TestNumbers(state: seed)
        let plain = source(&random)
        let (one, other) = (index(plain), index(shuffled(plain, &random)))
        let (reported, again) = (events(in: one), events(in: other))
        #expect(reported == again)
        #expect(
            Set(reported.map(\.kind)).isSuperset(of: [.stability, .velocity, .usage, .newIssue, .topIssues]))
        #expect(IssueTrends(one).byIssue == IssueTrends(other).byIssue)
        let causes = try #require(one.openDrop(on: lastDay, events: reported))
        #expect(causes == other.openDrop(on: lastDay, events: again))
        #expect(
            TopCrashIssues(one, on: lastDay...lastDay) == TopCrashIssues(other, on: lastDay...lastDay))
    }

    @Test(arguments: Array(1...12))
    func causesAddUpToTheDrop(seed: UInt64) throws {
        var random = TestNumbers(state: seed)
        let found = index(source(&random))
        let reported = events(in: found)
        let causes = try #require(found.openDrop(on: lastDay, events: reported))
        let sum = causes.parts.reduce(0) { $0 + $1.contribution.total }
        #expect(abs(sum - causes.rise) < 1e-12)
        let shown = causes.shownPoints.reduce(0) { $0 + $1.shift + $1.within }
        #expect(abs(shown - (causes.shownBefore - causes.shownAfter)) < 1e-9)
        let steps = causes.steps.map(\.shown)
        #expect(abs(causes.shownPoints.reduce(0) { $0 + $1.shift } - steps[1]) < 1e-9)
        #expect(abs(causes.shownPoints.dropFirst().reduce(0) { $0 + $1.within } - steps[2]) < 1e-9)
        for (rate, end) in [(causes.shownBefore, causes.ends.before), (causes.shownAfter, causes.ends.after)]
        {
            #expect(abs(rate - end.complement.value * 100) < 0.0051)
        }
        #expect(abs(causes.parts.reduce(0) { $0 + $1.shareAfter } - 1) < 1e-12)
        #expect(abs(causes.parts.reduce(0) { $0 + $1.shareBefore } - 1) < 1e-12)
        #expect(abs(causes.issues.reduce(0) { $0 + $1.share } - 1) < 1e-9)
        // The release that crashes ten times as often is named for it: it was there on the days before.
        #expect(causes.parts.first?.label == "2.0")
        #expect((causes.steps.first?.shown ?? 0) > 0)
        #expect(causes.before.count == DropBreakdown.comparedDays)
    }

    @Test(arguments: Array(1...20))
    func ranksAreAPermutationAndMovesMirror(seed: UInt64) {
        var random = TestNumbers(state: seed)
        let ids = (0..<15).map { "i\($0)" }
        func counts() -> [String: Int] {
            Dictionary(uniqueKeysWithValues: ids.map { ($0, Int.random(in: 0...300, using: &random)) })
        }
        let (now, before) = (counts(), counts())
        let moves = RankMoves(now: now, before: before, least: 5)
        #expect(Set(moves.now.values) == Set(1...15) && Set(moves.before.values) == Set(1...15))
        for id in ids {
            if let move = moves.move(of: id) { #expect(moves.before[id] == (moves.now[id] ?? 0) + move) }
        }
        // More of the same counts bears out every change that fewer did.
        let doubled = RankMoves(now: now.mapValues { $0 * 2 }, before: before.mapValues { $0 * 2 }, least: 5)
        for id in ids where moves.move(of: id) != nil { #expect(doubled.move(of: id) == moves.move(of: id)) }
    }
}

/// Numbers that are the same on every run: SplitMix64.
struct TestNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
