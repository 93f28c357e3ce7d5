import Analysis
import AppHealth
import HistoryFixtures
import Testing

@testable import Pages

struct StabilityBudgetTests {
    private func budget(_ crashed: [Int?], sessions: Bool = false) -> StabilityBudget? {
        let health = crashed.reversed().enumerated().compactMap { back, crashed in
            crashed.map {
                sessions
                    ? HealthDay.make(back, sessions: 10_000, crashed: $0)
                    : .make(back, users: 10_000, crashedUsers: $0)
            }
        }
        let index = HistoryIndex(
            .make(.make(health: health)), asOf: reportTime,
            targets: Targets(target: 0.99, critical: 0.97) ?? .standard)
        return StabilityBudget(index, through: lastDay)
    }

    /// Crashed of 10,000 a day, the verdict, and the end of the sentence.
    @Test(
        arguments: [
            (Array(repeating: 40, count: 28), "meets target", "lasts more than 90 days."),
            (Array(repeating: 150, count: 28), "below target", "budget of 2,800."),
            (Array(repeating: 400, count: 28), "critical", "budget of 2,800."),
            (
                Array(repeating: 99, count: 28), "not enough data",
                "No forecast: the pace of the last 7 days may be on either side of the target."
            ),
            (
                Array(repeating: 101, count: 28), "not enough data",
                "Overspent, but within chance. No forecast: the rate of these days may be on either side of the target."
            ),
            (Array(repeating: 0, count: 28), "meets target", "lasts more than 90 days."),
            (Array(repeating: 40, count: 21) + Array(repeating: 150, count: 7), "meets target", "2016."),
            // Nearly spent, so that the window is close to the target: the pace is certain, and with it the end.
            (
                Array(repeating: 70, count: 21) + Array(repeating: 185, count: 7), "not enough data",
                "At the pace of the last 7 days, it runs out on Thu, Jan 28, 2016."
            ),
            (
                Array(repeating: 120, count: 21) + Array(repeating: 38, count: 7), "not enough data",
                "At the pace of the last 7 days, it lasts more than 90 days."
            ),
            // Overspent within chance, however sure the pace is: there is no end to come.
            (
                Array(repeating: 95, count: 21) + Array(repeating: 125, count: 7), "not enough data",
                "Overspent, but within chance. No forecast: the rate of these days may be on either side of the target."
            ),
            (
                Array(repeating: 110, count: 21) + Array(repeating: 72, count: 7), "not enough data",
                "Overspent, but within chance. No forecast: the rate of these days may be on either side of the target."
            ),
        ] as [([Int?], String, String)])
    func verdictAndForecast(crashed: [Int?], words: String, end: String) throws {
        let found = try #require(budget(crashed))
        #expect(found.verdict.words == words)
        #expect(found.sentence.replacing("\u{A0}", with: " ").hasSuffix(end), "\(found.sentence)")
    }

    /// Users and crashed users of each of 28 days against a target of 99.5%, and how the sentence begins: what remains is
    /// rounded down, what is overspent up, and what is a whole percent stays one.
    @Test(
        arguments: [
            (
                200_000, 1500,
                "Overspent by 14,000 crashed user-days, 50% of the 28-day error budget of 28,000."
            ),
            (200_000, 1001, "Overspent by 28 crashed user-days, 1% of the 28-day error budget of 28,000."),
            (200_000, 500, "50% of the 28-day error budget remains: 14,000 of 28,000 crashed user-days."),
            (200_000, 501, "49% of the 28-day error budget remains: 13,972 of 28,000 crashed user-days."),
            (
                2_000_000, 2_000_000,
                "Overspent by 55,720,000 crashed user-days, 19,900% of the 28-day error budget of 280,000."
            ),
            (2, 1, "Overspent by 28 crashed user-days; the target allows less than one."),
            (2, 0, "100% of the 28-day error budget remains; the target allows less than one."),
        ])
    func shareIsRoundedToTheCautiousSide(users: Int, crashed: Int, beginning: String) throws {
        let health = (0..<28).map { HealthDay.make($0, users: users, crashedUsers: crashed) }
        let index = HistoryIndex(.make(.make(health: health)), asOf: reportTime, targets: .standard)
        let found = try #require(StabilityBudget(index, through: lastDay))
        #expect(found.sentence.hasPrefix(beginning), "\(found.sentence)")
    }

