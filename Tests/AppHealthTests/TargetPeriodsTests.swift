import AppHealth
import Testing

struct TargetPeriodsTests {
    private static let begin = CivilDate(daysSinceEpoch: 17_000)

    private func targets(_ percent: Double) throws -> Targets {
        try #require(Targets(target: percent / 100, critical: 0.9))
    }

    /// The days after the first on which targets were first used, those of the configuration 100 days after it, and by what
    /// days are judged.
    @Test(
        arguments: [
            ([], 99, [(0, 99), (100, 99)]), ([(0, 99)], 99, [(-500, 99), (100, 99)]),
            // The days before the first report have the first targets, and the newest before a change the new ones.
            ([(0, 99), (50, 99.5)], 99.5, [(-500, 99), (46, 99), (47, 99.5), (100, 99.5)]),
            ([(0, 99)], 99.5, [(96, 99), (97, 99.5)]),
            // A slip that is corrected within two weeks leaves no trace.
            ([(0, 99), (50, 9), (60, 99.5)], 99.5, [(46, 99), (47, 99.5), (55, 99.5)]),
            ([(0, 99), (50, 9), (63, 99)], 99, [(46, 99), (55, 99), (100, 99)]),
            // After it the levels before it go on, also where they change soon.
            ([(0, 99), (70, 9), (71, 99), (79, 99.5)], 99.5, [(66, 99), (75, 99), (76, 99.5)]),
            ([(0, 99), (13, 99.5)], 99.5, [(-500, 99.5), (5, 99.5)]),
            ([(0, 99), (10, 98), (20, 97), (40, 96)], 96, [(0, 97), (36, 97), (37, 96)]),
            ([(0, 99), (14, 99.5)], 99.5, [(10, 99), (11, 99.5)]),
        ] as [([(Int, Double)], Double, [(Int, Double)])])
    func aDayIsJudgedByTheTargetsOfItsTime(
        used: [(Int, Double)], current: Double, days: [(Int, Double)]
    ) throws {
        let changes = try used.map {
            TargetChange(
                at: Instant(startOf: Self.begin.advanced(by: $0.0)).advanced(bySeconds: 21_600),
                targets: try targets(max($0.1, 91)))
        }
        let asOf = Instant(startOf: Self.begin.advanced(by: 100)).advanced(bySeconds: 21_600)
        let periods = TargetPeriods(changes, current: try targets(current), asOf: asOf)
        for (day, percent) in days {
            #expect(try periods[Self.begin.advanced(by: day)] == targets(percent), "day \(day)")
        }
        #expect(try periods.current == targets(current))
    }
}
