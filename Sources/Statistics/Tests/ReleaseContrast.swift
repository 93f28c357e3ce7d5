private import Platform

/// How much more a new release crashes than the old one while users move from one to the other, from their
/// counts on the same days: what both had in common on a day cancels out.
///
/// The relative difference of a day, (x₁ ÷ n₁ − x₀ ÷ n₀) ÷ P with P the crash rate of all its days, is taken
/// as θ + b 2^(−age ÷ half-life) + e. θ is what the release itself does; b, with mean zero and standard
/// deviation `adoption`, is that those who move first are not like the others; e has the variance of chance
/// plus one between days, which the days themselves show, shrunk to `noise`. θ is estimated by generalized
/// least squares (A. C. Aitken, Proceedings of the Royal Society of Edinburgh 55 (1935) 42–48), so that early
/// days count little until later ones have shown what the early users were, and a day of many sessions counts
/// no more than the noise between days lets it. The score is freed of its skewness by the cube root of
/// E. B. Wilson and M. M. Hilferty, Proceedings of the National Academy of Sciences 17 (1931) 684–688.
///
/// Where sessions are counted approximately, θ misses by their relative errors as well (the delta method), at most as
/// if all days of a release missed in one direction: more days do not make that error smaller, so it is added to the
/// variance of the estimate and not to that of each day.
package struct ReleaseContrast: Hashable, Sendable {
    /// The standard deviation of b.
    package static let adoption = 0.2
    /// The days in which b halves.
    package static let halfLife = 3.0
    /// The variance between days that is expected: a tenth of the rate as standard deviation for each release.
    package static let noise = 0.02
    /// The prior weight of that expectation, in days whose counts leave no doubt.
    static let priorDays = 5.0
    /// The scale of the effect mixed over for the e-value, relative to the rate.
    static let spread = 0.5

    private var days: [Day] = []
    private var sessions = 0.0
    private var newSessions = 0.0
    private var crashed = 0.0

    /// A day with sessions of both.
    private struct Day: Hashable {
        let fade: Double
        let new: Double
        let old: Double
        let difference: Double
        /// The standard error of the new rate that comes of counting sessions approximately.
        let newError: Double
        /// The same of the old rate.
        let oldError: Double
        /// n₁ n₀ ÷ (n₁ + n₀).
        var weight: Double { new * old / (new + old) }
    }

    /// The estimate of θ with the weight of each day.
    private struct Fit {
        let score: Double
        let information: Double
        let skewness: Double
    }

    /// Takes in the day of an age, 0 for the first; one on which a release had no session counts only for the
    /// rate of the other.
    mutating func add(_ day: ReleaseDayCounts, age: Int) {
        let (new, old) = (Double(day.newSessions), Double(day.oldSessions))
        sessions += new + old
        newSessions += new
        crashed += Double(day.newCrashed) + Double(day.oldCrashed)
        guard new > 0, old > 0 else { return }
        let (newRate, oldRate) = (Double(day.newCrashed) / new, Double(day.oldCrashed) / old)
        days.append(
            Day(
                fade: exp2(-Double(age) / Self.halfLife), new: new, old: old,
                difference: newRate - oldRate, newError: newRate * day.newDeviation,
                oldError: oldRate * day.oldDeviation))
    }

    /// The natural logarithm of the e-value against θ ≤ 0; zero without evidence.
    var logEValue: Double {
        guard let fit, fit.information > 0 else { return 0 }
        return logEValue(deviate: fit.score / fit.information.squareRoot(), fit)
    }

    /// The same for a new release that crashes so many times as much as the old one, on average: what these days could show.
    func expectedLogEValue(ratio: Double) -> Double {
        guard let fit, fit.information > 0 else { return 0 }
        // The rate of all days holds the crashes of the new release as well.
        let effect = (ratio - 1) / (1 + (ratio - 1) * newSessions / sessions)
        return logEValue(deviate: effect * fit.information.squareRoot(), fit)
    }

    /// - Parameter deviate: the estimate of θ in its standard errors.
    private func logEValue(deviate: Double, _ fit: Fit) -> Double {
        mixedLogEValue(
            score: symmetric(deviate, skewness: fit.skewness), variance: 1,
            effect: Self.spread * Self.spread * fit.information)
    }

    private var rate: Double { (crashed + 0.5) / (sessions + 50) }

    private var fit: Fit? {
        guard !days.isEmpty else { return nil }
        let (rate, between) = (rate, betweenDays)
        let chance = (1 - rate) / rate
        let weights = days.map { 1 / (chance / $0.weight + between) }
        var (all, fading, faded) = (0.0, 0.0, 0.0)
        var (score, fadingScore) = (0.0, 0.0)
        for (day, weight) in zip(days, weights) {
            all += weight
            fading += weight * day.fade
            faded += weight * day.fade * day.fade
            score += weight * day.difference / rate
            fadingScore += weight * day.fade * day.difference / rate
        }
        let variance = Self.adoption * Self.adoption
        let part = variance * fading / (1 + variance * faded)
        let information = all - part * fading
        guard information > 0 else { return nil }
        let third = zip(days, weights).reduce(0.0) { sum, pair in
            let (day, weight) = pair
            let share = weight * (1 - part * day.fade) / rate
            return sum + rate * share * share * share * (1 / (day.new * day.new) - 1 / (day.old * day.old))
        }
        // Of the whole variance 1 ÷ information + shared, chance has this part.
        let chancePart = 1 / (1 + information * shared(weights, part: part, information: information, rate))
        return Fit(
            score: (score - part * fadingScore) * chancePart, information: information * chancePart,
            skewness: third / (information * information.squareRoot()) * chancePart * chancePart.squareRoot())
    }

    /// The variance of θ that comes of counting sessions approximately; 0 when they are exact.
    private func shared(
        _ weights: [Double], part: Double, information: Double, _ rate: Double
    ) -> Double {
        var (new, old) = (0.0, 0.0)
        for (day, weight) in zip(days, weights) {
            let share = abs(weight * (1 - part * day.fade)) / information / rate
            new += share * day.newError
            old += share * day.oldError
        }
        return new * new + old * old
    }

    /// The variance between days: the mean square about the common difference beyond chance, weighted by how
    /// little chance leaves open on each day; one day counts at most nine times what was expected of it.
    private var betweenDays: Double {
        let chance = (1 - rate) / rate
        let weights = days.map { 1 / (chance / $0.weight + Self.noise) }
        let all = weights.reduce(0, +)
        let mean = zip(days, weights).reduce(0.0) { $0 + $1.1 * $1.0.difference / rate } / all
        var (excess, whole) = (0.0, 0.0)
        for (day, weight) in zip(days, weights) {
            let distance = day.difference / rate - mean
            let square = min(distance * distance, 9 / weight)
            excess += weight * weight * (square - chance / day.weight * (1 - weight / all))
            whole += weight * weight
        }
        let prior = Self.priorDays / (Self.noise * Self.noise)
        return max(1e-5, (prior * Self.noise + excess) / (prior + whole))
    }
}

