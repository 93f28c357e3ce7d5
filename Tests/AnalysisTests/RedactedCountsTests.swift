import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// Which exact counts are in the sections of an audience from whom counts are hidden: those that pages do not write, each
/// in the list. What is added with another one fails until it is coarse or in the list.
struct RedactedCountsTests {
    /// Every count is another number, and none of them is one of anything else.
    private static let history: AppHistory = {
        var source = SourceHistory.make(
            health: (0..<60).flatMap(health), usage: (0..<140).map(usage),
            releases: ["1.1", "1.0"].map(release), issues: issues, issueDays: (0..<40).flatMap(issueDays))
        source.deviceDays = [DeviceDay(date: lastDay, device: "Phone", crashes: 11_000_027)]
        return AppHistory(app: AppHistory.make(named: "Sketchbook").app, sources: [source])
    }()

    private static let issues: [AppHealth.Issue] = [
        AppHealth.Issue(
            id: "a", title: "A", firstSeen: .noon(back: 40), events: 40_000_003, users: 30_000_001),
        AppHealth.Issue(
            id: "b", title: "B", firstSeen: .noon(back: 40), events: 41_000_003, users: 31_000_001),
        AppHealth.Issue(
            id: "new", title: "New", firstSeen: .noon(back: 0), events: 42_000_003, users: 32_000_001),
    ]

    private static func health(_ back: Int) -> [HealthDay] {
        let usual: Int = back == 0 ? 60_000_011 : 3_000_017
        let crashed: Int = usual + back * 101
        let users: Int = back == 0 ? 40_000_003 : 2_000_003
        var day = HealthDay.make(
            back, sessions: 1_000_000_007 + back * 10_007, crashed: crashed,
            users: 500_000_003 + back * 20_011, crashedUsers: users + back * 103)
        day.crashes = 70_000_027 + back * 107
        let ofRelease = HealthDay.make(
            back, of: version(back), sessions: 900_000_011 + back * 10_009, crashed: crashed - 300_007)
        return [day, ofRelease]
    }

    private static func usage(_ back: Int) -> UsageDay {
        let active: Int = back == 0 ? 300_000_007 : 600_000_001
        return UsageDay(
            date: .back(back), activeUsers: active + back * 1009,
            weeklyActiveUsers: 800_000_011 + back * 1013, monthlyActiveUsers: 2_000_000_011 + back * 1019,
            newUsers: 5_000_011 + back * 1021, sessions: 1_200_000_041 + back * 1031)
    }

    private static func release(_ label: String) -> Release {
        Release(
            version: Version(label), releasedAt: .noon(back: label == "1.1" ? 9 : 59),
            lifetime: ReleaseTotals(
                sessions: 3_000_000_019, crashedSessions: 6_000_101, sessionsLastDay: 7_000_003))
    }

    private static func issueDays(_ back: Int) -> [IssueDay] {
        var days: [IssueDay] = []
        let usual: Int = back == 0 ? 12_000_017 : 1_500_007
        for (place, id) in ["a", "b"].enumerated() {
            let all: Int = usual + place * 200_003
            days.append(.make(id, back, events: all + back * 109, users: all - 100_003 + back * 113))
            let some: Int = all - 50_021
            days.append(
                .make(
                    id, back, of: version(back), events: some + back * 109,
                    users: some - 100_003 + back * 113))
        }
        return back == 0 ? days + [.make("new", 0, events: 9_000_011, users: 8_000_009)] : days
    }

    private static func version(_ back: Int) -> String { back < 9 ? "1.1" : "1.0" }

    @Test func exactCountsAreWherePagesWriteNone() throws {
        let audience = Audience(.public)
        let analysis = AppAnalysis(Self.history, targets: .standard, asOf: reportTime, audience: audience)
        let kinds = Set(analysis.activity.events.map(\.kind))
        #expect(kinds.isSuperset(of: [.stability, .topIssues, .releaseVerdict]), "\(kinds)")
        let exact = AudienceRedaction(Self.history, for: audience).sensitiveFacts(of: Self.history, mutes: [])
            .counts
        var found: Set<String> = []
        for field in Mirror(reflecting: analysis).children {
            places(of: exact, in: field.value, field.label ?? "", &found)
        }
        #expect(found.subtracting(Self.exact).sorted() == [], "a count that may be exact is new")
        #expect(Self.exact.subtracting(found).sorted() == [], "a count is coarse now")
    }

    /// Where a number is one of some counts: the field of a section, and the type and the field that hold it.
    private func places(of counts: Set<Int>, in value: Any, _ section: String, _ found: inout Set<String>) {
        for child in Mirror(reflecting: value).children {
            let place = "\(section): \(type(of: value)).\(child.label ?? "")"
            if let share = child.value as? Fraction, share.coarse == share {
                // Of coarse counts, whichever they are.
                continue
            } else if let count = child.value as? Int {
                if counts.contains(count) { found.insert(place) }
            } else if let number = child.value as? Double {
                if let count = Int(exactly: number), counts.contains(count) { found.insert(place) }
            } else {
                places(of: counts, in: child.value, section, &found)
            }
        }
    }

