import Testing

@testable import AppHealth

/// Weeks of ISO 8601, above all those at the turn of a year.
struct CivilWeekTests {
    @Test(arguments: [
        ("2026-11-19", "2026-W47", "2026-11-16", "2026-11-22"),
        ("2026-11-16", "2026-W47", "2026-11-16", "2026-11-22"),
        ("2026-11-22", "2026-W47", "2026-11-16", "2026-11-22"),
        ("2026-11-23", "2026-W48", "2026-11-23", "2026-11-29"),
        ("2026-01-01", "2026-W01", "2025-12-29", "2026-01-04"),
        ("2027-01-01", "2026-W53", "2026-12-28", "2027-01-03"),
        ("2021-01-03", "2020-W53", "2020-12-28", "2021-01-03"),
        ("2024-12-30", "2025-W01", "2024-12-30", "2025-01-05"),
        ("2016-01-03", "2015-W53", "2015-12-28", "2016-01-03"),
        ("1970-01-01", "1970-W01", "1969-12-29", "1970-01-04"),
        ("0001-01-01", "0001-W01", "0001-01-01", "0001-01-07"),
    ])
    func weekOfADay(day: String, name: String, first: String, last: String) throws {
        let week = CivilWeek(of: try #require(CivilDate(day)))
        #expect("\(week)" == name)
        #expect("\(week.first)" == first)
        #expect("\(week.last)" == last)
    }

    @Test(arguments: [
        ("2026-W47", "2026-11-16"), ("2026-W01", "2025-12-29"), ("2020-W53", "2020-12-28"),
        ("2026-W54", nil), ("2025-W53", nil), ("2026-W00", nil), ("2026-47", nil), ("2026-W7", nil),
        ("2026-W+7", nil), ("W47", nil), ("", nil), ("0000-W01", nil),
    ])
    func weekOfAName(name: String, first: String?) {
        #expect(CivilWeek(name)?.first.description == first)
        if first != nil { #expect(CivilWeek(name)?.description == name) }
    }
}
