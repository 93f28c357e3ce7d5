/// A drop of the crash-free rate that the app's own past does not explain.
package struct DropFinding: Hashable, Codable, Sendable {
    /// The night: the place of the last day in the series.
    package let day: Int
    /// The days that were put together: 1, 3 or 7, the last one being `day`.
    package let window: Int
    /// How surprising it is: minus log₁₀ of a p-value shared among the windows.
    package let score: Double
    /// Crashed sessions (or users, counted again on each day) of the window.
    package let crashed: Int
    /// All sessions (or users) of the window; more than zero.
    package let total: Int
    /// The crashed share that was to be expected of these days of the week, in 0…1.
    package let expected: Double
    /// κ of the count's variance m + κ m², as the app's own past misses have it.
    package let dispersion: Double
    /// All sessions (or users) of the days behind the expectation.
    package let baselineTotal: Int
    /// How many days are behind it.
    package let baselineDays: Int
    /// The relative standard errors of `total` and of `baselineTotal` where these are counted approximately; nil where
    /// both are exact.
    package let deviations: Deviations?
    /// By what the counts of a sample were multiplied; nil where they are no sample.
    package let sampling: Double?

    /// The relative standard errors of two totals that are held against each other.
    package struct Deviations: Hashable, Codable, Sendable {
        /// That of the window.
        package let window: Double
        /// That of the days behind the expectation.
        package let baseline: Double

        /// Both; nil when both totals are exact.
        package init?(window: Double?, baseline: Double?) {
            guard window != nil || baseline != nil else { return nil }
            (self.window, self.baseline) = (window ?? 0, baseline ?? 0)
        }

        /// The relative variance that they add to what is expected of the window: both errors are independent of each
        /// other, and each is as if all of its days missed in one direction.
        package var variance: Double { window * window + baseline * baseline }
    }

    /// The crashed share of the window, in 0…1.
    package var share: Double { Double(crashed) / Double(total) }

    /// How far the crashed share rose above the expected one, in 0…1.
    package var size: Double { share - expected }

    /// A finding.
    package init(
        day: Int, window: Int, score: Double, crashed: Int, total: Int, expected: Double, dispersion: Double,
        baselineTotal: Int, baselineDays: Int, deviations: Deviations? = nil, sampling: Double? = nil
    ) {
        self.day = day
        self.window = window
        self.score = score
        self.crashed = crashed
        self.total = total
        self.expected = expected
        self.dispersion = dispersion
        self.baselineTotal = baselineTotal
        self.baselineDays = baselineDays
        self.deviations = deviations
        self.sampling = sampling
    }

    /// Crashed and all of the window in the sample.
    package var sampled: (crashed: Int, total: Int) {
        guard let sampling, sampling > 1 else { return (crashed, total) }
        let sample = Int((Double(total) / sampling).rounded())
        return (min(sample, Int((Double(crashed) / sampling).rounded())), sample)
    }
}

/// An issue that spreads faster than its own past and the app's record explain.
package struct VelocityFinding: Hashable, Codable, Sendable {
    /// The place of the last step (hour or day) in the series.
    package let hour: Int
    /// The place of the issue.
    package let issue: Int
    /// The steps that were put together, the last one being `hour`.
    package let window: Int
    /// How surprising it is: minus log₁₀ of a p-value shared among issues and windows.
    package let score: Double
    /// What the score had to exceed.
    package let bar: Double
    /// Sessions that met the issue in the window.
    package let affected: Int
    /// Sessions in the window.
    package let sessions: Int
    /// The share of sessions that was to be expected, in 0…1.
    package let expected: Double
    /// The sessions behind the expectation.
    package let past: Int
    /// By what the counts of a sample were multiplied; nil where they are no sample.
    package let sampling: Double?

    /// A finding.
    package init(
        hour: Int, issue: Int, window: Int, score: Double, bar: Double, affected: Int, sessions: Int,
        expected: Double, past: Int, sampling: Double? = nil
    ) {
        self.hour = hour
        self.issue = issue
        self.window = window
        self.score = score
        self.bar = bar
        self.affected = affected
        self.sessions = sessions
        self.expected = expected
        self.past = past
        self.sampling = sampling
    }
}

/// A day whose use differs from what its weekday and the drift of the weeks before let one expect.
package struct UsageFinding: Hashable, Codable, Sendable {
    /// The place of the day in the series.
    package let day: Int
    /// How surprising it is: minus log₁₀ of a two-sided p-value.
    package let score: Double
    /// Sessions (or users) of the day.
    package let count: Int
    /// How many were to be expected.
    package let expected: Double
    /// Where 95 of 100 days like it were to be expected, as the app's own days scatter.
    package let range: Interval

    /// A finding.
    package init(day: Int, score: Double, count: Int, expected: Double, range: Interval) {
        self.day = day
        self.score = score
        self.count = count
        self.expected = expected
        self.range = range
    }
}

/// Days with more crashes than an app's own past explains.
package struct CrashCountFinding: Hashable, Codable, Sendable {
    /// The place of the last day in the series.
    package let day: Int
    /// The days that were put together: 1, 3 or 7, the last one being `day`.
    package let window: Int
    /// How many of them are known; the others count nowhere.
    package let known: Int
    /// How surprising it is: minus log₁₀ of a p-value shared among the windows.
    package let score: Double
    /// The crashes of the window.
    package let crashes: Int
    /// How many were to be expected of these days of the week; more than zero.
    package let expected: Double
    /// Where 95 of 100 such windows were to be expected, as the app's own days scatter.
    package let range: ClosedRange<Int>
    /// κ of the count's variance m + κ m², as the app's own past misses have it.
    package let dispersion: Double
    /// How many days are behind it.
    package let baselineDays: Int

    /// A finding.
    package init(
        day: Int, window: Int, known: Int, score: Double, crashes: Int, expected: Double,
        range: ClosedRange<Int>, dispersion: Double, baselineDays: Int
    ) {
        self.day = day
        self.window = window
        self.known = known
        self.score = score
        self.crashes = crashes
        self.expected = expected
        self.range = range
        self.dispersion = dispersion
        self.baselineDays = baselineDays
    }

    /// How many times as many crashes as expected.
    package var ratio: Double { Double(crashes) / max(expected, 0.5) }

    /// The crashes of one of its days, on average.
    package var crashesPerDay: Double { Double(crashes) / Double(max(known, 1)) }

    /// How many crashes of one of its days were to be expected, on average.
    package var expectedPerDay: Double { expected / Double(max(known, 1)) }
}