/// The standard normal deviate with the tail of a gamma-like deviate of this skewness (bounded at ±2).
private func symmetric(_ deviate: Double, skewness: Double) -> Double {
    let skewness = max(-2, min(2, skewness))
    guard abs(skewness) > 1e-3 else { return deviate }
    let base = max(1e-6, 1 + skewness * deviate / 2)
    return 6 / skewness * (cbrt(base) - 1) + skewness / 6
}

/// What daily looks at a new release have shown so far.
package enum ReleaseFinding: Hashable, Sendable {
    /// It crashes more than the old one; the place of the first day on which that was sure.
    case worse(day: Int)
    /// Nothing is shown against it.
    case notShown
}

/// Claims that a new release crashes more than the old one, at a rate of false claims that daily looks do not
/// raise: by the e-value of `ReleaseContrast`.
package struct ReleaseRegressionTest: Hashable, Sendable {
    /// The e-value of a claim: when the new release is not worse, at most one series of looks in so many leads
    /// to one.
    package var threshold: Double
    /// The least number of sessions of the new release.
    package var minimumSessions: Int
    /// The least number of its crashed sessions.
    package var minimumCrashed: Int

    /// The standard thresholds, or others.
    package init(threshold: Double = 10, minimumSessions: Int = 20, minimumCrashed: Int = 3) {
        self.threshold = threshold
        self.minimumSessions = minimumSessions
        self.minimumCrashed = minimumCrashed
    }

    /// What the days show; nil is a gap. A claim once made is.
    package func finding(in days: [ReleaseDayCounts?]) -> ReleaseFinding {
        var evidence = ReleaseContrast()
        var (sessions, crashed) = (0.0, 0.0)
        for (place, day) in days.enumerated() {
            guard let day else { continue }
            evidence.add(day, age: place)
            sessions += Double(day.newSessions)
            crashed += Double(day.newCrashed)
            if sessions >= Double(minimumSessions), crashed >= Double(minimumCrashed),
                evidence.logEValue >= log(threshold)
            {
                return .worse(day: place)
            }
        }
        return .notShown
    }

    /// How many times as much a new release crashes at the least where days are asked about a claim that others make.
    package static let plainRatio = 2.0

    /// The first day from one on on which some days leave a claim that others make as it is: they make it themselves, or
    /// could not show a new release that crashes so many times as much as these have it, or `plainRatio` times where that is
    /// more. Nil when they speak against it to the end.
    package func firstDay(
        from first: Int, on days: [ReleaseDayCounts?], leavingClaimOf claimed: [ReleaseDayCounts?]
    ) -> Int? {
        let claim: Int? = if case .worse(let day) = finding(in: days) { day } else { nil }
        var (evidence, seen) = (ReleaseContrast(), CrashRatio())
        for (place, (day, other)) in zip(days, claimed).enumerated() {
            if let day { evidence.add(day, age: place) }
            if let other { seen.add(other) }
            guard place >= first else { continue }
            if let claim, claim <= place { return place }
            let ratio = max(Self.plainRatio, seen.value)
            // Half of all would not reach what is expected: days are asked once most would show it.
            if evidence.expectedLogEValue(ratio: ratio) < log(2 * threshold) { return place }
        }
        return nil
    }
}

