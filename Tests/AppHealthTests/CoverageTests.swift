import AppHealth
import Testing

/// What a span of very many days says: of the newest ones, as no report goes as far back as the others.
struct CoverageTests {
    private static let day = CivilDate(daysSinceEpoch: 20_000)

    @Test(arguments: [0, 1, 3_999, 4_000, 10_000, 4_000_000])
    func newestDaysOfASpanAreKnown(length: Int) {
        let span = CoverageSpan(.issueDays, Self.day.advanced(by: -length)...Self.day)
        let days = span.boundedDays
        #expect(days.count == min(length + 1, 4_000) && days == days.sorted() && days.last == Self.day)
        let history = CoverageHistory([span])
        #expect(history(.issueDays, on: Self.day) == .complete)
        #expect(history(.issueDays, on: Self.day.advanced(by: 1)) == .unknown)
    }

    /// A capture at noon says something of the days that were over then, whatever days are stated.
    @Test(arguments: [0, 1, 28, 10_000, 4_000_000], [-3, 0, 400_000])
    func newestDaysOfACaptureAreKnown(back: Int, ahead: Int) {
        let instant = Instant(startOf: Self.day).advanced(bySeconds: 43_200)
        var captures = FactCaptures()
        let first = Self.day.advanced(by: -back)
        captures.add(instant, days: first...max(first, Self.day.advanced(by: ahead)))
        let last = Self.day.advanced(by: min(-1, max(-back, ahead)))
        #expect(captures.first.keys.max() == (back == 0 ? nil : last))
        #expect(captures.first.count <= 4_001)
    }
}
