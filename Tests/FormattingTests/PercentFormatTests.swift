import Formatting
import Statistics
import Testing

struct PercentFormatTests {
    @Test(arguments: [
        (0.9912, 2, "99.12%"), (1, 2, "100%"), (0, 2, "0%"), (0.999999, 2, ">99.99%"),
        (0.0000001, 1, "<0.1%"), (1.0.nextDown, 4, ">99.9999%"), (0.996, 0, ">99%"),
        (0.000006, 3, "0.001%"), (0.000004, 3, "<0.001%"), (0.999994, 3, "99.999%"),
        (-0.0, 1, "0%"),
        (0.5, 0, "50%"), (.nan, 2, "–"), (1.01, 2, "–"),
        (.leastNonzeroMagnitude, 3, "<0.001%"),
    ]) func neverRoundsToAllOrNothing(rate: Double, decimals: Int, expected: String) {
        #expect(PercentFormat(decimals: decimals).text(rate) == expected)
    }

    @Test(arguments: [
        (1, 8, 1, "12.5%"), (1, 8, 0, "13%"), (999_999, 1_000_000, 2, ">99.99%"),
        (1, 1_000_000_000_000_000, 2, "<0.01%"), (Int.max - 1, Int.max, 4, ">99.9999%"),
        (28, 224_000_000, 3, "<0.001%"), (1, 50_112, 1, "<0.1%"),
        (Int.max, Int.max, 1, "100%"), (0, 5, 1, "0%"), (0, 0, 1, "–"), (3, 2, 1, "–"),
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
        #expect(text.intervalText(Interval(lower: 0.99999, upper: 1.0.nextDown)) == "at least 99.99%")
        #expect(text.intervalText(Interval(lower: 0, upper: 1)) == "0–100")
        #expect(text.intervalText(Interval(lower: 0.9962, upper: 1)) == "at least 99.62%")
        #expect(text.intervalText(Interval(lower: 0, upper: 0.0038)) == "at most 0.38%")
        #expect(text.intervalText(Interval(lower: 1.2, upper: -3)) == "0–100")
        #expect(Interval(lower: .nan, upper: 2) == Interval(lower: 2, upper: 2))
    }

    /// An interval holds the rate that it is of, as both are written.
    @Test(arguments: [
        (3.4e-7, 6e-8, 1.9e-6, 3, "<0.001%", "at most 0.001%"),
        (0.000012, 0.000004, 0.00003, 3, "0.001%", "at most 0.003%"),
        (0.999997, 0.999996, 0.999998, 3, ">99.999%", "at least 99.999%"),
        (0.9998, 0.9990, 0.99997, 2, "99.98%", "at least 99.90%"),
        (0.5, 0.0001, 0.9999, 1, "50.0%", "0–100"),
    ])
    func intervalHoldsItsRate(
        rate: Double, lower: Double, upper: Double, decimals: Int, text: String, interval: String
    ) {
        let format = PercentFormat(decimals: decimals)
        #expect(format.text(rate) == text)
        #expect(format.intervalText(Interval(lower: lower, upper: upper)) == interval)
    }

    @Test(arguments: [
        (0.9839, 0.987, "98.39–98.70%"), (0.9962, 1, "at least 99.62%"), (0, 0.0038, "at most 0.38%"),
    ])
    func rangeAloneHasTheUnitOnce(lower: Double, upper: Double, text: String) {
        #expect(PercentFormat(decimals: 2).rangeText(Interval(lower: lower, upper: upper)) == text)
    }

    @Test(arguments: [(0.844, 2, "0.84\u{A0}pp"), (-0.04, 2, "−0.04\u{A0}pp"), (5, 0, "5\u{A0}pp")])
    func pointsHaveANoBreakSpace(points: Double, decimals: Int, text: String) {
        #expect(pointsText(points, decimals: decimals) == text)
        #expect(PercentFormat.precisionText() == "±0.5\u{A0}pp")
    }

    @Test(arguments: [
        (-0.0021, "−0.21\u{A0}pp"), (0.014, "+1.40\u{A0}pp"), (0, "0.00\u{A0}pp"), (-0.0, "0.00\u{A0}pp"),
        (-0.00001, "0.00\u{A0}pp"), (.nan, "–"), (.infinity, "–"),
    ]) func signsChanges(difference: Double, expected: String) {
        #expect(PercentFormat(decimals: 2).changeText(difference) == expected)
    }
}
