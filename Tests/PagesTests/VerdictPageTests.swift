import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

/// Verdicts as pages show them.
struct VerdictPageTests {
    private static let hostile = "../<script>\u{202E}"

    /// Weeks of 0.9, fourteen days of 1.0, then three of a release that crashes on one session in ten.
    private static func source(_ label: String = "1.1") -> SourceHistory {
        var health: [HealthDay] = .quietPast(
            before: 17, sessions: 10_000, crashed: 20, users: 5000, crashedUsers: 10)
        health += (17...60).map { .make($0, of: "0.9", sessions: 10_000, crashed: 20) }
        for back in 0...17 {
            let crashed = back < 3 ? 20 + (3 - back) * 100 : 20
            health.append(
                .make(back, sessions: 10_000, crashed: crashed, users: 5000, crashedUsers: crashed / 2))
            if back < 17 {
                health.append(.make(back, of: "1.0", sessions: back < 3 ? 7000 : 10_000, crashed: 15))
            }
            if back < 3 { health.append(.make(back, of: label, sessions: 3000, crashed: crashed - 20)) }
        }
        return .make(
            health: health,
            releases: [label, "1.0"].map { Release(version: Version($0), releasedAt: .noon(back: 2)) },
            issues: [
                Issue(id: "a", title: "Boom", firstVersion: Version(label)),
                Issue(id: "b", title: "Again", fixedIn: Version("0.9")),
            ],
            issueDays: [
                .make("a", of: label, events: 200, users: 90), .make("a", events: 200, users: 90),
                .make("b", of: "1.0", events: 3, users: 3), .make("b", events: 3, users: 3),
            ])
    }

    private static let report = AppAnalysis.make(source())

    /// Whether a list has the verdict of a page, which adds open alerts to its detail.
    private func isSame(_ listed: VerdictView, _ shown: VerdictView) -> Bool {
        listed.look == shown.look && listed.words == shown.words && listed.why == shown.why
            && (shown.detail ?? "").hasPrefix(listed.detail ?? "")
    }

