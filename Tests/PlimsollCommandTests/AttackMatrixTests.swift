import Foundation
import GRDB
import Testing

/// Every command, with each of its calls on files going wrong in each way: the site is the old or the new one, the
/// archive is sound, and the next run ends as if nothing had happened.
///
/// `make attack` goes through the calls until the minutes of `PLIMSOLL_ATTACK` are over; `make test` tries a few of each.
@Suite(.enabled(if: Attack.isPossible, "cc is needed to make the library that lets calls fail"))
struct AttackMatrixTests {
    /// A command with what it is run on.
    struct Case: Sendable, CustomStringConvertible {
        let command: [String]
        var isFirst = false
        var exchanges = true
        var swap = Swap.folder
        /// Whether the archive is one of the first format.
        var migrates = false
        /// Whether the next site is made in the folder of the one before.
        var hasSpare = false
        /// Whether it is left to `make attack`: two builds precede each attempt.
        var isLong = false

        /// How a new site takes the place of the old one.
        enum Swap: String, Sendable {
            case folder, link
            /// The old site is a folder, the new one a link.
            case change
        }

        /// Whether there is a site at every moment.
        var neverWithout: Bool { exchanges || swap == .link }

        var description: String {
            command.joined(separator: " ") + (isFirst ? ", first" : "") + (migrates ? ", migration" : "")
                + (exchanges ? "" : ", without exchange") + (swap == .folder ? "" : ", \(swap)")
                + (hasSpare ? ", in the folder before" : "")
        }
    }

    private static let cases = all.filter { Attack.minutes != nil || !$0.isLong }

    private static let all = [
        Case(command: ["fetch"]), Case(command: ["fetch"], isFirst: true),
        Case(command: ["fetch"], isFirst: true, migrates: true),
        Case(command: ["build", "--threads", "1"]),
        Case(command: ["build", "--threads", "1"], exchanges: false),
        Case(command: ["build", "--threads", "1"], exchanges: false, swap: .link),
        Case(command: ["build", "--threads", "1"], swap: .change),
        Case(command: ["build", "--threads", "1"], exchanges: false, swap: .change),
        Case(command: ["build", "--threads", "1"], hasSpare: true),
        Case(command: ["build", "--threads", "1"], exchanges: false, hasSpare: true, isLong: true),
        Case(command: ["run", "--threads", "1"], hasSpare: true, isLong: true),
        Case(command: ["run", "--threads", "1"]), Case(command: ["run", "--threads", "1"], isFirst: true),
        Case(command: ["publish"]), Case(command: ["attach"]),
        Case(command: ["archive", "backup", "--replace", "copy.sqlite"]),
        Case(command: ["archive", "restore", "copy.sqlite"]),
        Case(command: ["archive", "merge", "other.sqlite"]),
        Case(command: ["archive", "compact", "--older-than", "90"]),
    ]

    private static let minutes = Attack.minutes.map { $0 * 0.8 }

