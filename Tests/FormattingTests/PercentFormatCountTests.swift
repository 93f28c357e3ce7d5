import Formatting
import Statistics
import Testing

struct PercentFormatCountTests {
    @Test(arguments: [
        (212, 24_118, "99.12% (99.00–99.23)", "99.12%"), (0, 10, "100% (at least 72.2%)", ""),
        (0, 50, "100% (at least 92.9%)", ""), (0, 1000, "100% (at least 99.62%)", ""),
        (1, 1000, "99.90% (99.44–99.98)", "99.90%"),
        (1, 10_000_000, ">99.999% (at least 99.999%)", ">99.999%"),
        (7, 7, "0% (at most 35.4%)", "0%"), (0, 0, "no users", "no users"), (3, 2, "–", "–"),
        (.max, .min, "–", "–"), (-1, 2, "–", "–"),
    ]) func crashFreeRateIsWrittenWithItsInterval(crashed: Int, whole: Int, text: String, brief: String) {
        let shown = PercentFormat.crashFree(
            crashed: crashed, of: whole, interval: wilson(crashed, whole), unit: "users")
        #expect(plain(shown.text) == text)
        // All of a small sample is never written without its bound.
        #expect(plain(shown.brief) == (brief.isEmpty ? text : brief))
    }

    @Test(arguments: [
        (0, 1000, "100% (at least 99.62%)"), (0, 1_000_000_000, "100% (at least 99.999%)"),
        (1, 1_000_000, "more than 99.99%"), (0, 0, "no users"),
        (1328, 10_000, "86.72%"), (5, 5, "0.00%"),
    ]) func sentencesKeepTheRule(crashed: Int, whole: Int, text: String) {
        #expect(
            PercentFormat.sentence(
                crashed: crashed, of: whole, interval: wilson(crashed, whole), unit: "users") == text)
    }

    @Test(arguments: [
        (0.065, "6.5%"), (0.0283, "2.83%"), (0, "0%"), (1, "100%"), (0.999999, "more than 99.99%"),
        (1.5, "150%"),
        (81.332, "8,133.2%"), (0.99994, "99.99%"),
        (0.00001, "less than 0.01%"),
    ]) func shareOfASentence(share: Double, text: String) {
        #expect(PercentFormat.sentence(share: share) == text)
    }

    @Test(arguments: [(0.995, "99.5%"), (1, "100%"), (0.9995, "99.95%"), (0.57, "57%"), (0.1, "10%")])
    func levelHasNoMoreDecimalsThanItsOwner(level: Double, text: String) {
        #expect(plain(PercentFormat.levelText(level)) == text)
    }

    /// Known sizes: a rate of 99% takes about 1,522 to be known to ±0.5 pp.
    @Test(arguments: [(990, 1000, 600...640), (9900, 10_000, nil), (10, 10, 365...375), (995, 1000, nil)])
    func neededSizeMakesTheIntervalNarrow(part: Int, whole: Int, expected: ClosedRange<Int>?) throws {
        guard let needed = additionalCountNeeded(part, of: whole) else {
            #expect(expected == nil)
            return
        }
        let range = try #require(expected)
        #expect(range.contains(needed), "\(needed)")
        func half(_ count: Int) -> Double {
            let share = Int((Double(count) * Double(part) / Double(whole)).rounded())
            return (wilsonInterval(successes: share, of: count)?.width ?? 1) / 2
        }
        #expect(half(whole + needed) <= wantedHalfWidth + 2e-5)
        #expect(half(whole + needed - max(2, needed / 50)) > wantedHalfWidth)
    }

    @Test(arguments: [(0, 0), (3, 2), (-1, 5)]) func impossibleCountsNeedNothing(part: Int, whole: Int) {
        #expect(additionalCountNeeded(part, of: whole) == nil)
        #expect(additionalCountNeeded(1, of: 2, halfWidth: 0) == nil)
    }

    @Test func neededIsReportedInWords() {
        #expect(
            plain(PercentFormat.neededText(1071, unit: "sessions"))
                == "about 1,100 more sessions needed for ±0.5 pp")
        #expect(
            estimateText(1_910_126) == "2,000,000" && estimateText(99) == "99"
                && estimateText(.max).count > 20)
    }

    @Test(arguments: [
        ("8133.2", "8,133.2"), ("999.9", "999.9"), ("1234567", "1,234,567"), ("−1.5", "−1.5"), ("–", "–"),
    ])
    func decimalsHaveAMarkBetweenThousands(number: String, text: String) {
        #expect(groupedText(number) == text)
    }

    @Test func changeHasItsBounds() {
        let text = PercentFormat(decimals: 2).changeBounds(Interval(lower: -0.0216, upper: 0.0152))
        #expect(text == "−2.16 to +1.52")
    }
}

private func plain(_ text: String) -> String { text.replacing("\u{A0}", with: " ") }

/// The interval of a crash-free rate.
private func wilson(_ crashed: Int, _ whole: Int) -> Interval? {
    let (free, overflow) = whole.subtractingReportingOverflow(crashed)
    return wilsonInterval(successes: overflow ? -1 : free, of: whole)
}
