import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// Which source has a day, where one of several that report it has ended.
struct SourceOrderTests {
    /// The last day of the source that ended.
    private static let end = 20

    /// A source that was fetched each night from one on; the first fetch had all of its days that were over.
    private static func source(
        _ name: String, days: ClosedRange<Int> = 0...90, crashed: Int, joined: Int = 90, nightsLate: Int = 0,
        until: Int? = nil
    ) -> SourceHistory {
        var history = SourceHistory.make(
            name, knows: [.users, .sessions],
            health: days.reversed().map {
                .make($0, sessions: 20_000, crashed: crashed, users: 10_000, crashedUsers: crashed)
            })
        for day in days where min(day - 1 - nightsLate, joined) >= 0 {
            let capture = Instant.noon(back: min(day - 1 - nightsLate, joined))
            history.captures.add(capture, days: .back(day) ... .back(day), of: .rates)
        }
        history.source.until = until.map(CivilDate.back)
        return history
    }

    private static func first(joined: Int = 90, nightsLate: Int = 0) -> SourceHistory {
        source("first", crashed: 50, joined: joined, nightsLate: nightsLate)
    }

    private static func ended(joined: Int = 90, days: ClosedRange<Int> = 0...90, until: Int? = end)
        -> SourceHistory
    {
        source("ended", days: days, crashed: 400, joined: joined, until: until)
    }

    /// One whose days from 40 to 20 came when the team went back to it.
    private static func firstThatCameBack() -> SourceHistory {
        var history = first()
        history.captures = FactCaptures()
        for day in 1...90 {
            let night = (end...40).contains(day) ? 15 : day - 1
            history.captures.add(.noon(back: night), days: .back(day) ... .back(day), of: .rates)
        }
        return history
    }