    /// A project of the 20th whose archive and site are of the 19th; nothing is there yet for a first run.
    private static func project(_ one: Case) async throws -> Folder {
        let folder = try Folder()
        var publish =
            "publish: [{to: folder, path: public}]\nattach: [{to: github-step, file: summary.md}]\n"
        if one.swap == .link { publish += "swap: link\n" }
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + publish)
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19))
        let isCompacted = one.command.contains("compact")
        // Days that were revised four times.
        for day in isCompacted ? Array(15...18) : [] {
            let snapshot = Quay.snapshot(of: "buoy", day: day, users: 5000 + day * 100)
            try folder.write("data/buoy/2026-11-\(day).json", snapshot)
        }
        if !one.isFirst {
            try await expectDone(["run"], in: folder)
            try await expectDone(["archive", "backup", "copy.sqlite"], in: folder)
            if ["archive", "publish", "attach"].contains(one.command[0]) {
                try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
                try folder.write("plimsoll.yml", Quay.configuration(day: 20) + publish)
                try await expectDone(["fetch"], in: folder)
                try await expectDone(["build"], in: folder)
            }
            if isCompacted {
                // After a night of much later no report learns from the revised days any more.
                for (app, place) in [("buoy", "data/buoy"), ("lamp", "more/lamp")] {
                    let later = Quay.snapshot(of: app, day: 20).replacing("2026-11", with: "2027-01")
                    try folder.write("\(place)/2027-01-20.json", later)
                }
                let configuration = Quay.configuration(day: 21).replacing("2026-11", with: "2027-01")
                try folder.write("plimsoll.yml", configuration + publish)
                try await expectDone(["fetch"], in: folder)
            }
        }
        if one.command.contains("merge") {
            try await expectDone(["archive", "backup", "other.sqlite"], in: folder)
            try await expectDone(["archive", "restore", "copy.sqlite"], in: folder)
        }
        if one.migrates { try AttackTests.Beginning.firstFormat.make(in: folder) }
        if one.swap == .change { publish += "swap: link\n" }
        var configuration = Quay.configuration(day: 20) + publish
        if isCompacted { configuration.replace("asOf: 2026-11-20", with: "asOf: 2027-06-20") }
        try folder.write("plimsoll.yml", configuration)
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        return folder
    }

    /// A copy of a project, with the site of the night before the present one where it is needed: a copied folder is not
    /// the one that a build left.
    private static func copy(of template: Folder, for one: Case) async throws -> Folder {
        let folder = try Folder(copyOf: template)
        guard one.hasSpare else { return folder }
        let next = folder.text("plimsoll.yml")
        for instant in ["2026-11-19T05", "2026-11-19T06"] {
            try folder.write("plimsoll.yml", next.replacing("2026-11-20T06", with: instant))
            try await expectDone(["build"], in: folder)
        }
        try folder.write("plimsoll.yml", next)
        #expect(hasSpare(folder))
        return folder
    }

    private static func hasSpare(_ folder: Folder) -> Bool {
        let kept = folder.path + "/archive.sqlite.builds"
        let builds = try? FileManager.default.contentsOfDirectory(atPath: kept)
        return builds?.contains { FileManager.default.fileExists(atPath: "\(kept)/\($0)/spare") } == true
    }

    private static func expectDone(_ arguments: [String], in folder: Folder) async throws {
        let run = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(run.status == 0, "\(arguments): \(run.printed)")
    }

    /// What is compared: the site, what is published, and the rows of the archive.
    private struct Outcome: Equatable {
        var site: Tree?
        var published: [String: Data]?
        var rows: [String: [String]]
        var summary: String

        init(_ folder: Folder) throws {
            func tree(_ name: String) -> Tree? { try? folder.tree(name) }
            summary = folder.text("summary.md")
            site = tree("site")
            var published = tree("public")?.files
            // Each folder without an archive makes one, which the list of what is published names by a digest.
            if let list = published?[".plimsoll-publication.json"] {
                let lines = list.split(separator: UInt8(ascii: "\n")).filter {
                    !$0.starts(with: Data("\"project\":".utf8))
                }
                published?[".plimsoll-publication.json"] = Data(lines.joined(separator: [0x0A]))
            }
            self.published = published
            let file = folder.path + "/archive.sqlite"
            guard FileManager.default.fileExists(atPath: file) else {
                rows = [:]
                return
            }
            rows = try DatabaseQueue(path: file).read { database in
                let tables = try String.fetchAll(
                    database,
                    sql:
                        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('app_revision', 'secret')"
                )
                let names = try RowNames(database)
                return try Dictionary(
                    uniqueKeysWithValues: tables.map { table in
                        let all = try Row.fetchAll(database, sql: "SELECT * FROM \(table)")
                        return (table, all.map { names.text(of: $0, in: table) }.sorted())
                    })
            }
        }
    }

    @Test(arguments: cases.indices) func oldOrNewAndTheNextRunIsWhole(index: Int) async throws {
        let one = Self.cases[index]
        let template = try await Self.project(one)
        let undisturbed = try await Self.copy(of: template, for: one)
        let before = try Outcome(undisturbed)
        let calls = try await Attack.calls(of: one.command, in: undisturbed, exchanges: one.exchanges)
        let after = try Outcome(undisturbed)
        #expect(!one.hasSpare || Self.hasSpare(undisturbed))
        // A run that ends well in spite of a fault has published, and the next site says when.
        let repeated = try Folder(copyOf: undisturbed)
        try await Self.expectDone(one.command, in: repeated)
        let afterTwo = try Outcome(repeated)
        var (tried, violated, without) = (0, 0, 0)
        func check(_ isKept: Bool, _ what: String) {
            if !isKept { violated += 1 }
            #expect(isKept, "\(one): \(what)")
        }
        let end = Self.minutes.map { Date(timeIntervalSinceNow: $0 * 60 / Double(Self.cases.count)) }
        for (how, call) in Self.attempts(calls.count, isShort: end == nil) {
            if let end, Date() > end { break }
            tried += 1
            let folder = try await Self.copy(of: template, for: one)
            let hit = try await Attack(call: call, how: how, exchanges: one.exchanges).run(
                one.command, in: folder)
            let place = "\(how) at \(calls[call - 1])"
            let site = try? folder.tree("site")
            // Where names cannot be exchanged, the next start puts the old site back.
            let isWhole = site == before.site || site == after.site || (!one.neverWithout && site == nil)
            if site == nil, before.site != nil { without += 1 }
            check(isWhole, "\(place): half a site")
            // Of a run, 5: what was built did not reach all.
            let done: [Int32] = one.command[0] == "run" ? [0, 1, 4, 5] : [0, 1, 4]
            let ends = done + [how == .stop ? SIGTERM : SIGKILL]
            check(ends.contains(hit.status) || hit.status > 128, "\(place): ended with \(hit.status)")
            if FileManager.default.fileExists(atPath: folder.path + "/archive.sqlite") {
                let archive = try await Program.run("archive", "check", in: folder)
                let isSound =
                    archive.status == 0 || archive.errors.contains("[archive.unfinished]")
                    || (one.migrates && archive.errors.contains("[archive.older-format]"))
                check(isSound, "\(place): \(archive.printed)")
            }
            let next = try await Program.run(Program.path, one.command, in: folder.path)
            check(next.status == 0, "\(place), then: \(next.printed)")
            var outcome = try Outcome(folder)
            var expected = hit.status == 0 ? afterTwo : after
            check(outcome.rows == expected.rows, "\(place): other rows")
            if [1, 5].contains(hit.status), one.command[0] == "run", outcome.site != expected.site {
                // The site that comes next tells of a publication that failed; once one succeeded, none does.
                let status = folder.text("site/status.json")
                check(status.contains("\"failedAt\" : \""), "\(place): another site without a failure")
                try await Self.expectDone(one.command, in: folder)
                (outcome, expected) = (try Outcome(folder), afterTwo)
                check(outcome.rows == expected.rows, "\(place), twice: other rows")
            }
            check(outcome.site == expected.site, "\(place): another site")
            check(outcome.published == expected.published, "\(place): something else is published")
            check(outcome.summary == expected.summary, "\(place): something else is attached")
        }
        print(
            "attack \(one): \(calls.count) calls, without a site \(without), tried \(tried), violated \(violated)"
        )
    }

    /// Each way and call in an order that spreads over both; a few of them where time is short.
    private static func attempts(_ count: Int, isShort: Bool) -> [(Attack.How, Int)] {
        guard count > 0 else { return [] }
        if isShort {
            return [Attack.How.kill, .full, .interrupted, .stop].flatMap { how in
                spread(count, 2).map { (how, $0) }
            }
        }
        return spread(count, count).flatMap { call in Attack.How.allCases.map { ($0, call) } }
    }

    /// So many of the numbers from 1, far from each other first.
    private static func spread(_ count: Int, _ most: Int) -> [Int] {
        var step = max(1, Int(Double(count) * 0.618))
        while greatestCommonDivisor(step, count) != 1 { step += 1 }
        return (0..<min(most, count)).map { 1 + ($0 + 1) * step % count }
    }

    private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
        second == 0 ? first : greatestCommonDivisor(second, first % second)
    }
}
