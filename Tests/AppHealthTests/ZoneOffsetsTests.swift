import AppHealth
import Testing

struct ZoneOffsetsTests {
    /// New York, whose clocks are put forward on March 8, 2026 at 07:00 UTC, and back on November 1 at 06:00 UTC.
    private static let newYork = ZoneOffsets(
        seconds: -18_000,
        changes: [("2026-03-08T07:00:00Z", -14_400), ("2026-11-01T06:00:00Z", -18_000)].compactMap {
            start, seconds in Instant(start).map { .init(start: $0, seconds: seconds) }
        })
    private static let berlin = ZoneOffsets(seconds: 3600)
    /// Santiago, whose clocks are put back on April 5, 2026 at midnight, and forward on September 6 at midnight.
    private static let santiago = ZoneOffsets(
        seconds: -10_800,
        changes: [("2026-04-05T03:00:00Z", -14_400), ("2026-09-06T04:00:00Z", -10_800)].compactMap {
            start, seconds in Instant(start).map { .init(start: $0, seconds: seconds) }
        })
    /// UTC, and New York from July 15, 2026 at 02:00 UTC on: the 14th was over before.
    private static let moved = ZoneOffsets(
        seconds: 0,
        changes: ["2026-07-15T02:00:00Z"].compactMap {
            Instant($0).map { .init(start: $0, seconds: -14_400) }
        })

    @Test(
        arguments: [
            (newYork, "2026-11-25T02:00:00Z", "2026-11-23", "2026-11-25T05:00:00Z"),
            (newYork, "2026-11-25T04:59:59Z", "2026-11-23", "2026-11-25T05:00:00Z"),
            (newYork, "2026-11-25T05:00:00Z", "2026-11-24", "2026-11-26T05:00:00Z"),
            // One hour earlier in summer, and on the day that ends with the clocks of summer.
            (newYork, "2026-07-02T04:00:00Z", "2026-07-01", "2026-07-03T04:00:00Z"),
            (newYork, "2026-11-01T03:59:59Z", "2026-10-30", "2026-11-01T04:00:00Z"),
            (newYork, "2026-11-01T05:00:00Z", "2026-10-31", "2026-11-02T05:00:00Z"),
            (newYork, "2026-11-02T04:30:00Z", "2026-10-31", "2026-11-02T05:00:00Z"),
            (newYork, "2026-03-08T05:00:00Z", "2026-03-07", "2026-03-09T04:00:00Z"),
            // Where the clocks are put back at midnight a day has it twice, and where they are put forward not once.
            (santiago, "2026-04-05T03:30:00Z", "2026-04-03", "2026-04-05T04:00:00Z"),
            (santiago, "2026-09-06T03:30:00Z", "2026-09-04", "2026-09-06T04:00:00Z"),
            (santiago, "2026-09-05T12:00:00Z", "2026-09-04", "2026-09-06T04:00:00Z"),
            (santiago, "2026-09-06T04:00:00Z", "2026-09-05", "2026-09-07T03:00:00Z"),
            (moved, "2026-07-15T01:00:00Z", "2026-07-14", "2026-07-16T04:00:00Z"),
            (moved, "2026-07-15T03:00:00Z", "2026-07-13", "2026-07-15T04:00:00Z"),
            (moved, "2026-07-15T04:00:00Z", "2026-07-14", "2026-07-16T04:00:00Z"),
            // In the east a day is over before it is in UTC, which counts.
            (berlin, "2026-11-24T23:30:00Z", "2026-11-23", "2026-11-25T00:00:00Z"),
            (berlin, "2026-11-25T00:00:00Z", "2026-11-24", "2026-11-26T00:00:00Z"),
        ])
    func aDayIsOverInUTCAndInItsZone(row: (zone: ZoneOffsets, at: String, last: String, next: String)) throws
    {
        let instant = try #require(Instant(row.at))
        #expect(row.zone.lastDayOver(at: instant).description == row.last)
        #expect(row.zone.nextEnd(after: instant).description == row.next)
    }

    @Test(
        arguments: [
            (newYork, "2026-11-24", "2026-11-25T05:00:00Z"), (newYork, "2026-07-01", "2026-07-02T04:00:00Z"),
            (newYork, "2026-03-08", "2026-03-09T04:00:00Z"), (newYork, "2026-11-01", "2026-11-02T05:00:00Z"),
            (newYork, "2026-10-31", "2026-11-01T04:00:00Z"), (berlin, "2026-11-24", "2026-11-24T23:00:00Z"),
            (santiago, "2026-04-04", "2026-04-05T04:00:00Z"),
            (santiago, "2026-09-05", "2026-09-06T04:00:00Z"),
            (santiago, "2026-09-04", "2026-09-05T04:00:00Z"),
            (santiago, "2026-09-06", "2026-09-07T03:00:00Z"),
        ])
    func aDayEndsInItsZone(row: (zone: ZoneOffsets, day: String, end: String)) throws {
        let (day, end) = (try #require(CivilDate(row.day)), try #require(Instant(row.end)))
        #expect(row.zone.end(of: day) == end)
        #expect(row.zone.day(of: end.advanced(bySeconds: -1)) == day)
        #expect(row.zone.day(of: end) == day.advanced(by: 1))
    }

    @Test(
        arguments: [
            // Captured and reported in the evening of the 24th in New York; captured then, reported in the morning;
            // captured in the morning.
            ("2026-11-25T02:00:00Z", "2026-11-25T02:05:00Z", "2026-11-23"),
            ("2026-11-25T02:00:00Z", "2026-11-25T12:00:00Z", "2026-11-23"),
            ("2026-11-25T05:30:00Z", "2026-11-25T12:00:00Z", "2026-11-24"),
        ])
    func aDayOfASourceIsWholeAsOfItsCapture(row: (capturedAt: String, at: String, last: String)) throws {
        var history = SourceHistory(
            source: Source(
                id: Slug(anyText: "files"), provider: "files", sessionDefinition: "", userDefinition: "",
                zone: "America/New_York", delay: "", capabilities: []), capturedAt: Instant(row.capturedAt))
        history.zoneOffsets = Self.newYork
        #expect(history.lastWholeDay(at: try #require(Instant(row.at))).description == row.last)
    }
}
