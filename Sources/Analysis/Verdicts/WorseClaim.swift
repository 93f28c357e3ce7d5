import Statistics

/// That a release was shown to crash more than those before it.
///
/// It holds until the days after it show the contrary, by the same test and in the same matchings. The claim was made at a
/// rate of false ones that daily looks do not raise, and only a release that had one can have another; so a sound release is
/// held as seldom as without that, and one that is no better than the others is as seldom freed.
package struct WorseClaim: Hashable, Codable, Sendable {
    /// The ages of the days that showed it.
    package let days: ClosedRange<Int>
    /// The ages of the days after them that showed the contrary; nil while it holds.
    package private(set) var better: ClosedRange<Int>?

    /// Whether nothing after it showed the contrary.
    package var holds: Bool { better == nil }

    /// What was known of it at an age.
    func known(atAge age: Int) -> WorseClaim {
        var claim = self
        if let better, better.upperBound > age { claim.better = nil }
        return claim
    }
}

extension WorseClaim {
    /// All claims of a life, oldest first.
    ///
    /// - Parameters:
    ///   - matchings: the days of the release next to those of others, by age; each of them has to show a claim.
    ///   - isSettled: whether all crashes of the day of an age came in.
    static func claims(
        in matchings: [[ReleaseDayCounts?]], isSettled: (_ age: Int) -> Bool
    ) -> [WorseClaim] {
        let contrary = matchings.map { days in
            days.enumerated().map { age, day in isSettled(age) ? day?.contrary : nil }
        }
        var (claims, first) = ([WorseClaim](), 0)
        while let last = lastAge(in: matchings, from: first) {
            let better = lastAge(in: contrary, from: last + 1).map { last + 1...$0 }
            claims.append(WorseClaim(days: first...last, better: better))
            guard let better else { break }
            first = better.upperBound + 1
        }
        return claims
    }

    /// The first age at which the days from one on show in all matchings that the new release crashes more.
    private static func lastAge(in matchings: [[ReleaseDayCounts?]], from first: Int) -> Int? {
        var last = first
        for days in matchings {
            let since = days.enumerated().map { age, day in age < first ? nil : day }
            guard case .worse(let age) = ReleaseRegressionTest().finding(in: since) else { return nil }
            last = max(last, age)
        }
        return last
    }
}

extension ReleaseDayCounts {
    /// The other way round, to show that the new release crashes less. A day without a crash of it shows nothing: where
    /// reports stopped, all days are like that.
    fileprivate var contrary: ReleaseDayCounts? {
        guard newCrashed > 0 else { return nil }
        return ReleaseDayCounts(
            newSessions: oldSessions, newCrashed: oldCrashed, oldSessions: newSessions,
            oldCrashed: newCrashed, newDeviation: oldDeviation, oldDeviation: newDeviation)
    }
}
