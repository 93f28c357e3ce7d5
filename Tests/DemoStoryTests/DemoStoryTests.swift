import AppHealth
import DemoStory
import Foundation
import Testing

/// What the story promises, day by day.
struct DemoStoryTests {
    private let sketchbook = DemoStory.figures(of: "sketchbook")

    @Test func thereAre120Days() {
        #expect(DemoCalendar.days.count == 120)
        #expect(DemoCalendar.days.first?.description == "2026-07-23")
        #expect(DemoCalendar.days.last?.description == "2026-11-19")
        #expect(DemoStory.figures(of: "lighthouse").count == 120)
        #expect(sketchbook.count == 120)
        #expect(DemoStory.figures(of: "nothing").isEmpty)
    }

    @Test(arguments: [
        ("lighthouse", "2026-07-23", 99.5...99.9), ("lighthouse", "2026-11-19", 99.5...99.9),
        ("sketchbook", "2026-10-12", 99.2...99.6), ("sketchbook", "2026-10-13", 99.2...99.6),
        ("sketchbook", "2026-10-14", 97.2...97.9), ("sketchbook", "2026-10-15", 96...96.7),
        ("sketchbook", "2026-10-17", 96...97), ("sketchbook", "2026-10-19", 98.2...98.9),
        ("sketchbook", "2026-10-22", 99.1...99.6), ("sketchbook", "2026-11-15", 99.2...99.6),
        ("sketchbook", "2026-11-18", 98.3...98.8), ("sketchbook", "2026-11-19", 98.3...98.8),
    ])
    func crashFreeUsersAreAsReported(app: String, date: String, range: ClosedRange<Double>) throws {
        let day = try #require(DemoStory.figures(of: app).first { $0.date.description == date })
        #expect(range.contains(crashFree(day)))
    }

    @Test func onlyTwoDaysDropByMoreThanAPoint() {
        for app in ["lighthouse", "sketchbook"] {
            let days = DemoStory.figures(of: app)
            let falls = zip(days, days.dropFirst()).filter { crashFree($0) - crashFree($1) > 1 }
            let expected = app == "sketchbook" ? ["2026-10-14", "2026-10-15"] : []
            #expect(falls.map(\.1.date.description) == expected)
        }
    }

    @Test func newestDayIsFirstReportedInPart() throws {
        for app in ["lighthouse", "sketchbook"] {
            for date in 12...18 {
                let early = try #require(written(app, date + 1).health(on: "2026-11-\(date)")?.rates)
                let late = try #require(written(app, date + 2).health(on: "2026-11-\(date)")?.rates)
                let part = Double(early.sessions) / Double(late.sessions)
                #expect((0.959...0.981).contains(part), "\(app) \(date)")
                #expect(early.crashedSessions < late.crashedSessions, "\(app) \(date)")
            }
        }
    }

    @Test func badIssueIsClosedUntilItComesBack() throws {
        for (capture, state, version) in [
            (13, "closed", "4.2.1"), (16, "closed", "4.2.1"), (17, "closed", "4.2.1"), (18, "open", "4.3.0"),
            (20, "open", "4.3.0"),
        ] {
            let issue = try #require(written("sketchbook", capture).issue("atomic-54"))
            #expect(
                issue.state == state && issue.lastVersion == version && issue.fixedIn == "4.2.2", "\(capture)"
            )
            #expect(issue.file == "Sources/Engine/Atomic.swift" && issue.line == 54)
        }
        #expect(try written("sketchbook", 20).issue("atomic-54")?.lastBuild == "391")
    }

    @Test func badIssueIsNeverSeenInTheReleaseThatRepairedIt() {
        let issues = WrittenSnapshot.all.compactMap { $0.issue("atomic-54") }
        let releases = Set(issues.flatMap { $0.days ?? [] }.compactMap(\.release))
        #expect(releases == ["4.2.1", "4.3.0"])
    }

    @Test func newIssueAffectsAFewPerCentOfItsRelease() throws {
        #expect(try written("sketchbook", 18).issue("safari-1337") == nil)
        let last = try written("sketchbook", 20)
        let issue = try #require(last.issue("safari-1337"))
        #expect(issue.firstSeen == "2026-11-18T14:07:31Z" && issue.firstVersion == "4.3.0")
        let day = try #require(issue.days?.first { $0.date == "2026-11-19" && $0.release == "4.3.0" })
        let release = try #require(last.health.first { $0.date == "2026-11-19" && $0.release == "4.3.0" })
        let sessions = try #require(release.sessions)
        #expect((0.02...0.035).contains(Double(day.events) / Double(sessions)))
    }

    private func written(_ app: String, _ day: Int) throws -> WrittenSnapshot {
        try #require(WrittenSnapshot.captured(app, "2026-11-\(day)"))
    }

    private func crashFree(_ day: DayFigures) -> Double {
        100 * (1 - Double(day.crashedUsers) / Double(max(day.users, 1)))
    }
}
