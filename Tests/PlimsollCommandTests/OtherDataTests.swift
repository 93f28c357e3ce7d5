import Foundation
import GRDB
import LoopbackServer
import Testing

/// A source whose project was changed under the same id: two projects are never mixed.
struct OtherDataTests {
    /// A project whose one app is of one project of a stand-in for BugSnag.
    private struct World {
        let server: LoopbackServer
        let folder: Folder

        init() async throws {
            // Both names lead to the same figures; what is stored says for itself of which source it is.
            server = try await BugsnagStub.start(lastDay: 18) { request in
                guard request.path == "/organizations/org1/projects" else { return nil }
                let projects = ["staging", "shop"].map {
                    #"{"id":"p1","name":"The \#($0)","slug":"\#($0)","html_url":"https://app.example/quay/\#($0)"}"#
                }
                return .json("[\(projects.joined(separator: ","))]")
            }
            folder = try Folder()
        }

        func configure(_ day: Int, _ sources: String...) throws {
            let all = sources.map { source in
                "      - {provider: bugsnag, \(source), url: \"\(server.origin)\", token: \"${QUAY_TOKEN}\"}\n"
            }
            try folder.write(
                "plimsoll.yml",
                """
                title: Quay
                asOf: 2026-11-\(day)T06:00:00Z
                apps:
                  - id: ferry
                    name: Ferry
                    sources:
                \(all.joined())
                """)
        }

        /// One source as it is written in the configuration.
        func configureOne(_ day: Int, _ source: String) throws {
            try configure(day, "project: staging, id: main")
            let lines = folder.text("plimsoll.yml").split(separator: "\n").dropLast()
            try folder.write(
                "plimsoll.yml", (lines + ["      - \(source)"]).joined(separator: "\n") + "\n")
        }

        func run(_ arguments: String...) async throws -> Run {
            try await Program.run(
                Program.path, arguments, in: folder.path, environment: ["QUAY_TOKEN": token])
        }

        private var archive: DatabaseQueue {
            get throws { try DatabaseQueue(path: folder.path + "/archive.sqlite") }
        }

        /// Every row of what services report, and of which project it is.
        func stored() throws -> [String] {
            try archive.read { database in
                try ["health_day", "issue_day", "issue", "release", "source_description", "source_data"]
                    .flatMap {
                        table in
                        try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
                    }
            }
        }

        /// The names of the stored data, oldest first.
        func names() throws -> [String] {
            try archive.read {
                try String.fetchAll($0, sql: "SELECT name FROM source_data ORDER BY source_id, since")
            }
        }

        /// Makes the archive one of the format before names were kept.
        func makeOlder() throws {
            try archive.write {
                try $0.execute(
                    sql: """
                        DROP TABLE source_data;
                        DELETE FROM grdb_migrations WHERE identifier = 'addSourceData'
                        """)
            }
        }
    }

    @Test func anotherProjectIsRefusedBeforeAnyRequest() async throws {
        let world = try await World()
        try world.configure(19, "project: staging")
        let first = try await world.run("run")
        #expect(first.status == 0, "\(first.printed)")
        #expect(try world.names() == ["staging"])
        let (stored, requests) = (try world.stored(), world.server.requests.count)
        try world.configure(20, "project: shop")
        let run = try await world.run("run")
        #expect(run.status == 1, "\(run.printed)")
        let said = "error: ferry/bugsnag: 'project' is 'shop' now; the stored days are of 'staging'"
        #expect(run.errors.contains(said), "\(run.errors)")
        #expect(run.errors.contains("plimsoll.yml:7:9"), "\(run.errors)")
        #expect(run.errors.contains("add 'formerly: staging' to the source"), "\(run.errors)")
        #expect(run.errors.contains("otherwise give the source another 'id'"), "\(run.errors)")
        #expect(try world.stored() == stored)
        // The site is of what is stored.
        #expect(world.folder.text("site/apps/ferry/index.md").contains("2026-11-18"))
        let sources = world.folder.text("site/sources/index.md")
        #expect(sources.contains("| bugsnag | bugsnag | Stale |"), "\(sources)")
        #expect(sources.contains("of 'staging' (source.other-data), at plimsoll.yml:7:9"), "\(sources)")
        for arguments in [["doctor"], ["fetch", "--plan"], ["fetch"]] {
            let run = try await Program.run(
                Program.path, arguments, in: world.folder.path, environment: ["QUAY_TOKEN": token])
            #expect(run.status == 1 && run.printed.contains("'project' is 'shop' now"), "\(run.printed)")
        }
        #expect(world.server.requests.count == requests)
        await world.server.stop()
    }

