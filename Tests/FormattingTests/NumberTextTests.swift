import Formatting
import Statistics
import Testing

struct NumberTextTests {
    @Test(arguments: [
        (99.125, 2, "99.13"), (0.5, 0, "1"), (1.5, 0, "2"), (2.675, 2, "2.67"), (-0.04, 1, "0.0"),
        (-0.05, 1, "−0.1"),
        (-0.0, 2, "0.00"), (1e15, 2, "1000000000000000.00"), (0.1, 9, "0.100000000"), (9.999, 2, "10.00"),
        (.nan, 2, "–"), (-.infinity, 2, "–"), (1e300, 2, "1e+300"),
        (.leastNonzeroMagnitude, 9, "0.000000000"), (3, -1, "3"),
    ]) func writesExactDecimals(value: Double, decimals: Int, expected: String) {
        #expect(decimalText(value, decimals: decimals) == expected)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (51_234, "51,234"), (-1_234_567, "−1,234,567"),
        (1_000_000_000_000_000, "1,000,000,000,000,000"), (Int.min, "−9,223,372,036,854,775,808"),
    ]) func separatesThousands(count: Int, expected: String) {
        #expect(countText(count) == expected)
    }

    @Test(arguments: [
        (0, "0 crashes", "0 days"), (1, "1 crash", "1 day"), (1204, "1,204 crashes", "1,204 days"),
    ])
    func countsHaveTheirNoun(count: Int, crashes: String, days: String) {
        #expect(countedText(count, "crash", "crashes") == crashes)
        #expect(countedText(count, "day") == days)
    }

    @Test(arguments: [
        (0, "0"), (950, "950"), (9999, "9,999"), (9999.5, "10k"), (51_234, "51.2k"), (999_950, "1M"),
        (3e6, "3M"),
        (1.5e9, "1.5B"), (1e15, "1,000T"), (-51_234, "−51.2k"), (0.5, "0.5"), (.nan, "–"), (1e18, "1e+18"),
        (999.6, "999.6"), (-0.0, "0"), (9.99e17, "999,000T"),
    ]) func shortensCounts(value: Double, expected: String) {
        #expect(compactCountText(value) == expected)
    }
}
