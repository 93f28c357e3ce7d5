import Analysis
import AppHealth
import Charts
import HistoryFixtures
import Testing

@testable import Pages

/// Two releases compared, as the page shows them.
struct ComparePageTests {
    typealias Day = (sessions: Int, crashed: Int, users: Int?, crashedUsers: Int?)

    /// 1.0 from a week before 1.1 on, which has so many days.
    private static func source(
        _ later: [Day], _ earlier: [Day] = Array(repeating: (10_000, 30, 4000, 20), count: 14),
        label: String = "1.1", failure: Bool = false
    ) -> SourceHistory {
        let first = later.count + 7
        var health = (0...first + 20).map { HealthDay.make($0, sessions: 50_000, crashed: 100) }
        health.append(.make(first + 20, of: "0.9", sessions: 50_000, crashed: 100))
        func add(_ days: [Day], _ label: String, from back: Int) {
            for (age, day) in days.enumerated() where back - age >= 0 {
                health.append(
                    .make(
                        back - age, of: label, sessions: day.sessions, crashed: day.crashed, users: day.users,
                        crashedUsers: day.crashedUsers))
            }
        }
        add(earlier, "1.0", from: first)
        add(later, label, from: later.count - 1)
        return .make(
            failure: failure ? timeout : nil, health: health,
            releases: [
                Release(version: Version(label), releasedAt: .noon(back: later.count - 1)),
                Release(version: Version("1.0"), releasedAt: .noon(back: first)),
            ],
            issues: [
                Issue(id: "a", title: "Boom", firstVersion: Version(label), users: 90),
                Issue(id: "b", title: "Again", fixedIn: Version("1.0"), users: 70),
                Issue(id: "c", title: "Old", fixedIn: Version(label), users: 60),
                Issue(id: "d", title: "Both", place: CodePlace(file: "x/Both.swift", line: 3), users: 50),
            ],
            issueDays: [
                .make("a", of: label, events: 200, users: 90), .make("a", events: 200, users: 90),
                .make("c", 9, of: "1.0", events: 700, users: 60), .make("c", 9, events: 700, users: 60),
                .make("d", of: label, events: 8, users: 5), .make("d", 1, of: label, events: 4, users: 4),
                .make("d", 8, of: "1.0", events: 28, users: 9), .make("d", events: 8, users: 5),
            ])
    }

    private static func page(_ source: SourceHistory, for audience: Audience = .team) throws -> ComparePage {
        var facts = site
        facts.audience = audience
        let report = AppAnalysis(
            .make(source), targets: .standard, asOf: reportTime, audience: audience)
        return AppPages(report, site: facts).comparison(try #require(report.releases.pairs.first))
    }

    private static let bad: [Day] = Array(repeating: (8000, 480, 3000, 200), count: 4)
    private static let same: [Day] = Array(repeating: (10_000, 30, 4000, 20), count: 4)
    private static let good: [Day] = Array(repeating: (10_000, 0, 4000, 0), count: 4)

    @Test(
        arguments: [
            (
                bad, "Crashes more", "misses",
                "1.1 vs. 1.0 at the same age: −5.70 pp (−5.97 to −5.44), crash-free sessions 94.00% (93.73–94.25) vs. 99.70% (99.64–99.75), days 0–3."
            ),
            (
                good, "Crashes less", "meets",
                "1.1 vs. 1.0 at the same age: +0.30 pp (+0.25 to +0.36), crash-free sessions 100% (at least 99.990%) vs. 99.70% (99.64–99.75), days 0–3."
            ),
            (
                same, "No significant difference", "even",
                "1.1 vs. 1.0 at the same age: 0.00 pp (−0.08 to +0.08), crash-free sessions 99.70% (99.64–99.75) vs. 99.70% (99.64–99.75), days 0–3."
            ),
            (
                [(600, 2, nil, nil)], "Not enough data", "insufficient",
                "1.1 vs. 1.0 at the same age: −0.03 pp (−0.91 to +0.24), crash-free sessions 99.67% (98.79–99.91) vs. 99.70% (99.57–99.79), day 0. About 160 more sessions of 1.1 needed for ±0.5 pp."
            ),
        ] as [([Day], String, String, String)])
    func theVerdictSaysWhatTheDaysShow(days: [Day], words: String, name: String, why: String) throws {
        let page = try Self.page(Self.source(days))
        #expect(page.verdict.words == words && page.verdict.name == name)
        #expect(plain(page.verdict.why) == why)
        #expect(page.frame.summary == page.verdict.why)
        #expect(page.frame.stem == "apps/sketchbook/compare/1.0...1.1/index")
    }

    /// What moves all releases on a day is no fault of the later one.
    @Test func theSameDaysMaySpeakAgainstADifference() throws {
        let usual: [Day] = Array(repeating: (10_000, 30, 4000, 20), count: 8)
        let earlier: [Day] = usual + Array(repeating: (10_000, 600, 4000, 250), count: 4)
        let page = try Self.page(Self.source(Self.bad, earlier))
        #expect(page.verdict.words == "No significant difference" && page.verdict.name == "even")
        let why = plain(page.verdict.why) ?? ""
        #expect(why.hasPrefix("1.1 vs. 1.0 at the same age: −5.70 pp "), "\(why)")
        #expect(
            why.hasSuffix(
                " On the same days they do not differ significantly: what moves all releases can explain the difference."
            ), "\(why)")
    }