    /// The facts agree with each other and with the sentence: what is left is what is allowed without what is spent, and
    /// of so many no more can have crashed.
    @Test(
        arguments: [
            (7, 0, "less than 1", "0", "less than 1"), (7, 1, "less than 1", "28", "-28"),
            (40, 0, "5", "0", "5"), (40, 1, "5", "28", "-23"), (2_000, 3, "280", "84", "196"),
            (40, 40, "5", "1,120", "-1,115"),
        ])
    func factsAgree(users: Int, crashed: Int, allowed: String, spent: String, left: String) throws {
        let health = (0..<28).map { HealthDay.make($0, users: users, crashedUsers: crashed) }
        let index = HistoryIndex(.make(.make(health: health)), asOf: reportTime, targets: .standard)
        let found = try #require(StabilityBudget(index, through: lastDay))
        let facts = Dictionary(BudgetView(found).facts.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        #expect(facts["Allowed"] == allowed)
        #expect(facts["Spent"]?.hasPrefix(spent) == true, "\(facts)")
        #expect(facts["Remaining"]?.replacing("−", with: "-") == left)
        #expect(found.spending.map { $0.upperBound <= Double(28 * users) } != false)
    }

    /// Users and crashed users of the only day: a whole number below a small bound may be on the other side of what is
    /// allowed.
    @Test(
        arguments: [
            (400, 0, "0 (0–3.9)"), (34, 2, "2 (0.5–7.3)"), (4, 2, "2 (0.5–4)"), (4_000, 12, "12 (6.8–21)"),
            (40_000, 200, "200 (174–230)"),
        ])
    func smallBoundsOfWhatIsSpentHaveATenth(users: Int, crashed: Int, text: String) throws {
        let health = [HealthDay.make(0, users: users, crashedUsers: crashed)]
        let index = HistoryIndex(.make(.make(health: health)), asOf: reportTime, targets: .standard)
        let found = try #require(StabilityBudget(index, through: lastDay))
        #expect(BudgetView(found).facts.first { $0.name == "Spent" }?.value == text)
    }

    @Test func oneIsSingular() throws {
        let index = HistoryIndex(
            .make(.make(health: [.make(0, users: 1, crashedUsers: 1)])), asOf: reportTime, targets: .standard)
        let found = try #require(StabilityBudget(index, through: lastDay))
        #expect(
            found.sentence.hasPrefix("Overspent by 1 crashed user-day; the target allows less than one."),
            "\(found.sentence)")
    }

    @Test func sentenceNamesWhatIsCounted() throws {
        let users = try #require(budget(Array(repeating: 40, count: 26) + [nil, 40]))
        #expect(
            users.sentence.replacing("\u{A0}", with: " ")
                == "60% of the 28-day error budget remains: 1,620 of 2,700 crashed user-days. Data for 27 of 28 days. At the pace of the last 7 days, it lasts more than 90 days."
        )
        #expect(try #require(budget([40], sessions: true)).unit == "sessions")
    }

    /// Counts that are approximate are said to be, and more is not said to be spent than the error explains.
    @Test(arguments: [(nil, false), (0.01, true)] as [(Double?, Bool)])
    func approximateCountsAreNamed(deviation: Double?, isNamed: Bool) throws {
        var health = (0..<28).map { HealthDay.make($0, sessions: 10_000_000, crashed: 101_000) }
        for place in health.indices { health[place].deviation = deviation }
        let index = HistoryIndex(
            .make(.make(health: health)), asOf: reportTime,
            targets: Targets(target: 0.99, critical: 0.97) ?? .standard)
        let found = try #require(StabilityBudget(index, through: lastDay))
        let sentence = found.sentence.replacing("\u{A0}", with: " ")
        #expect(sentence.contains(" Counts ±1.96%, approximate. ") == isNamed, "\(sentence)")
        #expect(sentence.contains("Overspent, but within chance.") == isNamed, "\(sentence)")
        #expect((found.verdict == .misses) != isNamed)
    }

    /// Sessions and crashed ones of a day against a target of 99.5%: where little or nothing remains, how well it is known
    /// what was spent decides whether more data would soon say more.
    @Test(
        arguments: [
            (200, 1, "Not enough data"), (10_000, 50, "Not enough data"),
            (20_000, 100, "Close to the target"),
            (20_000, 105, "Close to the target"), (1_000_000, 5_000, "Close to the target"),
            (20_000, 85, "Not enough data"),
        ])
    func closeToTheTargetIsKnownWell(sessions: Int, crashed: Int, words: String) throws {
        let index = HistoryIndex(
            .make(.make(health: [.make(0, sessions: sessions, crashed: crashed)])), asOf: reportTime,
            targets: .standard)
        let found = try #require(StabilityBudget(index, through: lastDay))
        #expect(BudgetView(found).verdict.words == words, "\(BudgetView(found).facts)")
    }

    @Test func withoutFiguresThereIsNone() {
        #expect(budget([]) == nil)
        #expect(budget([nil, nil]) == nil)
    }
}
