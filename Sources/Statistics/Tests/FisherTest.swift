private import Platform

/// Fisher's exact test of two proportions: three p-values.
///
/// R. A. Fisher, "Statistical Methods for Research Workers" (1934) §21.02. The two-sided value adds up the
/// tables that are at most as likely as the one that was seen.
package struct FisherTest: Hashable, Sendable {
    /// The chance of as many later successes or more when the proportions do not differ.
    package let greater: Double
    /// The chance of as many later successes or fewer.
    package let less: Double
    /// The chance of a table at most as likely.
    package let twoSided: Double

    /// Tests a pair.
    package init(_ pair: ProportionPair) {
        let tables = Hypergeometric(pair)
        let seen = pair.laterSuccesses
        greater = exp(tables.tails(atLeast: seen).logUpper)
        less = exp(tables.tails(atLeast: seen + 1).logLower)
        twoSided = min(1, tables.bothTails(of: seen))
    }
}

/// The number of later successes when all successes fall on the trials at random.
private struct Hypergeometric {
    let successes: Int
    let failures: Int
    let draws: Int

    init(_ pair: ProportionPair) {
        successes = pair.laterSuccesses + pair.earlierSuccesses
        draws = pair.laterTrials
        failures = pair.laterTrials + pair.earlierTrials - successes
    }

    var least: Int { max(0, draws - failures) }
    var most: Int { min(draws, successes) }
    /// The most likely count.
    var mode: Int {
        let mean = (Double(draws) + 1) * (Double(successes) + 1) / (Double(successes) + Double(failures) + 2)
        return min(max(Int(min(mean, 9e18)), least), most)
    }

    /// Three binomial kernels, as Loader shows.
    func logProbability(_ count: Int) -> Double {
        let all = Double(successes) + Double(failures)
        let (chance, rest) = (Double(draws) / all, (all - Double(draws)) / all)
        let (taken, missed) = (Double(count), Double(draws - count))
        return logBinomialKernel(taken, Double(successes) - taken, chance: chance, rest: rest)
            + logBinomialKernel(missed, Double(failures) - missed, chance: chance, rest: rest)
            - logBinomialKernel(Double(draws), all - Double(draws), chance: chance, rest: rest)
    }

    func tails(atLeast count: Int) -> Tails {
        if count <= least { return .below }
        if count > most { return .above }
        return count > mode
            ? Tails(logUpper: logSum(from: count, rising: true))
            : Tails(logLower: logSum(from: count - 1, rising: false))
    }

    /// The sum of all tables at most as likely as this one; ties within a share of 1e-7 count as equal.
    func bothTails(of count: Int) -> Double {
        let limit = logProbability(count) + log1p(1e-7)
        if logProbability(mode) <= limit { return 1 }
        let rising = count > mode
        let near = exp(logSum(from: count, rising: rising))
        let far = farEdge(limit, rising: !rising)
        return near + (far.map { exp(logSum(from: $0, rising: !rising)) } ?? 0)
    }

    /// The table nearest to the mode on one side that is not more likely than the limit.
    private func farEdge(_ limit: Double, rising: Bool) -> Int? {
        var (inner, outer) = (mode, rising ? most : least)
        guard logProbability(outer) <= limit else { return nil }
        while abs(outer - inner) > 1 {
            let middle = inner + (outer - inner) / 2
            if logProbability(middle) <= limit { outer = middle } else { inner = middle }
        }
        return outer
    }

    /// The logarithm of the sum from a table away from the mode, until the terms add nothing.
    private func logSum(from start: Int, rising: Bool) -> Double {
        var (sum, term, count) = (1.0, 1.0, start)
        while count != (rising ? most : least), term > sum * 1e-18 {
            term *= rising ? ratio(after: count) : 1 / ratio(after: count - 1)
            sum += term
            count += rising ? 1 : -1
        }
        return logProbability(start) + log(sum)
    }

    /// P(x + 1) / P(x).
    private func ratio(after count: Int) -> Double {
        let taken = Double(count)
        let (left, missed) = (Double(successes) - taken, Double(draws) - taken)
        return left * missed / ((taken + 1) * (Double(failures) - missed + 1))
    }
}
