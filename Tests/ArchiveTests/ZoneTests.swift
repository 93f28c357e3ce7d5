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

    /// What was over before a source stated another zone keeps its time.
    @Test(
        arguments: [
            (
                ["UTC", "America/New_York"], "2026-07-15T00:00:00Z", "2026-07-16T04:00:00Z",
                "2026-07-17T04:00:00Z"
            ),
            (
                ["America/New_York", "UTC"], "2026-07-15T04:00:00Z", "2026-07-16T00:00:00Z",
                "2026-07-17T00:00:00Z"
            ),
            (["UTC", "Asia/Tokyo"], "2026-07-15T00:00:00Z", "2026-07-15T15:00:00Z", "2026-07-16T15:00:00Z"),
            (
                ["UTC", "UTC", "America/New_York", "UTC", "America/New_York"], "2026-07-15T00:00:00Z",
                "2026-07-16T00:00:00Z", "2026-07-17T04:00:00Z"
            ),
            (
                ["nowhere", "Asia/Tokyo"], "2026-07-15T00:00:00Z", "2026-07-15T15:00:00Z",
                "2026-07-16T15:00:00Z"
            ),
            // A name that is not known states nothing.
            (
                ["America/New_York", "nowhere"], "2026-07-15T04:00:00Z", "2026-07-16T04:00:00Z",
                "2026-07-17T04:00:00Z"
            ),
        ])
    func aDayEndsInTheZoneOfThen(
        row: (zones: [String], before: String, next: String, after: String)
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let change = try #require(Instant("2026-07-15T06:30:00Z"))
        var end = change
        for (place, zone) in row.zones.enumerated() {
            var source = Source.files
            source.zone = zone
            // A day apart, the second one at the change.
            end = change.advanced(bySeconds: (place - 1) * 86_400)
            try archive.record(.at(end.secondsSinceEpoch, source: source))
        }
        for compacts in [false, true] {
            if compacts { _ = try archive.compact(before: end.advanced(bySeconds: 86_400)) }
            let known = try archive.known(at: end.advanced(bySeconds: 9 * 86_400).secondsSinceEpoch)
            let days = [14, 15, 16].compactMap { CivilDate("2026-07-\($0)") }
            #expect(days.map { known.end(of: $0).description } == [row.before, row.next, row.after])
        }
    }

    /// A day has the zone that its first capture stated, also where later ones of another zone have it again.
    @Test func aDayIsCalledOfTheZoneOfItsCapture() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let first = try #require(CivilDate("2026-07-10"))
        for (place, zone) in ["UTC", "UTC", "Asia/Tokyo", "Asia/Tokyo"].enumerated() {
            var source = Source.files
            source.zone = zone
            let last = first.advanced(by: place)
            let capture = Instant(startOf: last.advanced(by: 1)).advanced(bySeconds: 6 * 3600)
            try archive.record(
                .at(capture.secondsSinceEpoch, source: source) { snapshot in
                    snapshot.health = (-3...0).map { HealthDay(date: last.advanced(by: $0), sessions: 9) }
                    snapshot.coverage = [CoverageSpan(.sessions, last.advanced(by: -3)...last)]
                })
        }
        let known = try archive.known(at: Instant(startOf: first.advanced(by: 9)).secondsSinceEpoch)
        let zones = (-2...3).map { known.zone(of: first.advanced(by: $0)) }
        #expect(zones == ["UTC", "UTC", "UTC", "UTC", "Asia/Tokyo", "Asia/Tokyo"])
        #expect(known.source.zone == "Asia/Tokyo")
    }
}
