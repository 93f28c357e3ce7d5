import Statistics

/// Rates as the sentences of the feed write them: without a space before the sign, `86.72%`.
extension PercentFormat {
    /// A share or a relative change as sentences write it: `2.83%`, `6.5%`; 0 % only when it is zero, 100 % only
    /// when it is all.
    package static func sentence(share: Double) -> String {
        if share > 0, share < 0.00005 { return "less than 0.01%" }
        return trimmedDecimalText(share < 1 ? min(share * 100, 99.99) : share * 100, decimals: 2) + "%"
    }

    /// A crash-free rate as sentences write it: `86.72%`; 100 % only when nothing crashed, then with the lower
    /// bound of its 95 % Wilson interval: `100% (at least 99.62%)`. `unit` stands where nothing was counted.
    package static func sentence(crashed: Int, of whole: Int, unit: String) -> String {
        guard whole > 0 else { return noneText(unit) }
        if crashed == 0, let bounds = wilsonInterval(successes: whole, of: whole) {
            return "100% (at least \(PercentFormat(interval: bounds).number(bounds.lower))%)"
        }
        return sentence(crashedShare: Double(crashed) / Double(whole))
    }

    /// A crash-free rate from an estimate of the crashed share, as sentences write it; never 100 %.
    package static func sentence(crashedShare share: Double) -> String {
        decimalText(min(max((1 - share) * 100, 0), 99.99), decimals: 2) + "%"
    }
}
