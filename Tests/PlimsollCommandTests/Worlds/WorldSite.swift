import AppHealth
import Foundation

/// Reads every number of a built site that a world can know, and holds it against the world.
struct WorldSite {
    /// What became of the numbers.
    struct Result: CustomStringConvertible {
        var right = 0
        var partial = 0
        var absent = 0
        var wrong: [String] = []

        var description: String {
            "\(right + partial + wrong.count) numbers: \(right) right, \(partial) partial, \(wrong.count) wrong; "
                + "\(absent) absent"
        }
    }

    let tree: Tree
    /// The world as the source of the issues knew it at each night, the newest last.
    let truths: [WorldTruth]
    /// The world as the source of the days knew it.
    let days: [WorldTruth]
    let world: World
    /// How far a count of users may miss, of a service that rounds them.
    let rounding: Int
    /// The last whole day of the report.
    let lastDay: Int
    var result = Result()

    init(
        _ tree: Tree, issues: [WorldTruth], days: [WorldTruth], _ world: World, rounding: Int, lastDay: Int
    ) {
        (self.tree, self.truths, self.days, self.world) = (tree, issues, days, world)
        (self.rounding, self.lastDay) = (rounding, lastDay)
        checkIssues()
        checkList()
        checkDevices()
        checkDays()
        checkHealth()
        checkSentences()
        checkTables()
        checkClaims()
    }

    // MARK: Data files

    func table(_ name: String, of file: String) -> [[String: Any]] {
        let root = (try? JSONSerialization.jsonObject(with: tree.files[file] ?? Data())) as? [String: Any]
        return (root?["tables"] as? [String: Any])?[name] as? [[String: Any]] ?? []
    }

    /// Whether a row says that it is not of all.
    private func isPart(_ row: [String: Any]) -> Bool {
        (row["coverage"] as? String).map { $0 != "complete" } ?? false
    }

    private func day(_ value: Any?) -> Int? {
        (value as? String).flatMap { CivilDate($0) }.map { World.first.days(to: $0) }
    }

    /// Counts a number: right when it is the world's on any of the nights, the newest first. One that says to be a part
    /// is never more than the whole.
    private mutating func check(
        _ found: Any?, _ what: String, isPartial: Bool = false, in truths: [WorldTruth]? = nil,
        within miss: Int = 0, _ truth: (WorldTruth) -> Int
    ) {
        guard let number = found as? Int else { return result.absent += 1 }
        let right = (truths ?? self.truths).map(truth)
        if right.contains(where: { abs($0 - number) <= miss }) {
            result.right += 1
        } else if isPartial, number <= (right.max() ?? 0) + miss {
            result.partial += 1
        } else {
            result.wrong.append("\(what): \(number) instead of \(right.last ?? 0)")
        }
    }

    private mutating func checkIssues() {
        for file in tree.paths("/data.json") where file.contains("/issues/") {
            let id = file.split(separator: "/").dropLast().last.map(String.init) ?? ""
            guard let truth = truths.last, let problem = truth.problem(id) else { continue }
            let rows = table("issueDays", of: file).filter { $0["version"] is NSNull || $0["version"] == nil }
            for row in rows {
                guard let day = day(row["date"]) else { continue }
                let isPartial = isPart(row)
                check(row["events"], "events of \(id) on day \(day)", isPartial: isPartial) {
                    $0.events(problem, day)
                }
                check(row["users"], "users of \(id) on day \(day)", isPartial: isPartial) {
                    $0.users(ofProblem: problem, day)
                }
                checkNames(row, problem, day, of: id)
            }
        }
    }

    /// Of a source that says which part of the events names a user, each row does whose events name some.
    private mutating func checkNames(_ row: [String: Any], _ problem: Int, _ day: Int, of id: String) {
        guard row["users"] is Int, row.keys.contains("namedShare") else { return }
        let found = row["namedShare"] as? Double ?? 1
        let right = truths.map { $0.namedShare(ofProblem: problem, day) }
        if right.contains(where: { abs($0 - found) < 1e-6 }) {
            result.right += 1
        } else {
            result.wrong.append(
                "part of \(id) on day \(day) that names a user: \(found) instead of \(right.last ?? 0)")
        }
    }

