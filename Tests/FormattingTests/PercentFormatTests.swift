import Formatting
import Statistics
import Testing

struct PercentFormatTests {
    @Test(arguments: [
        (0.9912, 2, "99.12\u{A0}%"), (1, 2, "100\u{A0}%"), (0, 2, "0\u{A0}%"), (0.999999, 2, "99.99\u{A0}%"),
        (0.0000001, 1, "0.1\u{A0}%"), (1.0.nextDown, 4, "99.9999\u{A0}%"), (0.996, 0, "99\u{A0}%"),
        (-0.0, 1, "0\u{A0}%"),
        (0.5, 0, "50\u{A0}%"), (.nan, 2, "–\u{A0}%"), (1.01, 2, "–\u{A0}%"),
        (.leastNonzeroMagnitude, 3, "0.001\u{A0}%"),
    ]) func neverRoundsToAllOrNothing(rate: Double, decimals: Int, expected: String) {
        #expect(PercentFormat(decimals: decimals).text(rate) == expected)
    }

    @Test(arguments: [
        (1, 8, 1, "12.5\u{A0}%"), (1, 8, 0, "13\u{A0}%"), (999_999, 1_000_000, 2, "99.99\u{A0}%"),
        (1, 1_000_000_000_000_000, 2, "0.01\u{A0}%"), (Int.max - 1, Int.max, 4, "99.9999\u{A0}%"),
        (Int.max, Int.max, 1, "100\u{A0}%"), (0, 5, 1, "0\u{A0}%"), (0, 0, 1, "–"), (3, 2, 1, "–"),
        (-1, 2, 1, "–"),
    ]) func roundsCountsExactly(part: Int, whole: Int, decimals: Int, expected: String) {
        #expect(PercentFormat(decimals: decimals).text(part, of: whole) == expected)
    }

    @Test(arguments: [(0.05, 1), (0.02, 1), (0.019, 2), (0.001, 2), (0.0009, 3), (0, 3), (.infinity, 2)])
    func choosesDecimalsFromTheWidthOfTheInterval(width: Double, decimals: Int) {
        #expect(PercentFormat(interval: Interval(lower: 0, upper: width)).decimals == decimals)
    }

    @Test func writesTwoDecimalsWithoutAnInterval() {
        #expect(PercentFormat(interval: nil).decimals == 2)
        #expect(PercentFormat(decimals: 9).decimals == 4)
    }

    @Test func writesIntervalsWithAnEnDash() {
        let text = PercentFormat(decimals: 2)
        #expect(text.intervalText(Interval(lower: 0.9898, upper: 0.9924)) == "98.98–99.24")
        #expect(text.intervalText(Interval(lower: 0.99999, upper: 1.0.nextDown)) == "99.99–99.99")
        #expect(text.intervalText(Interval(lower: 0, upper: 1)) == "0–100")
        #expect(text.intervalText(Interval(lower: 0.9962, upper: 1)) == "at least 99.62\u{A0}%")
        #expect(text.intervalText(Interval(lower: 0, upper: 0.0038)) == "at most 0.38\u{A0}%")
        #expect(text.intervalText(Interval(lower: 1.2, upper: -3)) == "0–100")
        #expect(Interval(lower: .nan, upper: 2) == Interval(lower: 2, upper: 2))
    }

    @Test(arguments: [
        (-0.0021, "−0.21\u{A0}pp"), (0.014, "+1.40\u{A0}pp"), (0, "0.00\u{A0}pp"), (-0.0, "0.00\u{A0}pp"),
        (-0.00001, "0.00\u{A0}pp"), (.nan, "–"), (.infinity, "–"),
    ]) func signsChanges(difference: Double, expected: String) {
        #expect(PercentFormat(decimals: 2).changeText(difference) == expected)
    }
}
