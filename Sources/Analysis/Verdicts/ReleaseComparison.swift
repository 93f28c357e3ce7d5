package import AppHealth
package import Statistics

/// A release held against those before it, at equal age and at equal numbers of their own sessions.
///
/// Releases crash most in their first days, whoever takes them first; so a young release is compared with what
/// earlier ones did when they were as young. What moved all releases since is seen on the days that they have in common.
package struct ReleaseComparison: Hashable, Codable, Sendable {
    /// An earlier release, up to the same point of its life.
    package struct Peer: Hashable, Codable, Sendable {
        /// Its label.
        package let label: String
        /// Its counts up to the same age.
        package internal(set) var atAge: DayCount
        /// Its counts up to the same number of sessions.
        package internal(set) var atSessions: DayCount
    }

    /// The earlier releases, the newest first.
    package internal(set) var peers: [Peer]
    /// The counts of the release itself up to that number of sessions.
    package internal(set) var ownAtSessions: DayCount
    /// The counts of the release itself on the ages that at least one earlier release has.
    package internal(set) var own: DayCount
    /// The counts of all earlier releases on those ages, added up.
    package internal(set) var earlier: DayCount
    /// The newest claim that it crashes more than they did; nil when that was never shown.
    package let claim: WorseClaim?
    /// What it and they had on the same days, where that alone keeps it from being worse; else nil.
    package internal(set) var sameDays: SameDays?

    /// What releases had on the days of the release that is judged.
    package struct SameDays: Hashable, Codable, Sendable {
        /// The ages of the release that is judged.
        package let ages: ClosedRange<Int>
        /// Its own counts.
        package internal(set) var own: DayCount
        /// Those of the earlier releases that were in use, the newest first.
        package internal(set) var others: [Other]

        /// An earlier release on these days.
        package struct Other: Hashable, Codable, Sendable {
            /// Its label.
            package let label: String
            /// Its counts.
            package internal(set) var counts: DayCount
        }

        /// The crashed share of all earlier releases.
        package var othersShare: Fraction? { wholeCount(others.map(\.counts)).share }
    }

    /// Whether it is shown to crash more than they did: at equal age and at equal sessions.
    package var isWorse: Bool { claim?.holds ?? false }

    /// How many earlier releases are taken.
    package static let peerCount = 3
}

/// The comparisons of one release on every day of its life; each uses only what was known on that day.
struct ReleaseComparisons {
    private let life: ReleaseHistory
    private let peers: [ReleaseHistory]
    private let claims: WorseClaims
    /// What each of the peers had on the days of the life, by age; only where that keeps a claim from being made.
    private let sameDays: [[DayCount?]]
    /// Earlier releases that are no measure, the newest first: those passed over as they were worse than others, and where
    /// none is a measure all of the newest.
    let unmatched: [UnmatchedRelease]

    /// Follows a life.
    init(_ life: ReleaseHistory, among releases: EarlierReleases) {
        self.life = life
        let (chosen, halted) = releases.measures(for: life)
        self.peers = chosen
        self.unmatched = chosen.isEmpty ? releases.unmatched(with: life) : halted
        guard life.start == .known else {
            (claims, sameDays) = (WorseClaims(), [])
            return
        }
        let byAge = life.days.enumerated().map { age, day in
            pair(day, wholeCount(chosen.map { $0.days[at: age] }))
        }
        // Few releases seem to crash more, and only of these it matters.
        func onSameDays() -> [[DayCount?]] {
            chosen.map { peer in
                life.days.indices.map { releases.count(of: peer.label, on: life.day(ofAge: $0)) }
            }
        }
        let matched = MatchedDays(inLives: [byAge, sessionDays(life, chosen)]) {
            let others = onSameDays()
            return life.days.enumerated().map { age, day in pair(day, wholeCount(others.map { $0[age] })) }
        }
        let claims = WorseClaims(in: matched) { releases.isSettled(life.day(ofAge: $0)) }
        self.claims = claims
        sameDays = claims.unconfirmed.isEmpty ? [] : onSameDays()
    }

    /// Whether the release is shown to crash more at an age.
    func isWorse(atAge age: Int) -> Bool { claims.claim(atAge: age)?.holds ?? false }

