import AppHealth
import Archive
import Testing

/// What the last days may come to by the snapshots that covered them, on a real file.
struct DayOutlookTests {
    private static let end = Instant(startOf: day.advanced(by: 1))

    /// Snapshots by how many hours after the end of the day they were captured, and the users of each.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let reported: [(hours: Double, users: Int?)]
        let least: Double?
        var age = SettlingAge.standard

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "young", reported: [(6, 700), (30, 800)], least: nil),
        Case(name: "as much comes on three more nights", reported: [(30, 800), (54, 900)], least: 1_200),
        Case(name: "there at once", reported: [(6, 900), (30, 900), (54, 900)], least: 900),
        Case(name: "one snapshot alone", reported: [(54, 900)], least: 900),
        Case(name: "a snapshot of the same night", reported: [(50, 800), (54, 900)], least: 800),
        Case(name: "a day that shrank", reported: [(30, 950), (54, 900)], least: 900),
        Case(name: "two nights between", reported: [(30, 800), (78, 900)], least: 1_050),
        Case(
            name: "steady until the last night", reported: [(6, 800), (30, 800), (54, 800), (78, 900)],
            least: 800),
        Case(name: "the least of all nights", reported: [(30, 800), (54, 810), (78, 900)], least: 840),
        Case(name: "captured while it ran", reported: [(-6, 400), (54, 900)], least: 900),
        Case(name: "not known before", reported: [(30, nil), (54, 900)], least: 900),
        Case(name: "final by its age", reported: [(312, 800), (336, 900)], least: nil),
        Case(
            name: "a slow source", reported: [(54, 800), (78, 900)], least: nil,
            age: SettlingAge(settlesAfterHours: 120, finalAfterHours: 336)),
        Case(
            name: "a source without delay", reported: [(30, 800), (54, 900)], least: nil,
            age: SettlingAge(settlesAfterHours: 0, finalAfterHours: 24)),
    ])
    func aDayMayComeToWhatItsLastNightsAdded(_ one: Case) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var source = Source.files
        source.settling = one.age
        for (hours, users) in one.reported {
            try archive.record(
                .at(Self.end.secondsSinceEpoch + Int(hours * 3600), source: source) {
                    $0.usage = [UsageDay(date: day, activeUsers: users)]
                    $0.health = [HealthDay(date: day, sessions: 5_000, users: users)]
                })
        }
        let outlooks = try archive.known(at: 9_000_000_000).leastOutlooks
        #expect(outlooks[.usage]?[day] == one.least)
        #expect(outlooks[.users]?[day] == one.least)
    }
}
