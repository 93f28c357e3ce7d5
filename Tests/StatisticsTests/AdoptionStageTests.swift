import Statistics
import Testing

struct AdoptionStageTests {
    /// The bounds of the share day by day, in per cent; nil is a day that reports nothing.
    @Test(
        arguments: [
            ([(1, 3)], .low), ([(9, 11)], .low), ([(10, 12)], .adopted), ([(9.99, 50)], .low),
            ([(20, 30), (9, 11)], .adopted), ([(20, 30), (8, 9.9)], .replaced),
            ([(20, 30), (8, 10)], .adopted),
            ([(20, 30), (1, 2), (9, 11)], .replaced), ([(20, 30), (1, 2), (10, 11)], .adopted),
            ([(1, 2), (1, 2)], .low), ([(20, 30), nil], .adopted), ([nil], .low),
            ([(20, 30), (1, 2), nil], .replaced),
        ] as [([(Double, Double)?], AdoptionStage)])
    func stageChangesOnlyWhenTheIntervalIsSure(days: [(Double, Double)?], expected: AdoptionStage) {
        let stage = days.reduce(AdoptionStage.low) { stage, day in
            stage.next(day.map { Interval(lower: $0.0 / 100, upper: $0.1 / 100) })
        }
        #expect(stage == expected)
    }

    @Test func fewSessionsAdoptNothing() {
        // One of nine sessions is 11%, and says nothing.
        #expect(AdoptionStage.low.next(wilsonInterval(successes: 1, of: 9)) == .low)
        #expect(AdoptionStage.low.next(wilsonInterval(successes: 1100, of: 9000)) == .adopted)
    }
}
