import AppHealth
import Testing

struct FractionTests {
    @Test(arguments: [
        (1, 0), (0, 0), (2, 1), (-1, 5), (0, -1), (-2, -1), (Int.max, 1), (1, Int.min), (Int.min, 1),
    ])
    func impossibleCountsAreNoFraction(part: Int, whole: Int) {
        #expect(Fraction(part, of: whole) == nil)
    }

    @Test(arguments: [
        (0, 1, 0.0, 1), (1, 1, 1.0, 0), (1, 4, 0.25, 3), (Int.max, Int.max, 1.0, 0),
        (0, Int.max, 0.0, Int.max),
    ])
    func countsAreKept(part: Int, whole: Int, value: Double, others: Int) throws {
        let fraction = try #require(Fraction(part, of: whole))
        #expect(fraction.value == value)
        #expect(fraction.complement == Fraction(others, of: whole))
        #expect(fraction.complement.complement == fraction)
    }

    @Test(
        arguments: [
            (100, 1, 50, 2, true, true), (100, nil, 50, 2, false, true), (nil, 1, nil, 2, false, false),
            (0, 0, 0, 0, false, false), (100, 0, 50, 0, true, true), (100, 101, 50, 51, false, false),
            (100, -1, -50, 2, false, false),
        ] as [(Int?, Int?, Int?, Int?, Bool, Bool)])
    func dayHasARateOnlyWhenItsCountsArePossible(
        sessions: Int?, crashed: Int?, users: Int?, crashedUsers: Int?, hasSessions: Bool, hasUsers: Bool
    ) {
        let day = HealthDay(
            date: CivilDate(daysSinceEpoch: 0), sessions: sessions, crashedSessions: crashed, users: users,
            crashedUsers: crashedUsers)
        #expect((day.crashedSessionShare != nil) == hasSessions)
        #expect((day.crashedUserShare != nil) == hasUsers)
    }

    @Test(arguments: [
        (0.995, 0.98, true), (1, 1, true), (0.98, 0.995, false), (1.01, 0.9, false), (0.9, 0, false),
        (.nan, 0.9, false), (0.9, .nan, false), (.infinity, 0.9, false), (0.5, -0.1, false),
    ])
    func levelsAreInOrder(target: Double, critical: Double, isFine: Bool) {
        #expect((Targets(target: target, critical: critical) != nil) == isFine)
    }

    @Test(arguments: [
        ("Sources/Atomic.swift", "Atomic.swift"), (#"C:\App\View.cs"#, "View.cs"),
        ("Atomic.swift", "Atomic.swift"),
        ("a/b/", "b"), ("/", "/"), ("", ""), (#"a\b/c"#, "c"),
    ])
    func nameOfAFileIsTheLastPartOfItsPath(file: String, name: String) {
        #expect(CodePlace(file: file, line: nil).fileName == name)
    }
}