    /// The list of issues: events of the last 28 whole days, unless it says of how many.
    private mutating func checkList() {
        for file in tree.paths("apps/deck/issues/data.json") {
            for row in table("issues", of: file) {
                guard let id = row["id"] as? String, let problem = truths.last?.problem(id) else { continue }
                let (covered, last) = (row["daysInWindow"] as? Int, lastDay)
                check(
                    row["eventsInWindow"], "events of \(id) in 28 days",
                    isPartial: isPart(row) || covered.map { $0 < 28 } ?? false
                ) {
                    truth in (last - 27...last).map { truth.events(problem, $0) }.reduce(0, +)
                }
            }
        }
    }

    /// Crashes by kind of device over the last 28 whole days.
    private mutating func checkDevices() {
        for file in tree.paths("apps/deck/issues/data.json") {
            for row in table("devices", of: file) {
                guard let device = row["device"] as? String else { continue }
                let (covered, last) = (row["knownDays"] as? Int, lastDay)
                check(
                    row["crashes"], "crashes on \(device) in 28 days",
                    isPartial: isPart(row) || covered.map { $0 < 28 } ?? false, in: days
                ) { truth in
                    (last - 27...last).map { truth.crashes($0, by: AppStoreConnectWindow.device, device) }
                        .reduce(0, +)
                }
            }
        }
    }

    private mutating func checkDays() {
        for file in tree.paths("/data.json") where file.contains("/days/") {
            guard let day = day(file.split(separator: "/").dropLast().last.map(String.init)) else { continue }
            for row in table("issues", of: file) {
                guard let id = row["id"] as? String, let problem = truths.last?.problem(id) else { continue }
                let isPartial = isPart(row)
                check(row["events"], "events of \(id) in the list of day \(day)", isPartial: isPartial) {
                    $0.events(problem, day)
                }
                check(row["users"], "users of \(id) in the list of day \(day)", isPartial: isPartial) {
                    $0.users(ofProblem: problem, day)
                }
                checkNames(row, problem, day, of: id)
            }
        }
    }

    private mutating func checkHealth() {
        for file in tree.paths("apps/deck/data.json") {
            for row in table("health", of: file) {
                guard let day = day(row["date"]) else { continue }
                let isPartial = isPart(row)
                check(row["sessions"], "sessions of day \(day)", isPartial: isPartial, in: days) {
                    $0.sessions(day, nil)
                }
                check(
                    row["crashedSessions"], "crashed sessions of day \(day)", isPartial: isPartial, in: days
                ) {
                    $0.crashedSessions(day, nil)
                }
                check(row["users"], "users of day \(day)", isPartial: isPartial, in: days, within: rounding) {
                    $0.users(day, nil).count
                }
                check(
                    row["crashedUsers"], "affected users of day \(day)", isPartial: isPartial, in: days,
                    within: rounding
                ) {
                    $0.crashedUsers(day, nil).count
                }
                check(row["crashes"], "crashes of day \(day)", in: days + truths) {
                    $0.events(on: day, of: [.crash])
                }
            }
        }
        for file in tree.paths("apps/deck/usage/data.json") {
            for row in table("usage", of: file) {
                guard let day = day(row["date"]) else { continue }
                let isPartial = isPart(row)
                check(row["sessions"], "sessions of the use of day \(day)", isPartial: isPartial, in: days) {
                    $0.sessions(day, nil)
                }
                check(
                    row["activeUsers"], "active users of day \(day)", isPartial: isPartial, in: days,
                    within: rounding
                ) {
                    $0.users(day, nil).count
                }
            }
        }
    }

    // MARK: Sentences

    private mutating func checkSentences() {
        for file in tree.paths(".md") + tree.paths(".html") where file.contains("/days/") {
            guard let day = day(file.split(separator: "/").dropLast().last.map(String.init)) else { continue }
            let text = file.hasSuffix(".md") ? tree[file] : words(ofPage: file)
            for match in text.matches(of: /([0-9,]+) crash(?:es)? on [A-Z]/) {
                let number = Int(match.1.replacing(",", with: ""))
                check(number, "crashes in a sentence of day \(day)") { $0.events(on: day, of: [.crash]) }
            }
            for match in text.matches(of: /([0-9.]+)% came from 1 issue/) {
                checkShare(Double(match.1), day)
            }
        }
    }

    private mutating func checkShare(_ found: Double?, _ day: Int) {
        let shares = truths.map { truth in
            100 * Double(truth.most(on: day, of: [.crash]))
                / Double(max(1, truth.events(on: day, of: [.crash])))
        }
        if let found, shares.contains(where: { abs($0 - found) <= 0.6 }) {
            result.right += 1
        } else {
            result.wrong.append(
                "share of one issue on day \(day): \(found ?? -1) instead of \(shares.last ?? 0)")
        }
    }
}
