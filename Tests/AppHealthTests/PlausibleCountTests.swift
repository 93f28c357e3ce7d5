import AppHealth
import Testing

struct PlausibleCountTests {
    private static let most = PlausibleCount.largest

    @Test(
        arguments: [
            (nil, nil), (0, 0), (7, 7), (most, most), (most + 1, nil), (.max, nil), (-1, nil), (.min, nil),
        ] as [(Int?, Int?)])
    func impossibleCountsAreUnknown(count: Int?, known: Int?) {
        #expect(PlausibleCount.known(count) == known)
    }

    @Test(arguments: [(0, 0, 0), (3, 4, 7), (most, 1, most), (most, most, most), (.max, .max, most)])
    func sumsStayAtTheLargest(first: Int, second: Int, sum: Int) {
        #expect(PlausibleCount.sum(first, second) == sum)
    }

    /// Whatever counts a history has, the impossible ones are unknown and all others are as they were.
    @Test(
        arguments: [
            (0, 0), (12, 12), (most, most), (most + 1, nil), (5_000_000_000_000_000_000, nil), (-1, nil),
        ] as [(Int, Int?)])
    func historiesHaveNoImpossibleCounts(stated: Int, known: Int?) throws {
        let day = CivilDate(daysSinceEpoch: 17_000)
        let hour = UTCHour(of: Instant(startOf: day))
        let source = Source(
            id: Slug(anyText: "files"), provider: "files", sessionDefinition: "", userDefinition: "",
            zone: "UTC",
            delay: "", capabilities: [])
        func history(_ count: Int?) -> SourceHistory {
            var history = SourceHistory(source: source)
            let health = HealthDay(
                date: day, sessions: count, crashedSessions: count, users: count, crashedUsers: count,
                crashes: count)
            history.health = [health]
            history.healthAsReported = [day: health]
            history.usage = [
                UsageDay(
                    date: day, activeUsers: count, weeklyActiveUsers: count, monthlyActiveUsers: count,
                    newUsers: count, sessions: count)
            ]
            history.releases = [
                Release(
                    version: Version("1"), releasedAt: nil,
                    lifetime: ReleaseTotals(
                        sessions: count, crashedSessions: count, sessionsLastDay: count))
            ]
            history.issues = [Issue(id: "a", title: "A", events: count, users: count)]
            history.issueDays = [IssueDay(issue: "a", date: day, events: count, users: count)]
            history.deviceDays = [DeviceDay(date: day, device: "iPhone", crashes: count)]
            history.healthHours = [HealthHour(hour: hour, sessions: count, crashedSessions: count)]
            history.issueHours = [IssueHour(issue: "a", hour: hour, events: count, users: count)]
            return history
        }
        let app = App(id: Slug(anyText: "harbour"), name: "Harbour", platform: "iOS")
        let plausible = AppHistory(app: app, sources: [history(stated)]).withPlausibleCounts
        let (found, expected) = (try #require(plausible.sources.first), history(known))
        #expect(found.health == expected.health && found.healthAsReported == expected.healthAsReported)
        #expect(found.usage == expected.usage && found.releases == expected.releases)
        #expect(found.issues == expected.issues && found.issueDays == expected.issueDays)
        #expect(found.deviceDays == expected.deviceDays && found.healthHours == expected.healthHours)
        #expect(found.issueHours == expected.issueHours)
    }

    /// Nothing is known of a day of which a release has an impossible count, or all of them have together.
    @Test(
        arguments: [([most, 0], most), ([most, 1], nil), ([most + 1, 1], nil), ([3, -1], nil)]
            as [([Int], Int?)])
    func impossibleSumsOfReleasesAreUnknown(sessions: [Int], all: Int?) {
        let day = CivilDate(daysSinceEpoch: 17_000)
        let releases = sessions.enumerated().map { HealthDay(date: day, version: "\($0)", sessions: $1) }
        #expect(releases.ofAllReleases?.sessions == all)
    }
}