    @Test func releasePageHoldsTheVerdictAndTheAges() throws {
        let page = AppPages(Self.report, site: site).release(try #require(Self.report.releases.all.first))
        #expect(page.rollout.words == "Roll back" && page.rollout.name == "critical")
        #expect(page.ages.map(\.version) == ["1.1", "1.0"] && page.ages.map(\.isOwn) == [true, false])
        #expect(page.ages.map(\.sessions) == ["9,000", "30,000"])
        #expect(page.ages[1].stem == "../1.0/index")
        #expect(
            page.agesSpan
                == "Days 0–2, from Mon, Jan 25, 2016. Same session count: the first 9,000 sessions of each.")
        #expect(
            page.stage == "Adopted"
                && plain(page.stageShare)?.hasPrefix("30.00% of sessions (29.") == true)
        #expect(page.newIssues.map(\.title) == ["Boom"])
        #expect(page.copyBlock.first?.hasPrefix("1.1: Roll back. Crash-free sessions") == true)
        #expect(page.copyBlock.last == "Issues: 1 new, 0 regressed.")
        let row = try #require(AppPages(Self.report, site: site).releases.releases.first)
        #expect(isSame(row.rollout, page.rollout))
        #expect(row.stage == page.stage && row.stageShare == page.stageShare)
    }

    /// What a service has that counts users alone, as Google Play and GA4 do: the same counts, of users.
    @Test func aSourceOfUsersAloneHasTheSameVerdictsOfUserDays() throws {
        var counted = Self.source()
        counted.source.capabilities = [.users, .releaseHealth, .releases, .issues, .issueDays]
        counted.health = counted.health.map { day in
            var day = day
            (day.users, day.crashedUsers) = (day.sessions, day.crashedSessions)
            (day.sessions, day.crashedSessions, day.crashes) = (nil, nil, nil)
            return day
        }
        counted.coverage = CoverageHistory(
            counted.coverage.spans.filter { $0.fact != .sessions && $0.fact != .crashes })
        let report = AppAnalysis.make(counted)
        let (own, other) = (try #require(report.releases["1.1"]), try #require(Self.report.releases["1.1"]))
        #expect(own.evaluation.verdict == other.evaluation.verdict)
        #expect(own.evaluation.basis?.crashFree == other.evaluation.basis?.crashFree)
        #expect(own.evaluation.basis?.comparison == other.evaluation.basis?.comparison)
        #expect(report.releases.held == Self.report.releases.held)
        #expect(
            own.evaluation.why
                == other.evaluation.why.replacing("Crash-free sessions", with: "Crash-free users"))
        let page = AppPages(report, site: site).release(own)
        #expect(page.rollout.detail?.contains("9,000 user-days") == true)
        #expect(page.rollout.detail?.contains("Also worse at the same number of user-days.") == true)
        #expect(page.agesUnit == "User-days" && page.agesCount == "Same number of user-days")
        #expect(
            page.agesSpan?.hasSuffix("Same number of user-days: the first 9,000 user-days of each.") == true)
        let row = try #require(AppPages(report, site: site).releases.releases.first)
        #expect(row.adoption == "30.00%" && isSame(row.rollout, page.rollout))
        // They are no sessions.
        #expect(own.sessions == nil && own.crashed.value == nil && own.isCountedInUsers)
        let (life, sessionsOfLife) = (own.crashedUserDays?.value, other.crashed.value)
        #expect(life != nil && life == sessionsOfLife && own.verdict == other.verdict)
        let shown = AppPages(Self.report, site: site)
        #expect(row.countLabel == "User-days")
        #expect(row.sessions == (try #require(shown.releases.releases.first)).sessions)
        #expect(row.crashFree.label == "Crash-free user-days")
        #expect(page.verdict.why.replacing("user-days", with: "sessions") == shown.release(other).verdict.why)
        #expect(
            page.tiles.map(\.label) == ["Crash-free user-days", "Crash-free users", "User-days", "Users"])
        #expect(
            report.releases.table.rows.first?.suffix(5).prefix(2) == [
                life.map { .count($0.denominator) } ?? .absent, life.map { .count($0.numerator) } ?? .absent,
            ])
        #expect(own.agesTable.rows.map { $0[2] } == [.text("user-days"), .text("user-days")])
        let document = VerdictDocument(own, of: report.releases, report.activity, report.facts)
        #expect(document.basis == .users && document.own?.total == 9000 && document.unit == "user-days")
        // Two releases are compared by user-days, and by the users of one day.
        let pair = try #require(report.releases.pair(endingWith: "1.1"))
        #expect(pair.rates.map(\.span) == PairSpan.all(of: .users))
        #expect(pair.rates.allSatisfy { $0.later.value != nil })
        let sessions = try #require(Self.report.releases.pair(endingWith: "1.1"))
        #expect(pair.lives?.finding == sessions.lives?.finding)
        #expect(pair.rates.prefix(2).map(\.later) == sessions.rates.prefix(2).map(\.later))
        let compared = AppPages(report, site: site).comparison(pair)
        #expect(compared.verdict.words == "Crashes more")
        #expect(compared.verdict.why.contains("crash-free user-days 93.33%"), "\(compared.verdict.why)")
        #expect(compared.ages == nil && compared.mismatches == [])
    }

    @Test func regressedIssuesAreOnTheReleaseTheyCameBackIn() throws {
        let release = try #require(Self.report.releases["1.0"])
        let page = AppPages(Self.report, site: site).release(release)
        #expect(page.regressedIssues.map(\.title) == ["Again"])
        // The numbers of the same issue among the top ones.
        let top = try #require(page.topIssues.first { $0.title == "Again" })
        let back = try #require(page.regressedIssues.first)
        #expect(back.events == "3" && back.events == top.events)
        #expect(back.users == top.users && back.share == top.share)
    }

    /// Why there is no comparison, by what earlier releases were.
    @Test(
        arguments: [
            ([], "No earlier release to compare with."),
            ([("1.0", 60, 7_000, 10)], "No comparison: 1.0 was in use before data began."),
            (
                [("0.9", 60, 3_000, 5), ("1.0", 60, 4_000, 5)],
                "No comparison: 1.0 and 0.9 were in use before data began."
            ),
            (
                [("0.9", 60, 7_000, 10), ("1.0", 30, 50, 0)],
                "No comparison: 0.9 was in use before data began; 1.0 never reached 1% of sessions."
            ),
            (
                [("0.9", 60, 5_000, 10), ("1.0", 30, 2_000, 900)],
                "No comparison: 0.9 was in use before data began; 1.0 was below the critical level."
            ),
        ] as [([(String, Int, Int, Int)], String)])
    func reasonOfNoComparisonIsNamed(earlier: [(String, Int, Int, Int)], reason: String) throws {
        let health = (0...60).flatMap { back -> [HealthDay] in
            let old = earlier.filter { back <= $0.1 }.map {
                HealthDay.make(back, of: $0.0, sessions: $0.2, crashed: $0.3)
            }
            let new = back < 10 ? [HealthDay.make(back, of: "1.1", sessions: 2_900, crashed: 58)] : []
            return [.make(back, sessions: 10_000, crashed: 60)] + old + new
        }
        let releases = ([("1.1", 9, 0, 0)] + earlier.reversed()).map {
            Release(version: Version($0.0), releasedAt: .noon(back: $0.1))
        }
        let report = AppAnalysis.make(.make(health: health, releases: releases))
        let release = try #require(report.releases["1.1"])
        let why = release.evaluation.why
        #expect(why.hasSuffix(" " + reason), "\(why)")
        #expect(AppPages(report, site: site).release(release).agesAbsence == reason)
    }

    @Test func openDropIsExplainedOnBothPages() throws {
        let app = AppPages(Self.report, site: site).overview
        let day = AppPages(Self.report, site: site).day(lastDay)
        let causes = try #require(app.causes)
        #expect(causes.sentence == day.causes?.sentence && causes.sentence.contains("1.1"))
        #expect(causes.releases.first?.version == "1.1")
        #expect(AppPages(Self.report, site: site).day(.back(9)).causes == nil)
        #expect(app.covering == day.covering && app.covering?.hasPrefix("The only") == false)
        #expect(plain(AppPages(Self.report, site: site).issues.covering)?.contains(" of ") == true)
    }

    @Test func shownContributionsAddUp() throws {
        let causes = try #require(AppPages(Self.report, site: site).overview.causes)
        func units(_ text: String) -> Int {
            let digits = Int(text.filter { $0.isNumber }) ?? 0
            return text.hasPrefix("−") ? -digits : digits
        }
        let sum = causes.releases.reduce(0) { $0 + units($1.within) + units($1.shift) }
        #expect(sum == units(causes.total))
    }

    @Test func budgetIsOnTheAppAndInThePortfolio() throws {
        let page = AppPages(Self.report, site: site).overview
        let budget = try #require(page.budget)
        #expect(budget.sentence.contains("user-days") && budget.facts.count == 6)
        let row = try #require(
            PortfolioPage([AppSummaryRow(Self.report)], introduction: nil, site: site).apps.first)
        #expect(row.budget == budget.brief)
        #expect(AppPages(.make(.make()), site: site).overview.budget == nil)
    }

    /// One day, or days without a crash, do not show how days vary.
    @Test(arguments: [([5], "No data"), ([0, 0], "No data"), ([5, 5], "1.0× chance")])
    func varianceOfDaysNeedsDays(crashed: [Int], text: String) throws {
        let health = crashed.enumerated().map { HealthDay.make($0, users: 10_000, crashedUsers: $1) }
        let page = AppPages(AppAnalysis.make(.make(health: health)), site: site).overview
        let facts = try #require(page.budget?.facts)
        #expect(facts.first { $0.name == "Day-to-day variance" }?.value == text)
    }

    @Test func hostileLabelHasASafeAddressAndAnEvent() throws {
        let report = AppAnalysis.make(Self.source(Self.hostile))
        let events = AppPages(report, site: site).activity().days.flatMap(\.entries).compactMap {
            $0.view as? ReleaseVerdictView
        }
        let own = try #require(events.first { $0.version == Self.hostile })
        let stem = try #require(own.stem)
        #expect(!stem.contains("<") && stem.hasPrefix("../releases/script-"))
        let page = AppPages(report, site: site).release(
            try #require(report.releases.all.first { $0.label == Self.hostile }))
        #expect(page.frame.stem == "apps/sketchbook/" + stem.dropFirst(3))
        #expect(report.feed.contains { $0.path.stem == "apps/sketchbook/" + stem.dropFirst(3) })
    }

    @Test func verdictOfTheCommandIsThatOfThePage() throws {
        let release = try #require(Self.report.releases.all.first)
        let document = VerdictDocument(
            release, of: Self.report.releases, Self.report.activity, Self.report.facts)
        #expect(document.why == AppPages(Self.report, site: site).release(release).rollout.why)
        #expect(document.own?.total == 9000 && document.earlier.map(\.release) == ["1.0"])
        #expect(document.isWorse == true && document.age == 2)
        let empty = AppAnalysis.make(.make(knows: [.users]))
        let none = VerdictDocument(nil, of: empty.releases, empty.activity, empty.facts)
        #expect(
            none.verdict == .unknown && none.why == "Releases not available: 'files' doesn't provide them.")
    }
}
