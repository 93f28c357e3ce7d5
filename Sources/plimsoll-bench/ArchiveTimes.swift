import AppHealth
import Archive
import Foundation

/// Measures what one large snapshot costs the archive: 1,000 issues with 30 days and 24 hours each.
func tellArchiveTimes(in folder: String) throws {
    let path = folder + "/large.sqlite"
    let archive = try Archive(at: path, for: .writing)
    let night = CivilDate(daysSinceEpoch: 20_777)
    let clock = ContinuousClock()
    let app = largeSnapshot(on: night).app
    func tell(_ name: String, _ work: () throws -> Int) rethrows {
        var count = 0
        let duration = try clock.measure { count = try work() }
        print("\(name)\t\(duration)\t\(count) rows")
    }
    let source = largeSnapshot(on: night).source
    let now = Instant(startOf: night.advanced(by: 2))
    try tell("first snapshot of 1,000 issues × 30 days") {
        try archive.record(largeSnapshot(on: night)).revisions
    }
    try tell("the same snapshot again") { try archive.record(largeSnapshot(on: night)).revisions }
    try tell("the next night's snapshot") {
        try archive.record(largeSnapshot(on: night.advanced(by: 1))).revisions
    }
    try tell("reading the history") {
        try archive.history(of: app, sources: [source], asOf: now).history.sources[0].issueDays.count
    }
    try archive.close()
}

/// A snapshot of the morning after a day; the last three days are other on every night.
private func largeSnapshot(on last: CivilDate) -> Snapshot {
    let source = Source(
        id: Slug(anyText: "large"), provider: "large", sessionDefinition: "", userDefinition: "", zone: "UTC",
        delay: "", capabilities: Set(Capability.allCases))
    let end = Instant(startOf: last.advanced(by: 1))
    var snapshot = Snapshot(
        app: App(id: Slug(anyText: "large"), name: "Large"), source: source,
        capturedAt: end.advanced(bySeconds: 3600))
    let days = (0..<30).map { last.advanced(by: -$0) }
    let hours = (1...24).map { UTCHour(of: end).advanced(by: -$0) }
    snapshot.health = days.map { HealthDay(date: $0, sessions: 100_000, crashedSessions: 500) }
    snapshot.healthHours = hours.map { HealthHour(hour: $0, sessions: 4_000, crashedSessions: 20) }
    for number in 0..<1_000 {
        let id = "issue-\(number)"
        snapshot.issues.append(
            Issue(id: id, title: "Crash in part \(number)", events: last.daysSinceEpoch &* number))
        snapshot.issueDays += days.enumerated().map { back, date in
            IssueDay(
                issue: id, date: date, events: number + (back < 3 ? last.daysSinceEpoch : 0), users: number)
        }
        snapshot.issueHours += hours.map { hour in
            IssueHour(issue: id, hour: hour, events: (number + hour.hoursSinceEpoch) % 8 == 0 ? 1 : 0)
        }
    }
    return snapshot
}
