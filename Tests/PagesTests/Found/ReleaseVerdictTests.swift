import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Statistics
import Testing

struct ReleaseVerdictTests {
    /// Sessions and crashed sessions of one release from day 0 on.
    typealias Days = [(sessions: Int, crashed: Int)]

    /// An old release that is compared with none, one before, and the one that is judged, which began so many days
    /// before the end; 50,000 sessions a day in all.
    private func evaluation(
        _ new: Days, before old: Days? = nil, targets: Targets = levels, failure: Bool = false,
        provides: Set<Capability> = .all
    ) -> ReleaseEvaluation {
        let all = (old?.count ?? 0) + new.count + 1
        var health = (0..<all).map { HealthDay.make($0, sessions: 50_000, crashed: 100) }
        health.append(.make(all - 1, of: "0.9", sessions: 50_000, crashed: 100))
        for (age, day) in (old ?? []).enumerated() {
            health.append(.make(all - 2 - age, of: "1.0", sessions: day.sessions, crashed: day.crashed))
        }
        for (age, day) in new.enumerated() {
            health.append(.make(new.count - 1 - age, of: "1.1", sessions: day.sessions, crashed: day.crashed))
        }
        let source = SourceHistory.make(
            knows: provides, failure: failure ? timeout : nil, health: health,
            releases: ["1.1", "1.0"].map { Release(version: Version($0), releasedAt: nil) })
        let index = HistoryIndex(.make(source), asOf: reportTime, targets: targets)
        return ReleaseEvaluator(index).evaluation(of: "1.1")
    }

    private static let levels = Targets(target: 0.99, critical: 0.97) ?? .standard
    private static let steady: Days = Array(repeating: (10_000, 40), count: 14)
    /// First days are always the worst ones.
    private static let firstDays: Days = [
        (2000, 60), (4000, 80), (8000, 80), (10_000, 60), (10_000, 40), (10_000, 40),
    ]

    /// The days of the release, those of the one before it, and the verdict.
    @Test(
        arguments: [
            // A good release with few sessions is not yet a go; with more days it is.
            ([(600, 2)], steady, "not enough data"), ([(600, 0)], steady, "not enough data"),
            // One day is never enough for a go.
            ([(20_000, 60)], steady, "not enough data"),
            ([(2000, 8), (6000, 24), (9000, 36)], steady, "go"),
            ([(2000, 8), (6000, 24), (9000, 36)], nil, "go"),
            // Far worse than the one before and below the critical level.
            ([(5000, 300), (8000, 500)], steady, "roll back"),
            // As bad, but without an earlier release to compare with: it cannot be shown to be worse.
            ([(5000, 300), (8000, 500)], nil, "hold"),
            // A little below the target, for long.
            (Array(repeating: (10_000, 115), count: 14), Array(repeating: (10_000, 113), count: 14), "hold"),
            // Above the target, but clearly worse than the one before it.
            (Array(repeating: (10_000, 80), count: 14), Array(repeating: (10_000, 20), count: 14), "hold"),
            // Its first days are bad, as those of the one before were: not worse for its age.
            (firstDays, firstDays + steady, "not enough data"),
            (Array(firstDays.prefix(2)), firstDays + steady, "hold"),
            // The same days are far worse than late days of the one before, which the age match leaves out.
            (firstDays + steady, firstDays + steady, "go"),
            // At the target itself nothing is sure.
            (
                Array(repeating: (10_000, 100), count: 14), steady.map { ($0.sessions, 100) },
                "not enough data"
            ),
            // No crash at all, few sessions.
            ([(10, 0), (10, 0), (10, 0)], steady, "not enough data"),
        ] as [(Days, Days?, String)])
    func tableOfRules(new: Days, old: Days?, verdict: String) {
        let found = evaluation(new, before: old)
        #expect(found.verdict.words == verdict, "\(found.why)")
    }

    @Test(
        arguments: [
            [(0, 0)], [(0, 0), (0, 0)], [], [(10, 11)], [(-5, 0)], [(.max, 0), (.max, 0)],
        ] as [Days])
    func neverGoWithoutCounts(new: Days) {
        for old in [nil, Self.steady] { #expect(evaluation(new, before: old).verdict == .unknown) }
    }

    @Test(arguments: 0..<40)
    func neverGoBelowTheTarget(seed: Int) {
        let days: Days = (0...seed % 9).map { day in
            let sessions = 100 + (seed * 7919 + day * 104_729) % 20_000
            return (sessions, sessions / 60 + 1)
        }
        #expect(evaluation(days, before: Self.steady).verdict != .go)
    }

    @Test func failedFetchIsNeverGo() {
        let found = evaluation([(2000, 8), (6000, 24), (9000, 36)], before: Self.steady, failure: true)
        #expect(found.verdict == .unknown)
        #expect(found.why.hasPrefix("Latest fetch failed (No answer within 30 seconds)"))
        // What is bad stays bad.
        #expect(
            evaluation([(5000, 300), (8000, 500)], before: Self.steady, failure: true).verdict == .rollBack)
    }

