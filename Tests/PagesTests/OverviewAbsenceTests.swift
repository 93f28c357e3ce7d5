import Analysis
import AppHealth
import Charts
import HistoryFixtures
import Pages
import Testing

/// What an overview has in the place of a chart that no source has figures for.
struct OverviewAbsenceTests {
    /// What the source knows, the crashes of its last day, and why there is no chart; nil when there is one.
    @Test(
        arguments: [
            (.all, nil, nil), (.all, 20, nil),
            // Crashes by day are there for a rate.
            ([.issues], 20, nil),
            // Of a part of all issues no total follows, and an empty chart of rates would say nothing.
            ([.issues, .issueDays], nil, "Sessions not available: 'files' doesn't provide them."),
            ([], nil, "Sessions not available: 'files' doesn't provide them."),
        ] as [(Set<Capability>, Int?, String?)])
    func chartIsThereWhereASourceHasFigures(knows: Set<Capability>, crashes: Int?, absence: String?) {
        let health = crashes.map { count in
            HealthDay(
                date: .back(0), users: knows == .all ? 1_000 : nil,
                crashedUsers: knows == .all ? 5 : nil, crashes: count)
        }
        let analysis = AppAnalysis.make(.make(knows: knows, health: [health].compactMap(\.self)))
        let page = AppPages(analysis, site: site).overview
        #expect((page.stability == nil) == (absence != nil))
        #expect(plain(page.stabilityAbsence) == absence)
        #expect(page.charts.isEmpty == (absence != nil && page.usage == nil))
        let budget = "Error budget not available: no source provides crashed sessions or affected users."
        #expect((page.budgetAbsence == budget) == (knows != .all))
    }

    /// Sessions are use too, where no source counts active users.
    @Test(
        arguments: [
            (.all, "Active users, 90 days", "none"), ([.sessions], "Sessions, 90 days", "notes"),
            ([.issues], nil, "notes"),
        ] as [(Set<Capability>, String?, String)])
    func useIsShownByWhatIsCounted(knows: Set<Capability>, title: String?, last: String) throws {
        let source = SourceHistory.make(
            knows: knows, health: [.make(0, sessions: 900, crashed: 1)],
            usage: knows == .all ? [UsageDay(date: lastDay, activeUsers: 500)] : [])
        let page = AppPages(AppAnalysis.make(source), site: site).overview
        #expect(page.usage?.chart.title == title)
        let row = try #require(page.sources.first)
        #expect(row.notProvided.hasSuffix(last) && !row.notProvided.contains(";"))
    }

    /// Users of the rates are in a tile and in the chart; without any the chart has sessions, which are not compared.
    @Test(arguments: [(400, "Active users, 90 days"), (nil, "Sessions, 90 days")])
    func useIsThatOfTheTile(users: Int?, title: String) {
        let health = [
            HealthDay(date: lastDay, sessions: 900, crashedSessions: 1, users: users, crashedUsers: 1)
        ]
        let analysis = AppAnalysis.make(.make(knows: [.sessions, .users], health: health))
        let page = AppPages(analysis, site: site).overview
        #expect(page.usage?.chart.title == title)
        #expect(page.mismatches(analysis.facts, []).isEmpty)
    }

    /// What of the day is missing is what has no number.
    @Test(
        arguments: [
            (nil, nil, "No rate: no sessions reported for Wed, Jan 27, 2016."),
            (
                20_450, nil,
                "No rate: crashed sessions of Wed, Jan 27, 2016 not reported, or reported as more than all sessions."
            ),
            (0, nil, "No rate: no sessions on Wed, Jan 27, 2016."),
        ] as [(Int?, Int?, String)])
    func missingCountIsNamed(sessions: Int?, crashed: Int?, why: String) {
        var day = HealthDay.make(0, sessions: sessions, crashed: crashed)
        day.crashes = 31
        let past = HealthDay.make(8, sessions: 20_000, crashed: 12)
        let analysis = AppAnalysis.make(.make(knows: [.sessions], health: [past, day]))
        #expect(AppPages(analysis, site: site).overview.verdict.why == why)
    }

    /// A source that only failed may provide all that is not there.
    @Test(
        arguments: [
            (nil, "Couldn't fetch the source: No answer within 30 seconds."),
            ([.notes], " not available: 'files' doesn't provide them."),
        ] as [(Set<Capability>?, String)])
    func absenceNamesItsReason(knows: Set<Capability>?, why: String) {
        let source = SourceHistory.make(
            knows: knows ?? .all, capturedAt: knows == nil ? nil : reportTime,
            failure: knows == nil ? timeout : nil)
        let pages = AppPages(.make(source), site: site)
        let (page, usage) = (pages.overview, pages.usage)
        func text(_ what: String) -> String { knows == nil ? why : what + why }
        #expect(page.usageAbsence == text("Active users"))
        #expect(page.releasesAbsence == text("Releases"))
        #expect(usage.unavailable == text("Active users"))
        #expect(usage.sessionsUnavailable == text("Sessions"))
    }

    /// Where use has sessions, those that crashed are missing.
    @Test func sessionsOfUseAreNotSaidToBeMissing() {
        let source = SourceHistory.make(
            knows: [.usage, .issues], usage: [UsageDay(date: lastDay, sessions: 900)])
        let page = AppPages(AppAnalysis.make(source), site: site).overview
        #expect(
            plain(page.stabilityAbsence) == "Crashed sessions not available: 'files' doesn't provide them.")
        #expect(
            page.budgetAbsence
                == "Error budget not available: no source provides crashed sessions or affected users.")
        #expect(page.verdict.why.contains("A source of crashed sessions or affected users would add"))
    }

    /// Where users and crashes are known, those that are affected are missing, and no source of users would add a budget.
    @Test(arguments: [(900, nil), (nil, 900), (nil, nil)] as [(Int?, Int?)])
    func whatABudgetLacksAreCounts(users: Int?, active: Int?) {
        let source = SourceHistory.make(
            knows: [.sessions, .users, .usage],
            health: (0..<30).map { HealthDay(date: .back($0), users: users, crashes: 20) },
            usage: active.map { [UsageDay(date: lastDay, activeUsers: $0)] } ?? [])
        let page = AppPages(AppAnalysis.make(source), site: site).overview
        #expect(page.budget == nil)
        #expect(
            page.budgetAbsence
                == "Error budget not available: no source provides crashed sessions or affected users.")
        #expect(page.verdict.why.contains("A source of crashed sessions or affected users would add"))
    }

    @Test func sourceThatWasNeverFetchedIsNamed() {
        let page = AppPages(AppAnalysis.make(SourceHistory(source: .make())), site: site).overview
        #expect(page.stability == nil)
        #expect(page.stabilityAbsence == "No source fetched yet.")
        #expect(page.budgetAbsence == "Error budget: no crash data for these days.")
    }
}
