import Analysis
import AppHealth
import HistoryFixtures
import Testing

struct LedgerEventTests {
    private func index(_ crashed: [Int]) -> HistoryIndex {
        let health = crashed.enumerated().map { index, count in
            HealthDay.make(
                crashed.count - 1 - index, sessions: 20_000, users: 10_000, crashedUsers: count)
        }
        let past = [HealthDay].quietPast(
            before: crashed.count - 1, sessions: 20_000, users: 10_000, crashedUsers: 50)
        return HistoryIndex(.make(.make(health: past + health)), asOf: reportTime)
    }

    /// The alert that a first run writes down.
    private func ledger(_ crashed: [Int]) -> [LedgerEntry] {
        let index = index(crashed)
        return reconcile([], with: events(in: index), in: index, sentence: \.kind.rawValue).revisions
    }

    @Test func firstRunWritesDownWhatItStates() throws {
        let entry = try #require(ledger([50, 50, 200, 50]).first { $0.rule == StabilityRule.id })
        #expect(entry.id == "sketchbook/stability/\(CivilDate.back(1))")
        #expect(entry.firstDay == .back(1))
        #expect(entry.raisedAt == reportTime)
        #expect(entry.sentence == "Stability Alert")
        #expect(entry.reportedSize.map { abs($0 - 0.015) < 1e-5 } == true)
    }

    /// How deep it was on its worst night stays with an alert, so that levels find it there when it is withdrawn.
    @Test func theWorstNightStaysInTheLedger() throws {
        let entry = try #require(ledger([50, 50, 150, 190, 190]).first { $0.rule == StabilityRule.id })
        #expect(entry.firstDay == .back(2))
        #expect(entry.reportedSize.map { abs($0 - 0.01) < 1e-4 } == true)
        #expect(entry.reportedDepth.map { (0.0115...0.0145).contains($0) } == true)
        // A ledger of the first night has the depth of a later one once that is there, and keeps it.
        var early = entry
        early.reportedDepth = nil
        func standing(of stored: LedgerEntry, _ crashed: [Int]) -> Double? {
            let index = index(crashed)
            let written = reconcile(
                [stored], with: events(in: index), in: index, sentence: \.kind.rawValue)
            return (written.changed.first ?? stored).reportedDepth
        }
        #expect(standing(of: early, [50, 50, 150, 190, 190]) == entry.reportedDepth)
        #expect(standing(of: entry, [50, 50, 150, 160, 160]) == entry.reportedDepth)
    }

    @Test func alertThatTheFiguresNoLongerShowIsReported() throws {
        let entry = try #require(ledger([50, 50, 200, 50]).first { $0.rule == StabilityRule.id })
        let reported = events(in: index([50, 50, 50, 50]), ledger: [entry])
        let withdrawn = try #require(reported.first { $0.kind == .withdrawn })
        #expect(withdrawn.occasion.id == entry.id)
        #expect(withdrawn.occasion.day == .back(1))
        guard case .withdrawn(let alert) = withdrawn else { return }
        #expect(alert.includesOriginal && alert.entry.sentence == entry.sentence)
        #expect(!reported.contains { $0.kind == .stability })
        // Nothing changes once the withdrawal is written down.
        var stored = entry
        stored.state = .withdrawn
        #expect(
            events(in: index([50, 50, 50, 50]), ledger: [stored]).map(\.occasion)
                == reported.map(\.occasion))
    }

    @Test func idOfTheLedgerIsTheIdOfTheEvent() throws {
        var entry = try #require(ledger([50, 50, 200, 50]).first { $0.rule == StabilityRule.id })
        entry.id = "sketchbook/stability/older"
        let reported = events(in: index([50, 50, 200, 50]), ledger: [entry])
        #expect(reported.filter { $0.kind == .stability }.map(\.occasion.id) == [entry.id])
        #expect(!reported.contains { $0.kind == .withdrawn })
    }

    @Test func withoutALedgerEventsAreThoseOfTheRules() {
        let index = index([50, 50, 200, 50])
        #expect(events(in: index, ledger: []) == events(in: index))
    }

    /// Revised data moved the first day: the alert has other days and its own name, and is published when it was.
    @Test(arguments: [2, 0, -1])
    func publishedStaysWhenTheDayMoves(days: Int) throws {
        let crashed = [50, 50, 50, 200, 200, 200, 200]
        var entry = try #require(ledger(crashed).first { $0.rule == StabilityRule.id })
        let raised = entry.firstDay.advanced(by: days)
        entry.id = "sketchbook/stability/\(raised)"
        (entry.firstDay, entry.raisedAt) = (min(raised, entry.lastDay), reportTime)
        let reported = events(in: index(crashed), ledger: [entry]).filter { $0.kind == .stability }
        let occasion = try #require(reported.first?.occasion)
        #expect(reported.count == 1 && occasion.id == entry.id)
        #expect(occasion.day == raised.advanced(by: -days))
        #expect(occasion.at == Instant(startOf: occasion.day.advanced(by: 1)))
        #expect(occasion.published == Instant(startOf: raised.advanced(by: 1)))
    }

    /// What was found before its day was over was published when it was captured, also once only its day is known.
    @Test func publishedIsNotAfterTheCaptureThatShowedIt() throws {
        var entry = try #require(ledger([50, 50, 200, 50]).first { $0.rule == StabilityRule.id })
        entry.raisedAt = .noon(back: 1)
        let found = events(in: index([50, 50, 200, 50]), ledger: [entry])
        let withdrawn = events(in: index([50, 50, 50, 50]), ledger: [entry])
        let times = (found + withdrawn).filter { $0.occasion.id == entry.id }.map(\.occasion.published)
        #expect(times == [.noon(back: 1), .noon(back: 1)])
    }
}
