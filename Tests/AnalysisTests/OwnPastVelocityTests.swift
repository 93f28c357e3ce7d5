import Analysis
import AppHealth
import HistoryFixtures
import Statistics
import Testing

struct OwnPastVelocityTests {
    private let old = Instant(startOf: .back(500))

    /// Old issues of an app with 20,000 sessions a day over so many days; `change` makes another count of one.
    private func history(
        _ length: Int = 120, versions: [String] = [], sessions: Int = 20_000,
        _ change: (String, Int, Int) -> Int = { $2 }
    ) -> SourceHistory {
        let ids = ["a", "b", "c", "d"]
        var source = SourceHistory.make(
            issues: ids.map { Issue(id: $0, title: $0, firstSeen: old) })
        for back in (0..<length).reversed() {
            let whole = back % 7 < 5 ? sessions : sessions / 2
            source.health.append(.make(back, sessions: whole))
            for version in versions {
                source.health.append(.make(back, of: version, sessions: whole / versions.count))
            }
            for (rank, id) in ids.enumerated() {
                let usual = whole / 1000 / (rank + 1) + (back * (rank + 3)) % 4
                let count = change(id, back, usual)
                source.issueDays.append(.make(id, back, events: count, users: count))
                for version in versions {
                    // What is beyond the usual happens in the newest version.
                    let extra = version == versions.last ? count - usual : 0
                    let events = usual / versions.count + extra
                    source.issueDays.append(
                        .make(id, back, of: version, events: events, users: events))
                }
            }
        }
        return source
    }

    @Test(arguments: [200, 20_000, 2_000_000]) func steadyIssuesAreSilent(sessions: Int) {
        #expect(found(by: IssueVelocityRule(), in: history(200, sessions: sessions)).isEmpty)
    }

    @Test func risingIssueIsReportedOnItsFirstDayOnce() throws {
        let events = found(by: IssueVelocityRule(), in: history { $0 == "c" && $1 <= 9 ? $2 + 90 : $2 })
        #expect(events.map(\.back) == [9])
        guard case .velocity(let alert)? = events.first,
            case .ownPast(let finding, _, let falseReports) = alert.grounds
        else {
            Testing.Issue.record("\(events)")
            return
        }
        #expect(alert.issue.id == "c" && alert.version == nil && alert.hours == 24)
        #expect(finding.expected < 0.001 && finding.affected > 90)
        #expect(falseReports == VelocityPace.daily.falseReportsPerYear)
    }

    /// An issue that was there in the first days may be older and not younger: two weeks later it has a past, and a rise
    /// to fewer users than make a new issue news is reported.
    @Test(arguments: [(first: 30, isReported: true), (14, true), (13, false)])
    func anIssueOfUnknownAgeHasThePastThatIsOnRecord(row: (first: Int, isReported: Bool)) {
        var source = history(row.first + 20) { id, back, usual in
            guard id == "c" else { return usual }
            return back > row.first ? 0 : back == 0 ? 20 : 1
        }
        // On a day before, not all issues were known, so that it may have been there.
        source.coverage = CoverageHistory([
            CoverageSpan(
                .issueDays, .back(row.first + 3)...(.back(row.first + 1)), .partial(counted: nil, of: nil))
        ])
        source.issues = source.issues.map { Issue(id: $0.id, title: $0.title) }
        let reported = found(by: IssueVelocityRule(), in: source).contains {
            $0.velocity?.issue.id == "c" && $0.back == 0
        }
        #expect(reported == row.isReported)
    }

    @Test func itIsLaidAtTheDoorOfTheVersion() {
        let source = history(versions: ["1.0", "1.1"]) { $0 == "c" && $1 <= 9 ? $2 + 90 : $2 }
        let events = found(by: IssueVelocityRule(), in: source)
        #expect(events.map(\.back) == [9])
        #expect(events.first?.velocity?.version == "1.1" && events.first?.velocity?.hours == 24)
    }

    /// The older version has many events for each user, as ever: that is no excess of users.
    @Test(arguments: [true, false]) func aVersionWithManyEventsForEachUserIsNotBlamed(knowsUsers: Bool) {
        var source = history(versions: ["1.0", "1.1"]) { $0 == "a" && $1 <= 9 ? $2 + 90 : $2 }
        source.issueDays = source.issueDays.map { row in
            var row = row
            if row.version == "1.0" { row.events = row.events.map { $0 * (knowsUsers ? 20 : 2) } }
            if row.version != nil, !knowsUsers { row.users = nil }
            return row
        }
        let events = found(by: IssueVelocityRule(), in: source)
        #expect(events.map(\.back) == [9] && events.first?.velocity?.version == "1.1")
    }