    @Test func sourceWithoutReleaseHealthSaysWhy() {
        let found = evaluation(Self.steady, provides: [.users, .sessions, .releases])
        // The fixture's rows are there all the same; only their absence is unknown.
        #expect(found.verdict != .unknown || !found.why.isEmpty)
        let empty = HistoryIndex(
            .make(.make("bugsnag", knows: [.users, .sessions, .releases])), asOf: reportTime)
        let unknown = ReleaseEvaluator(empty).evaluation(of: "1.1")
        #expect(unknown.verdict == .unknown)
        #expect(unknown.why == "'bugsnag' doesn't report daily sessions by release.")
        #expect(
            ReleaseEvaluator(HistoryIndex(.make(), asOf: reportTime)).evaluation(of: "1").why
                == "No sources configured.")
    }

    /// Sources by name, with what they provide and whether they ever responded; what is said of a release.
    @Test(
        arguments: [
            ([], "No sources configured."),
            (
                [("sentry", [.users, .sessions], false)],
                "No source of crash-free rates has been fetched yet."
            ),
            (
                [("glitchtip", [.issues], true), ("sentry", [.sessions], false)],
                "No source of crash-free rates has been fetched yet."
            ),
            (
                [("glitchtip", [.issues, .releases], true)],
                "Crash-free rates not available: 'glitchtip' doesn't provide them."
            ),
            (
                [("glitchtip", [.issues], true), ("bugsink", [.issues], true), ("files", [.notes], false)],
                "Crash-free rates not available: 'glitchtip', 'bugsink' don't provide them."
            ),
        ] as [([(String, Set<Capability>, Bool)], String)])
    func aReleaseWithoutRatesSaysWhy(sources: [(String, Set<Capability>, Bool)], expected: String) {
        var history = AppHistory.make()
        history.sources = sources.map { .make($0.0, knows: $0.1, capturedAt: $0.2 ? reportTime : nil) }
        let evaluator = ReleaseEvaluator(HistoryIndex(history, asOf: reportTime))
        #expect(evaluator.evaluation(of: "1.1").why == expected)
    }

    @Test func needIsAboutRight() throws {
        let found = evaluation([(1000, 4), (1000, 4)], before: Self.steady)
        guard case .notEnoughData(let needed?) = found.verdict else {
            Testing.Issue.record("\(found.why)")
            return
        }
        #expect(needed > 100 && needed < 10_000)
        #expect(found.why.contains("more sessions needed."))
        let days: Days = [(1000, 4), (1000, 4), (needed * 2, needed * 8 / 1000)]
        #expect(evaluation(days, before: Self.steady).verdict == .go)
    }

    @Test func releaseOfLessThanOnePercentIsNoGo() throws {
        let found = evaluation(Array(repeating: (499, 0), count: 20), before: Self.steady)
        #expect(found.verdict == .notEnoughData(needed: 1), "\(found.why)")
        // A bad one is held before it reaches more.
        #expect(evaluation(Array(repeating: (499, 25), count: 20), before: Self.steady).verdict == .hold)
    }

    @Test func badReleaseIsNoMeasureForTheNext() throws {
        let bad: Days = Array(repeating: (10_000, 600), count: 5)
        let found = evaluation([(5000, 300), (8000, 500)], before: bad)
        #expect(found.basis?.comparison == nil)
        #expect(found.verdict == .hold)
    }

    @Test func sentenceHoldsTheNumbers() {
        let found = evaluation([(5000, 300), (8000, 500)], before: Self.steady)
        #expect(
            found.why.replacing("\u{A0}", with: " ")
                == "Crash-free sessions 93.85% (92.97–94.65) over days 0–1, below the 97% critical level and 5.75 pp worse than 1.0 at the same age."
        )
        #expect(
            found.detail(counts: .shown)?.replacing("\u{A0}", with: " ")
                == "13,000 sessions; earlier releases 99.60% (99.50–99.68); difference −5.75 pp (−6.19 to −5.34). Also worse at the same session count. The release's interval is always-valid; the others are 95% at a single check."
        )
    }

    /// Two bad days and some later ones, in crashed sessions of 40,000 a day; the verdict, and what texts say of the claim.
    @Test(
        arguments: [
            // Better than others since: no longer worse, and no Hold.
            (
                20, "go", "at or above the 99% target and better than 1.0 at the same age on days 1–",
                " Worse on day 0, until days 1–", nil
            ),
            // As bad as others: in all its days it is worse.
            (
                80, "hold", "worse than 1.0 at the same age; target 99%.",
                " Also worse at the same session count.", nil
            ),
            // Without a crash nothing is shown, as reports may have stopped: it stays worse, though all its days together are not.
            (
                0, "hold", ", worse than 1.0 at the same age on day 0; target 99%.",
                " Shown to be worse on day 0, it stays so until later days show that it is better.",
                "Also worse"
            ),
        ] as [(Int, String, String, String, String?)])
    func aClaimIsTakenBackByLaterDays(
        crashed: Int, verdict: String, why: String, detail: String, never: String?
    ) throws {
        let later: Days = Array(repeating: (40_000, crashed), count: 30)
        let old: Days = Array(repeating: (40_000, 80), count: 40)
        let found = evaluation([(2000, 120), (2000, 120)] + later, before: old)
        let text = try #require(found.detail(counts: .shown))
        #expect(found.verdict.words == verdict, "\(found.why)")
        #expect(found.why.contains(why), "\(found.why)")
        #expect(text.contains(detail), "\(text)")
        if let never { #expect(!text.contains(never), "\(text)") }
    }

    /// The counts of a sample are shown as they are, with what part of the data it is.
    @Test(arguments: [Audience.Display.shown, .hidden])
    func verdictNamesTheSample(counts: Audience.Display) throws {
        let health = (0..<40).flatMap { back in
            let (all, crashed) = (100 * (500 + back), 100 * (3 + back % 4))
            return [
                HealthDay.make(back, sessions: all, crashed: crashed),
                .make(back, of: back < 6 ? "1.1" : "1.0", sessions: all, crashed: crashed),
            ]
        }
        let index = HistoryIndex(.make(.make(health: health)), asOf: reportTime, targets: Self.levels)
        let detail = try #require(ReleaseEvaluator(index).evaluation(of: "1.1").detail(counts: counts))
        #expect(
            detail.hasPrefix(
                counts == .shown
                    ? "301,500 sessions; about 1% of the data, multiplied"
                    : "About 1% of the data, multiplied"), "\(detail)")
    }

    /// The interval of the difference is of a single check: where it is below 0 and nothing is shown at every check, the text
    /// says why.
    @Test(arguments: [(62, true), (40, false)])
    func aDifferenceThatShowsNothingIsExplained(crashed: Int, isExplained: Bool) throws {
        let found = evaluation([(10_000, crashed)], before: Self.steady)
        let comparison = try #require(found.basis?.comparison)
        let difference = try #require(comparison.difference)
        #expect(!comparison.isWorse && (difference.upper < 0) == isExplained)
        #expect(found.why.contains("not significantly worse than 1.0"))
        let detail = try #require(found.detail(counts: .shown))
        #expect(detail.contains("Timing or early adopters can explain this difference.") == isExplained)
        #expect(
            detail.hasSuffix("The release's interval is always-valid; the others are 95% at a single check."))
        // Without earlier releases the only interval is that of the rate.
        #expect(evaluation(Self.steady).detail(counts: .hidden) == "Always-valid interval.")
    }

    /// All releases crash four times as much since the new one came.
    @Test func whatTheSameDaysDecideIsSaid() throws {
        var health = (0..<40).map { HealthDay.make($0, sessions: 50_000, crashed: 400) }
        health.append(.make(39, of: "0.9", sessions: 50_000, crashed: 100))
        health += (0..<39).map { .make($0, of: "1.0", sessions: 10_000, crashed: $0 < 10 ? 160 : 40) }
        health += (0..<10).map { .make($0, of: "1.1", sessions: 10_000, crashed: 160) }
        let index = HistoryIndex(
            .make(.make(health: health)), asOf: reportTime,
            targets: Targets(target: 0.97, critical: 0.95) ?? .standard)
        let found = ReleaseEvaluator(index).evaluation(of: "1.1")
        #expect(found.verdict == .go, "\(found.why)")
        #expect(
            found.why.hasSuffix(
                " and worse than 1.0 at the same age, but not significantly on the same days."),
            "\(found.why)")
        let detail = try #require(found.detail(counts: .shown))
        #expect(detail.contains(" On the same days it had 98.4"), "\(detail)")
        #expect(detail.contains(", 1.0 98.4"), "\(detail)")
        #expect(detail.contains(": what moves all releases can explain the difference. "), "\(detail)")
    }

    @Test func eventsAreTheFirstDayOfEachVerdict() {
        let days: Days = [(1000, 2), (10_000, 20), (10_000, 20), (10_000, 900), (10_000, 900), (10_000, 900)]
        var health = (0..<40).map { HealthDay.make($0, sessions: 50_000, crashed: 100) }
        health.append(.make(39, of: "0.9", sessions: 50_000, crashed: 100))
        health += (0..<20).map { .make(20 + $0, of: "1.0", sessions: 10_000, crashed: 20) }
        health += days.enumerated().map {
            .make(9 - $0, of: "1.1", sessions: $1.sessions, crashed: $1.crashed)
        }
        let source = SourceHistory.make(health: health)
        let events = found(by: ReleaseVerdictRule(), in: source).filter { $0.sentence.contains("1.1") }
        #expect(
            events.map {
                "\($0.back) " + ($0.sentence.split(separator: ".")[1].split(separator: ": ").last ?? "")
            } == ["8 Go", "6 Hold"])
        #expect(events.map(\.occasion.id).count == Set(events.map(\.occasion.id)).count)
        // The same ids whatever is reported of later days.
        let early = found(by: ReleaseVerdictRule(), in: source, asOf: Instant(startOf: .back(4)))
            .filter { $0.sentence.contains("1.1") }
        #expect(early.map(\.occasion.id) == events.filter { $0.back >= 5 }.map(\.occasion.id))
    }
}
