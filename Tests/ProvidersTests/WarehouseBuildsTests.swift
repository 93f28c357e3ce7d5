import AppHealth
import Foundation
import Testing

@testable import Providers

/// Releases of a warehouse whose names have their build in brackets.
struct WarehouseBuildsTests {
    @Test(
        arguments: [
            ("3.7.0 (371)", "3.7.0", "371"), ("3.7.0(371)", "3.7.0", "371"),
            ("v3.7 (3.7.0.2)", "v3.7", "3.7.0.2"),
            ("3.7.0", "3.7.0", ""), ("3.7.0 (beta)", "3.7.0 (beta)", ""),
            ("nightly (12)", "nightly (12)", ""),
            ("(371)", "(371)", ""), ("3.7.0 ()", "3.7.0 ()", ""), (")", ")", ""),
        ])
    func aBuildInBracketsIsOne(text: String, label: String, build: String) {
        let version = Version(withBuildIn: text)
        #expect(version.label == label && version.build == build)
    }

    /// Builds with their first days on a night of November 20 that reads 14 days, and what is stored of their version where
    /// the archive has those that were there before.
    @Test(
        arguments: [
            (["370 2026-10-20"], []), (["370 2026-10-20", "371 2026-11-18"], ["3.7.0 (371) –"]),
            (["371 2026-11-18", "370 2026-10-20"], ["3.7.0 (371) –"]),
            (["370 2026-10-20", "371 2026-10-21"], []),
            (["371 2026-11-18", "372 2026-11-19"], ["3.7.0 (372) 2026-11-18"]),
        ])
    func laterBuildsOfAStoredVersionAreStored(builds: [String], expected: [String]) {
        let rows =
            [[WarehouseCell.text("3.6"), .text("2026-10-10")]]
            + builds.map { [.text("3.7.0 (\($0.prefix(3)))"), .text(String($0.dropFirst(4)))] }
        let listed = answer(.releases, [("release", .text), ("first_day", .date)], rows)
        let found = snapshot([.releases: listed], areReleasesOfMonth: true, last: "2026-11-19").releases
        #expect(
            found.map { "\($0.version) \($0.releaseDay.map { "\($0)" } ?? "–")" } == expected)
    }

    private func snapshot(
        _ tables: [WarehouseQuery: WarehouseTable], areReleasesOfMonth: Bool = false,
        last: String = "2026-11-18"
    ) -> Snapshot {
        let source = Source(
            id: Slug(anyText: "bigquery"), provider: "bigquery", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [.sessions, .users, .releases, .releaseHealth])
        return WarehouseMapping(
            tables, of: Snapshot(app: app("deck"), source: source, capturedAt: runTime),
            window: WarehouseWindow(
                at: runTime, zone: .gmt, revised: 14, history: 90, last: CivilDate(last)),
            begin: nil, mostIssues: 200,
            texts: tables.mapValues { _ in
                QueryFile(text: "", shown: "", deviation: 0, readsCrashTable: false)
            },
            areReleasesOfMonth: areReleasesOfMonth
        ).snapshot
    }

    /// A day of a release: its name, sessions, crashed sessions, users and affected users.
    private func row(_ day: String, _ release: String, _ counts: [Int]) -> [WarehouseCell] {
        [.text(day), .text(release)] + counts.map { .integer($0) }
    }

    @Test func buildsOfAVersionAreOneRelease() throws {
        let counts = ["sessions", "crashed_sessions", "users", "crashed_users"].map {
            ($0, WarehouseColumn.Kind.count)
        }
        let days = answer(
            .days, [("day", .date)] + counts,
            ["2026-11-17", "2026-11-18"].map { [.text($0)] + [100, 4, 60, 3].map { .integer($0) } })
        let releases = answer(
            .releaseDays, [("day", .date), ("release", .text)] + counts,
            [
                row("2026-11-17", "3.7.0 (370)", [50, 2, 30, 1]),
                // A session of an update is one of both builds.
                row("2026-11-18", "3.7.0 (370)", [60, 2, 40, 2]),
                row("2026-11-18", "3.7.0 (371)", [50, 1, 35, 1]), row("2026-11-18", "3.6", [9, 0, 8, 0]),
            ])
        let listed = answer(
            .releases, [("release", .text), ("first_day", .date)],
            [
                [.text("3.7.0 (371)"), .text("2026-11-18")], [.text("3.7.0 (370)"), .text("2026-11-12")],
                [.text("3.6"), .text("2026-10-01")],
            ])
        let snapshot = snapshot([.days: days, .releaseDays: releases, .releases: listed])
        #expect(snapshot.releases.map(\.version) == [Version("3.6"), Version("3.7.0", build: "371")])
        #expect(snapshot.releases.map { $0.releaseDay?.description } == [nil, "2026-11-12"])
        let found = snapshot.health.filter { $0.version != nil }.map {
            "\($0.date) \($0.version ?? "") \($0.sessions ?? -1) \($0.crashedSessions ?? -1) \($0.users ?? -1)"
        }
        #expect(
            found == ["2026-11-17 3.7.0 50 2 30", "2026-11-18 3.6 9 0 8", "2026-11-18 3.7.0 100 3 -1"])
    }
}
