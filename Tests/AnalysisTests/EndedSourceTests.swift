import AppHealth
import Diagnostics
import HistoryFixtures
import Statistics
import Testing

@testable import Analysis

/// A source that was replaced, or whose service is gone.
struct EndedSourceTests {
    /// The last day of the source that was replaced.
    private static let change = 20
    private static let both: Set<Capability> = [.users, .sessions]
    private static let issues: Set<Capability> = [.issues, .issueDays]

    /// A source with the same on each of its days.
    private static func source(
        _ name: String, _ knows: Set<Capability> = both, days: ClosedRange<Int>, crashed: Int = 50,
        until: Int? = nil, failure: Diagnostic? = nil, issues: [Issue] = []
    ) -> SourceHistory {
        let health = days.reversed().map {
            HealthDay.make($0, sessions: 20_000, crashed: crashed, users: 10_000, crashedUsers: crashed)
        }
        var history = SourceHistory.make(
            name, knows: knows, failure: failure, health: health, issues: issues,
            issueDays: issues.flatMap { issue in
                days.reversed().filter { CivilDate.back($0) >= issue.firstSeenDay ?? .back($0) }.map {
                    IssueDay.make(issue.id, $0, events: 40, users: 30)
                }
            })
        history.source.until = until.map(CivilDate.back)
        return history
    }

    private static func old(
        _ knows: Set<Capability> = both, days: ClosedRange<Int> = 0...90, crashed: Int = 50,
        until: Int? = change, failure: Diagnostic? = nil, issues: [Issue] = []
    ) -> SourceHistory {
        source("old", knows, days: days, crashed: crashed, until: until, failure: failure, issues: issues)
    }

    /// One without a day, or without users after a day.
    private static func oldLacking(_ gap: Int? = nil, usersAfter last: Int = 0) -> SourceHistory {
        var history = old()
        history.health.removeAll { $0.date == gap.map(CivilDate.back) }
        for place in history.health.indices where history.health[place].date > .back(last) {
            (history.health[place].users, history.health[place].crashedUsers) = (nil, nil)
        }
        return history
    }

    private static func new(
        _ knows: Set<Capability> = both, days: ClosedRange<Int> = 0...40, crashed: Int = 400,
        issues: [Issue] = []
    ) -> SourceHistory {
        source("new", knows, days: days, crashed: crashed, issues: issues)
    }

    private func index(_ sources: [SourceHistory]) -> HistoryIndex {
        HistoryIndex(
            AppHistory(app: App(id: Slug(anyText: "quay"), name: "Quay", platform: ""), sources: sources),
            asOf: reportTime, targets: .standard)
    }

    /// That another service counts otherwise is no day-to-day variance of the app: neither of its error budget nor of its
    /// weeks.
    @Test func aChangeOfSourceIsNoVariance() throws {
        let index = index([Self.old(), Self.new()])
        #expect(!index.sourceChanges.days(of: [index.rates.basis.capability]).isEmpty)
        for back in [0, 10, Self.change - 1, Self.change] {
            let budget = try #require(StabilityBudget(index, through: .back(back)))
            #expect(budget.budget.dispersion == 1, "\(back)")
        }
    }

    /// Releases go on with a source that counts users alone, and what was counted in sessions says nothing of them.
    @Test(arguments: [(20, ReleaseVerdict.go), (900, .hold)])
    func releasesGoOnWithASourceOfUsersAlone(crashed: Int, verdict: ReleaseVerdict) throws {
        func rows(_ label: String, _ days: ClosedRange<Int>, crashed: Int) -> [HealthDay] {
            days.reversed().map {
                .make($0, of: label, sessions: 18_000, crashed: crashed, users: 9_000, crashedUsers: crashed)
            }
        }
        var old = Self.old(Self.both.union([.releaseHealth]))
        old.health += rows("1.0", 0...90, crashed: 40)
        var new = Self.new([.users, .releaseHealth])
        new.health = new.health.map { day in
            var day = day
            (day.sessions, day.crashedSessions) = (nil, nil)
            return day
        }
        new.health += rows("2.0", 0...15, crashed: crashed).map { day in
            var day = day
            (day.sessions, day.crashedSessions) = (nil, nil)
            return day
        }
        for source in [old, new] { #expect(source.source.capabilities.contains(.releaseHealth)) }
        let index = index([old, new])
        #expect(
            index.rates.sources.releases?.source.id.text == "new" && index.releases.counts.basis == .users)
        let found = ReleaseEvaluator(index).evaluation(of: "2.0")
        #expect(found.verdict == verdict && found.basis?.life.basis == .users)
    }

