import AppHealth
import DemoStory
import Testing

/// The app of which little is known.
struct TidepoolTests {
    private let snapshots = WrittenSnapshot.all.filter { $0.app == "tidepool" }
    private let days = DemoStory.figures(of: "tidepool")

    @Test func sourceKnowsOnlyAPart() {
        for snapshot in snapshots {
            #expect(snapshot.provides == ["sessions", "users", "releases", "issues", "issueDays"])
            #expect(snapshot.usage == nil && snapshot.notes == nil)
            #expect(snapshot.health.allSatisfy { $0.release == nil })
        }
    }

    @Test func onSomeDaysThereWereNoUsersAndSomeAreMissing() {
        #expect(days.count == 114)
        let idle = days.filter { $0.sessions == 0 }.map(\.date.description)
        #expect(idle == ["2026-08-15", "2026-09-20", "2026-10-25", "2026-11-15"])
        let dates = Set(days.map(\.date.description))
        for missing in ["2026-08-03", "2026-09-08", "2026-09-09", "2026-09-10", "2026-10-30", "2026-11-13"] {
            #expect(!dates.contains(missing))
        }
    }

    @Test func fewUsersComeAndCrashesAreRare() {
        let busy = days.filter { $0.users > 0 }
        #expect(busy.allSatisfy { (20...60).contains($0.users) })
        let calm = busy.filter { $0.crashedUsers == 0 }.count
        #expect(calm * 100 > busy.count * 75 && calm < busy.count)
    }

    @Test func misspeltKeyComesOnceInAWholeFile() {
        let files = DemoStory.files().filter {
            String(decoding: $0.bytes, as: UTF8.self).contains("\"lastSeeen\"")
        }
        #expect(
            files.map(\.path).filter { $0 != WrittenSnapshot.truncatedPath } == ["tidepool/2026-11-19.json"])
    }

    @Test func threeIssuesAreKnown() {
        #expect(Set(snapshots.flatMap(\.issues).map(\.id)) == ["shell-8", "anr-input", "camera-17"])
    }
}
