private import Platform

/// The number of successes among n trials whose chance is itself drawn from a beta distribution.
///
/// J. G. Skellam, Journal of the Royal Statistical Society B 10 (1948) 257–261.
package struct BetaBinomial: Hashable, Sendable {
    /// The trials, 0…10^7: its tails are sums.
    package let trials: Int
    /// The first parameter of the beta distribution; more than zero.
    package let alpha: Double
    /// The second parameter of the beta distribution; more than zero.
    package let beta: Double

    /// The distribution, or nil when there is none with these values.
    package init?(trials: Int, alpha: Double, beta: Double) {
        guard trials >= 0, trials <= 10_000_000, alpha > 0, beta > 0, alpha.isFinite, beta.isFinite else {
            return nil
        }
        self.trials = trials
        self.alpha = alpha
        self.beta = beta
    }

    /// The logarithm of the probability of exactly this count.
    package func logProbability(of count: Int) -> Double {
        guard count >= 0, count <= trials else { return -.infinity }
        let (taken, left) = (Double(count), Double(trials - count))
        let choices = -log(Double(trials) + 1) - logBeta(taken + 1, left + 1)
        return choices + logBeta(taken + alpha, left + beta) - logBeta(alpha, beta)
    }

    /// The probability of fewer than this count, and of this count or more.
    package func tails(atLeast count: Int) -> Tails {
        if count <= 0 { return .below }
        if count > trials { return .above }
        let share = alpha / (alpha + beta)
        return Double(count) > share * Double(trials)
            ? Tails(logUpper: logSum(count...trials, from: count) { ratio(after: $0) })
            : Tails(logLower: logSum(0...(count - 1), from: count - 1) { 1 / ratio(after: $0 - 1) })
    }

    /// The smallest count whose probability to be exceeded is at most this tail; nil unless 0 < tail < 1.
    package func quantile(upperTail tail: Double) -> Int? {
        guard tail > 0, tail < 1 else { return nil }
        var (low, high) = (-1, trials)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if tails(atLeast: middle + 1).logUpper > log(tail) { low = middle } else { high = middle }
        }
        return high
    }

    /// P(x + 1) / P(x).
    private func ratio(after count: Int) -> Double {
        let (taken, left) = (Double(count), Double(trials - count))
        return left * (taken + alpha) / ((taken + 1) * (left - 1 + beta))
    }

    /// The logarithm of the sum over a range, gone through from one of its ends.
    private func logSum(_ range: ClosedRange<Int>, from start: Int, _ step: (Int) -> Double) -> Double {
        let forward = start == range.lowerBound && range.count > 1
        var (sum, term, scale) = (1.0, 1.0, 0.0)
        var count = start
        while count != (forward ? range.upperBound : range.lowerBound) {
            term *= step(count)
            sum += term
            count += forward ? 1 : -1
            if sum > 1e200 {
                (sum, term, scale) = (sum * 1e-200, term * 1e-200, scale + 200 * log(10))
            }
        }
        return logProbability(of: start) + scale + log(sum)
    }
}
