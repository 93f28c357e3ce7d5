import Statistics

/// That a release was shown to crash more than those before it.
///
/// It holds until the days after it show the contrary, by the same test and in the same matchings. The claim was made at a
/// rate of false ones that daily looks do not raise, and only a release that had one can have another; so a sound release is
/// held as seldom as without that, and one that is no better than the others is as seldom freed.
///
/// The days of other lives are weeks older, so that all that moved the app since counts against the new release. Where the
/// others were in use enough on its own days, these have to show it as well: what moved them all cancels there.
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

/// The claims of a life.
struct WorseClaims: Sendable {
    /// All of them, oldest first.
    private(set) var all: [WorseClaim] = []
    /// The ages at which one would be made but for what the others had on the same days.
    private(set) var unconfirmed: [Range<Int>] = []

    /// None.
    init() {}

    /// - Parameters:
    ///   - days: the days of the release next to those of others.
    ///   - isSettled: whether all crashes of the day of an age came in.
    init(in days: MatchedDays, isSettled: @escaping (_ age: Int) -> Bool) {
        let contrary = days.map { age, day in isSettled(age) ? day.contrary : nil }
        var first = 0
        while let shown = days.ageThatShowsMore(from: first) {
            if shown.confirmed != shown.inLives {
                unconfirmed.append(shown.inLives..<max(shown.inLives, shown.confirmed ?? .max))
            }
            guard let last = shown.confirmed else { return }
            let better = contrary.ageThatShowsMore(from: last + 1)?.confirmed.map { last + 1...$0 }
            all.append(WorseClaim(days: first...last, better: better))
            guard let better else { return }
            first = better.upperBound + 1
        }
    }

    /// The newest claim at an age, as it was then.
    func claim(atAge age: Int) -> WorseClaim? {
        all.last { $0.days.upperBound <= age }?.known(atAge: age)
    }

    /// Whether the release would be worse at an age but for what the others had on the same days.
    func isUnconfirmed(atAge age: Int) -> Bool { unconfirmed.contains { $0.contains(age) } }
}

/// The days of a release, by age, next to those of others.
struct MatchedDays {
    /// Next to days of the lives of others, in several ways, each of which has to show a claim.
    let inLives: [[ReleaseDayCounts?]]
    /// Next to what the others had on the same days, which has to show it as well where that is enough.
    let sameDays: () -> [ReleaseDayCounts?]

    /// The same with each day replaced.
    fileprivate func map(
        _ transform: @escaping (_ age: Int, ReleaseDayCounts) -> ReleaseDayCounts?
    ) -> MatchedDays {
        func replaced(_ days: [ReleaseDayCounts?]) -> [ReleaseDayCounts?] {
            days.enumerated().map { age, day in day.flatMap { transform(age, $0) } }
        }
        return MatchedDays(inLives: inLives.map(replaced), sameDays: { replaced(sameDays()) })
    }

    /// The first age at which the days from one on show that the new release crashes more: in the lives of others, and
    /// with what they had on the same days, nil where that speaks against it to the end.
    fileprivate func ageThatShowsMore(from first: Int) -> (inLives: Int, confirmed: Int?)? {
        func since(_ days: [ReleaseDayCounts?]) -> [ReleaseDayCounts?] {
            days.enumerated().map { age, day in age < first ? nil : day }
        }
        let test = ReleaseRegressionTest()
        var last = first
        for days in inLives {
            guard case .worse(let age) = test.finding(in: since(days)) else { return nil }
            last = max(last, age)
        }
        let confirmed = test.firstDay(
            from: last, on: since(sameDays()), leavingClaimOf: since(inLives.first ?? []))
        return (last, confirmed)
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
