import AppHealth
import Archive
import Foundation
import Testing

/// Alerts that are remembered over nights, with the real program.
struct LedgerTests {
    private static func configuration(day: Int, hour: String = "06") -> String {
        """
        title: Quay
        asOf: 2026-11-\(day)T\(hour):00:00Z
        apps:
          - id: buoy
            name: Buoy
            sources: [{provider: files, path: data}]

        """
    }

    /// Sixty days to the day before a morning; on the 18th so many of 10,000 users are affected, else 50.
    private static func health(day: Int, crashedOn18th: Int) throws -> [HealthDay] {
        let morning = try #require(CivilDate("2026-11-\(day)"))
        return (1...60).reversed().map { back in
            let date = morning.advanced(by: -back)
            let crashed = date.description == "2026-11-18" ? crashedOn18th : 50
            return HealthDay(date: date, users: 10_000, crashedUsers: crashed)
        }
    }

    private static func snapshot(day: Int, crashedOn18th: Int) throws -> String {
        let health = try health(day: day, crashedOn18th: crashedOn18th).map {
            #"{"date":"\#($0.date)","users":10000,"crashedUsers":\#($0.crashedUsers ?? 0)}"#
        }
        return """
            {"format":"plimsoll-snapshot","version":1,"app":"buoy","capturedAt":"2026-11-\(day)T05:00:00Z",
            "provides":["users"],"health":[\(health.joined(separator: ","))]}
            """
    }

