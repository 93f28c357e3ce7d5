import Statistics

extension PercentFormat {
    /// A rate of counts as text with its 95 % Wilson interval, both with the same decimals.
    package struct Shown: Hashable, Sendable {
        /// `99.12 %`; `no users` when nothing was counted.
        package let rate: String
        /// `98.98–99.24`; `at least 99.62 %` when the rate is all; a dash when there is no rate.
        package let interval: String
        /// How the rates of this place are written.
        package let display: PercentFormat

        /// The rate with its interval: `99.12 % (98.98–99.24)`, `100 % (at least 99.62 %)`, `no users`.
        package var text: String { interval == "–" ? rate : "\(rate) (\(interval))" }

        /// The rate alone where an interval would be too much: `99.12 %`; one that is all keeps its bound,
        /// `100 % (at least 99.62 %)`.
        package var brief: String { interval.hasPrefix("at least") ? text : rate }
    }

    /// A share of counts: 0…`whole` of `whole`; `unit` names what was counted, such as `users`.
    ///
    /// Impossible counts have no rate: a dash.
    package static func share(_ part: Int, of whole: Int, unit: String) -> Shown {
        if whole == 0, part == 0 {
            return Shown(rate: noneText(unit), interval: "–", display: PercentFormat(interval: nil))
        }
        let bounds = wilsonInterval(successes: part, of: whole)
        let display = PercentFormat(interval: bounds)
        return Shown(
            rate: display.text(part, of: whole), interval: bounds.map(display.intervalText) ?? "–",
            display: display)
    }

    /// The crash-free rate of so many crashed of so many.
    package static func crashFree(crashed: Int, of whole: Int, unit: String) -> Shown {
        let (free, overflow) = whole.subtractingReportingOverflow(crashed)
        return share(overflow ? -1 : free, of: whole, unit: unit)
    }

    /// What stands in place of a rate when nothing was counted: `no sessions`.
    package static func noneText(_ unit: String) -> String { "no \(unit)" }

    /// A level that a person set, with no more decimals than it has, at most four: `99.5 %`.
    package static func levelText(_ level: Double) -> String { levelNumber(level) + "\u{A0}%" }

    /// A level that a person set as a bare number of percent: `99.5`.
    package static func levelNumber(_ level: Double) -> String {
        trimmedDecimalText(level * 100, decimals: 4)
    }
}
