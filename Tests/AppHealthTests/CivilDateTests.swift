import AppHealth
import Testing

struct CivilDateTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2016-01-27", 16_827),
        ("2026-11-19", 20_776), ("0001-01-01", -719_162), ("9999-12-31", 2_932_896), ("1600-02-29", -135_081),
    ])
    func dayHasItsNumber(text: String, number: Int) {
        #expect(CivilDate(text)?.daysSinceEpoch == number)
        #expect(CivilDate(daysSinceEpoch: number).description == text)
    }

    @Test(arguments: [1, 4, 100, 400, 1582, 1600, 1700, 1899, 1970, 1999, 2000, 2024, 2026, 2100, 9996, 9999])
    func everyDayOfAYearComesBackAsItWas(year: Int) throws {
        var day = try #require(CivilDate(year: year, month: 1, day: 1))
        var count = 0
        while day.components.year == year {
            let (_, month, dayOfMonth) = day.components
            #expect(CivilDate(year: year, month: month, day: dayOfMonth) == day)
            #expect(CivilDate(day.description) == day)
            count += 1
            let next = day.advanced(by: 1)
            if next == day { break }
            #expect(day < next && day.days(to: next) == 1 && next.weekday == day.weekday % 7 + 1)
            day = next
        }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        #expect(count == (isLeap ? 366 : 365))
    }

    @Test(arguments: [
        "", "2026", "2026-11", "2026-11-1", "2026-1-19", "2026-11-19 ", " 2026-11-19", "2026/11/19",
        "20261119", "2026-13-01", "2026-00-10", "2026-11-00", "2026-11-31", "2026-02-29", "1900-02-29",
        "0000-01-01", "-001-01-01", "+026-11-19", "2026-11--9", "２０２６-11-19", "10000-01-01",
        "2026-11-19T00:00:00Z", "٢٠٢٦-11-19", "2026-1\0-19",
    ])
    func badTextIsNoDay(text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test(arguments: [
        (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2025, 2, 29), (0, 1, 1),
        (10_000, 1, 1), (-1, 1, 1), (Int.max, 1, 1), (2026, Int.min, 1), (2026, 1, Int.max),
        (2026, 2, Int.min),
    ])
    func impossiblePartsAreNoDay(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [
        ("1970-01-01", 4), ("2016-01-27", 3), ("2026-11-19", 4), ("0001-01-01", 1), ("9999-12-31", 5),
        ("2000-02-29", 2), ("2026-11-22", 7),
    ])
    func weekdayIsThatOfTheCalendar(text: String, weekday: Int) throws {
        let day = try #require(CivilDate(text))
        #expect(day.weekday == weekday)
    }

    @Test(arguments: [Int.max, Int.max - 1, 4_000_001, 1_000_000_000_000])
    func hugeStepsEndAtTheLastAndTheFirstDay(step: Int) throws {
        let day = try #require(CivilDate("2026-11-19"))
        #expect(day.advanced(by: step).description == "9999-12-31")
        #expect(day.advanced(by: -step).description == "0001-01-01")
        #expect(day.advanced(by: .min).description == "0001-01-01")
        #expect(CivilDate(daysSinceEpoch: step).description == "9999-12-31")
        #expect(CivilDate(daysSinceEpoch: .min).description == "0001-01-01")
    }

    @Test func wholeCalendarCanBeCrossed() {
        let (first, last) = (CivilDate(daysSinceEpoch: .min), CivilDate(daysSinceEpoch: .max))
        #expect(first.days(to: last) == 3_652_058)
        #expect(first.advanced(by: 3_652_058) == last)
        #expect(last.advanced(by: -3_652_058) == first)
        #expect(last.days(to: first) == -3_652_058)
    }
}