    /// A folder after the night of the 19th, in which the 18th looked bad.
    private func badNight() async throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Self.configuration(day: 19))
        try folder.write("data/buoy-19.json", try Self.snapshot(day: 19, crashedOn18th: 400))
        let run = try await Program.run("run", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        return folder
    }

    private func ledger(_ folder: Folder, day: Int) throws -> [LedgerEntry] {
        let archive = try Archive(at: folder.path + "/archive.sqlite", for: .reading)
        defer { try? archive.close() }
        let asOf = try #require(Instant("2026-11-\(day)T06:00:00Z"))
        let app = App(id: Slug(anyText: "buoy"), name: "Buoy")
        return try archive.history(of: app, sources: [], asOf: asOf).history.ledger
    }

    @Test func alertIsWrittenDownOnceAndWithdrawnWhenTheFiguresAre() async throws {
        let folder = try await badNight()
        let raised = try ledger(folder, day: 19)
        let alert = try #require(raised.first { $0.rule == "stability" })
        #expect(alert.firstDay.description == "2026-11-18")
        #expect(alert.raisedAt.description == "2026-11-19T05:00:00Z")
        #expect(alert.state != .withdrawn)
        #expect(folder.text("site/apps/buoy/activity/index.html").contains("Stability Alert"))
        #expect(
            folder.text("site/apps/buoy/days/2026-11-18/index.html").contains(
                "Provisional: late data can still change this day (fetched less than 48 hours after it ended)"
            ))

        try folder.write("plimsoll.yml", Self.configuration(day: 20))
        try folder.write("data/buoy-20.json", try Self.snapshot(day: 20, crashedOn18th: 50))
        let next = try await Program.run("run", in: folder)
        #expect(next.status == 0, "\(next.errors)")
        let withdrawn = try #require(try ledger(folder, day: 20).first { $0.id == alert.id })
        #expect(withdrawn.state == .withdrawn)
        #expect((withdrawn.sentence, withdrawn.raisedAt) == (alert.sentence, alert.raisedAt))
        let page = folder.text("site/apps/buoy/activity/index.html")
        #expect(
            page.contains(
                "Withdrawn: no longer supported by the data. Original alert: Crash free users dropped"))
        #expect(page.contains("Raised Thu, Nov 19, 2026, 05:00 UTC"))
        // As of the first night the archive still holds what was reported then.
        #expect(try ledger(folder, day: 19) == raised)
    }

    @Test func secondRunChangesNothing() async throws {
        let folder = try await badNight()
        let (before, site) = (try ledger(folder, day: 30), try folder.tree("site"))
        let run = try await Program.run("run", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("0 new or changed values"))
        #expect(try ledger(folder, day: 30) == before)
        #expect(try folder.tree("site").differences(from: site) == [])
    }

    /// A fetch that was killed after its last snapshot leaves an archive without the night's alerts.
    @Test func nextRunWritesDownWhatAKilledOneDidNot() async throws {
        let folder = try await badNight()
        let other = try Folder()
        for file in ["plimsoll.yml", "data/buoy-19.json"] { try other.write(file, folder.text(file)) }
        let app = App(id: Slug(anyText: "buoy"), name: "Buoy")
        let source = Source(
            id: Slug(anyText: "files"), provider: "files", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [.users], issueTotals: .lifetime, statesReleaseDays: true)
        let capturedAt = try #require(Instant("2026-11-19T05:00:00Z"))
        var snapshot = Snapshot(app: app, source: source, capturedAt: capturedAt)
        snapshot.health = try Self.health(day: 19, crashedOn18th: 400)
        let archive = try Archive(at: other.path + "/archive.sqlite", for: .writing)
        try archive.record(snapshot)
        try archive.close()
        #expect(try ledger(other, day: 19) == [])

        let run = try await Program.run("run", in: other)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("0 new or changed values"))
        #expect(try ledger(other, day: 19) == (try ledger(folder, day: 19)))
        let differing = try other.tree("site").differences(from: try folder.tree("site"))
        #expect(differing == [], "\(differing)")
    }

    /// What is kept of an app goes when it leaves the configuration, even on a night with no other news.
    @Test func nothingIsKeptOfAnAppThatLeft() async throws {
        let folder = try Folder()
        let (one, left) = (
            Self.configuration(day: 19),
            "  - {id: mole, name: Mole, sources: [{provider: files, path: data}]}\n"
        )
        try folder.write("data/buoy-19.json", try Self.snapshot(day: 19, crashedOn18th: 400))
        try folder.write(
            "data/mole-19.json",
            try Self.snapshot(day: 19, crashedOn18th: 50).replacing(#""app":"buoy""#, with: #""app":"mole""#))
        var kept: [String] = []
        for configuration in [one + left, one, one] {
            try folder.write("plimsoll.yml", configuration)
            let run = try await Program.run("fetch", in: folder)
            #expect(run.status == 0, "\(run.errors)")
            kept.append(folder.text("archive.sqlite.builds/fetch/ledgers"))
        }
        #expect(kept.map { $0.contains(#""mole""#) } == [true, false, false])
        #expect(kept.allSatisfy { $0.contains(#""buoy""#) } && kept[1] == kept[2])
    }

    /// What a fetch keeps of the ledgers that it worked out never decides what one holds: with news, without, when only
    /// time has passed, when the clock was set back, when it is damaged, and when another archive was put in the place.
    @Test func whatIsKeptOfLedgersChangesNone() async throws {
        let (kept, fresh) = (try Folder(), try Folder())
        let file = "archive.sqlite.builds/fetch/ledgers"
        let steps: [(day: Int, hour: String, crashedOn18th: Int?)] = [
            (19, "06", 400), (19, "06", nil), (19, "12", nil), (20, "06", 400), (20, "18", 50),
            (21, "06", nil),
            (20, "07", nil), (22, "06", 400), (22, "06", nil), (25, "06", nil),
        ]
        var first: [UInt8] = []
        for (place, step) in steps.enumerated() {
            for folder in [kept, fresh] {
                try folder.write("plimsoll.yml", Self.configuration(day: step.day, hour: step.hour))
                if let crashed = step.crashedOn18th {
                    try folder.write(
                        "data/buoy-\(place).json", try Self.snapshot(day: step.day, crashedOn18th: crashed))
                }
            }
            try? FileManager.default.removeItem(atPath: fresh.path + "/archive.sqlite.builds")
            if place == 5 { try kept.write(file, "damaged") }
            if place == 9 {
                try FileManager.default.removeItem(atPath: kept.path + "/archive.sqlite")
                try Data(first).write(to: URL(fileURLWithPath: kept.path + "/archive.sqlite"))
            }
            let before = kept.text(file)
            for folder in [kept, fresh] {
                let run = try await Program.run("fetch", in: folder)
                #expect(run.status == 0, "\(step): \(run.errors)")
            }
            #expect((kept.text(file) == before) == (place == 1 || place == 2 || place == 8), "\(step)")
            #expect(try ledger(kept, day: 30) == (try ledger(fresh, day: 30)), "\(step)")
            if place == 0 {
                first = Array(try Data(contentsOf: URL(fileURLWithPath: kept.path + "/archive.sqlite")))
            }
        }
    }
}
