import AppHealth
import Archive
import Testing

/// How much of its crashes a day has, by how days before it grew from night to night, on a real file.
struct LateCountsTests {
    /// Nights in a row, each with so many days, of which a day has so many of its 100 crashed and 1,000 sessions.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var nights = 30
        var days = 21
        var crashed: [Int] = [100]
        var sessions: [Int] = [1_000]
        /// Of the newest day and of the one before.
        let expected: [LateCounts?]

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(
            name: "crashes come late", crashed: [31, 80, 100],
            expected: [
                LateCounts(nights: 1, total: 1, crashed: 0.31), LateCounts(nights: 2, total: 1, crashed: 0.8),
                LateCounts(nights: 3, total: 1, crashed: 1),
            ]),
        Case(
            name: "sessions come late", sessions: [500, 1_000],
            expected: [
                LateCounts(nights: 1, total: 0.5, crashed: 1), LateCounts(nights: 2, total: 1, crashed: 1),
            ]),
        Case(name: "all comes at once", expected: [LateCounts(nights: 1, total: 1, crashed: 1)]),
        Case(
            name: "a long past", nights: 90, crashed: [31, 100],
            expected: [LateCounts(nights: 1, total: 1, crashed: 0.31)]),
        Case(name: "six final days", nights: 20, crashed: [31, 100], expected: [nil]),
        Case(
            name: "seven final days", nights: 21, crashed: [31, 100],
            expected: [LateCounts(nights: 1, total: 1, crashed: 0.31)]),
        Case(name: "none crashed", crashed: [0], expected: [nil]),
        Case(name: "too few crashed", crashed: [0, 1], expected: [nil]),
        Case(
            name: "enough crashed", crashed: [1, 2], expected: [LateCounts(nights: 1, total: 1, crashed: 0.5)]
        ),
        Case(
            name: "two days each night", days: 2, crashed: [31, 100],
            expected: [
                LateCounts(nights: 1, total: 1, crashed: 0.31), LateCounts(nights: 2, total: 1, crashed: 1),
                nil,
            ]),
    ])
    func aDayHasWhatEarlierDaysHadAtItsAge(_ one: Case) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        func count(_ counts: [Int], age: Int) -> Int? { counts[min(age, counts.count - 1)] }
        for night in 0..<one.nights {
            let last = day.advanced(by: night)
            let capture = Instant(startOf: last.advanced(by: 1)).advanced(bySeconds: 6 * 3600)
            try archive.record(
                .at(capture.secondsSinceEpoch) {
                    $0.health = (0..<min(one.days, night + 1)).map { age in
                        HealthDay(
                            date: last.advanced(by: -age), sessions: count(one.sessions, age: age),
                            crashedSessions: count(one.crashed, age: age))
                    }
                })
        }
        let late = try archive.known(at: 9_000_000_000).lateCounts
        let last = day.advanced(by: one.nights - 1)
        for (age, expected) in one.expected.enumerated() {
            #expect(late[.sessions]?[last.advanced(by: -age)] == expected, "\(age)")
        }
        #expect(late[.users]?.isEmpty == true)
        #expect((late[.sessions] ?? [:]).keys.allSatisfy { $0 > last.advanced(by: -14) })
    }
}
