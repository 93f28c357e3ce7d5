import AppHealth
import Archive
import Testing

/// The zone of a source, with its daylight saving time.
struct ZoneTests {
    @Test(
        arguments: [
            ("UTC", "2026-07-02T00:00:00Z", "2026-07-01"),
            ("Europe/Berlin", "2026-07-01T23:00:00Z", "2026-06-30"),
            ("America/New_York", "2026-07-02T03:59:59Z", "2026-06-30"),
            ("America/New_York", "2026-07-02T04:00:00Z", "2026-07-01"),
            ("America/New_York", "2026-11-25T04:00:00Z", "2026-11-23"),
            ("America/New_York", "2026-11-25T05:00:00Z", "2026-11-24"),
            ("America/Los_Angeles", "2026-11-25T07:59:59Z", "2026-11-23"),
            // Of a zone that is not known UTC counts.
            ("somewhere else", "2026-07-02T00:00:00Z", "2026-07-01"),
        ])
    func daysOfASourceEndInItsZone(row: (zone: String, at: String, last: String)) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var source = Source.files
        source.zone = row.zone
        let instant = try #require(Instant(row.at))
        let date = try #require(CivilDate(row.last))
        try archive.record(
            .at(instant.secondsSinceEpoch, source: source) { snapshot in
                snapshot.health = (0...1).map { HealthDay(date: date.advanced(by: $0), sessions: 9) }
                snapshot.coverage = [CoverageSpan(.sessions, date...date.advanced(by: 1))]
            })
        let known = try archive.known(at: instant.secondsSinceEpoch, source: source)
        #expect(known.lastDayOver(at: instant) == date)
        // What was reported of a day that was not over is no first report of it.
        #expect(known.captures.first == [date: instant])
    }
}
