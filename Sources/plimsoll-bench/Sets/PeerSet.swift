import Foundation

/// The data set that other generators are measured with, as snapshot files of a night.
///
/// The layout of the set is that of `FORMAT.md` next to it: an app's days, releases and issues in one file each.
/// What the set does not have is derived: sessions of a release on a day are its share of that day's, and users of
/// an issue on a day are in proportion to its events. Of an issue without an event in its days the set says at times
/// that it was seen in them: it was last seen on its newest day with an event.
struct PeerSet {
    /// How many days before the last day of the set the night is; the days after it are not there yet.
    var nightsAgo = 0
    /// What arrived of the newest days by that night; the rest comes late.
    private static let arrived = [0.97, 0.99, 0.995]

    private struct App: Decodable {
        var id: String
        var name: String
    }

    private struct Day: Decodable {
        var date: String
        var dau, wau, mau, sessions, new_users, crashes, crash_users: Int
    }

    private struct Release: Decodable {
        var version, date: String
        var build: Int
        var crash_free_users: Double
        var adoption: [Double]

        /// Its share of the sessions of a day, in percent; nil before it was released.
        func share(on index: Int, of dates: [String]) -> Double? {
            guard let first = dates.firstIndex(where: { $0 >= date }), index >= first,
                adoption.indices.contains(index - first)
            else { return nil }
            return adoption[index - first]
        }
    }

    private struct Issue: Decodable {
        var id, title, subtitle, type, status, first_seen, last_seen, first_version, last_version: String
        var events, users: Int
        var spark: [Int]
        var note_md: String
    }

    /// Writes a snapshot of each app, and a configuration for them with the instant of the night, to a folder.
    func write(from set: String, to folder: String) throws {
        let apps = try FileManager.default.contentsOfDirectory(atPath: set + "/apps").sorted()
        let data = folder + "/snapshots"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let first: [Day] = try read("\(set)/apps/\(apps.first ?? "")/daily.json")
        let last = first.dropLast(nightsAgo).last?.date ?? "1970-01-01"
        var configuration = "version: 1\ntitle: Peers\nasOf: \(day(after: last))T06:30:00Z\napps:\n"
        for name in apps {
            let source = "\(set)/apps/\(name)"
            let app: App = try read("\(source)/app.json")
            try snapshot(of: app, in: source).write(
                to: URL(fileURLWithPath: "\(data)/\(app.id).json"), options: [])
            configuration += """
                  - id: \(app.id)
                    name: \(quoted(app.name))
                    sources: [{ provider: files, path: snapshots }]

                """
        }
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/plimsoll.yml"))
    }

    private func snapshot(of app: App, in source: String) throws -> Data {
        let all: [Day] = try read("\(source)/daily.json")
        let days = Array(all.dropLast(nightsAgo))
        let last = days.last?.date ?? "1970-01-01"
        let releases: [Release] = try read("\(source)/releases.json")
        let issues: [Issue] = try read("\(source)/issues.json")
        let known = releases.filter { $0.date <= last }
        let dates = days.map(\.date)
        let document: [String: Any] = [
            "format": "plimsoll-snapshot", "version": 1, "app": app.id,
            "capturedAt": "\(day(after: last))T06:00:00Z",
            "source": [
                "name": "Peers", "session": "A start.", "user": "An installation.", "zone": "UTC",
                "delay": "Three days.",
            ],
            "provides": [
                "sessions", "users", "releaseHealth", "issues", "issueDays", "usage", "releases", "notes",
            ],
            "health": health(days) + known.flatMap { shares(of: $0, among: known, days) },
            "usage": days.map(use),
            "releases": known.map {
                ["version": $0.version, "build": "\($0.build)", "releasedAt": "\($0.date)T10:00:00Z"]
            },
            "issues": issues.filter { $0.first_seen <= last }.map {
                self.issue($0, dates, skipping: nightsAgo)
            },
            "notes": issues.filter { $0.first_seen <= last && !$0.note_md.isEmpty }.map {
                [
                    "id": "note-\($0.id)", "at": "\($0.first_seen)T12:00:00Z", "author": "bench",
                    "issue": $0.id, "text": $0.note_md,
                ]
            },
        ]
        return try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys])
    }

    private func health(_ days: [Day]) -> [[String: Any]] {
        days.enumerated().map { index, day in
            func part(_ count: Int) -> Int { Self.part(count, ofAge: days.count - 1 - index) }
            return [
                "date": day.date, "sessions": part(day.sessions),
                "crashedSessions": part(min(day.crashes, day.sessions)),
                "users": part(day.dau), "crashedUsers": part(min(day.crash_users, day.dau)),
            ]
        }
    }

    private func shares(of release: Release, among all: [Release], _ days: [Day]) -> [[String: Any]] {
        let dates = days.map(\.date)
        return days.enumerated().compactMap { index, day in
            guard let share = release.share(on: index, of: dates) else { return nil }
            // The shares of a day make more than its whole in some sets.
            let whole = all.compactMap { $0.share(on: index, of: dates) }.reduce(0, +)
            let sessions = Self.part(
                Int(Double(day.sessions) * share / max(100, whole)), ofAge: days.count - 1 - index)
            let crashed = Int(Double(sessions) * (100 - release.crash_free_users) / 100)
            return [
                "date": day.date, "release": release.version, "sessions": sessions,
                "crashedSessions": crashed,
            ]
        }
    }

    private func use(_ day: Day) -> [String: Any] {
        [
            "date": day.date, "activeUsers": day.dau, "weeklyActiveUsers": max(day.wau, day.dau),
            "monthlyActiveUsers": max(day.mau, day.wau, day.dau), "newUsers": day.new_users,
            "sessions": day.sessions,
        ]
    }

    private func issue(_ issue: Issue, _ dates: [String], skipping: Int) -> [String: Any] {
        let spark = Array(issue.spark.dropLast(skipping))
        let days = zip(dates.suffix(spark.count), spark).enumerated().compactMap {
            index, pair -> [String: Any]? in
            let events = Self.part(pair.1, ofAge: spark.count - 1 - index)
            guard events > 0 else { return nil }
            let users = max(1, events * issue.users / max(1, issue.events))
            return ["date": pair.0, "events": events, "users": min(users, events)]
        }
        let known = dates.suffix(spark.count)
        let seen = days.last?["date"] as? String ?? min(issue.last_seen, known.first ?? issue.last_seen)
        let place = issue.subtitle.split(separator: ":")
        return [
            "id": issue.id, "title": issue.title, "kind": issue.type,
            "state": issue.status == "closed" ? "closed" : "open", "file": String(place.first ?? ""),
            "line": place.dropFirst().first.flatMap { Int($0) } ?? 1,
            "firstSeen": "\(issue.first_seen)T08:00:00Z",
            "lastSeen": "\(max(seen, issue.first_seen))T20:00:00Z", "firstVersion": issue.first_version,
            "lastVersion": issue.last_version, "events": issue.events, "users": issue.users, "days": days,
        ]
    }

    private static func part(_ count: Int, ofAge age: Int) -> Int {
        age < arrived.count ? Int((Double(count) * arrived[age]).rounded()) : count
    }

    private func read<Value: Decodable>(_ path: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private func day(after date: String) -> String {
        let style = Date.ISO8601FormatStyle().year().month().day()
        guard let day = try? style.parse(date) else { return date }
        return day.addingTimeInterval(86_400).formatted(style)
    }
}
