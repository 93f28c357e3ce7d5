import AppHealth
import Foundation

/// A stand-in for the sessions of one project: what each release counts on a day, returned and cut as Sentry does.
struct StubSessions: Sendable {
    /// What one release counts on every day of a span.
    struct Run: Sendable {
        var release: String
        var first: CivilDate
        var last: CivilDate
        /// healthy, errored, crashed, abnormal, unhandled.
        var statuses: [Int]
        var users: Int
        var crashedUsers: Int

        fileprivate var sessions: Int { statuses.reduce(0, +) }
    }

    static let names = ["healthy", "errored", "crashed", "abnormal", "unhandled"]

    var runs: [Run]
    /// The users of all releases together, and those of them affected by a crash.
    var users = (all: 900, crashed: 12)
    /// The most points of one response.
    var points = 10_000
    /// Whether the bucket of the current day is returned after those that were requested.
    var addsToday = false

    /// Runs of the project that the fixtures describe.
    static var usual: StubSessions {
        func day(_ text: String) -> CivilDate { CivilDate(text) ?? CivilDate(daysSinceEpoch: 0) }
        let (start, end) = (day("2026-10-01"), day("2026-11-20"))
        let prefix = "com.lantern.sketchbook@"
        return StubSessions(runs: [
            Run(
                release: "\(prefix)4.2.1+371", first: day("2026-11-10"), last: end,
                statuses: [950, 20, 10, 2, 3], users: 500, crashedUsers: 9),
            Run(
                release: "\(prefix)4.2.1+370", first: day("2026-11-08"), last: day("2026-11-12"),
                statuses: [50, 0, 1, 0, 0], users: 30, crashedUsers: 1),
            Run(
                release: "\(prefix)4.2.0+360", first: start, last: end, statuses: [480, 10, 5, 1, 0],
                users: 300,
                crashedUsers: 4),
            Run(release: "", first: start, last: end, statuses: [5, 0, 0, 0, 0], users: 0, crashedUsers: 0),
        ])
    }

    /// The response to a question that has been checked.
    func answer(first: CivilDate, last: CivilDate, fields: [String], groupBy: [String]) -> String {
        var days = (0...first.days(to: last)).map { first.advanced(by: $0) }
        if addsToday, last == runTime.date.advanced(by: -1) { days.append(runTime.date) }
        let end = addsToday && days.last == runTime.date ? "\(runTime)" : "\(last.advanced(by: 1))T00:00:00Z"
        let groups = groupBy.contains("release") ? byRelease(days) : [("", runs)]
        let most = points / (days.count + 1)
        let ordered = groups.map { (release: $0.0, runs: $0.1, total: total($0.1, days)) }
            .sorted { ($1.total, $0.release) < ($0.total, $1.release) }
        let bodies = ordered.prefix(most).flatMap { release, runs, _ in
            groupBy.contains("session.status")
                ? Self.names.indices.map { body(release, runs, days, fields, status: $0) }
                : [body(release, runs, days, fields, status: nil)]
        }
        let intervals = days.map { "\"\($0)T00:00:00Z\"" }.joined(separator: ",")
        let kept = bodies.prefix(most).joined(separator: ",\n")
        return """
            {"start":"\(first)T00:00:00Z","end":"\(end)","query":"","intervals":[\(intervals)],"groups":[\(kept)]}
            """
    }

    private func byRelease(_ days: [CivilDate]) -> [(String, [Run])] {
        Dictionary(grouping: runs, by: \.release).map { ($0.key, $0.value) }.filter { total($0.1, days) > 0 }
            .sorted { $0.0 < $1.0 }
    }

    private func total(_ runs: [Run], _ days: [CivilDate]) -> Int {
        days.reduce(0) { $0 + running(runs, $1).reduce(0) { $0 + $1.sessions } }
    }

    private func running(_ runs: [Run], _ day: CivilDate) -> [Run] {
        runs.filter { $0.first <= day && day <= $0.last }
    }

    private func body(
        _ release: String, _ runs: [Run], _ days: [CivilDate], _ fields: [String], status: Int?
    ) -> String {
        var by: [String] = []
        if !release.isEmpty { by.append("\"release\":\"\(release)\"") }
        if let status { by.append("\"session.status\":\"\(Self.names[status])\"") }
        let isAll = runs.count > 1 || fields.count == 1
        let series = fields.map { field in
            let values = days.map { value(of: field, running(runs, $0), status: status, isAll: isAll) }
            return "\"\(field)\":[\(values.joined(separator: ","))]"
        }
        return
            "{\"by\":{\(by.joined(separator: ","))},\"totals\":{\"count_unique(user)\":\(users.all * days.count)},\"series\":{\(series.joined(separator: ","))}}"
    }

    /// Counts are 0 and rates null where nothing was counted.
    private func value(of field: String, _ runs: [Run], status: Int?, isAll: Bool) -> String {
        let known = (all: runs.first?.users ?? 0, crashed: runs.first?.crashedUsers ?? 0)
        let users = isAll && !runs.isEmpty ? self.users : known
        switch field {
        case "sum(session)":
            return "\(runs.reduce(0) { sum, run in sum + (status.map { run.statuses[$0] } ?? run.sessions) })"
        case "count_unique(user)": return "\(users.all)"
        default: return users.all == 0 ? "null" : "\(1 - Double(users.crashed) / Double(users.all))"
        }
    }
}
