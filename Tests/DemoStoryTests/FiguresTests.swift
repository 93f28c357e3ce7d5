import AppHealth
import DemoStory
import Testing

/// What must hold for every row of every file.
struct FiguresTests {
    private let snapshots = WrittenSnapshot.all

    @Test func headersAreOfTheFormat() {
        #expect(snapshots.count == 23)
        for snapshot in snapshots {
            #expect(snapshot.format == "plimsoll-snapshot" && snapshot.version == 1)
            #expect(Instant(snapshot.capturedAt)?.timeText == "06:00")
            #expect(snapshot.provides.allSatisfy { Capability(rawValue: $0) != nil })
            #expect(Set(snapshot.source.keys) == ["name", "session", "user", "zone", "delay"])
        }
    }

    @Test func partsNeverExceedTheirWhole() {
        for row in snapshots.flatMap(\.health) {
            let label = "\(row.date) \(row.release ?? "all")"
            #expect(row.crashedUsers <= row.crashedSessions, "\(label)")
            #expect(row.crashedSessions <= row.sessions, "\(label)")
            #expect(row.crashedUsers <= row.users && row.users <= row.sessions, "\(label)")
            #expect(row.release == nil || row.sessions > 0, "\(label)")
        }
    }

    @Test func releasesSumToAllReleases() {
        for snapshot in snapshots where snapshot.provides.contains("releaseHealth") {
            for all in snapshot.health where all.release == nil {
                let parts = snapshot.health.filter { $0.date == all.date && $0.release != nil }
                #expect(parts.reduce(0) { $0 + $1.sessions } == all.sessions)
                #expect(parts.reduce(0) { $0 + $1.crashedSessions } == all.crashedSessions)
                let users = parts.reduce(0) { $0 + $1.users }
                #expect(users >= all.users && users * 97 <= all.users * 100, "\(all.date)")
            }
        }
    }

    @Test func issuesCountFewerUsersThanEvents() {
        for snapshot in snapshots {
            for issue in snapshot.issues {
                #expect(issue.users <= issue.events, "\(issue.id)")
                #expect(
                    issue.firstSeen <= issue.lastSeen && issue.lastSeen < snapshot.capturedAt, "\(issue.id)")
                #expect(issue.days.allSatisfy { $0.users <= $0.events }, "\(issue.id)")
                #expect(issue.days.allSatisfy { $0.release == nil || $0.events > 0 }, "\(issue.id)")
            }
        }
    }

    @Test func countersOnlyGrow() {
        for app in ["lighthouse", "sketchbook", "tidepool"] {
            var newest: [String: Int] = [:]
            for issue in snapshots.filter({ $0.app == app }).flatMap(\.issues) {
                #expect(newest[issue.id, default: 0] <= issue.events, "\(app) \(issue.id)")
                newest[issue.id] = issue.events
            }
        }
    }

    @Test func crashesOfIssuesAreNearlyAllCrashedSessions() {
        for snapshot in snapshots where snapshot.app != "tidepool" {
            let crashes = snapshot.issues.filter { $0.kind == "crash" }.flatMap(\.days).filter {
                $0.release == nil
            }
            for day in snapshot.health where day.release == nil {
                let events = crashes.filter { $0.date == day.date }.reduce(0) { $0 + $1.events }
                #expect(events * 100 >= day.crashedSessions * 85, "\(snapshot.app) \(day.date)")
                #expect(events * 100 <= day.crashedSessions * 115, "\(snapshot.app) \(day.date)")
            }
        }
    }

    @Test func weeksAndMonthsHaveMoreUsersThanDays() {
        for row in snapshots.compactMap(\.usage).joined() {
            #expect(row.activeUsers < row.weeklyActiveUsers && row.weeklyActiveUsers < row.monthlyActiveUsers)
            #expect(row.weeklyActiveUsers < row.activeUsers * 7 && row.newUsers < row.activeUsers / 10)
        }
    }

    @Test func noDateIsMisspelt() {
        for file in DemoStory.files() {
            #expect(!String(decoding: file.bytes, as: UTF8.self).contains("\"1970-"), "\(file.path)")
        }
    }

    @Test func idsOfIssuesAndNotesAreUnique() {
        for snapshot in snapshots {
            let ids = snapshot.issues.map(\.id) + (snapshot.notes ?? []).map(\.id)
            #expect(Set(ids).count == ids.count)
        }
    }
}