    @Test func moreSessionsExplainMoreEvents() {
        var source = history { $1 <= 3 ? $2 * 4 : $2 }
        source.health = source.health.map { day in
            var day = day
            if day.date > .back(4) { day.sessions = (day.sessions ?? 0) * 4 }
            return day
        }
        #expect(found(by: IssueVelocityRule(), in: source).isEmpty)
    }

    @Test func noAlertsInLearningPeriod() {
        #expect(found(by: IssueVelocityRule(), in: history(28) { $1 == 0 ? $2 + 150 : $2 }).isEmpty)
        #expect(!found(by: IssueVelocityRule(), in: history(60) { $1 == 0 ? $2 + 150 : $2 }).isEmpty)
    }

    @Test func gapsZeroDaysAndLateDaysAreReadOver() {
        var source = history(150)
        source.health.removeAll { [20, 50, 51].contains($0.date.days(to: lastDay)) }
        source.health = source.health.map { $0.date == .back(33) ? .make(33, sessions: 0) : $0 }
        #expect(found(by: IssueVelocityRule(), in: source).isEmpty)
        // Reports of the last day came in, its sessions did not.
        source.health = source.health.map { $0.date == lastDay ? .make(0, sessions: 400) : $0 }
        #expect(found(by: IssueVelocityRule(), in: source).isEmpty)
    }

    @Test func orderOfIssuesChangesNothing() {
        let source = history { $0 == "c" && $1 <= 9 ? $2 + 90 : $2 }
        var turned = source
        turned.issues.reverse()
        turned.issueDays.reverse()
        turned.health.reverse()
        #expect(found(by: IssueVelocityRule(), in: turned) == found(by: IssueVelocityRule(), in: source))
    }

    @Test func hoursTakeThePlaceOfDays() throws {
        let source = history()
        var index = HistoryIndex(
            AppHistory(app: AppHistory.make().app, sources: [source]), asOf: reportTime)
        let length = 800
        let affected = (0..<4).map { issue in
            (0..<length).map { hour in
                (issue == 1 && hour >= 780 ? 50 : 0) + 3 + (hour * (issue + 5)) % 4
            }
        }
        let counts = try #require(
            HourlyIssues(sessions: [Int](repeating: 1000, count: length), affected: affected))
        let start = Instant(startOf: .back(-1)).advanced(bySeconds: -3600 * length)
        index.issues.hours = IssueHours(
            first: UTCHour(of: start), issues: ["a", "b", "c", "d"], counts: counts)
        let alerts = IssueVelocityRule().events(in: index)
        #expect(alerts.count == 1)
        #expect(alerts.first?.occasion.at == start.advanced(bySeconds: 781 * 3600))
        #expect(alerts.first?.occasion.day == lastDay)
        let alert = try #require(alerts.first?.velocity)
        #expect(alert.issue.id == "b" && alert.hours == 1 && alert.share == Fraction(53, of: 1000))
        #expect(IssueHours(first: UTCHour(of: start), issues: ["a"], counts: counts) == nil)
    }

    @Test func issueReportedByHoursIsNotReportedAgainAsNew() throws {
        let length = 24 * 40
        let counts = try #require(
            HourlyIssues(
                sessions: [Int](repeating: 500, count: length),
                affected: [(0..<length).map { $0 >= length - 10 ? 60 : 0 }]))
        let start = Instant(startOf: .back(-1)).advanced(bySeconds: -3600 * length)
        let source = SourceHistory.make(
            health: (0..<40).map { .make($0, sessions: 12_000) },
            issues: [Issue(id: "new", title: "new", firstSeen: .noon(back: 0))],
            issueDays: [.make("new", 0, events: 600, users: 600)])
        var index = HistoryIndex(
            AppHistory(app: AppHistory.make().app, sources: [source]), asOf: reportTime)
        #expect(IssueVelocityRule().events(in: index).count == 1)
        index.issues.hours = IssueHours(first: UTCHour(of: start), issues: ["new"], counts: counts)
        #expect(IssueVelocityRule().events(in: index).map(\.velocity?.hours) == [1])
    }
}

extension Event {
    /// The alert, when it is one of an issue that spreads fast.
    fileprivate var velocity: IssueVelocityAlert? {
        if case .velocity(let alert) = self { alert } else { nil }
    }
}
