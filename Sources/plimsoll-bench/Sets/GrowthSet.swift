import AppHealth
import Files
import Foundation

/// Snapshot files of made-up apps of any size as of a night, with a configuration for them.
///
/// Every day of an app has sessions and users, in all and in its newest releases. Each issue has events on some of the
/// last 30 days of its life, and one in ten is new with the first of them. The newest 14 days arrive late, so that
/// each night revises them.
struct GrowthSet {
    var apps = 1
    var issues: Int
    var days: Int
    /// How many apps have news at noon of the day of the report; 0 for a report of the morning.
    var withNews = 0
    /// How many days before the last day the night is.
    var nightsAgo = 0
    /// On how many of its days an issue has events.
    var eventDays = 30

    /// How many thousandths of each of the newest days are known on the night after them.
    private static let arrivedOfNewest = [970, 980, 985, 988] + Array(990...999)

    private static let last = Instant(secondsSinceEpoch: 1_795_156_200).date

    /// Writes the files.
    func write(to folder: String) throws {
        let data = folder + "/snapshots"
        try? FileManager.default.removeItem(atPath: data)
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let asOf = instant(hour: withNews > 0 ? 12 : 6)
        var configuration = "version: 1\ntitle: Growth\nasOf: \(asOf)\napps:\n"
        for app in 0..<apps {
            let id = "app-\(app + 10_000)"
            try Data(snapshot(of: id, seed: app, upTo: night, hasNews: app < withNews).utf8)
                .write(to: URL(fileURLWithPath: "\(data)/\(id).json"))
            configuration +=
                "  - {id: \(id), name: App \(app), sources: [{provider: files, path: snapshots}]}\n"
        }
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/plimsoll.yml"))
    }

    /// Half past an hour of the day of the report.
    func instant(hour: Int) -> String { "\(night.advanced(by: 1))T\(hour < 10 ? "0" : "")\(hour):30:00Z" }

    private var night: CivilDate { Self.last.advanced(by: -nightsAgo) }

    private func snapshot(of id: String, seed: Int, upTo end: CivilDate, hasNews: Bool) -> String {
        let first = Self.last.advanced(by: 1 - days)
        let count = first.days(to: end) + 1
        var text =
            #"{"format":"plimsoll-snapshot","version":1,"app":"\#(id)","capturedAt":"\#(end.advanced(by: 1))T\#(hasNews ? "12" : "06"):00:00Z","#
        text += #""source":{"name":"Growth","zone":"UTC"},"#
        text +=
            #""provides":["sessions","users","releaseHealth","issues","issueDays","usage","releases"],"health":["#
        let rows = (0..<count).flatMap { place -> [String] in
            let date = first.advanced(by: place)
            let late = Self.arrivedOfNewest.dropFirst(count - 1 - place).first ?? 1_000
            let arrived = hasNews ? min(1_000, late + 3) : late
            let sessions = (20_000 + 37 * ((place + seed) % 7) * 100) * arrived / 1_000
            let release = place / Self.releaseDays
            let parts = (max(0, release - 1)...release).map { number in
                #"{"date":"\#(date)","release":"\#(number + 1).0","sessions":\#(sessions / 2),"crashedSessions":\#(sessions / 900 + number % 5)}"#
            }
            return [
                #"{"date":"\#(date)","sessions":\#(sessions),"crashedSessions":\#(sessions / 400 + place % 5),"users":\#(sessions / 3),"crashedUsers":\#(sessions / 1_100)}"#
            ] + parts
        }
        text += rows.joined(separator: ",") + #"],"usage":["#
        text += (0..<count).map { place in
            #"{"date":"\#(first.advanced(by: place))","activeUsers":\#(6_000 + place % 9),"sessions":20000}"#
        }.joined(separator: ",")
        text += #"],"releases":["#
        text += (0...(count - 1) / Self.releaseDays).map { number in
            #"{"version":"\#(number + 1).0","build":"\#(number + 1)","releasedAt":"\#(first.advanced(by: number * Self.releaseDays))T09:00:00Z"}"#
        }.joined(separator: ",")
        text += #"],"issues":["#
        var isFirst = true
        for issue in 0..<issues {
            if !isFirst { text += "," }
            isFirst = false
            text += self.issue(issue, first, end)
        }
        return text + "]}"
    }

    /// An issue: one in ten goes on to the night, the others ended at some day before it.
    private func issue(_ number: Int, _ first: CivilDate, _ end: CivilDate) -> String {
        let span = first.days(to: end)
        let isLive = number % 10 == 0
        let lastPlace = isLive ? span : min(span, (number * 7_919) % max(1, self.days - 1))
        let last = first.advanced(by: lastPlace)
        // What an issue that goes on had on a day stays in each later night: a source loses no day that it covers.
        let count = min(isLive ? eventDays - nightsAgo : eventDays, lastPlace + 1)
        let days = (0..<count).map { back -> String in
            let events = 1 + (number * 31 + lastPlace - back) % 40
            return
                #"{"date":"\#(last.advanced(by: -back))","events":\#(events),"users":\#((events + 1) / 2)}"#
        }
        // Nine in ten are older than what is known of their days.
        let seen = last.advanced(by: 1 - count - (number % 10 == 3 ? 0 : 100 + number % 300))
        return
            #"{"id":"issue-\#(number)","title":"Fatal exception \#(number) in View.layout","kind":"crash","file":"View\#(number % 90).swift","line":\#(number % 500),"firstSeen":"\#(seen)T08:00:00Z","lastSeen":"\#(last)T20:00:00Z","events":\#(count * 20),"users":\#(count * 9),"days":[\#(days.joined(separator: ","))]}"#
    }

    private static let releaseDays = 42
}
