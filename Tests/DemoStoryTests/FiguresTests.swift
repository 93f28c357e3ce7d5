import AppHealth
import DemoStory
import Testing

/// What must hold for every row of every file.
struct FiguresTests {
    private let snapshots = WrittenSnapshot.all

    @Test func headersAreOfTheFormat() {
        #expect(snapshots.count == 31)
        for snapshot in snapshots {
            #expect(snapshot.format == "plimsoll-snapshot" && snapshot.version == 1)
            #expect(Instant(snapshot.capturedAt)?.timeText == "06:00")
            #expect(snapshot.provides.allSatisfy { Capability(rawValue: $0) != nil })
            #expect(Set(snapshot.source.keys) == ["name", "session", "user", "zone", "delay"])
        }
    }

    @Test func partsNeverExceedTheirWhole() {
        for snapshot in snapshots {
            for row in snapshot.health {
                let label = "\(snapshot.app) \(row.date) \(row.release ?? "all")"
                #expect((row.rates == nil) == (snapshot.app == "moorings"), "\(label)")
                guard let rates = row.rates else { continue }
                #expect(rates.crashedUsers <= rates.crashedSessions, "\(label)")
                #expect(rates.crashedSessions <= rates.sessions, "\(label)")
                #expect(rates.crashedUsers <= rates.users && rates.users <= rates.sessions, "\(label)")
                #expect(row.release == nil || rates.sessions > 0, "\(label)")
            }
        }
    }

    @Test func releasesSumToAllReleases() throws {
        for snapshot in snapshots where snapshot.provides.contains("releaseHealth") {
            for all in snapshot.health where all.release == nil {
                let parts = snapshot.health.filter { $0.date == all.date && $0.release != nil }
                    .compactMap(\.rates)
                let whole = try #require(all.rates)
                #expect(parts.reduce(0) { $0 + $1.sessions } == whole.sessions)
                #expect(parts.reduce(0) { $0 + $1.crashedSessions } == whole.crashedSessions)
                let users = parts.reduce(0) { $0 + $1.users }
                #expect(users >= whole.users && users * 97 <= whole.users * 100, "\(all.date)")
            }
        }
    }

    @Test func issuesCountFewerUsersThanEvents() {
        for snapshot in snapshots {
            for issue in snapshot.issues {
                #expect(issue.users ?? 0 <= issue.events, "\(issue.id)")
                #expect(
                    issue.firstSeen <= issue.lastSeen && issue.lastSeen < snapshot.capturedAt, "\(issue.id)")
                let days = issue.days ?? []
                #expect(days.allSatisfy { ($0.users == nil) == (snapshot.app == "moorings") }, "\(issue.id)")
                #expect(days.allSatisfy { $0.users ?? 0 <= $0.events }, "\(issue.id)")
                #expect(days.allSatisfy { $0.release == nil || $0.events > 0 }, "\(issue.id)")
            }
        }
    }

    @Test func countersOnlyGrow() {
        for app in ["lighthouse", "moorings", "sketchbook", "tidepool"] {
            var newest: [String: Int] = [:]
            for issue in snapshots.filter({ $0.app == app }).flatMap(\.issues) {
                #expect(newest[issue.id, default: 0] <= issue.events, "\(app) \(issue.id)")
                newest[issue.id] = issue.events
            }
        }
    }

    @Test func crashesOfIssuesAreNearlyAllCrashedSessions() throws {
        for snapshot in snapshots where ["lighthouse", "sketchbook"].contains(snapshot.app) {
            let crashes = snapshot.issues.filter { $0.kind == "crash" }.flatMap { $0.days ?? [] }.filter {
                $0.release == nil
            }
            for day in snapshot.health where day.release == nil {
                let events = crashes.filter { $0.date == day.date }.reduce(0) { $0 + $1.events }
                let crashed = try #require(day.crashedSessions)
                #expect(events * 100 >= crashed * 85, "\(snapshot.app) \(day.date)")
                #expect(events * 100 <= crashed * 115, "\(snapshot.app) \(day.date)")
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
