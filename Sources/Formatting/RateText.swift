package import Estimates

/// Rates of counts, rounded from the counts themselves.
extension PercentFormat {
    /// A rate of counts as text with its interval, both with the same decimals.
    package struct Shown: Hashable, Sendable {
        /// `99.12%`; `no users` when nothing was counted.
        package let rate: String
        /// `98.98–99.24`; `at least 99.62%` when the rate is all or nearly so; a dash when there is no rate.
        package let interval: String
        /// How the rates of this place are written.
        package let display: PercentFormat

        /// The rate with its interval: `99.12% (98.98–99.24)`, `100% (at least 99.62%)`, `no users`.
        package var text: String { interval == "–" ? rate : "\(rate) (\(interval))" }

        /// The rate alone where an interval would be too much: `99.12%`; one that is all keeps its bound,
        /// `100% (at least 99.62%)`.
        package var brief: String { isAll ? text : rate }

        /// Whether the rate is exactly one, the only one that is written so.
        private var isAll: Bool { rate == "100" + PercentFormat.unit }

        /// Whether the decimals show the rate, not only that it is below or above what they show.
        package var isExact: Bool { !rate.hasPrefix("<") && !rate.hasPrefix(">") }
    }

    /// A share of counts: 0…`whole` of `whole`; `unit` names what was counted, such as `users`.
    ///
    /// Impossible counts have no rate: a dash.
    package static func share(_ part: Int, of whole: Int, interval bounds: Interval?, unit: String) -> Shown {
        if whole == 0, part == 0 {
            return Shown(rate: noneText(unit), interval: "–", display: PercentFormat(interval: nil))
        }
        let display = PercentFormat(interval: bounds)
        return Shown(
            rate: display.text(part, of: whole), interval: bounds.map(display.intervalText) ?? "–",
            display: display)
    }

    /// The crash-free rate of so many crashed of so many.
    package static func crashFree(
        crashed: Int, of whole: Int, interval: Interval?, unit: String
    ) -> Shown {
        let (free, overflow) = whole.subtractingReportingOverflow(crashed)
        return share(overflow ? -1 : free, of: whole, interval: interval, unit: unit)
    }

    /// In place of a rate when nothing was counted: `no sessions`.
    package static func noneText(_ unit: String) -> String { "no \(unit)" }
}

/// Rates as the sentences of events write them: two decimals, without zeros at the end of a share.
extension PercentFormat {
    /// A share or a relative change: `2.83%`, `6.5%`, `8,133.2%`; 0% only when it is zero, 100% only when it is all,
    /// else `less than 0.01%` and `more than 99.99%`.
    package static func sentence(share: Double) -> String {
        nearlyNoneOrAll(share) ?? groupedText(trimmedDecimalText(share * 100, decimals: 2)) + unit
    }

    /// A crash-free rate: `86.72%`; 100% only when nothing crashed, then with the lower bound of its interval:
    /// `100% (at least 99.62%)`. `unit` is named where nothing was counted.
    package static func sentence(
        crashed: Int, of whole: Int, interval: Interval?, unit: String
    ) -> String {
        guard whole > 0 else { return noneText(unit) }
        if crashed == 0, let bounds = interval {
            let free = Interval(lower: bounds.lower, upper: 1)
            return "100% (\(PercentFormat(interval: bounds).intervalText(free)))"
        }
        return sentence(crashedShare: Double(crashed) / Double(whole))
    }

    /// A crash-free rate from an estimate of the crashed share: `86.72%`; never 100%, but `more than 99.99%`.
    package static func sentence(crashedShare share: Double) -> String {
        let free = min(max(1 - share, 0), 1.0.nextDown)
        return nearlyNoneOrAll(free) ?? decimalText(free * 100, decimals: 2) + unit
    }

    /// The words for a share that two decimals would round to 0% or 100%, which it is not; nil for others.
    private static func nearlyNoneOrAll(_ share: Double) -> String? {
        if share > 0, share < 0.00005 { return "less than 0.01%" }
        if share < 1, share >= 0.99995 { return "more than 99.99%" }
        return nil
    }
}
