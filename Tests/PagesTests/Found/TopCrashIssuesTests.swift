import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct TopCrashIssuesTests {
    private func sentence(
        _ counts: [(events: Int, users: Int?)], crashed: Int? = nil, users: Int? = nil,
        kind: Issue.Kind = .crash,
        days: Int = 0, estimates: Set<CoveredFact> = [], rates: String = "files"
    ) -> String? {
        var source = SourceHistory.make(
            health: [.make(0, sessions: 10_000, crashed: crashed, users: 5000, crashedUsers: users)],
            issues: counts.indices.map { Issue(id: "\($0)", title: "", kind: kind) },
            issueDays: counts.enumerated().map { .make("\($0)", events: $1.events, users: $1.users) },
            coverage: [CoverageSpan(.issueDays, CivilDate.back(days)...lastDay)])
        source.source.estimates = estimates
        // Another service may be the one that counts users and sessions.
        var other = SourceHistory.make(rates, knows: [.users, .sessions], health: source.health)
        if rates != "files" { source.health = [] } else { other.health = [] }
        let sources = rates == "files" ? [source] : [other, source]
        let first = CivilDate.back(days)
        let history = AppHistory(app: AppHistory.make(source).app, sources: sources)
        return TopCrashIssues(HistoryIndex(history, asOf: reportTime), on: first...lastDay)?.sentence
            .replacing("\u{A0}", with: " ")
    }

    @Test func sentencesSayWhatIsKnown() {
        #expect(
            sentence([(10, 8), (50, 40), (40, 35)], crashed: 100, users: 60)
                == "2 issues account for 90.0% of 100 crashes. They affect 40–60 of 60 affected users (at least 66.7%)."
        )
        #expect(
            sentence([(90, 40), (10, 8)], users: 60)
                == "1 issue accounts for 90.0% of 100 crashes. It affects 40 of 60 affected users (66.7%)."
        )
        #expect(sentence([(90, nil), (10, 8)], users: 60) == "1 issue accounts for 90.0% of 100 crashes.")
        #expect(
            sentence([(30, 20)], crashed: 100)
                == "The only crash issue accounts for 30.0% of 100 crashed sessions; the rest belong to no issue."
        )
        #expect(
            sentence([(30, 20), (5, 5)], crashed: 100)
                == "All 2 crash issues account for 35.0% of 100 crashed sessions; the rest belong to no issue."
        )
        // Users of several days do not add up, so nothing is said of them.
        #expect(
            sentence([(90, 40), (10, 8)], users: 60, days: 3) == "1 issue accounts for 90.0% of 100 crashes."
        )
        // More users of an issue than affected users at all: the counts do not fit together.
        #expect(sentence([(90, 70)], users: 60) == "1 issue accounts for 100% of 90 crashes.")
    }

    /// What the total counts is what the sentence calls it: data files have crashes and crashed sessions apart.
    @Test(
        arguments: [
            (153, nil, "1 issue accounts for 83.0% of 153 crashed sessions.", "83.1% of crashed sessions."),
            (127, nil, "1 issue accounts for 100% of 127 crashes.", "100% of crashes."),
            (nil, 153, "1 issue accounts for 83.0% of at least 153 crashes.", "83.1% of crashes."),
        ] as [(sessions: Int?, users: Int?, shown: String, hidden: String)])
    func theTotalIsCalledWhatItCounts(
        row: (sessions: Int?, users: Int?, shown: String, hidden: String)
    ) throws {
        let source = SourceHistory.make(
            health: [
                .make(0, sessions: 10_000, crashed: row.sessions, users: 5000, crashedUsers: row.users)
            ],
            issues: [Issue(id: "a", title: "")], issueDays: [.make("a", events: 127, users: nil)])
        let index = HistoryIndex(.make(source), asOf: reportTime)
        let found = try #require(TopCrashIssues(index, on: lastDay...lastDay))
        #expect(found.sentence == row.shown)
        let shown = AppAnalysis(
            .make(source), targets: .standard, asOf: reportTime, audience: Audience(.public))
        let covering = try #require(shown.lastDay.covering)
        #expect(covering.sentence(counts: .hidden) == "1 issue accounts for " + row.hidden)
    }

    /// Where counts are hidden, no share tells what it is of: 81.8% would be 9 of 11, 18 of 22 or 27 of 33.
    @Test func sharesOfHiddenCountsAreCoarse() {
        let source = SourceHistory.make(
            health: [.make(0, sessions: 10_000, users: 5000, crashedUsers: 11)],
            issues: [Issue(id: "a", title: ""), Issue(id: "b", title: "")],
            issueDays: [.make("a", events: 9, users: 9), .make("b", events: 2, users: 2)])
        func analysis(_ audience: Audience) -> AppAnalysis {
            AppAnalysis(.make(source), targets: .standard, asOf: reportTime, audience: audience)
        }
        let (team, all) = (analysis(.team), analysis(Audience(.public)))
        #expect(
            team.lastDay.covering?.sentence.replacing("\u{A0}", with: " ")
                == "1 issue accounts for 81.8% of 11 crashes. It affects 9 of 11 affected users (81.8%).")
        #expect(
            all.lastDay.covering?.sentence(counts: .hidden).replacing("\u{A0}", with: " ")
                == "1 issue accounts for 80.0% of crashes. It affects 80.0% of affected users.")
        #expect(team.issues.covering?.share == Fraction(9, of: 11))
        #expect(all.issues.covering?.share == Fraction(4, of: 5))
    }

    /// Where issues may share an event, the crashes that the source counted are the total, and no more than all is shown.
    @Test(
        arguments: [
            (false, 4, "2 issues account for 100% of 8 crashes."),
            (true, 4, "1 issue accounts for 100% of 4 crashes."),
            (true, 3, "2 issues account for 100% of 4 crashes."),
        ])
    func anEventOfTwoIssuesIsOneCrash(isApart: Bool, events: Int, shown: String) throws {
        var day = HealthDay.make(0, sessions: 10_000)
        day.crashes = 4
        var source = SourceHistory.make(
            health: [day], issues: [Issue(id: "a", title: ""), Issue(id: "b", title: "")],
            issueDays: ["a", "b"].map { .make($0, events: events, users: nil) })
        source.source.countsPartsApart = isApart
        let found = TopCrashIssues(HistoryIndex(.make(source), asOf: reportTime), on: lastDay...lastDay)
        #expect(try #require(found).sentence == shown)
    }

    /// Where a list begins with issues of another kind, the sentence above it says which it is about.
    @Test(arguments: [(40, "3 crash issues"), (4, "3 issues")])
    func aSentenceAboveOtherIssuesNamesTheKind(hangs: Int, subject: String) {
        let counts = [("a", 50), ("hang", hangs), ("b", 30), ("c", 20), ("d", 5)]
        let source = SourceHistory.make(
            health: [.make(sessions: 10_000)],
            issues: counts.map { Issue(id: $0.0, title: $0.0, kind: $0.0 == "hang" ? .hang : .crash) },
            issueDays: counts.map { .make($0.0, events: $0.1, users: nil) })
        let report = AppAnalysis.make(source)
        let pages = AppPages(report, site: site)
        let start = "\(subject) account for 95.2% of 105 crashes"
        for text in [pages.overview.covering, pages.day(lastDay).covering, pages.issues.covering] {
            #expect(text?.hasPrefix(start) == true, "\(text ?? "")")
        }
        let summary = daySummary(of: lastDay, report, .absent, isDemo: false)
        #expect(summary.sentences.contains { $0.hasPrefix(start) }, "\(summary.sentences)")
    }

    @Test func onlyWhatTheSourceOfTheIssuesCountedIsATotal() {
        let alone = "1 issue accounts for 100% of 30 crashes."
        #expect(
            sentence([(30, 20)], users: 60)
                == "The only crash issue accounts for 50.0% of at least 60 crashes; "
                + "the rest belong to no issue. It affects 20 of 60 affected users (33.3%).")
        #expect(sentence([(30, 20)], users: 60, estimates: [.users]) == alone)
        #expect(sentence([(30, 20)], crashed: 60, estimates: [.sessions]) == alone)
        #expect(sentence([(30, 20)], crashed: 60, users: 60, rates: "other") == alone)
    }

    @Test func whatDoesNotCrashExplainsNoCrash() {
        #expect(sentence([(90, 40)], kind: .hang) == nil)
        #expect(sentence([(0, 0), (-4, 2)]) == nil)
        #expect(sentence([]) == nil)
        let most = PlausibleCount.largest
        #expect(sentence([(most, most), (most, most)], crashed: most, users: most) != nil)
        #expect(sentence([(.max, .max), (.max, .max)], crashed: .max, users: .max) == nil)
    }

    @Test func daysAloneAreTheSameAsAllDays() {
        let source = SourceHistory.make(
            health: [.make(1, users: 50, crashedUsers: 9), .make(0, users: 50, crashedUsers: 9)],
            issues: [Issue(id: "a", title: ""), Issue(id: "b", title: "")],
            issueDays: [
                .make("a", 1, events: 4, users: 3), .make("b", 0, events: 9, users: 2),
                .make("a", 0, events: 9, users: 2),
            ])
        let index = HistoryIndex(.make(source), asOf: reportTime)
        let days = TopCrashIssues.ofDays(index)
        #expect(days.count == 2)
        for (day, found) in days { #expect(TopCrashIssues(index, on: day...day) == found) }
        #expect(days[lastDay]?.issueCount == 2)
    }
}
