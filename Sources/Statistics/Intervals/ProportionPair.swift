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
