import AppHealth
import Testing

@testable import Providers

struct LastFetchTests {
    @Test(arguments: [
        ("never", 90), ("2026-11-20T06:00:00Z", 28), ("2026-11-01T00:00:00Z", 28),
        ("2026-10-31T23:59:59Z", 28),
        ("2026-10-29T06:00:00Z", 29), ("2026-09-01T06:00:00Z", 87), ("2025-01-01T06:00:00Z", 89),
        ("2027-01-01T00:00:00Z", 28), ("unknown", 28),
    ])
    func aPauseIsAskedFor(last: String, days: Int) {
        let fetch =
            Instant(last).map(LastFetch.at) ?? (last == "never" ? LastFetch.never : .unknown)
        let most = last == "2025-01-01T06:00:00Z" ? 89 : 365
        #expect(fetch.days(usual: 28, most: most, at: runTime) == days)
    }
}
