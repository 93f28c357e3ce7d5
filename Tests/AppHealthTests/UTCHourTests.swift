import AppHealth
import Testing

struct UTCHourTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (3599, "1970-01-01T00:00:00Z"), (3600, "1970-01-01T01:00:00Z"),
        (-1, "1969-12-31T23:00:00Z"), (-3600, "1969-12-31T23:00:00Z"), (-3601, "1969-12-31T22:00:00Z"),
        (Int.min, "0001-01-01T00:00:00Z"), (Int.max, "9999-12-31T23:00:00Z"),
    ])
    func hourOfAnInstant(seconds: Int, hour: String) {
        #expect(UTCHour(of: Instant(secondsSinceEpoch: seconds)).description == hour)
    }

    @Test(arguments: [
        (Int.min, "0001-01-01T00:00:00Z"), (Int.max, "9999-12-31T23:00:00Z"), (-1, "1969-12-31T23:00:00Z"),
    ])
    func hourSoManyAfterTheFirst(hours: Int, hour: String) {
        #expect(UTCHour(hoursSinceEpoch: 0).advanced(by: hours).description == hour)
    }
}
