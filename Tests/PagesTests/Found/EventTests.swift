import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Statistics
import Testing

struct EventTests {
    /// A history in which every rule finds something on the last day.
    private func eventful(title: String = "Index out of range", hurt: [String: Int] = [:]) -> SourceHistory {
        let ids = ["old", "Atomic", "Safari"]
        let files = ["Fixed.swift", "Atomic.swift", "SFSafariViewController.m"]
        return .make(
            capturedAt: .noon(back: -1), failure: timeout,
            health: (0...90).map { back in
                let crashed = back == 12 ? 1328 : back == 11 ? 730 : back == 0 ? 73 : 725
                let users = back == 0 ? 1000 : 10_000
                return .make(back, sessions: 10_000, users: users, crashedUsers: crashed)
            } + [
                .make(3, of: "4.2.2", sessions: 10_000, crashed: 20),
                .make(0, of: "4.3.0", sessions: 1000, crashed: 200),
            ],
            usage: (0...90).map { UsageDay(date: .back($0), activeUsers: $0 == 0 ? 16_850 : 10_000) },
            releases: [Release(version: Version("4.3.0", build: "391"), releasedAt: nil)],
            issues: zip(ids, zip(files, [nil, 54, 1337])).map { id, place in
                Issue(
                    id: id, title: title, place: CodePlace(file: "src/" + place.0, line: place.1),
                    firstSeen: id == "old" ? nil : .noon(back: 0),
                    fixedIn: id == "old" ? Version("4.2.2", build: "376") : nil)
            },
            issueDays: [
                .make("old", of: "4.3.0"), .make("Safari", events: 283, users: hurt["Safari"] ?? 763),
                .make("Atomic", events: 30, users: hurt["Atomic"] ?? 30),
            ],
            notes: [Note(id: "1", at: .noon(back: 0), author: "Josh", text: "", subject: .issue("Atomic"))])
    }

    private func events(in sources: SourceHistory..., asOf: Instant = reportTime) -> [Event] {
        Analysis.events(
            in: HistoryIndex(AppHistory(app: AppHistory.make().app, sources: sources), asOf: asOf))
    }

    @Test(arguments: [
        (
            EventKind.stability, 12,
            "Crash free users dropped by 6.5% in the past 24 hours. At 86.72%, it is significantly below the 92.75% expected for a Friday."
        ),
        (
            .usage, 0,
            "Active users were 68.5% above the expected level on Wednesday, Jan 27 UTC: 16,850 vs. about 10,000."
        ),
        (
            .velocity, 0,
            "An issue in SFSafariViewController.m line 1337 is affecting 2.83% of sessions in the past 24 hours. The issue was first seen January 27, 2016."
        ),
        (.topIssues, 0, "76.3% of your users were affected by 1 issue on Wednesday, Jan 27 UTC."),
        (.newIssue, 0, "New issue detected in Atomic.swift line 54."),
        (.newNote, 0, "Josh added a note to an issue in Atomic.swift line 54."),
        (.regressed, 0, "An issue in Fixed.swift regressed: fixed in 4.2.2 (376), seen in 4.3.0."),
        (.recovery, 11, "Crash free users recovered to 92.70% after 1 day."),
        (
            .releaseVerdict, 0,
            "Verdict for 4.3.0: Hold. Crash-free sessions 80.0% (75.1–84.3) on day 0, below the 98% critical level. No comparison: 4.2.2 was in use before data began."
        ),
        (.sourceTrouble, -1, "Couldn't fetch 'files'. Last good data: Wed, Jan 27, 2016."),
    ])
    func everyKindHasItsOwnWords(kind: EventKind, back: Int, sentence: String) {
        let sentences = events(in: eventful()).filter { $0.kind == kind && $0.back == back }.map(\.sentence)
        #expect(sentences.contains(sentence), "\(sentences)")
    }

    @Test func everyKindHasARule() {
        // Alerts are withdrawn by the ledger, not found by a rule.
        let kinds = Set(EventKind.allCases).subtracting([.withdrawn])
        #expect(Set(events(in: eventful()).map(\.kind)) == kinds)
        #expect(Set(standardRules.map { type(of: $0).kind }) == kinds)
        #expect(Set(standardRules.map { type(of: $0).id }).count == standardRules.count)
    }

    @Test func newestComesFirstAndIdsSettleTies() {
        let places = events(in: eventful()).map(\.occasion)
        for (first, second) in zip(places, places.dropFirst()) {
            #expect(first.at > second.at || (first.at == second.at && first.id < second.id))
        }
    }

    @Test func orderOfTheInputChangesNothing() {
        var turned = eventful()
        turned.issues.reverse()
        turned.issueDays.reverse()
        turned.health.reverse()
        turned.notes.reverse()
        #expect(events(in: turned) == events(in: eventful()))
    }