/// How many times as much a new release crashes as the old one.
private struct CrashRatio {
    private var (newSessions, newCrashed, oldSessions, oldCrashed) = (0.0, 0.0, 0.0, 0.0)

    mutating func add(_ day: ReleaseDayCounts) {
        newSessions += Double(day.newSessions)
        newCrashed += Double(day.newCrashed)
        oldSessions += Double(day.oldSessions)
        oldCrashed += Double(day.oldCrashed)
    }

    /// 1 without sessions of both. An old release without a crash counts as if it had half a one.
    var value: Double {
        guard newSessions > 0, oldSessions > 0 else { return 1 }
        return newCrashed / newSessions * oldSessions / max(0.5, oldCrashed)
    }
}

/// The natural logarithm of how many times likelier a normal score is when its mean is spread half-normally
/// above zero, with this mean square, than when it is zero. Zero unless the variance is above zero.
private func mixedLogEValue(score: Double, variance: Double, effect: Double) -> Double {
    guard variance > 0 else { return 0 }
    let sum = variance + effect
    let deviate = score * effect.squareRoot() / (variance.squareRoot() * sum.squareRoot())
    return log(2) + 0.5 * log(variance / sum) + effect * score * score / (2 * variance * sum)
        + normalTails(deviate).logLower
}
