import DemoStory
import Foundation
import Testing

/// The app whose source counts crashes alone.
struct MooringsTests {
    private let snapshots = WrittenSnapshot.all.filter { $0.app == "moorings" }

    @Test func sourceCountsCrashesAlone() {
        #expect(snapshots.count == 8)
        for snapshot in snapshots {
            #expect(snapshot.provides == ["releases", "issues", "issueDays", "notes"])
            #expect(snapshot.usage == nil)
            #expect(snapshot.health.allSatisfy { $0.crashes != nil && $0.sessions == nil && $0.users == nil })
        }
        #expect(snapshots.first?.health.count == 90)
    }

    /// The crashes of a day are those of all issues; the issues that are counted by day have a part of them.
    @Test func daysOfIssuesArePartOfTheCrashes() throws {
        for snapshot in snapshots {
            let counted = snapshot.issues.filter { $0.days != nil }
            #expect(counted.count <= 8 && counted.allSatisfy { $0.users != nil }, "\(snapshot.capturedAt)")
            for day in snapshot.health {
                let crashes = try #require(day.crashes)
                let known = counted.flatMap { $0.days ?? [] }.filter { $0.date == day.date }
                    .reduce(0) { $0 + $1.events }
                #expect(known <= crashes && known * 2 > crashes, "\(day.date)")
            }
        }
    }

    @Test func coverageIsStated() throws {
        let first = try #require(snapshots.first?.coverage)
        #expect(first.map(\.fact) == ["crashes", "issueDays"])
        #expect(first.map(\.state) == ["complete", "partial"])
        #expect(first.last?.counted == 8 && first.last?.of == 12)
        for snapshot in snapshots {
            let rows = try #require(snapshot.coverage)
            #expect(rows.allSatisfy { $0.last == snapshot.health.last?.date }, "\(snapshot.capturedAt)")
        }
    }

    @Test func storyStatesItsCrashes() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let story = try String(
            contentsOf: root.appendingPathComponent("Content/demo/STORY.md"), encoding: .utf8)
        let crashes = Dictionary(
            snapshots.flatMap(\.health).map { ($0.date, $0.crashes ?? 0) }, uniquingKeysWith: { $1 })
        for day in crashes where day.key >= "2026-11-14" {
            #expect(story.contains("| \(day.key) | \(day.value) |"), "\(day.key)")
        }
    }

    @Test func newIssueBringsManyCrashes() throws {
        let crashes = Dictionary(
            snapshots.flatMap(\.health).map { ($0.date, $0.crashes ?? 0) }, uniquingKeysWith: { $1 })
        let before = try #require(crashes["2026-11-12"])
        let after = try #require(crashes["2026-11-18"])
        #expect(after > before * 2)
        let issue = try #require(snapshots.last?.issue("berth-204"))
        #expect(issue.firstSeen == "2026-11-16T07:52:40Z" && issue.firstVersion == "2.3")
        #expect(snapshots.first?.issue("berth-204") == nil)
    }
}
