private import Platform

/// A distribution of counts with a mean m and the variance m + κ m²: Poisson when the dispersion κ is zero,
/// negative binomial when it is greater.
///
/// N. L. Johnson, A. W. Kemp, S. Kotz, "Univariate Discrete Distributions" (2005) chapters 4 and 5; tails
/// through the incomplete gamma and beta functions.
package struct CountDistribution: Hashable, Sendable {
    /// The expected count; more than zero.
    package let mean: Double
    /// κ of the variance m + κ m²; zero or more.
    package let dispersion: Double

    /// The distribution, or nil when there is none with this mean and dispersion.
    package init?(mean: Double, dispersion: Double = 0) {
        guard mean > 0, mean.isFinite, dispersion >= 0, dispersion.isFinite else { return nil }
        self.mean = mean
        // So small a dispersion differs from none by less than the digits of a Double.
        self.dispersion = dispersion < 1e-15 ? 0 : dispersion
    }

    /// The variance.
    package var variance: Double { mean + dispersion * mean * mean }

    /// The logarithm of the probability of exactly this count; minus infinity for negative ones.
    package func logProbability(of count: Int) -> Double {
        guard count >= 0 else { return -.infinity }
        let number = Double(count)
        guard dispersion > 0 else { return logPoissonKernel(number, mean: mean) }
        if count == 0 { return -log1p(dispersion * mean) / dispersion }
        let size = 1 / dispersion
        return logBinomialKernel(size, number, chance: hold, rest: growth)
            - log1p(number * dispersion)
    }

    /// The probability of fewer than this count, and of this count or more.
    package func tails(atLeast count: Int) -> Tails {
        guard count > 0 else { return .below }
        guard dispersion > 0 else { return incompleteGamma(Double(count), mean).swapped }
        return incompleteBeta(Double(count), 1 / dispersion, growth, rest: hold).swapped
    }

    /// The logarithm of P(more than this count) + ½ P(exactly this count): the mid-p value of a high count.
    ///
    /// H. O. Lancaster, "Significance tests in discrete distributions", Journal of the American Statistical
    /// Association 56 (1961) 223–234.
    package func logMidP(above count: Int) -> Double {
        let all = tails(atLeast: count).logUpper
        let half = exp(logProbability(of: count) - all) / 2
        return all + log1p(-min(half, 0.5))
    }

    /// The smallest count whose probability to be exceeded is at most this tail; nil unless 0 < tail < 1.
    package func quantile(upperTail tail: Double) -> Int? {
        guard tail > 0, tail < 1, let deviate = normalQuantile(tail) else { return nil }
        let wanted = log(tail)
        func exceeds(_ count: Int) -> Bool { tails(atLeast: count + 1).logUpper > wanted }
        let guess = mean - deviate * variance.squareRoot()
        guard guess < 1e17 else { return nil }
        var step = 1
        var high = max(0, Int(guess))
        while exceeds(high) {
            guard high < .max / 4 else { return nil }
            high += step
            step *= 2
        }
        step = 1
        var low = high
        while low > 0, !exceeds(low - 1) {
            high = low
            low = max(0, low - step)
            step *= 2
        }
        if !exceeds(low) { return low }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if exceeds(middle) { low = middle } else { high = middle }
        }
        return high
    }

    private var hold: Double { 1 / (1 + dispersion * mean) }
    private var growth: Double { 1 / (1 + 1 / (dispersion * mean)) }
}