    @Test func aFormerNameLetsTheDaysGoOn() async throws {
        let world = try await World()
        try world.configure(19, "project: staging")
        #expect(try await world.run("fetch").status == 0)
        let requests = world.server.requests.count
        try world.configure(20, "project: shop, formerly: stage")
        let wrong = try await world.run("fetch")
        #expect(wrong.status == 1 && world.server.requests.count == requests, "\(wrong.printed)")
        #expect(wrong.errors.contains("'project' is 'shop' now; the stored days are of 'staging'"))
        #expect(wrong.errors.contains("'formerly' is 'stage', not 'staging'"), "\(wrong.errors)")
        // Then with the right name, with the key that stays, and without it.
        for (day, source) in [
            (20, "project: shop, formerly: staging"), (21, "project: shop, formerly: staging"),
            (22, "project: shop"), (23, "project: shop, formerly: stage"),
        ] {
            try world.configure(day, source)
            let run = try await world.run("fetch")
            #expect(run.status == 0, "\(run.printed)")
            #expect(try world.names() == ["staging", "shop"])
        }
        // What was another name once is none of today.
        try world.configure(24, "project: staging")
        let back = try await world.run("fetch")
        #expect(back.status == 1, "\(back.printed)")
        #expect(back.errors.contains("'project' is 'staging' now; the stored days are of 'shop'"))
        await world.server.stop()
    }

    /// Another provider under the same id, whether or not its settings name data of a service.
    @Test(arguments: [
        ("files", "path: data"), ("glitchtip", "organization: acme, project: staging, formerly: staging"),
    ])
    func anotherProviderIsRefusedBeforeAnyRequest(provider: String, keys: String) async throws {
        let world = try await World()
        try world.configure(19, "project: staging, id: main")
        #expect(try await world.run("run").status == 0)
        let (stored, requests) = (try world.stored(), world.server.requests.count)
        let place = provider == "files" ? "" : ", url: \"\(world.server.origin)\", token: \"${QUAY_TOKEN}\""
        try world.configureOne(20, "{provider: \(provider), id: main, \(keys)\(place)}")
        let said = "'provider' is '\(provider)' now; the stored days are of 'bugsnag'"
        for command in ["run", "doctor", "fetch"] {
            let run = try await world.run(command)
            #expect(run.status == 1 && run.printed.contains(said), "\(run.printed)")
            guard command == "run" else { continue }
            #expect(run.errors.contains("error: ferry/main: \(said)"), "\(run.errors)")
            #expect(run.errors.contains("plimsoll.yml:7:9"), "\(run.errors)")
            #expect(run.errors.contains("hint: give the source another 'id'"), "\(run.errors)")
            #expect(!run.errors.contains("add 'formerly"), "\(run.errors)")
        }
        #expect(try world.stored() == stored && world.server.requests.count == requests)
        // The old one goes on under its own provider.
        try world.configure(20, "project: staging, id: main")
        #expect(try await world.run("fetch").status == 0)
        await world.server.stop()
    }

    /// What is stored stays in the archive and leaves the site, until its id is listed again.
    @Test func anotherIDBeginsAnotherHistory() async throws {
        let world = try await World()
        try world.configure(19, "project: staging")
        #expect(try await world.run("run").status == 0)
        try world.configure(20, "project: shop, id: shop")
        let run = try await world.run("run")
        #expect(run.status == 0, "\(run.printed)")
        #expect(try world.names() == ["staging", "shop"])
        let sources = world.folder.text("site/sources/index.md")
        #expect(sources.contains("| shop | bugsnag |") && !sources.contains("| bugsnag | bugsnag |"))
        try world.configure(20, "project: shop, id: shop", "until: 2026-11-18")
        let listed = try await world.run("build")
        #expect(listed.status == 0, "\(listed.printed)")
        #expect(world.folder.text("site/sources/index.md").contains("| bugsnag | bugsnag | Ended |"))
        await world.server.stop()
    }

    /// Of which project the days of an older archive are is not known; the first fetch notes it without a word.
    @Test func theFirstFetchAfterAnUpgradeIsSilent() async throws {
        let world = try await World()
        try world.configure(19, "project: staging")
        #expect(try await world.run("fetch").status == 0)
        try world.makeOlder()
        try world.configure(20, "project: staging")
        let upgraded = try await world.run("fetch")
        #expect(upgraded.status == 0 && !upgraded.printed.contains("'project'"), "\(upgraded.printed)")
        #expect(try world.names() == ["staging"])
        try world.configure(21, "project: shop")
        #expect(try await world.run("fetch").status == 1)
        await world.server.stop()
    }

    @Test func aSourceOfWhichNothingIsStoredMayChange() async throws {
        let world = try await World()
        try world.configure(19, "project: shpo")
        #expect(try await world.run("fetch").status == 1)
        #expect(try world.names() == [])
        try world.configure(20, "project: shop")
        let run = try await world.run("fetch")
        #expect(run.status == 0, "\(run.printed)")
        #expect(try world.names() == ["shop"])
        await world.server.stop()
    }
}
