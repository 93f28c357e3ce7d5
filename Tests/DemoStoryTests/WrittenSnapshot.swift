import DemoStory
import Foundation

/// A file of the demo as another program would read it.
struct WrittenSnapshot: Decodable {
    var format: String
    var version: Int
    var app: String
    var capturedAt: String
    var source: [String: String]
    var provides: [String]
    var health: [HealthRow]
    var usage: [UsageRow]?
    var releases: [ReleaseRow]
    var issues: [IssueRow]
    var notes: [NoteRow]?

    var coverage: [CoverageRow]?

    /// A day of an app whose source counts sessions, or one of crashes alone.
    struct HealthRow: Decodable {
        var date: String
        var release: String?
        var sessions: Int?
        var crashedSessions: Int?
        var users: Int?
        var crashedUsers: Int?
        var crashes: Int?
    }

    struct CoverageRow: Decodable, Equatable {
        var fact: String
        var first: String
        var last: String
        var state: String
        var counted: Int?
        var of: Int?
    }

    struct UsageRow: Decodable {
        var date: String
        var activeUsers: Int
        var weeklyActiveUsers: Int
        var monthlyActiveUsers: Int
        var newUsers: Int
        var sessions: Int
    }

    struct ReleaseRow: Decodable {
        var version: String
        var build: String
        var releasedAt: String
    }

    struct IssueRow: Decodable {
        var id: String
        var title: String
        var kind: String
        var state: String
        var file: String?
        var line: Int?
        var firstSeen: String
        var lastSeen: String
        var firstVersion: String
        var lastVersion: String?
        var lastBuild: String?
        var fixedIn: String?
        var events: Int
        var users: Int?
        var days: [DayRow]?
    }

    struct DayRow: Decodable {
        var date: String
        var release: String?
        var events: Int
        var users: Int?
    }

    struct NoteRow: Decodable {
        var id: String
        var at: String
        var author: String
        var text: String
        var issue: String?
        var release: String?
    }
}

extension WrittenSnapshot {
    /// The whole files of the demo, ordered by path.
    static let all: [WrittenSnapshot] = DemoStory.files().filter { $0.path != truncatedPath }.compactMap {
        try? JSONDecoder().decode(WrittenSnapshot.self, from: Data($0.bytes))
    }

    /// The only file that cannot be read.
    static let truncatedPath = "tidepool/2026-11-20.json"

    /// The file of the app that was captured on the day.
    static func captured(_ app: String, _ date: String) -> WrittenSnapshot? {
        all.first { $0.app == app && $0.capturedAt.hasPrefix(date) }
    }

    /// The record of health of all releases on the day.
    func health(on date: String) -> HealthRow? {
        health.first { $0.date == date && $0.release == nil }
    }

    /// The issue with this id.
    func issue(_ id: String) -> IssueRow? { issues.first { $0.id == id } }
}

extension WrittenSnapshot.HealthRow {
    /// Sessions and users with a crash, and all; nil where only crashes are counted.
    var rates: (sessions: Int, crashedSessions: Int, users: Int, crashedUsers: Int)? {
        guard let sessions, let crashedSessions, let users, let crashedUsers else { return nil }
        return (sessions, crashedSessions, users, crashedUsers)
    }
}
