/// A fall of the crash-free rate that the app's own past does not explain.
package struct DropFinding: Hashable, Sendable {
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
    /// All sessions (or users) of the days that the expectation rests on.
    package let baselineTotal: Int
    /// How many days it rests on.
    package let baselineDays: Int

    /// The crashed share of the window, in 0…1.
    package var share: Double { Double(crashed) / Double(total) }

    /// How far the crashed share rose above the expected one, in 0…1.
    package var size: Double { share - expected }

    /// The 95% Newcombe interval of the rise against a baseline that has the expected share.
    package var rise: Interval? {
        let crashedBefore = Int((expected * Double(baselineTotal)).rounded())
        return ProportionPair(
            later: (crashed, total), earlier: (min(crashedBefore, baselineTotal), baselineTotal)
        ).flatMap { newcombeInterval(of: $0) }
    }
}

/// Findings in order, put together into episodes: an episode ends when so many days brought no finding.
package func episodes<Finding>(
    of findings: [Finding], quietDays: Int, day: (Finding) -> Int
) -> [[Finding]] {
    var episodes: [[Finding]] = []
    for finding in findings {
        if let last = episodes.last?.last, day(finding) - day(last) <= quietDays {
            episodes[episodes.count - 1].append(finding)
        } else {
            episodes.append([finding])
        }
    }
    return episodes
}