    @Test func idsDependOnNeitherRankNorTitle() {
        let ids = events(in: eventful()).map(\.occasion.id)
        let renamed = events(
            in: eventful(title: "Another\u{202E} title / here", hurt: ["Atomic": 900, "Safari": 40]))
        #expect(renamed.map(\.occasion.id) == ids)
        #expect(ids.contains("sketchbook/stability/2016-01-15"))
        #expect(ids.contains("sketchbook/top-issues/2016-01-27"))
        #expect(ids.contains("sketchbook/source-trouble/2016-01-28/files"))
    }

    @Test func idOfAnEventIsSafeInAnAddress() {
        let occasion = EventIdentity(
            rule: "new-issue", subject: "../../\u{202E}x", app: AppHistory.make().app, day: lastDay,
            at: reportTime)
        let parts = occasion.id.split(separator: "/", omittingEmptySubsequences: false)
        #expect(parts.count == 4 && parts.allSatisfy { Slug(String($0)) != nil })
    }

    @Test(arguments: [
        // The same 12 digits of FNV-1a.
        ["1.0%%~~!~&::(@:b", "1.0]@=@,*~(@~=~b"],
        // One is called as the id of the other ends.
        ["A", "a-fc4c860222ec"],
    ])
    func issuesWithCollidingNamesHaveEventsOfTheirOwn(issues: [String]) {
        func ids(_ order: [String]) -> [String: String] {
            let source = SourceHistory.make(
                issues: order.map { Issue(id: $0, title: $0, firstSeen: .noon(back: 0)) },
                issueDays: order.map { .make($0, events: 1, users: 1) })
            return events(in: source).reduce(into: [:]) { ids, event in
                if case .newIssue(let new) = event { ids[new.issue.id] = event.occasion.id }
            }
        }
        let found = ids(issues)
        #expect(found.count == 2 && Set(found.values).count == 2)
        #expect(ids(issues.reversed()) == found)
        #expect(found.values.allSatisfy { $0.split(separator: "/").allSatisfy { Slug(String($0)) != nil } })
    }

    @Test func idsOfEventsStay() {
        let occasion = EventIdentity(
            rule: "new-note", subject: "files@1", app: AppHistory.make().app, day: lastDay, at: reportTime)
        #expect(occasion.id == "sketchbook/new-note/2016-01-27/files-1-0b01af47b613")
    }

    @Test func appWithoutASourceIsSilent() {
        #expect(
            events(in: eventful(), asOf: Instant(secondsSinceEpoch: .min)).map(\.kind) == [.sourceTrouble])
        #expect(Analysis.events(in: HistoryIndex(.make(), asOf: reportTime)).isEmpty)
        #expect(events(in: SourceHistory(source: .make())).isEmpty)
    }

    @Test func tinyAppHasNoAlerts() {
        let source = SourceHistory.make(
            health: (0...20).map {
                .make($0, sessions: 40, crashed: $0 % 3 * 12, users: 20, crashedUsers: $0 % 3 * 6)
            },
            issues: [Issue(id: "a", title: "A")],
            issueDays: (0...20).map { .make("a", $0, events: $0 % 3 * 12, users: $0 % 3 * 6) })
        #expect(events(in: source).allSatisfy { !$0.kind.isAlert })
    }

    @Test func issueListedTwiceIsReportedOnce() {
        var source = eventful()
        source.issues += source.issues
        let ids = events(in: source).map(\.occasion.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test func figuresOfTwoSourcesAreNotMixed() {
        let one = SourceHistory.make(
            "one", knows: [.sessions], health: [.make(1, sessions: 9000, crashed: 90)])
        let two = SourceHistory.make(
            "two", knows: [.sessions], health: [.make(0, sessions: 9000, crashed: 900)])
        #expect(events(in: one, two).isEmpty)
    }

    @Test(arguments: statements(of: standardRules).map(\.text))
    func rulesDescribeThemselvesInASentence(statement: String) {
        #expect(statement.hasSuffix(".") && statement.first?.isUppercase == true)
    }

    @Test func statementsHoldTheLiveConstants() {
        let drop = StabilityRule(
            detector: CrashRateDropDetector(floor: 2.3, margin: 1.7), quietDays: 5, usualPart: 0.7)
        #expect(
            ["56-day", "1.7×", "above 2.3", "5 normal days", "about 0.9 false alarms"].allSatisfy(
                drop.statement.contains))
        #expect(RecoveryRule(drop: drop).statement.contains("70% of the 56 days"))
        let usage = UsageAnomalyRule(detector: UsageAnomalyDetector(floor: 1.8, margin: 1.45), quietDays: 4)
            .statement
        #expect(["1.45×", "above 1.8", "4 normal days"].allSatisfy(usage.contains))
        let velocity = IssueVelocityRule(percent: 2.5, minimumUsers: 33, minimumSessions: 444).statement
        #expect(["2.5%", "33 users", "444 sessions", "14 days"].allSatisfy(velocity.contains))
        #expect(TopIssuesRule(limit: 7).statement.contains("The 7 issues"))
    }
}