    /// Without a source that follows, figures grow old as those of any other: what was good on the last day is not good now.
    @Test(arguments: [(0, false), (1, false), (2, true), (change, true)], [true, false])
    func whatNothingFollowsIsStale(last: (until: Int, isStale: Bool), hasFollower: Bool) {
        let failing = SourceHistory.make(
            "new", knows: Self.both, capturedAt: nil, failure: .error("sentry.http", "no answer"))
        let report = analysis([Self.old(crashed: 1, until: last.until)] + (hasFollower ? [failing] : []))
        let day = report.lastDay
        #expect(day.date == .back(last.until))
        #expect((day.crashed(.users).staleSince != nil) == last.isStale)
        #expect(day.status(on: .users) == (last.isStale ? .unknown : .meets))
        #expect(report.sources.all.first { $0.source.id.text == "old" }?.state == .ended)
        #expect(report.facts.freshness.overdue == [])
    }

    /// What has no newer data than those of six days ago is not up to date, whatever day the configuration names.
    @Test(arguments: [20, 1, 0]) func figuresAreStaleFromTheirLastDay(until: Int) {
        let report = analysis([Self.old(days: 20...90, crashed: 1, until: until)])
        let day = report.lastDay
        #expect(day.date == .back(20) && day.status(on: .users) == .unknown)
        #expect(day.crashed(.users).staleSince != nil)
        #expect(report.sources.all.first?.trouble == .ended(Slug(anyText: "old"), on: .back(20)))
    }

    /// A drop between the last day of the old source and the one that the configuration names is one of the new source.
    @Test(arguments: [Self.change, -3]) func whatTheNextOneFillsIsJudged(until: Int) throws {
        var new = Self.new(days: 0...60, crashed: 50)
        let drop = try #require(new.health.firstIndex { $0.date == .back(25) })
        (new.health[drop].crashedUsers, new.health[drop].crashedSessions) = (900, 900)
        let index = index([Self.old(days: 30...90, until: until), new])
        #expect(events(in: index).contains { $0.kind == .stability && $0.occasion.day == .back(25) })
        #expect(Set(index.sourceChanges.map(\.day)) == [.back(29)])
    }

    private func analysis(_ sources: [SourceHistory]) -> AppAnalysis {
        AppAnalysis(
            AppHistory(app: App(id: Slug(anyText: "quay"), name: "Quay", platform: ""), sources: sources),
            targets: .standard, asOf: reportTime)
    }

