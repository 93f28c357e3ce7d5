import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// What the issues of a release are of its sessions.
struct ReleaseShareTests {
    /// Sessions of five days of two releases, some of them unknown; issue "a" has ten events a day in each.
    private static func report(_ earlier: [Int?], _ later: [Int?]) -> AppAnalysis {
        let sessions = [(later, "2.0", 0), (earlier, "1.0", 5)]
        let health = sessions.flatMap { counts, version, end in
            counts.indices.map { HealthDay.make(end + 4 - $0, of: version, sessions: counts[$0]) }
        }
        let days = sessions.flatMap { _, version, end in
            (0..<5).map { IssueDay.make("a", end + $0, of: version, events: 10) }
        }
        let source = SourceHistory.make(
            health: health.filter { $0.sessions != nil } + (0..<10).map { .make($0, sessions: 9_000) },
            releases: ["1.0", "2.0"].map {
                Release(version: Version($0), releasedAt: .noon(back: $0 == "1.0" ? 9 : 4))
            },
            issues: [Issue(id: "a", title: "A")], issueDays: days,
            coverage: [
                CoverageSpan(.issueDays, .back(9)...lastDay),
                CoverageSpan(.issueReleases, .back(9)...lastDay),
                CoverageSpan(.releaseHealth, .back(9)...lastDay),
                CoverageSpan(.sessions, .back(9)...lastDay),
            ])
        return AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
    }

    @Test(
        arguments: [
            ([1_000, 1_000, 1_000, 1_000, 1_000], Fraction(50, of: 5_000)),
            // A source of sessions that is behind.
            ([1_000, 1_000, 1_000, nil, nil], Fraction(30, of: 3_000)),
            // A day that was lost.
            ([1_000, 1_000, nil, 1_000, 1_000], Fraction(40, of: 4_000)),
            ([nil, nil, nil, nil, 1_000], Fraction(10, of: 1_000)),
        ] as [([Int?], Fraction?)])
    func eventsAreOfTheDaysWhoseSessionsAreKnown(later: [Int?], share: Fraction?) throws {
        let report = Self.report(Array(repeating: 2_000, count: 5), later)
        let release = try #require(report.releases["2.0"])
        #expect(release.topIssues.map(\.share) == [share])
        #expect(release.topIssues.map(\.events) == [50])
        let pair = try #require(report.releases.pair(endingWith: "2.0"))
        #expect(pair.both.map { $0.later?.share } == [share])
        #expect(pair.both.map { $0.earlier?.share } == [Fraction(50, of: 10_000)])
        // The page of the issue has the same number of the same release.
        let windows = report.issues.all.first?.window.releases
        #expect(windows?.first?.label == "2.0" && windows?.first?.share == share)
    }

    /// A crash is in no more sessions than crashed and an error in no more than there are: lists, days, alerts and mutes have
    /// the same share.
    @Test(
        arguments: [
            (.crash, 60, 20), (.crash, 10, 10), (.crash, 600, 600), (.error, 60, 60), (.error, 1_500, 1_000),
        ]
            as [(Issue.Kind, Int, Int)])
    func shareIsTheSameEverywhere(kind: Issue.Kind, events: Int, met: Int) throws {
        let days = [
            IssueDay.make("a", events: events + 100, users: nil),
            .make("a", of: "4.2", events: events, users: nil),
        ]
        let source = SourceHistory.make(
            health: [
                .make(sessions: 100_000, crashed: 120), .make(of: "4.2", sessions: 1_000, crashed: 20),
            ],
            releases: [Release(version: Version("4.2"), releasedAt: .noon(back: 0))],
            issues: [Issue(id: "a", title: "A", kind: kind, firstSeen: .noon(back: 0))], issueDays: days,
            coverage: [CoveredFact.issueDays, .issueReleases, .releaseHealth, .sessions].map {
                CoverageSpan($0, lastDay...lastDay)
            })
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let share = Fraction(met, of: 1_000)
        let index = HistoryIndex(.make(source), asOf: reportTime)
        #expect(report.day(lastDay).shares.map { $0?.release } == ["4.2"])
        #expect(report.day(lastDay).shares.map { $0?.share } == [share])
        #expect(report.issues.all.first?.window.releases.map(\.share) == [share])
        #expect(report.releases["4.2"]?.topIssues.map(\.share) == [share])
        #expect(days.last.flatMap(index.mostShare) == share)
        #expect(days.last.flatMap { index.figures(of: $0).share } == share.map { $0.value * 100 })
        let alerts = found(by: IssueVelocityRule(), in: source).compactMap { event -> Fraction? in
            if case .velocity(let alert) = event { alert.share } else { nil }
        }
        // Ten events are not of 25 users.
        #expect(alerts == (events < 25 ? [] : [share].compactMap(\.self)))
    }

