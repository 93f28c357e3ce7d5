import AppHealth
import Foundation
import Testing

@testable import Providers

/// Days of a zone, also of one whose clocks skip midnight.
struct WarehouseZoneTests {
    private func window(_ zone: String, at now: String) throws -> WarehouseWindow {
        WarehouseWindow(
            at: try #require(Instant(now)), zone: try #require(TimeZone(identifier: zone)), revised: 14,
            history: 90, last: nil)
    }

    @Test(
        arguments: [
            ("America/Santiago", "2026-09-05", "2026-09-05T04:00:00Z"),
            ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"),
            ("America/Santiago", "2026-09-07", "2026-09-07T03:00:00Z"),
            ("America/Santiago", "2026-04-05", "2026-04-05T04:00:00Z"),
            ("America/Havana", "2026-03-08", "2026-03-08T05:00:00Z"),
            ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),
            ("Atlantic/Azores", "2026-03-29", "2026-03-29T01:00:00Z"),
            ("Atlantic/Azores", "2026-10-25", "2026-10-25T00:00:00Z"),
            ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"),
            ("America/Los_Angeles", "2026-03-08", "2026-03-08T08:00:00Z"),
            ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z"),
            ("GMT", "2026-11-19", "2026-11-19T00:00:00Z"),
        ])
    func aDayBeginsWithItsFirstSecond(zone: String, day: String, start: String) throws {
        let window = try window(zone, at: "2026-11-20T06:00:00Z")
        let day = try #require(CivilDate(day))
        let first = Instant(secondsSinceEpoch: window.start(of: day))
        #expect(first.description == start)
        #expect(window.day(of: first) == day && window.day(of: first.advanced(bySeconds: -1)) < day)
    }

    /// A crash in the last hour of the day before the clocks go forward at midnight.
    @Test func aCrashBeforeASkippedMidnightIsOfItsDay() throws {
        let window = try window("America/Santiago", at: "2026-09-06T12:00:00Z")
        let last = try #require(CivilDate("2026-09-05"))
        let days = (last.advanced(by: -13)...last).all
        var reach = CrashTableReach(window)
        for day in days { reach.add(day, rows: 40) }
        reach.add(try #require(Instant("2026-09-06T03:30:00Z")))
        #expect(reach.newestDay == last)
        reach.learn(active: Set(days), span: window.days, sessions: [:], hours: [:], named: []) {
            KnownIssues()
        }
        #expect(reach.usual == 40 && reach.cutDay == nil && reach.knows(last))
    }

    /// The days on which the first rows of releases are, in the zone of the tables.
    @Test(arguments: [("America/Los_Angeles", -28_800), ("Asia/Tokyo", 32_400), ("GMT", 0)])
    func aReleaseCameOutOnItsFirstDay(zone: String, offset: Int) throws {
        let source = Source(
            id: Slug(anyText: "clickhouse"), provider: "clickhouse", sessionDefinition: "",
            userDefinition: "", zone: zone, delay: "", capabilities: [.releases], datesReleasesByDay: true)
        let table = answer(
            .releases, [("release", .text), ("first_day", .date)],
            [[.text("1.0"), .text("2026-10-01")], [.text("2.0"), .text("2026-11-19")]])
        let mapping = WarehouseMapping(
            [.releases: table], of: Snapshot(app: app("deck"), source: source, capturedAt: runTime),
            window: try window(zone, at: "2026-11-20T06:00:00Z"), begin: nil, mostIssues: 200, texts: [:],
            areReleasesOfMonth: false)
        var history = SourceHistory(source: source)
        history.releases = mapping.snapshot.releases
        history.zoneOffsets = ZoneOffsets(seconds: offset)
        let shown = AppHistory(app: app("deck"), sources: [history]).withDaysInZones.sources[0].releases
        #expect(shown.map(\.releaseDay) == [nil, CivilDate("2026-11-19")])
        // Rows of earlier versions are the same, so that no release is stored again.
        #expect(shown.map { $0.releasedAt?.description } == [nil, "2026-11-19T00:00:00Z"])
    }
}
