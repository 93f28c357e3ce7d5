import AppHealth
import Diagnostics
import GRDB
import Settings
import Testing
import Transport

@testable import PlimsollCommand
@testable import Providers

/// A source that continues where the archive ends, and an archive that cannot be read in the middle of a fetch.
struct SourceMemoryTests {
    /// Reports a day, and what the archive has of it.
    private struct ContinuedProvider: Provider {
        let setup: SourceSetup
        let read: @Sendable (SourceSetup) async -> Void

        var source: Source {
            Source(
                id: setup.id, provider: "continued", sessionDefinition: "", userDefinition: "", zone: "UTC",
                delay: "", capabilities: [.sessions, .releases, .issues])
        }

        func plan(for app: App) -> [PlannedRequest] { [] }

        func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
            await read(setup)
            var snapshot = Snapshot(app: app, source: source, capturedAt: now)
            snapshot.health = [HealthDay(date: now.date.advanced(by: -1), sessions: 5)]
            var outcome = FetchOutcome()
            outcome.snapshots = [snapshot]
            return outcome
        }
    }

    private func fetch(
        in folder: Folder, day: Int, apps: [String] = ["pier"],
        _ read: @escaping @Sendable (SourceSetup) async -> Void
    ) async throws -> [SourceResult] {
        try folder.write(
            "plimsoll.yml",
            """
            asOf: 2026-11-\(day)T06:00:00Z
            apps: [\(apps.map { "{id: \($0), sources: [{id: of-\($0), provider: continued}]}" }.joined(separator: ", "))]

            """)
        let continued = ProviderDescriptor(
            BlockSchema("continued", title: "Continued", summary: "A source of this test", keys: []),
            capabilities: [.sessions, .releases, .issues], limitSource: "", delay: ""
        ) { ContinuedProvider(setup: $0, read: read) }
        return try await ProviderList.$all.withValue([continued]) {
            let console = Console()
            let project = try loadProject(folder.path + "/plimsoll.yml", console, data: folder.path)
            return try await fetchAll(project, waiting: 1, exchanges: .live, console)
        }
    }

    /// What a provider reads of the archive, by the table that has it.
    enum Kept: String, CaseIterable {
        case release, issue
        case description = "source_description"
        case attempt = "fetch_attempt"

        func read(_ setup: SourceSetup) {
            switch self {
            case .release: _ = setup.knownReleases()
            case .issue: _ = setup.knownIssues()
            case .description: _ = setup.describedBefore()
            case .attempt: _ = setup.lastFetch()
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func whatCannotBeReadIsNotTakenForAFirstFetch(kept: Kept) async throws {
        let folder = try Folder()
        #expect(try await fetch(in: folder, day: 19) { kept.read($0) }.map(\.snapshots) == [1])
        let other = try DatabaseQueue(path: folder.path + "/archive.sqlite")
        let failure: Diagnostic?
        do {
            // The failure of the source alone, unless what follows the fetch needs the table, too.
            failure = try await fetch(in: folder, day: 20) { setup in
                func lose() {
                    try? other.writeWithoutTransaction {
                        try $0.execute(sql: "ALTER TABLE \(kept.rawValue) RENAME TO lost")
                    }
                }
                lose()
                kept.read(setup)
            }.first?.failure
        } catch let error as Diagnostic {
            failure = error
        }
        #expect(failure?.id.hasPrefix("archive.") == true, "\(failure?.id ?? "")")
        let days = try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM health_day") }
        #expect(days == 1)
    }

    /// The others are stored and everything after that is done; what such a source kept of how far it came is dropped.
    @Test func aFaultOfOneSourceIsItsOwn() async throws {
        let folder = try Folder()
        let apps = ["pier", "quay"]
        _ = try await fetch(in: folder, day: 19, apps: apps) { $0.kept?.keepStep([19], as: "\($0.id)") }
        let other = try DatabaseQueue(path: folder.path + "/archive.sqlite")
        let (broken, isOver) = AsyncStream.makeStream(of: Void.self)
        let results = try await fetch(in: folder, day: 20, apps: apps) { setup in
            setup.kept?.keepStep([20], as: "\(setup.id)")
            // Stored only when the table is back.
            guard setup.id.text == "of-pier" else {
                for await _ in broken {}
                return
            }
            func rename(_ name: String, to new: String) {
                try? other.writeWithoutTransaction {
                    try $0.execute(sql: "ALTER TABLE \(name) RENAME TO \(new)")
                }
            }
            rename("release", to: "lost")
            _ = setup.knownReleases()
            rename("lost", to: "release")
            isOver.finish()
        }
        #expect(results.map { $0.failure?.id } == ["archive.sqlite", nil])
        let days = try await other.read {
            try Int.fetchAll($0, sql: "SELECT count(*) FROM health_day GROUP BY source_id")
        }
        #expect(days.sorted() == [1, 2])
        let failed = try await other.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM fetch_attempt WHERE has_failed = 1")
        }
        #expect(failed == 1)
        let kept = KeptBytes(ResponseCache(folder: folder.path + "/archive.sqlite.cache"), scope: "")
        #expect(kept["of-pier"] == [19] && kept["of-quay"] == [20])
    }
}