    /// Issues of two releases are in the order of events for each session, of which there may be more than one, and those
    /// of which it is not known come last.
    @Test func theLargestIncreaseIsFirst() throws {
        let counts: [(id: String, earlier: Int?, later: Int?)] = [
            ("fell", 12_000, 9_000), ("rose", 10, 500), ("rose more", 9_000, 12_000), ("same", 40, 40),
            ("new", nil, 20_000), ("gone", 30_000, nil),
        ]
        let days = counts.flatMap { one in
            [("1.0", 1, one.earlier), ("2.0", 0, one.later)].compactMap { label, back, events in
                events.map { IssueDay.make(one.id, back, of: label, events: $0, users: nil) }
            }
        }
        let source = SourceHistory.make(
            health: [("1.0", 1), ("2.0", 0)].flatMap { label, back in
                [HealthDay.make(back, sessions: 10_000), .make(back, of: label, sessions: 10_000)]
            },
            releases: ["2.0", "1.0"].map {
                Release(version: Version($0), releasedAt: .noon(back: $0 == "1.0" ? 1 : 0))
            },
            issues: counts.map { Issue(id: $0.id, title: $0.id, kind: .error) }, issueDays: days)
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let pair = try #require(report.releases.pair(endingWith: "2.0"))
        #expect(pair.both.map(\.id) == ["rose more", "rose", "same", "fell"])
        #expect(pair.onlyLater.map(\.expected) == [20_000] && pair.onlyEarlier.map(\.expected) == [30_000])
    }

    /// The releases that an overview lists, of those with these sessions on the last two days, oldest first.
    @Test(
        arguments: [
            ([("1", 900, 930), ("2", 8_100, 8_900), ("3", 900, 2), ("4", 1, 100)], ["4", "2", "1"]),
            (
                [("1", 4_000, 4_000), ("2", 3_000, 3_000), ("3", 2_000, 2_000), ("4", 0, 1_000)],
                ["4", "2", "1"]
            ),
            // The newest one, however few have it.
            ([("1", 5_000, 5_000), ("2", 4_000, 4_000), ("3", 0, 1)], ["3", "2", "1"]),
            ([("1", 9_000, 9_000), ("2", 5, 5), ("3", 4, 4), ("4", 3, 3)], ["4", "1"]),
        ] as [([(String, Int, Int)], [String])])
    func releasesInUseAreTheNewestAndTheLargest(sessions: [(String, Int, Int)], listed: [String]) {
        let health = sessions.flatMap { label, before, last in
            [HealthDay.make(1, of: label, sessions: before), .make(of: label, sessions: last)]
        }
        let all = (0...1).map { HealthDay.make($0, sessions: 10_000, crashed: 20) }
        let releases = sessions.indices.map {
            Release(version: Version(sessions[$0].0), releasedAt: .noon(back: 20 - $0))
        }
        let source = SourceHistory.make(health: all + health, releases: releases)
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(report.releases.inUse(atMost: 3).map(\.label) == listed)
    }
}