    /// Crashed users and sessions of the days 60, 30, 20, 19 and 0 before the last one.
    struct Row: CustomTestStringConvertible {
        let name: String
        let sources: [SourceHistory]
        let crashed: [Int?]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(
            name: "what was never shown replaces nothing", sources: [first(), ended()],
            crashed: [50, 50, 50, 50, 50]),
        Row(
            name: "what was shown stays", sources: [ended(), first()], crashed: [400, 400, 400, 50, 50]),
        Row(
            name: "a new one that is listed before, with the days before it",
            sources: [first(joined: 15), ended()], crashed: [400, 400, 400, 50, 50]),
        Row(
            name: "a new one that is listed after, with the days before it",
            sources: [ended(), first(joined: 15)], crashed: [400, 400, 400, 50, 50]),
        Row(
            name: "a new one that is listed before, and both for some weeks",
            sources: [first(joined: 35), ended()], crashed: [400, 50, 50, 50, 50]),
        Row(
            name: "a service that takes days to count", sources: [first(nightsLate: 3), ended()],
            crashed: [50, 50, 50, 50, 50]),
        Row(
            name: "one that came back", sources: [firstThatCameBack(), ended(joined: 40, days: 0...40)],
            crashed: [50, 400, 400, 50, 50]),
        Row(
            name: "its end is to come", sources: [first(), ended(until: -3)], crashed: [50, 50, 50, 50, 50]),
        Row(
            name: "its end is to come, and it is the first one", sources: [ended(until: -3), first()],
            crashed: [400, 400, 400, 400, 400]),
        Row(
            name: "its end is to come, and it has more days",
            sources: [source("new", days: 0...35, crashed: 50, joined: 35), ended(until: -3)],
            crashed: [nil, 50, 50, 50, 50]),
    ])
    func theOrderOfTheConfigurationDecides(row: Row) {
        let index = index(row.sources)
        let days = [60, 30, 20, 19, 0].map { index.rates.health[.back($0)] }
        #expect(days.map { $0?.crashedUsers } == row.crashed)
        #expect(days.map { $0?.crashedSessions } == row.crashed)
    }

    /// Nothing changes where nothing was replaced: no note, no times of their own.
    @Test func whatWasNeverShownIsNoChange() {
        let index = index([Self.first(), Self.ended()])
        #expect(index.sourceChanges.isEmpty && index.eras.isEmpty && index.notes.isEmpty)
    }

    /// One of sessions alone that came later.
    private static func ofSessions() -> SourceHistory {
        var history = first(joined: 50)
        history.source.capabilities.remove(.users)
        for place in history.health.indices {
            (history.health[place].users, history.health[place].crashedUsers) = (nil, nil)
        }
        return history
    }

    /// One whose users end before its sessions.
    private static func endedLackingUsers() -> SourceHistory {
        var history = ended()
        for place in history.health.indices where history.health[place].date > .back(30) {
            (history.health[place].users, history.health[place].crashedUsers) = (nil, nil)
        }
        return history
    }

    /// Alerts of the past are judged by what is shown of each day, and by no other source.
    @Test(
        arguments: [
            ("sessions of a later one that is listed before", [ofSessions(), ended()], 3),
            ("sessions of a later one that is listed after", [ended(), ofSessions()], 2),
            ("each fact has its own last day", [endedLackingUsers(), first()], 3),
            (
                "two ended ones, the first one listed last",
                [
                    first(joined: 15), ended(joined: 45),
                    source("oldest", days: 0...90, crashed: 7, until: 50),
                ], 3
            ),
            ("one that came back", [firstThatCameBack(), ended(joined: 40, days: 0...40)], 3),
        ] as [(String, [SourceHistory], Int)])
    func thePastIsJudgedByWhatIsShown(name: String, sources: [SourceHistory], eras: Int) {
        let index = index(sources)
        #expect(index.eras.count == eras, "\(name): \(index.eras.map(\.last))")
        var first = CivilDate.back(90)
        for era in index.eras {
            guard let last = era.last else { continue }
            for day in (0...first.days(to: last)).map({ first.advanced(by: $0) }) {
                let (judged, shown) = (era.index.rates.health[day], index.rates.health[day])
                #expect(judged?.crashedUsers == shown?.crashedUsers, "\(name): users of \(day)")
                #expect(judged?.crashedSessions == shown?.crashedSessions, "\(name): sessions of \(day)")
            }
            first = last.advanced(by: 1)
        }
    }

    /// Releases are of the source of the sessions, whatever else has rows of them.
    @Test(arguments: [true, false])
    func releasesAreOfTheSourceOfTheSessions(countsUsers: Bool) {
        func rows(_ make: (Int) -> HealthDay) -> [HealthDay] { (0...60).reversed().map(make) }
        var crashes = SourceHistory.make(
            "crashes", knows: countsUsers ? [.users, .releaseHealth] : [.releaseHealth],
            health: rows {
                .make($0, of: "1.0", users: countsUsers ? 300 : nil, crashedUsers: 15)
            })
        crashes.source.until = .back(Self.end)
        var sessions = SourceHistory.make(
            "sessions", knows: [.sessions, .releaseHealth],
            health: rows { .make($0, sessions: 20_000, crashed: 100) }
                + rows { .make($0, of: "1.0", sessions: 18_000, crashed: 90) })
        for day in 1...60 {
            sessions.captures.add(.noon(back: day - 1), days: .back(day) ... .back(day), of: .rates)
        }
        let index = index([crashes, sessions])
        let known = [40, 20, 0].map {
            index.releases.counts.health[.init(date: .back($0), version: "1.0")]?.sessions
        }
        #expect(known == [18_000, 18_000, 18_000])
        #expect(!index.sourceChanges.contains { $0.capability == .releaseHealth })
    }

    /// Crashed counts of a release alone replace no sessions of it.
    @Test func crashedCountsAloneReplaceNothing() {
        func rows(_ days: ClosedRange<Int>, _ sessions: Int?) -> [HealthDay] {
            days.reversed().map { .make($0, of: "1.0", sessions: sessions, crashed: 15) }
        }
        let knows: Set<Capability> = [.sessions, .releaseHealth]
        var old = SourceHistory.make(
            "old", knows: knows, health: rows(31...60, 9_000) + rows(25...30, nil) + rows(20...24, 9_000))
        old.source.until = .back(Self.end)
        let new = SourceHistory.make("new", knows: knows, health: rows(0...60, 18_000))
        let index = index([old, new])
        let known = [40, 30, 25, 20, 0].map {
            index.releases.counts.health[.init(date: .back($0), version: "1.0")]?.sessions
        }
        #expect(known == [9_000, 18_000, 18_000, 9_000, 18_000])
    }

    /// After a source of sessions ended, those of a source of use are shown.
    @Test func sessionsGoOnWithASourceOfUse() {
        var ended = SourceHistory.make(
            "rates", knows: [.sessions],
            health: (Self.end...60).reversed().map { .make($0, sessions: 20_000, crashed: 100) })
        ended.source.until = .back(Self.end)
        let use = SourceHistory.make(
            "use", knows: [.usage],
            usage: (0...60).reversed().map {
                UsageDay(date: .back($0), activeUsers: 900, sessions: 1_700)
            })
        let report = AppAnalysis(history([use, ended]), targets: .standard, asOf: reportTime)
        let days = [21, 20, 19, 0].map(CivilDate.back)
        let expected: [Int?] = [20_000, 20_000, 1_700, 1_700]
        #expect(days.map { report.usage.sessions(on: $0, report.stability) } == expected)
        #expect(report.usage.sessions(on: days, report.stability).days.map(\.count) == expected)
        #expect(report.usage.reportsSessions(report.stability))
        #expect(report.day(lastDay).sessions == .absent(.noCrashedFigure(.sessions, lastDay)))
        #expect(report.usage.sessionChange(on: .back(15), report.stability) == nil)
        #expect(
            index([use, ended]).sourceChanges.contains(
                SourceChange(
                    day: .back(19), capability: .sessions, from: Slug(anyText: "rates"),
                    to: Slug(anyText: "use"))))
    }

    private func history(_ sources: [SourceHistory]) -> AppHistory {
        AppHistory(app: App(id: Slug(anyText: "quay"), name: "Quay", platform: ""), sources: sources)
    }

    private func index(_ sources: [SourceHistory]) -> HistoryIndex {
        HistoryIndex(history(sources), asOf: reportTime, targets: .standard)
    }
}
