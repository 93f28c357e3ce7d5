import Files
import Foundation
import GRDB
import Testing

/// A fetch does not decode again what an earlier one has stored, with the real program.
struct StoredFilesTests {
    private static let record = "archive.sqlite.builds/fetch/files"

    private static func configuration(_ now: String, name: String = "Buoy") -> String {
        """
        title: Quay
        asOf: \(now)
        apps:
          - {id: buoy, name: \(name), sources: [{provider: files, path: data}, {id: again, provider: files, path: data}]}
          - {id: mole, name: Mole, sources: [{provider: files, path: data}]}

        """
    }

    /// A snapshot of a morning that reports the three days before it.
    private static func snapshot(
        of app: String, day: Int, hour: Int = 5, users: Int, isComplete: Bool = false, extra: String = ""
    ) -> String {
        let health = (day - 3..<day).map {
            #"{"date":"2026-10-\#($0)","sessions":\#(users * 2),"users":\#(users),"crashedUsers":\#(users / 100)}"#
        }
        let releases = isComplete && users % 2 == 0 ? "" : #"{"version":"1.\#(users % 3)"}"#
        let issues = (0..<users % 4).map {
            """
            {"id":"i\($0)","title":"Issue \($0)","days":[{"date":"2026-10-\(day - 1)","events":\(users),"users":3}]}
            """
        }
        let coverage =
            isComplete
            ? """
            ,"coverage":[{"fact":"issueDays","first":"2026-10-\(day - 3)","last":"2026-10-\(day - 1)",
            "state":"complete"}]
            """
            : ""
        return """
            {"format":"plimsoll-snapshot","version":1,"app":"\(app)",
            "capturedAt":"2026-10-\(day)T0\(hour):00:00Z","provides":["users","sessions","issues","releases"],
            "health":[\(health.joined(separator: ","))],"releases":[\(releases)],
            "issues":[\(issues.joined(separator: ","))]\(coverage)\(extra)}
            """
    }

    private static func rows(_ folder: Folder) throws -> [String] {
        try DatabaseQueue(path: folder.path + "/archive.sqlite").read { database in
            let tables = try String.fetchAll(
                database,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('app_revision', 'secret')"
            )
            let names = try RowNames(database)
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)")
                    .map { "\(table) \(names.text(of: $0, in: table))" }.sorted()
            }
        }
    }

    /// What a fetch says besides who was first and how long it took.
    private static func words(of run: Run) -> String {
        run.printed.split(separator: "\n").filter { !$0.hasPrefix("[") }.joined(separator: "\n")
    }

    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    /// One of the things that happen to a folder between two fetches.
    private static func change(_ folders: [Folder], _ night: Int, _ dice: inout Dice) throws -> String {
        let app = ["buoy", "buoy", "mole"].randomElement(using: &dice) ?? "buoy"
        let day = Int.random(in: 12...24, using: &dice)
        let users = Int.random(in: 100...110, using: &dice) * 10
        let isComplete = Bool.random(using: &dice)
        func write(_ name: String, _ text: String) throws {
            for folder in folders { try folder.write(name, text) }
        }
        let name = "data/\(app)-\(day).json"
        let text = snapshot(of: app, day: day, users: users, isComplete: isComplete)
        switch Int.random(in: 0...8, using: &dice) {
        case 0...2: try write(name, text)
        case 3: try write("data/\(app)-\(day)-b.json", text.replacing("T05:00", with: "T06:00"))
        case 4: try write("data/\(app)-\(day)-c.json", snapshot(of: app, day: day, users: users + 1))
        case 5:
            for folder in folders { try? FileManager.default.removeItem(atPath: "\(folder.path)/\(name)") }
        case 6: try write(name, snapshot(of: app, day: day, users: users, extra: #","usrs":1"#))
        case 7: try write(name, String(text.dropLast(Int.random(in: 1...200, using: &dice))))
        default: return "nothing"
        }
        return "\(name) \(users)"
    }

    /// What a fetch keeps of the files that it stored never decides what an archive holds or what is said: with files
    /// that come late, that differ for the very same instant, that change, vanish, are damaged or odd; when the clock is
    /// set back, the app is renamed, the record is damaged and another archive is put in the place.
    @Test(arguments: 1...4) func whatIsKeptChangesNothing(seed: UInt64) async throws {
        let (kept, fresh) = (try Folder(), try Folder())
        var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15)
        var first = Data()
        for night in 0..<14 {
            var steps: [String] = []
            for _ in 0..<Int.random(in: night == 0 ? 3...5 : 0...2, using: &dice) {
                steps.append(try Self.change([kept, fresh], night, &dice))
            }
            let day = night == 7 ? 16 : 25
            for folder in [kept, fresh] {
                try folder.write(
                    "plimsoll.yml",
                    Self.configuration(
                        "2026-10-\(day)T09:00:00Z", name: night > 9 ? "Buoy of the Quay" : "Buoy"))
            }
            try? FileManager.default.removeItem(atPath: fresh.path + "/archive.sqlite.builds")
            if night == 5 {
                try kept.write(Self.record, kept.text(Self.record).replacing("buoy", with: "mole"))
            }
            if night == 11 {
                for folder in [kept, fresh] {
                    try first.write(to: URL(fileURLWithPath: folder.path + "/archive.sqlite"))
                }
            }
            let (one, other) = (
                try await Program.run("fetch", in: kept), try await Program.run("fetch", in: fresh)
            )
            #expect(
                one.status == other.status && Self.words(of: one) == Self.words(of: other),
                "\(night): \(steps)")
            #expect(try Self.rows(kept) == (try Self.rows(fresh)), "\(night): \(steps)")
            if night == 2 {
                first = try Data(contentsOf: URL(fileURLWithPath: kept.path + "/archive.sqlite"))
            }
        }
    }

    /// What is said of the age of files is from the record where they are not decoded.
    @Test func whatWasStoredIsNotDecodedAgain() async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Self.configuration("2026-10-20T09:00:00Z"))
        for day in 16...20 {
            for app in ["buoy", "mole"] {
                try folder.write(
                    "data/\(app)-\(day).json", Self.snapshot(of: app, day: day, users: 1000 + day))
            }
        }
        let first = try await Program.run("fetch", in: folder)
        #expect(first.status == 0, "\(first.printed)")
        let record = folder.text(Self.record).dropFirst(64)
        #expect(record.split(separator: "\n").count { $0.hasSuffix(" 20745") } == 3, "\(record)")
        let changed = record.replacing(#/ 2\d{4}\n/#, with: " 20000\n")
        try folder.write(Self.record, contentHash(Array(changed.utf8)) + changed)
        let second = try await Program.run("fetch", in: folder)
        #expect(second.printed.contains("the last day in the files is 2024-10-04"), "\(second.printed)")
        #expect(second.printed.contains("5 snapshots, 0 new or changed values"), "\(second.printed)")
        // A new one is decoded, and the others are still known.
        try folder.write("data/mole-20-b.json", Self.snapshot(of: "mole", day: 20, hour: 7, users: 900))
        let third = try await Program.run("fetch", in: folder)
        #expect(third.printed.contains("mole from files: 6 snapshots"), "\(third.printed)")
    }
}