    /// The day from which on the release is shown to crash more, as of the day before another; nil when it is not then.
    func worseFrom(before day: CivilDate) -> CivilDate? {
        let age = life.firstDay.days(to: day) - 1
        // Of days that may be late it is known later what they show; which releases are a measure does not change then.
        guard
            let claim = claims.all.last(where: { $0.days.upperBound <= age })?
                .known(atAge: age - LateCounts.mostNights), claim.holds
        else { return nil }
        return life.day(ofAge: claim.days.upperBound)
    }

    /// The comparison at an age; nil when there is no earlier release.
    func comparison(atAge age: Int) -> ReleaseComparison? {
        guard life.start == .known, !peers.isEmpty else { return nil }
        let numbered = life.numbered(through: age)
        let ages = life.days.indices.prefix(age + 1).filter { age in
            life.days[age] != nil && peers.contains { $0.days[at: age] != nil }
        }
        return ReleaseComparison(
            peers: peers.map { peer in
                .init(
                    label: peer.label, atAge: peer.total(through: age),
                    atSessions: peer.counts(fromSession: 0, to: numbered.total, known: life.day(ofAge: age)))
            },
            ownAtSessions: numbered, own: wholeCount(ages.map { life.days[$0] }),
            earlier: wholeCount(ages.flatMap { age in peers.map { $0.days[at: age] } }),
            claim: claims.claim(atAge: age), sameDays: sameDays(through: age))
    }

    /// What the earlier releases had on the days up to an age, where that alone keeps the release from being worse.
    private func sameDays(through age: Int) -> ReleaseComparison.SameDays? {
        guard claims.isUnconfirmed(atAge: age), !isWorse(atAge: age) else { return nil }
        let ages = life.days.indices.prefix(age + 1).filter { life.days[$0] != nil }
        let others = zip(peers, sameDays).map { peer, days in
            ReleaseComparison.SameDays.Other(label: peer.label, counts: wholeCount(ages.map { days[$0] }))
        }
        return ReleaseComparison.SameDays(
            ages: 0...age, own: wholeCount(ages.map { life.days[$0] }),
            others: others.filter { $0.counts.total > 0 })
    }
}

/// For each day of a life, what it added, next to what earlier releases had when they added as many sessions.
private func sessionDays(_ life: ReleaseHistory, _ peers: [ReleaseHistory]) -> [ReleaseDayCounts?] {
    var passed = 0
    let counted = life.countedAges
    return life.days.enumerated().map { age, day in
        guard let day, age < counted else { return nil }
        let end = passed + day.total
        let counts = peers.map {
            $0.counts(fromSession: passed, to: end, known: life.day(ofAge: age))
        }
        passed = end
        return pair(day, wholeCount(counts))
    }
}

private func pair(_ new: DayCount?, _ old: DayCount) -> ReleaseDayCounts? {
    new.flatMap { ReleaseDayCounts(new: $0, old: old) }
}

extension ReleaseDayCounts {
    /// What was really seen of both: the counts of a sample, where they are of one.
    init?(new: DayCount, old: DayCount) {
        let (seen, other) = (new.seen, old.seen)
        self.init(
            newSessions: seen.total, newCrashed: seen.crashed, oldSessions: other.total,
            oldCrashed: other.crashed, newDeviation: seen.deviation ?? 0,
            oldDeviation: other.deviation ?? 0)
    }
}

extension Array {
    /// The element at a place, or nil past the end.
    fileprivate subscript<Value>(at place: Int) -> Value? where Element == Value? {
        indices.contains(place) ? self[place] : nil
    }
}

/// What a comparison of releases goes by.
extension ReleaseComparison {
    /// The e-value from which a release is worse.
    package static let eValue = ReleaseRegressionTest().threshold
    /// How many times as much a release crashes at the least that the same days must be able to show where they are asked.
    package static let plainRatio = ReleaseRegressionTest.plainRatio
    /// The standard deviation of what early adopters add, as a share.
    package static let adopterSpread = ReleaseContrast.adoption
    /// In how many days that halves.
    package static let adopterHalfLife = ReleaseContrast.halfLife
    /// The standard deviation of days, as a share.
    package static let daySpread = ReleaseContrast.noise.squareRoot()
}