    /// Crashed users and crashed sessions of a day before the change, of the last day before it, of the first after it, and
    /// of the last day.
    struct Row: CustomTestStringConvertible {
        let name: String
        let sources: [SourceHistory]
        let users: [Int?]
        let sessions: [Int?]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(
            name: "both", sources: [old(), new()], users: [50, 50, 400, 400], sessions: [50, 50, 400, 400]),
        Row(
            name: "the order does not matter", sources: [new(), old()], users: [50, 50, 400, 400],
            sessions: [50, 50, 400, 400]),
        Row(
            name: "users alone", sources: [new(), old([.users])], users: [50, 50, 400, 400],
            sessions: [nil, 400, 400, 400]),
        Row(
            name: "a gap of the old one stays one",
            sources: [oldLacking(60), new(days: 0...90)],
            users: [nil, 50, 400, 400], sessions: [nil, 50, 400, 400]),
        Row(
            name: "the next one has what the old one lacks at its end", sources: [old(days: 23...90), new()],
            users: [50, 400, 400, 400], sessions: [50, 400, 400, 400]),
        Row(
            name: "each fact has its own last day",
            sources: [oldLacking(usersAfter: 25), new()], users: [50, 400, 400, 400],
            sessions: [50, 50, 400, 400]),
        Row(
            name: "no other one", sources: [old()], users: [50, 50, nil, nil], sessions: [50, 50, nil, nil]),
        Row(
            name: "two ended ones",
            sources: [new(), old(), source("oldest", days: 0...90, crashed: 7, until: 50)],
            users: [7, 50, 400, 400], sessions: [7, 50, 400, 400]),
        Row(
            name: "one that came back",
            sources: [old(until: nil), source("other", days: 0...40, crashed: 400, until: 20)],
            users: [50, 400, 50, 50], sessions: [50, 400, 50, 50]),
        Row(
            name: "an ended one without a day", sources: [new(days: 0...90), old(days: 0...5)],
            users: [400, 400, 400, 400], sessions: [400, 400, 400, 400]),
        Row(
            name: "its end is to come", sources: [old(until: -3), new()], users: [50, 50, 50, 50],
            sessions: [50, 50, 50, 50]),
        Row(
            name: "its next day may still come", sources: [old(days: 1...90, until: -3), new()],
            users: [50, 50, 50, nil], sessions: [50, 50, 50, nil]),
        Row(
            name: "its end is to come, and another one is the first", sources: [new(), old(until: -3)],
            users: [nil, 400, 400, 400], sessions: [nil, 400, 400, 400]),
        Row(
            name: "its end is to come, and its days stopped",
            sources: [old(days: 20...90, until: -3), new()],
            users: [50, 50, 400, 400], sessions: [50, 50, 400, 400]),
        Row(
            name: "its end is to come, its days stopped, and no other one has newer ones",
            sources: [old(days: 20...90, until: -3), new(days: 30...90)],
            users: [50, 50, nil, nil], sessions: [50, 50, nil, nil]),
    ])
    func eachDayIsOfOneSource(row: Row) {
        let index = index(row.sources)
        let days = [60, 20, 19, 0].map { index.rates.health[.back($0)] }
        #expect(days.map { $0?.crashedUsers } == row.users)
        #expect(days.map { $0?.crashedSessions } == row.sessions)
    }

    /// The same numbers of one source are a drop.
    @Test func noAlertTakesTheStepForADrop() {
        let step =
            [HealthDay].quietPast(before: 19, from: 90, users: 10_000, crashedUsers: 50)
            + (0...19).reversed().map { .make($0, users: 10_000, crashedUsers: 400) }
        let one = index([.make("one", knows: [.users], health: step)])
        #expect(events(in: one).contains { $0.kind == .stability })
        for sources in [[Self.old(), Self.new(days: 0...19)], [Self.new(days: 0...60), Self.old()]] {
            let found = events(in: index(sources))
            #expect(found.allSatisfy { $0.kind == .newNote }, "\(found.map(\.occasion.id))")
        }
        // A rise of use is one of the service alone as well.
        var more = Self.new(days: 0...19)
        for place in more.health.indices { more.health[place].users = 90_000 }
        #expect(!events(in: index([Self.old(), more])).contains { $0.kind == .usage })
    }

    @Test func alertsOfTheTimeBeforeStay() throws {
        var old = Self.old()
        let drop = try #require(old.health.firstIndex { $0.date == .back(30) })
        old.health[drop].crashedUsers = 400
        var alone = old
        alone.source.until = nil
        let before = index([alone])
        let ledger = reconcile([], with: events(in: before), in: before, sentence: \.kind.rawValue).revisions
        let entry = try #require(ledger.first { $0.rule == StabilityRule.id })
        let after = index([old, Self.new(days: 0...19)])
        let found = events(in: after, ledger: ledger)
        #expect(found.filter { $0.kind == .stability }.map(\.occasion.id) == [entry.id])
        #expect(found.contains { $0.kind == .recovery } && !found.contains { $0.kind == .withdrawn })
        #expect(reconcile(ledger, with: found, in: after, sentence: \.kind.rawValue).withdrawn.isEmpty)
    }

    /// An alert that is open on the last day of its source ends there; what comes later does not explain it.
    @Test func nothingExplainsADropAcrossTheChange() {
        var old = Self.old()
        for place in old.health.indices where old.health[place].date >= .back(22) {
            old.health[place].crashedUsers = 400
        }
        let report = analysis([old, Self.new(days: 0...19)])
        #expect(report.stability.causes.isEmpty)
    }

    @Test func issuesOfANewServiceAreNoNews() {
        func issue(_ id: String, first back: Int) -> Issue {
            Issue(id: id, title: "Issue \(id)", firstSeen: .noon(back: back), events: 800, users: 600)
        }
        let old = Self.old(Self.both.union(Self.issues), issues: [issue("1", first: 80)])
        let new = Self.new(
            Self.both.union(Self.issues), days: 0...19,
            issues: [issue("7", first: 19), issue("8", first: 15), issue("9", first: 5)])
        let index = index([new, old])
        let found = events(in: index).compactMap { event -> String? in
            switch event {
            case .newIssue(let new): new.issue.id
            case .velocity(let alert): alert.issue.id
            default: nil
            }
        }
        #expect(Set(found).isSubset(of: ["1", "9"]) && found.contains("9"), "\(found)")
        // What the other source counted says nothing of an issue.
        #expect(index.issues.events(of: "7", on: [.back(30), .back(21), .back(19)]) == [nil, nil, 40])
        #expect(index.issues.events(of: "1", on: [.back(30), .back(21), .back(19)]) == [40, 40, nil])
        let trends = IssueTrends(index)
        #expect(trends.byIssue["7"]?.change == nil && trends.byIssue["1"]?.change == nil)
    }

    @Test func twoIssuesOfOneNameAreTwo() {
        func issue(_ title: String) -> Issue { Issue(id: "1", title: title, firstSeen: .noon(back: 80)) }
        func ids(_ titles: [String]) -> [String] {
            let knows = Self.both.union(Self.issues)
            let sources = [
                Self.old(knows, issues: [issue(titles[0])]),
                Self.new(knows, days: 0...19, issues: [issue(titles[1])]),
            ]
            return index(sources).issues.byID.ids.sorted()
        }
        #expect(ids(["Range", "Lock"]) == ["1", "old/1"])
        #expect(ids(["Range", "Range"]) == ["1"])
    }

    /// No state of an ended source asks for attention.
    @Test func anEndedSourceIsInNoTrouble() throws {
        var old = Self.old(failure: timeout)
        old.capturedAt = .noon(back: 18)
        old.outages = [Outage(first: .noon(back: 18), why: timeout)]
        let report = analysis([old, Self.new()])
        let facts = try #require(report.sources.all.first { $0.source.id.text == "old" })
        #expect(facts.state == .ended && facts.trouble == .ended(old.source.id, on: .back(Self.change)))
        #expect(report.sources.all.map(\.source.id.text) == ["new", "old"])
        #expect(report.facts.freshness.failed.isEmpty && report.facts.freshness.overdue.isEmpty)
        let found = events(in: index([old, Self.new()]))
        #expect(!found.contains { $0.kind == .sourceTrouble })
        let users = report.day(.back(0)).users
        #expect(users.value != nil && users.staleSince == nil)
    }

    /// The change is a note on its day, and sums of days go on across it.
    @Test func theChangeIsANote() throws {
        let index = index([Self.old(), Self.new(days: 0...19)])
        let note = try #require(index.notes.first?.note)
        #expect(index.notes.count == 1 && note.subject == .day(.back(19)))
        #expect(note.text.contains("'new', before from 'old': sessions, users."))
        let report = analysis([Self.old(), Self.new(days: 0...19)])
        let budget = try #require(report.day(lastDay).budget?.budget)
        #expect(budget.allowed.rounded() == 1_400)
    }

    /// What was known, and found, before the other source had its first day stays when the first one comes back.
    @Test func theTimeBeforeASourceThatCameBackStays() throws {
        let other = Self.source("other", days: 0...40, crashed: 50, until: Self.change)
        var first = Self.old(until: nil)
        let drop = try #require(first.health.firstIndex { $0.date == .back(60) })
        first.health[drop].crashedUsers = 900
        let before = index([first])
        let ledger = reconcile([], with: events(in: before), in: before, sentence: \.kind.rawValue).revisions
        let entry = try #require(ledger.first { $0.rule == StabilityRule.id })
        let after = index([first, other])
        #expect(
            after.sourceChanges.filter { $0.capability == .users } == [
                SourceChange(
                    day: .back(40), capability: .users, from: Slug(anyText: "old"), to: Slug(anyText: "other")
                ),
                SourceChange(
                    day: .back(Self.change - 1), capability: .users, from: Slug(anyText: "other"),
                    to: Slug(anyText: "old")),
            ])
        let found = events(in: after, ledger: ledger)
        #expect(found.filter { $0.kind == .stability }.map(\.occasion.id) == [entry.id])
        #expect(!found.contains { $0.kind == .withdrawn })
        #expect(analysis([first, other]).facts.days.contains(.back(60)))
    }

    /// Of two ended sources with a gap between them the later one begins with its own first day.
    @Test func aGapBetweenTwoEndedSourcesIsNoTurnOfTheThird() {
        let sources = [
            Self.new(days: 0...19), Self.old(days: 0...40), Self.source("oldest", days: 50...90, until: 50),
        ]
        #expect(
            index(sources).sourceChanges.filter { $0.capability == .users } == [
                SourceChange(
                    day: .back(40), capability: .users, from: Slug(anyText: "oldest"),
                    to: Slug(anyText: "old")),
                SourceChange(
                    day: .back(19), capability: .users, from: Slug(anyText: "old"), to: Slug(anyText: "new")),
            ])
    }

    /// A release that another service counted is no measure for one.
    @Test func releasesOfTwoServicesAreNotCompared() throws {
        let knows: Set<Capability> = [.sessions, .releaseHealth, .releases]
        func source(_ name: String, _ rows: [(Int, String)], until: Int? = nil) -> SourceHistory {
            var history = SourceHistory.make(
                name, knows: knows,
                health: rows.flatMap { back, label in
                    [
                        HealthDay.make(back, sessions: 20_000, crashed: 100),
                        .make(back, of: label, sessions: 20_000, crashed: label == "1.2" ? 400 : 100),
                    ]
                },
                releases: Set(rows.map(\.1)).sorted().reversed().map {
                    Release(version: Version($0), releasedAt: nil)
                })
            history.source.until = until.map(CivilDate.back)
            return history
        }
        let early = (20...60).reversed().map { ($0, $0 > 40 ? "1.0" : "1.1") }
        let late = (0...19).reversed().map { ($0, $0 > 10 ? "1.1" : "1.2") }
        let sources = [source("old", early, until: 20), source("new", late)]
        let evaluator = ReleaseEvaluator(index(sources))
        let found = evaluator.evaluation(of: "1.2")
        #expect(found.basis?.comparison == nil)
        #expect(found.basis?.unmatched.contains { $0.label == "1.1" && $0.reason == .otherSource } == true)
        let whole = ReleaseEvaluator(index([source("one", early + late)])).evaluation(of: "1.2")
        #expect(whole.basis?.comparison != nil)
        // What the second one counted of a life is judged.
        let basis = evaluator.evaluation(of: "1.1").basis
        #expect(basis.map { $0.age } == 29 && basis?.total.total == 180_000)
        #expect(basis?.life.gaps == Set(0...20))
        // The page of two says so, too.
        let report = AppAnalysis(
            AppHistory(app: App(id: Slug(anyText: "quay"), name: "Quay", platform: ""), sources: sources),
            targets: .standard, asOf: reportTime)
        let pair = try #require(report.releases.pairs.first { $0.earlier.version.label == "1.0" })
        #expect(pair.later.version.label == "1.1" && pair.lives == nil)
        for rate in pair.rates where rate.span.isMatched || rate.span == .life {
            #expect(rate.earlier == .absent(.otherSource(release: "1.0")), "\(rate.span)")
        }
    }

    /// A release that goes on is judged by the source that counts it now, whatever the one before counted.
    @Test(
        arguments: [
            (100, 2_000, .hold), (2_000, 20, .go), (20, nil, .unknown), (2_000, nil, .hold),
        ] as [(Int, Int?, ReleaseVerdict)])
    func aReleaseIsJudgedByTheSourceOfNow(before: Int, since: Int?, verdict: ReleaseVerdict) {
        let knows: Set<Capability> = [.sessions, .releaseHealth, .releases]
        func source(_ name: String, _ days: ClosedRange<Int>, _ crashed: Int, until: Int? = nil)
            -> SourceHistory
        {
            var history = SourceHistory.make(
                name, knows: knows,
                health: days.reversed().flatMap { back in
                    let label = back > 35 ? "1.0" : "2.0"
                    let count = back > 35 ? 20 : crashed
                    return [
                        HealthDay.make(back, sessions: 20_000, crashed: count),
                        .make(back, of: label, sessions: 20_000, crashed: count),
                    ]
                },
                releases: ["2.0", "1.0"].map { Release(version: Version($0), releasedAt: nil) })
            history.source.until = until.map(CivilDate.back)
            return history
        }
        let sources =
            [source("old", 20...60, before, until: 20)] + (since.map { [source("new", 0...19, $0)] } ?? [])
        let found = ReleaseEvaluator(index(sources)).evaluation(of: "2.0")
        #expect(found.verdict == verdict)
        #expect(found.basis?.comparison == nil || since == nil)
    }
}
