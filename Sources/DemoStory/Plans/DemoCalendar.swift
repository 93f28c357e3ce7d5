package import AppHealth

/// The days that the demo covers and the mornings on which it was captured.
package enum DemoCalendar {
    /// The seed of all figures.
    package static let seed: UInt64 = 2026_1120
    /// The first day with figures.
    package static let firstDay = day("2026-07-23")
    /// The last day with figures.
    package static let lastDay = day("2026-11-19")
    /// The first day for which ordinary issues are counted by release too.
    package static let firstDetailedDay = day("2026-10-06")
    /// How many days a nightly capture carries.
    package static let nightlyDays = 3
    /// How many days the second capture carries: by it the days of the two weeks before are final.
    package static let secondDays = 15

    /// All days, oldest first.
    package static var days: [CivilDate] {
        (0...firstDay.days(to: lastDay)).map { firstDay.advanced(by: $0) }
    }

    /// The captures, oldest first: a long one, then one a night.
    package static var captures: [Instant] {
        let first = day("2026-11-13")
        return (0...7).map { Instant(startOf: first.advanced(by: $0)).advanced(bySeconds: 6 * 3600) }
    }

    /// The days that the capture carries: all up to the day before for the first one, then the last of them.
    static func days(in capture: Instant) -> ClosedRange<CivilDate> {
        let last = capture.date.advanced(by: -1)
        guard capture != captures.first else { return firstDay...last }
        let count = capture == captures.dropFirst().first ? secondDays : nightlyDays
        return last.advanced(by: 1 - count)...last
    }
}

/// The day that a plan writes as `YYYY-MM-DD`; the epoch when it is misspelled, which a test looks for.
func day(_ text: String) -> CivilDate {
    CivilDate(text) ?? CivilDate(daysSinceEpoch: 0)
}

/// The time that a plan writes in RFC 3339; the epoch when it is misspelled, which a test looks for.
func moment(_ text: String) -> Instant {
    Instant(text) ?? Instant(secondsSinceEpoch: 0)
}

/// A small generator of random bits: SplitMix64 (Steele, Lea, Flood 2014).
///
/// All that is drawn from it uses only `+ - * /` and the square root, which IEEE 754 rounds exactly, so that
/// every machine draws the same figures.
struct SplitMix64 {
    private var state: UInt64

    /// A generator that always gives the same draws for the same words of seed.
    init(seed: UInt64, _ words: UInt64...) {
        state = seed
        for word in words { state = next() ^ word }
    }

    /// The next 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }

    /// A number in 0..<1.
    mutating func uniform() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }

    /// A number that is nearly normal, mean 0 and deviation 1: the sum of twelve uniform ones less six.
    mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += uniform() }
        return sum
    }

    /// A count with this mean and nearly this variance, as a Poisson variable has; 0 for a mean of 0 or less.
    mutating func count(_ mean: Double) -> Int {
        guard mean > 0, mean < 1e9 else { return 0 }
        guard mean < 24 else { return max(0, Int((mean + mean.squareRoot() * normal()).rounded())) }
        var count = 0
        for _ in 0..<256 where uniform() < mean / 256 { count += 1 }
        return count
    }

    /// A factor with mean 1 and this deviation, never below 0.
    mutating func factor(spread: Double) -> Double {
        max(0, 1 + spread * normal())
    }
}

/// The FNV-1a hash (64 bits) of the text: a word of seed for a name.
func seedWord(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
}
