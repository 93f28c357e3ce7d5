import AppHealth
import Testing

struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01Z", 1), ("1969-12-31T23:59:59Z", -1),
        ("2026-11-20T06:00:00Z", 1_795_154_400), ("2026-11-20t06:00:00z", 1_795_154_400),
        ("2026-11-20 06:00:00Z", 1_795_154_400), ("2026-11-20T06:00:00.5Z", 1_795_154_400),
        ("2026-11-20T06:00:00.123456789Z", 1_795_154_400), ("2026-11-20T07:00:00+01:00", 1_795_154_400),
        ("2026-11-20T07:00:00.999+0100", 1_795_154_400), ("2026-11-19T22:30:00-07:30", 1_795_154_400),
        ("2026-11-20T06:00:00-00:00", 1_795_154_400), ("2016-12-31T23:59:60Z", 1_483_228_799),
    ])
    func formOfTheStandardIsRead(text: String, seconds: Int) {
        #expect(Instant(text)?.secondsSinceEpoch == seconds)
    }

    @Test(arguments: [
        "", "2026-11-20", "2026-11-20T06:00Z", "2026-11-20T06:00:00", "2026-11-20T06:00:00.Z",
        "2026-11-20T06:00:00,5Z", "2026-11-20T24:00:00Z", "2026-11-20T06:60:00Z", "2026-11-20T06:00:61Z",
        "2026-11-31T06:00:00Z", "2026-11-20x06:00:00Z", "2026-11-20T06-00-00Z", "2026-11-20T06:00:00ZZ",
        "2026-11-20T06:00:00+1", "2026-11-20T06:00:00+01", "2026-11-20T06:00:00+24:00",
        "2026-11-20T06:00:00+01:60", "2026-11-20T06:00:00+01.00", "2026-11-20T06:00:00*01:00",
        "2026-11-20T06:00:00+-1:00", "2026-11-20T06:00:00 Z", " 2026-11-20T06:00:00Z", "1795154400",
        "2026-11-20T+6:00:00Z", "2026-11-20T06:00:00.12345678901234567890123Z", "２026-11-20T06:00:00Z",
    ])
    func anyOtherFormIsNone(text: String) {
        #expect(Instant(text) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z", "00:00"), (-1, "1969-12-31T23:59:59Z", "23:59"),
        (-86_400, "1969-12-31T00:00:00Z", "00:00"), (-86_401, "1969-12-30T23:59:59Z", "23:59"),
        (86_399, "1970-01-01T23:59:59Z", "23:59"), (1_795_154_400, "2026-11-20T06:00:00Z", "06:00"),
        (Int.max, "9999-12-31T23:59:59Z", "23:59"), (Int.min, "0001-01-01T00:00:00Z", "00:00"),
    ])
    func secondsGiveDayAndTime(seconds: Int, text: String, time: String) {
        let instant = Instant(secondsSinceEpoch: seconds)
        #expect(instant.description == text)
        #expect(instant.timeText == time)
        #expect(Instant(text) == instant)
        #expect(instant.date.description == text.prefix(10))
    }

    @Test(arguments: ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
    func offsetPastTheEndsOfTheCalendarIsHeld(text: String) {
        #expect(Instant(text)?.date.description == String(text.prefix(10)))
    }

    @Test(arguments: [-719_162, -1, 0, 1, 16_827, 20_776, 2_932_896])
    func dayBeginsAtItsFirstSecond(number: Int) {
        let day = CivilDate(daysSinceEpoch: number)
        let start = Instant(startOf: day)
        #expect(start.date == day && start.timeText == "00:00")
        #expect(start.advanced(bySeconds: 86_399).date == day)
    }

    @Test func stepsNeverTrap() {
        let instant = Instant(secondsSinceEpoch: 0)
        #expect(instant.advanced(bySeconds: .max).description == "9999-12-31T23:59:59Z")
        #expect(instant.advanced(bySeconds: .min).description == "0001-01-01T00:00:00Z")
        #expect(instant.advanced(bySeconds: 90).seconds(to: instant) == -90)
        let (first, last) = (Instant(secondsSinceEpoch: .min), Instant(secondsSinceEpoch: .max))
        #expect(first < last && first.seconds(to: last) == 315_537_897_599)
        #expect(first.advanced(bySeconds: first.seconds(to: last)) == last)
    }
}