    /// The interval of one check excludes no difference, and the test of all checks does not show it yet: nothing says
    /// that it is small.
    @Test func aWideDifferenceThatIsNotShownIsNotCalledSmall() throws {
        let page = try Self.page(Self.source([(600, 6, nil, nil)]))
        #expect(page.verdict.words == "Not enough data" && page.verdict.name == "insufficient")
        let why = plain(page.verdict.why) ?? ""
        #expect(
            why.hasSuffix(" The interval is that of one check; checked daily, this is not sure yet."),
            "\(why)")
    }

    @Test func ratesAreShownTogether() throws {
        let page = try Self.page(Self.source(Self.bad))
        #expect(
            page.rates.map(\.label) == [
                "Crash-free sessions at the same age", "Crash-free sessions at the same session count",
                "Crash-free sessions, lifetime", "Crash-free users at the same age",
                "Crash-free users on the same day",
            ])
        #expect(
            page.rates.map(\.span) == [
                "days 0–3", "first 32,000 sessions", "", "day 3",
                "on Wed, Jan 27, 2016",
            ])
        #expect(
            page.rates.map { plain($0.difference.value) } == [
                "−5.70 pp", "−5.70 pp", "−5.70 pp", "−6.17 pp", "−6.17 pp",
            ])
        #expect(page.rates[0].later.detail == "of 32,000 sessions")
        #expect(page.rates[2].earlier.detail == "of 120,000 sessions")
        #expect(page.rates[3].later.detail == "of 3,000 users")
        #expect(page.rates.allSatisfy { $0.difference.state == .loaded })
        #expect(page.ages?.chart.table.columns.contains("1.0") == true && page.charts.count == 1)
        #expect(
            page.releases.map(\.version) == ["1.1", "1.0"]
                && page.releases.allSatisfy { $0.comparison == nil })
    }

    @Test func issuesOfTheOneTheOtherAndBoth() throws {
        let page = try Self.page(Self.source(Self.bad))
        let later = try #require(page.onlyLater.rows.first)
        #expect(page.onlyLater.count == "1 issue" && later.title == "Boom" && later.words == ["new"])
        #expect(later.chips.map(\.text) == ["Open", "New in 1.1"] && later.chips.last?.name == "new")
        #expect(later.earlier == nil && later.later?.events == "200" && later.later?.users == "90")
        #expect(plain(later.later?.share) == "0.63%" && later.expected == "about 750")
        let earlier = try #require(page.onlyEarlier.rows.first)
        #expect(earlier.chips.map(\.text) == ["Open", "Fixed in 1.1"])
        #expect(earlier.title == "Old" && earlier.words == ["fixed"] && earlier.expected == "about 190")
        let both = try #require(page.both.rows.first)
        #expect(both.title == "Both" && both.place == "Both.swift:3" && both.expected == nil)
        #expect(both.later?.events == "12" && both.later?.users == "at least 5")
        #expect(both.earlier?.events == "28" && both.earlier?.users == "at least 9")
        #expect(page.issuesUnavailable == nil && page.both.more == nil)
    }

    @Test func anIssueThatCameBackIsMarked() throws {
        var source = Self.source(Self.same)
        source.issueDays += [.make("b", of: "1.1", events: 3, users: 3), .make("b", events: 3, users: 3)]
        let page = try Self.page(source)
        let row = try #require(page.onlyLater.rows.first { $0.title == "Again" })
        #expect(row.words == ["regressed"] && row.chips.last?.text == "Regressed in 1.1")
    }

    @Test func longListsAreCutAndSaySo() throws {
        var source = Self.source(Self.same)
        for number in 0..<15 {
            source.issues.append(Issue(id: "n\(number)", title: "N\(number)"))
            source.issueDays.append(.make("n\(number)", of: "1.1", events: 100 + number))
        }
        let page = try Self.page(source)
        #expect(page.onlyLater.count == "16 issues" && page.onlyLater.more == "6 more")
        #expect(page.onlyLater.rows.map(\.title).prefix(3) == ["Boom", "N14", "N13"])
    }

    @Test func withoutDaysOnlyLifetimesAreReported() throws {
        let lives = [(20_000, 40), (90_000, 90)].map {
            ReleaseTotals(sessions: $0, crashedSessions: $1, sessionsLastDay: 10)
        }
        let source = SourceHistory.make(
            "bugsnag", knows: [.sessions, .releases, .issues], health: [.make(sessions: 999, crashed: 5)],
            releases: zip(["1.1", "1.0"], lives).map {
                Release(version: Version($0), releasedAt: nil, lifetime: $1)
            })
        let page = try Self.page(source)
        #expect(page.verdict.words == "Unknown" && page.ages == nil)
        #expect(
            plain(page.verdict.why)
                == "'bugsnag' doesn't provide this. Lifetime rates (weaker evidence): −0.10 pp (−0.17 to −0.04), crash-free sessions 99.80% (99.73–99.85) vs. 99.900% (99.877–99.919)."
        )
        #expect(
            page.rates.map(\.difference.state) == [
                .unavailable, .unavailable, .loaded, .unavailable, .unavailable,
            ])
        #expect(page.rates[0].difference.stateNote == "Not available: 'bugsnag' doesn't provide this")
        #expect(page.issuesUnavailable == "The source doesn't report issues by release.")
        #expect(page.onlyLater.count == nil && page.both.rows.isEmpty)
    }

    @Test func eachAbsenceSaysWhy() throws {
        let few = try Self.page(Self.source([(100, 1, nil, nil)]))
        #expect(
            plain(few.rates[0].difference.stateNote) == "Not available: 1.1 never reached 1% of sessions")
        #expect(few.rates[2].difference.state == .loaded || few.rates[2].difference.state == .insufficient)
        #expect(few.rates[3].difference.stateNote == few.rates[0].difference.stateNote)
        let noUsers = try Self.page(Self.source(Array(repeating: (9000, 30, nil, nil), count: 3)))
        #expect(
            noUsers.rates.suffix(2).map(\.difference.stateNote) == [
                "Not available: no users of both at the same age",
                "Not available: no users of both in the last 90 days",
            ])
        #expect(noUsers.rates[3].later.value == "–")
    }

    @Test func aFailedFetchMakesTheNumbersStale() throws {
        let page = try Self.page(Self.source(Self.bad, failure: true))
        #expect(page.rates.allSatisfy { $0.difference.state == .stale })
        #expect(page.rates[0].difference.stateNote?.hasPrefix("Stale: data from") == true)
    }

    @Test func hostileLabelIsOnlyText() throws {
        let page = try Self.page(Self.source(Self.bad, label: "../<b>...\u{202E}"))
        #expect(page.later == "../<b>...\u{202E}")
        #expect(page.frame.stem.hasPrefix("apps/sketchbook/compare/1.0...b-"))
        #expect(!page.frame.stem.contains("<") && page.laterStem?.hasPrefix("../../releases/b-") == true)
    }

    @Test func thePublicSeesRatesAndNoCounts() throws {
        let page = try Self.page(Self.source([(600, 2, 300, 1)]), for: Audience(.public))
        #expect(plain(page.verdict.why)?.hasSuffix(" More sessions of 1.1 needed for ±0.5 pp.") == true)
        #expect(!page.hasCounts && page.rates.allSatisfy { $0.later.detail == nil })
        #expect(page.rates[1].span == "the same number of first sessions")
        let rows = page.onlyLater.rows + page.both.rows + page.onlyEarlier.rows
        #expect(rows.count == 3 && rows.allSatisfy { $0.expected == nil && $0.place == nil })
        #expect(rows.allSatisfy { $0.title.hasPrefix("Crash issue ") })
        #expect(rows.allSatisfy { ($0.later ?? $0.earlier)?.events == "hidden" })
    }

    @Test func releasePageAndListLeadToIt() throws {
        let report = AppAnalysis.make(Self.source(Self.bad))
        let page = AppPages(report, site: site).release(try #require(report.releases.all.first))
        #expect(page.comparisons.map(\.title) == ["1.0"])
        #expect(page.comparisons.map(\.stem) == ["../../compare/1.0...1.1/index"])
        let older = AppPages(report, site: site).release(try #require(report.releases["1.0"]))
        #expect(Set(older.comparisons.map(\.title)) == ["0.9", "1.1"])
        let rows = AppPages(report, site: site).releases.releases
        #expect(rows.map(\.comparison?.title) == ["1.0", "0.9", nil])
        #expect(rows.first?.comparison?.stem == "../compare/1.0...1.1/index")
    }

    @Test func everyNumberIsExplained() throws {
        let report = AppAnalysis.make(Self.source(Self.bad))
        let pair = try #require(report.releases.pairs.first)
        let numbers = try #require(ExplainedPages(report).numbers(at: pair.path(of: report.facts.app.id)))
        #expect(Set(numbers.map(\.id)).count == numbers.count && numbers.count == 15)
        let number = try #require(
            numbers.first { $0.id == "difference-of-crash-free-sessions-at-the-same-age" })
        #expect(
            plain(number.formula)
                == "(1 − 1,920 ÷ 32,000) − (1 − 120 ÷ 40,000) = −5.70 pp, 1.1 minus 1.0")
        #expect(
            plain(number.intervalFormula) == "95% Newcombe interval of the difference: −5.97 to −5.44")
        #expect(number.rows.map(\.count) == ["32,000", "1,920", "40,000", "120"])
        #expect(number.definition?.unit == "session" && number.window == "days 0–3")
        #expect(numbers.contains { $0.id == "1.1/crash-free-sessions-at-the-same-age" })
        #expect(ExplainedPages(report).paths.contains(pair.path(of: report.facts.app.id)))
    }

    @Test func aNumberThatIsNotItsCountsIsReported() throws {
        let report = AppAnalysis.make(Self.source(Self.bad))
        var page = AppPages(report, site: site).comparison(try #require(report.releases.pairs.first))
        #expect(page.mismatches == [] && page.chartFileMismatches == [])
        page.rates[0].difference.value = "−0.10 pp"
        #expect(page.mismatches.map(\.check) == [.number])
    }

    @Test func tablesHoldTheSameNumbers() throws {
        let report = AppAnalysis.make(Self.source(Self.bad))
        let pair = try #require(report.releases.pairs.first)
        let tables = AppPages(report, site: site).inputs(of: pair).tables
        let (differences, issues) = (tables[0], tables[1])
        for table in tables {
            #expect(table.rows.allSatisfy { $0.count == table.columns.count })
        }
        #expect(differences.rows.map(\.first) == PairSpan.all(of: .sessions).map { .text($0.rawValue) })
        #expect(
            differences.rows[0][2...9] == [
                .count(0), .count(3), .count(4), .absent, .absent, .text("1.1"), .count(32_000), .count(1920),
            ])
        #expect(differences.rows.map(\.last) == Array(repeating: .text("loaded"), count: 5))
        #expect(issues.rows.map { $0[3] } == [.text("later"), .text("both"), .text("earlier")])
        let document = DataDocument(title: "T", capturedAt: nil, site: site, tables: tables)
        #expect(shareMismatches(document) == [])
    }
}