    /// A fact of a source with another count is found by this.
    @Test func everyCountOfAFactIsLookedFor() {
        let hour = UTCHour(of: reportTime)
        let health = HealthDay.make(sessions: 1, crashed: 2, users: 3, crashedUsers: 4)
        check(health, health.counts, of: 5)
        let use = UsageDay(
            date: lastDay, activeUsers: 1, weeklyActiveUsers: 2, monthlyActiveUsers: 3, newUsers: 4,
            sessions: 5)
        check(use, use.counts, of: 5)
        let ofHour = HealthHour(hour: hour, sessions: 1, crashedSessions: 2)
        check(ofHour, ofHour.counts, of: 2)
        let issueHour = IssueHour(issue: "a", hour: hour, events: 1, users: 2)
        check(issueHour, issueHour.counts, of: 2)
        let issueDay = IssueDay.make("a", events: 1, users: 2)
        check(issueDay, issueDay.counts, of: 2)
        let issue = AppHealth.Issue(id: "a", title: "A", events: 1, users: 2)
        check(issue, issue.counts, of: 2)
        let device = DeviceDay(date: lastDay, device: "Phone", crashes: 1)
        check(device, device.counts, of: 1)
        let totals = ReleaseTotals(sessions: 1, crashedSessions: 2, sessionsLastDay: 3)
        check(totals, totals.counts, of: 3)
    }

    private func check(_ fact: Any, _ counts: [Int?], of size: Int) {
        let numbers = Mirror(reflecting: fact).children.filter {
            type(of: $0.value) == Int.self || type(of: $0.value) == Int?.self
        }
        #expect(counts.count == size && numbers.count == size, "\(fact)")
        let known: [Int] = counts.compactMap(\.self)
        #expect(Set(known).count == known.count, "\(fact)")
    }

    @Test(
        arguments: [
            (0.81818, 11, 0.8), (0.602, 20, 0.6), (1, 9, 1), (0, 9, 0), (0.83006, 153, 148.0 / 178),
            (0.001, 153, 1.0 / 178), (0.5, 1e300, 0.5),
        ] as [(Double, Double, Double)])
    func shareOfARiseIsThatOfCoarseCounts(share: Double, count: Double, shown: Double) {
        #expect(abs(CoarseCounts.share(share, ofAbout: count) - shown) < 1e-9)
    }

    /// What pages do not write where counts are hidden: they take rates, an order or an index of these.
    private static let exact: Set<String> = [
        "activity: LeastCrashes.count",
        "activity: DayCount.crashed",
        "activity: DayCount.total",
        "activity: Entry.events",
        "activity: Entry.users",
        "activity: TopIssuesSummary.crashedUsers",
        "activity: TopIssuesSummary.users",
        "days: LeastCrashes.count",
        "days: DayCount.crashed",
        "days: DayCount.total",
        "days: DaySection.crashes",
        "days: Entry.events",
        "days: Entry.users",
        "days: HealthDay.crashes",
        "days: TopIssuesSummary.crashedUsers",
        "days: TopIssuesSummary.users",
        "issues: (count: Int, expected: Double, adjustedP: Double).count",
        "issues: Array<Int>.",
        "issues: LeastCrashes.count",
        "issues: Entry.events",
        "issues: Entry.users",
        "issues: Issue.events",
        "issues: Issue.users",
        "issues: IssueDay.knownEvents",
        "issues: IssueDay.knownUsers",
        "issues: IssueFacts.listedEvents",
        "issues: IssueWindow.events",
        "issues: TopIssuesSummary.crashedUsers",
        "issues: TopIssuesSummary.users",
        "releases: (key: CivilDate, value: Int).value",
        "releases: Count.mostUsers",
        "releases: DayCount.crashed",
        "releases: DayCount.total",
        "releases: ReleaseTotals.crashedSessions",
        "releases: ReleaseTotals.sessions",
        "releases: ReleaseTotals.sessionsLastDay",
        "stability: (key: CivilDate, value: Int).value",
        "stability: HealthDay.crashedSessions",
        "stability: HealthDay.crashedUsers",
        "stability: HealthDay.crashes",
        "stability: HealthDay.sessions",
        "stability: HealthDay.users",
        "usage: UsageDay.activeUsers",
        "usage: UsageDay.monthlyActiveUsers",
        "usage: UsageDay.newUsers",
        "usage: UsageDay.sessions",
        "usage: UsageDay.weeklyActiveUsers",
    ]
}
