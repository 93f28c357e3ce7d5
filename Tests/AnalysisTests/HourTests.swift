import Analysis
import AppHealth
import HistoryFixtures
import Statistics
import Testing

struct HourTests {
    private static let now = UTCHour(of: reportTime)

    /// A source with 24 days of hours up to the report: a quiet issue, and one that rises at a place.
    private func source(_ change: (inout SourceHistory) -> Void = { _ in }) -> SourceHistory {
        var source = SourceHistory.make()
        let hours = (1...576).reversed().map { Self.now.advanced(by: -$0) }
        source.healthHours = hours.map { HealthHour(hour: $0, sessions: 2_000, crashedSessions: 8) }
        source.hoursOfIssues = Set(hours)
        source.issueHours = hours.enumerated().compactMap { place, hour in
            IssueHour(issue: "quiet", hour: hour, events: 3 + place % 3)
        }
        change(&source)
        return source
    }

    private func hours(_ source: SourceHistory) -> IssueHours? {
        HistoryIndex(.make(source), asOf: reportTime).issues.hours
    }

    @Test func plantedRiseIsFoundInTheHoursOfTheIndex() throws {
        let rise = Self.now.advanced(by: -5)
        let found = try #require(
            hours(
                source { source in
                    for ahead in 0..<5 {
                        source.issueHours.append(
                            IssueHour(issue: "new", hour: rise.advanced(by: ahead), events: 90, users: 60))
                    }
                }))
        #expect(found.issues == ["new", "quiet"])
        #expect(found.counts.sessions.count == 576)
        let findings = IssueVelocityDetector().findings(in: found.counts)
        let first = try #require(findings.first)
        #expect(found.issues[first.issue] == "new")
        #expect(found.hour(at: first.hour) == rise)
        #expect(first.affected == 60)
        #expect(!findings.contains { found.issues[$0.issue] == "quiet" })
        #expect(IssueVelocityDetector().findings(in: try #require(hours(source())).counts).isEmpty)
    }

    /// A rise is reported of the hours that end at 02:00 or 20:00 UTC; whose day that is depends on the zone.
    @Test(
        arguments: [
            (nil, 26, 1), (ZoneOffsets(seconds: -18_000), 26, 0), (ZoneOffsets(seconds: 3600), 26, 1),
            (nil, 20, 0),
            (ZoneOffsets(seconds: 32_400), 20, 1), (ZoneOffsets(seconds: -18_000), 20, 0),
        ])
    func anAlertOfAnHourIsOfTheDayOfItsZone(row: (zone: ZoneOffsets?, end: Int, ahead: Int)) throws {
        let end = Instant(startOf: lastDay).advanced(bySeconds: row.end * 3600)
        var rising = source { source in
            source.issues = [AppHealth.Issue(id: "new", title: "New")]
            source.issueHours.append(
                IssueHour(issue: "new", hour: UTCHour(of: end).advanced(by: -1), events: 400, users: 300))
        }
        rising.zoneOffsets = row.zone
        let index = HistoryIndex(.make(rising), asOf: reportTime)
        let alerts = IssueVelocityRule().hourlyAlerts(in: try #require(index.issues.hours), index)
        let alert = try #require(alerts.first)
        #expect(alert.occasion.at == end && alert.hours == 1)
        #expect(alert.occasion.day == lastDay.advanced(by: row.ahead))
    }

    /// Of 1,000 sessions an hour a burst that passes the usual bar and not that of the first weeks: once found it stays
    /// found on the nights on which older hours go, though its own hour moves toward the first one kept. Of hours that
    /// begin with the app's own it is found as soon as older ones would go, and stays so.
    @Test(arguments: [
        (known: 2_000, ago: 20, nights: [true, true, true, true]), (690, 5, [true, true, true, true]),
        (648, 20, [false, false, false, true, true]),
    ])
    func anAlertStaysFoundAsOlderHoursGo(row: (known: Int, ago: Int, nights: [Bool])) {
        let (first, burst) = (Self.now.advanced(by: -row.known), Self.now.advanced(by: -row.ago))
        let found = row.nights.indices.map { night in
            let asOf = reportTime.advanced(bySeconds: night * 86_400)
            let hours = (0..<row.known + 24 * night).map { first.advanced(by: $0) }
            var source = SourceHistory.make(capturedAt: asOf, issues: [AppHealth.Issue(id: "a", title: "A")])
            source.healthHours = hours.map { HealthHour(hour: $0, sessions: 1_000, crashedSessions: 8) }
            source.hoursOfIssues = Set(hours)
            source.issueHours = ["a", "b", "c"].enumerated().flatMap { issue, id in
                hours.map { hour in
                    let usual = hour.hoursSinceEpoch * (issue + 5) % 3
                    return IssueHour(issue: id, hour: hour, events: id == "a" && hour == burst ? 6 : usual)
                }
            }
            let index = HistoryIndex(.make(source), asOf: asOf)
            let alerts = index.issues.hours.map { IssueVelocityRule().hourlyAlerts(in: $0, index) } ?? []
            return alerts.contains { $0.occasion.at == burst.advanced(by: 1).start }
        }
        #expect(found == row.nights)
    }

    @Test func hourIsAGapUnlessSessionsAndIssuesAreKnown() throws {
        let (first, last) = (Self.now.advanced(by: -576), Self.now.advanced(by: -1))
        let found = try #require(
            hours(
                source { source in
                    source.hoursOfIssues.remove(first.advanced(by: 1))
                    source.healthHours[2].sessions = nil
                    source.healthHours.append(HealthHour(hour: Self.now, sessions: 5))
                }))
        #expect(found.first == first)
        #expect(found.hour(at: found.counts.sessions.count - 1) == last)
        #expect(found.counts.sessions.prefix(4) == [2_000, nil, nil, 2_000])
        #expect(found.counts.affected.first?.prefix(4) == [3, 0, 0, 3])
    }

    @Test func issueNeverMeetsMoreSessionsThanThereAre() throws {
        let found = try #require(
            hours(
                source {
                    $0.issueHours = [IssueHour(issue: "a", hour: Self.now.advanced(by: -1), events: 9_999)]
                }))
        #expect(found.counts.affected.map { $0.max() } == [2_000])
    }

    @Test func sourceWithoutHoursHasNone() {
        #expect(hours(source { $0.source.capabilities.remove(.hours) }) == nil)
        #expect(hours(source { $0.healthHours = [] }) == nil)
        #expect(hours(source { $0.hoursOfIssues = [] }) == nil)
        #expect(HistoryIndex(.make(), asOf: reportTime).issues.hours == nil)
    }

    /// A hundred days of an old issue, ten times as frequent on some of them, whose hours of three weeks show nothing of it.
    private func archive(rises: [Int], hoursOf days: (Int) -> Bool) -> SourceHistory {
        var source = SourceHistory.make(
            "days", health: (0..<100).reversed().map { .make($0, sessions: 48_000 + $0 % 7 * 100) },
            issues: [AppHealth.Issue(id: "a", title: "A", firstSeen: .noon(back: 500))],
            issueDays: (0..<100).reversed().map { back in
                .make("a", back, events: rises.contains(back) ? 480 : 46 + back % 5, users: nil)
            })
        let hours = (1...500).reversed().map { Self.now.advanced(by: -$0) }
            .filter { days($0.start.date.days(to: lastDay)) }
        source.healthHours = hours.map { HealthHour(hour: $0, sessions: 2_000, crashedSessions: 8) }
        source.hoursOfIssues = Set(hours)
        source.issueHours = hours.map { IssueHour(issue: "a", hour: $0, events: 2) }
        return source
    }

    /// Hours judge the days that they tell all of, after two weeks to learn from; days judge the others.
    @Test(arguments: [
        (rises: [4], without: [Int](), found: [Int]()), ([4], [4], [4]), ([4], [5], []), ([4, 5], [4], [4]),
        ([45], [], [45]), ([45], [4], [45]), ([2], Array(-1...12), [2]),
        // The hours of the newest day may still come.
        ([0], [0, -1], []), ([2], [2, 1, 0, -1], [2]),
    ])
    func daysWithoutHoursAreJudgedByDays(row: (rises: [Int], without: [Int], found: [Int])) {
        let source = archive(rises: row.rises) { !row.without.contains($0) }
        let events = found(by: IssueVelocityRule(), in: source)
        #expect(events.map(\.back).sorted(by: >) == row.found)
    }

    /// Hours of another source are of other issues.
    @Test func hoursAreOfTheSourceOfTheIssues() {
        var first = archive(rises: [4]) { _ in true }
        (first.healthHours, first.issueHours, first.hoursOfIssues) = ([], [], [])
        var second = source { $0.issues = [AppHealth.Issue(id: "a", title: "Another")] }
        second.issueHours.append(IssueHour(issue: "a", hour: Self.now.advanced(by: -3), events: 900))
        second.source = .make("hours")
        #expect(found(by: IssueVelocityRule(), in: first, second).map(\.back) == [4])
    }

    /// As hours go, days that they judged have days alone: what these show was judged already, and what was raised by hours
    /// stays as it was.
    @Test func aDayThatHoursJudgedIsNotJudgedAgainByDays() throws {
        let index = HistoryIndex(.make(archive(rises: [20]) { _ in true }), asOf: reportTime)
        func shown(_ ledger: [LedgerEntry]) -> [Event] {
            events(in: index, ledger: ledger).filter { $0.kind == .velocity }
        }
        #expect(shown([]).map(\.back) == [20])
        var entry = try #require(
            reconcile([], with: events(in: index), in: index, sentence: \.kind.rawValue).appended.first {
                $0.rule == IssueVelocityRule.id
            })
        #expect(shown([entry]) == shown([]))
        entry.reportedSize = 0.3
        let raised = shown([entry])
        #expect(raised.map(\.occasion.id) == [entry.id])
        if case .raised? = raised.first {} else { Testing.Issue.record("\(raised)") }
        (entry.id, entry.subject, entry.firstDay, entry.lastDay) = ("x", "other", .back(60), .back(60))
        #expect(shown([entry]).map(\.back) == [60])
    }

    /// Chance brings more alerts where hours are judged: a backtest says how many at the pace of its days.
    @Test func falseAlarmsAreThoseOfTheDaysOfABacktest() {
        let index = HistoryIndex(.make(archive(rises: []) { _ in true }), asOf: reportTime)
        let rule = IssueVelocityRule()
        func perYear(_ days: Int) -> Double {
            rule.falseAlarmsPerYear(in: index, since: .back(days - 1))
        }
        let (byHours, byDays) = (rule.hourly.pace.falseReportsPerYear, rule.daily.pace.falseReportsPerYear)
        #expect(perYear(5) == byHours)
        #expect(perYear(100) > byDays && perYear(100) < byHours / 3)
        var source = archive(rises: []) { _ in true }
        source.hoursOfIssues.remove(Self.now.advanced(by: -40))
        let oneGap = HistoryIndex(.make(source), asOf: reportTime)
        // The other hours of that day are judged, and the day too.
        #expect(
            abs(rule.falseAlarmsPerYear(in: oneGap, since: .back(4)) - (byHours * 119 / 120 + byDays / 5))
                < 1e-9)
        let without = HistoryIndex(.make(archive(rises: []) { _ in false }), asOf: reportTime)
        #expect(rule.falseAlarmsPerYear(in: without, since: .back(9)) == byDays)
    }
}
