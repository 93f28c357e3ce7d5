import AppHealth
import Formatting
import Testing

struct DateTextTests {
    @Test func namesAreEnglishAndFixed() throws {
        let day = try #require(CivilDate("2016-01-27"))
        #expect(day.shortText == "Jan 27" && day.mediumText == "Jan 27, 2016")
        #expect(day.weekdayText == "Wednesday, Jan 27")
        #expect(day.longText == "January 27, 2016")
        #expect(day.compactText == "Wed, Jan 27, 2016")
        #expect(try #require(CivilDate("0001-09-05")).longText == "September 5, 1")
    }

    @Test(arguments: [
        ("1970-01-01", "Thursday"), ("2016-01-27", "Wednesday"), ("2026-11-16", "Monday"),
        ("9999-12-31", "Friday"), ("2000-02-29", "Tuesday"), ("2026-11-22", "Sunday"),
        ("2026-11-21", "Saturday"),
    ])
    func weekdayHasItsName(text: String, name: String) throws {
        #expect(try #require(CivilDate(text)).weekdayName == name)
    }

    @Test(arguments: [
        ("2026-10-23", "2026-11-19", "Oct 23 – Nov 19, 2026"),
        ("2026-11-17", "2026-11-19", "Nov 17–19, 2026"),
        ("2025-12-20", "2026-01-16", "Dec 20, 2025 – Jan 16, 2026"),
        ("2025-11-17", "2026-11-19", "Nov 17, 2025 – Nov 19, 2026"),
        ("2026-11-19", "2026-11-19", "Nov 19, 2026"),
    ])
    func spanNamesWhatDiffers(first: String, last: String, text: String) throws {
        #expect(spanText(try #require(CivilDate(first)), try #require(CivilDate(last))) == text)
    }

    @Test func instantNamesItsZone() throws {
        let instant = try #require(Instant("2026-11-19T06:30:59Z"))
        #expect(instant.proseText == "Thu, Nov 19, 2026, 06:30 UTC")
        #expect(instant.tableText == "2026-11-19 06:30 UTC")
    }
}
