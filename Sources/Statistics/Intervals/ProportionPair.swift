private import Platform

/// Two proportions to be compared: a later one and the one before it.
package struct ProportionPair: Hashable, Sendable {
    /// Successes of the later sample; 0…`laterTrials`.
    package let laterSuccesses: Int
    /// Trials of the later sample; more than zero.
    package let laterTrials: Int
    /// Successes of the earlier sample; 0…`earlierTrials`.
    package let earlierSuccesses: Int
    /// Trials of the earlier sample; more than zero.
    package let earlierTrials: Int

    /// The pair, or nil when a sample is empty, holds more successes than trials, or both are too many to add.
    package init?(later: (successes: Int, trials: Int), earlier: (successes: Int, trials: Int)) {
        guard later.trials > 0, later.successes >= 0, later.successes <= later.trials,
            earlier.trials > 0, earlier.successes >= 0, earlier.successes <= earlier.trials,
            !later.trials.addingReportingOverflow(earlier.trials).overflow
        else { return nil }
        laterSuccesses = later.successes
        laterTrials = later.trials
        earlierSuccesses = earlier.successes
        earlierTrials = earlier.trials
    }

    /// The later share, in 0…1.
    package var laterShare: Double { Double(laterSuccesses) / Double(laterTrials) }
    /// The earlier share, in 0…1.
    package var earlierShare: Double { Double(earlierSuccesses) / Double(earlierTrials) }
    /// The later share minus the earlier one, in −1…1.
    package var difference: Double { laterShare - earlierShare }
}

extension ProportionPair {
    /// What is missing before the 95% Newcombe interval of the difference is at most ± `halfWidth`, if both shares
    /// stay; nil when it is already.
    ///
    /// The smaller sample is taken to grow, since it says most.
    ///
    /// - Parameter sampling: By what the counts of samples were multiplied; 1 where they are no sample.
    package func need(
        halfWidth: Double = wantedHalfWidth, sampling: (later: Double, earlier: Double) = (1, 1)
    ) -> PairNeed? {
        guard halfWidth > 0, let quantile = normalQuantile((1 + standardConfidence) / 2) else { return nil }
        let sizes = (
            later: Double(laterTrials) / max(1, sampling.later),
            earlier: Double(earlierTrials) / max(1, sampling.earlier)
        )
        let isLaterSmaller = sizes.later <= sizes.earlier
        func half(_ grown: Double) -> Double {
            let later = wilsonReach(laterShare, of: isLaterSmaller ? grown : sizes.later, quantile)
            let earlier = wilsonReach(earlierShare, of: isLaterSmaller ? sizes.earlier : grown, quantile)
            return (hypot(later.down, earlier.up) + hypot(later.up, earlier.down)) / 2
        }
        let start = min(sizes.later, sizes.earlier)
        guard half(start) > halfWidth else { return nil }
        guard half(mostTrials) <= halfWidth else { return .both }
        let wanted = leastCount(from: start) { half($0) <= halfWidth }
        let factor = max(1, isLaterSmaller ? sampling.later : sampling.earlier)
        let missing = ((wanted - start) * factor).rounded(.up)
        guard missing <= mostTrials else { return .both }
        let count = max(1, Int(missing))
        return isLaterSmaller ? .later(count) : .earlier(count)
    }
}
