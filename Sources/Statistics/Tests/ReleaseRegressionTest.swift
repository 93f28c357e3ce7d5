private import Glibc

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

    /// What the days show; nil is a gap. A claim once made stands.
    package func finding(in days: [ReleaseDayCounts?]) -> ReleaseFinding {
        var evidence = ReleaseContrast()
        var (sessions, crashed) = (0.0, 0.0)
        for (place, day) in days.enumerated() {
            guard let day else { continue }
            evidence.add(day, age: place)
            sessions += Double(day.newSessions)
            crashed += Double(day.newCrashed)
            if evidence.logEValue >= log(threshold), sessions >= Double(minimumSessions),
                crashed >= Double(minimumCrashed)
            {
                return .worse(day: place)
            }
        }
        return .notShown
    }
}
