import AppHealth
import Statistics

/// Finds the lives of the releases of an app.
struct ReleaseLifeFinder {
    let counts: ReleaseCounts
    /// By what the counts of releases of each day were multiplied.
    let sampling: DailySampling
    /// The days of the releases that came out, by their labels.
    let dates: [String: ReleaseDate]
    /// The first day on which the app was used or crashed, whatever shows it; nil when none does.
    let firstUse: CivilDate?

    /// The lives of all releases that have counts, in the order of their first days, then of their versions.
    var lives: [ReleaseHistory] {
        var byLabel: [String: [(day: CivilDate, health: HealthDay)]] = [:]
        var unnumbered: [String: Set<CivilDate>] = [:]
        var all = CountsOfUse(counts.totals)
        // A source that first met the app on the first day with data met each of its releases then: such a day says that a
        // release came out on it only where the source knew the app before that.
        let began = all.first
        let basis = counts.basis
        var counted: Set<String> = []
        for (key, health) in counts.health where basis.total(of: health) != 0 {
            if basis.count(of: health) == nil { unnumbered[key.version, default: []].insert(key.date) }
            guard let use = health.use(basis) else { continue }
            byLabel[key.version, default: []].append((key.date, health))
            if use.basis == basis { counted.insert(key.version) }
            all.add(use, on: key.date)
        }
        let earliest = byLabel.values.joined().lazy.map(\.day).min()
        let released = dates.filter { _, date in
            began.map { $0 < date.day } ?? false || date.isStated && countedUse(on: date.day) != nil
        }.mapValues(\.day)
        let first = byLabel.filter { $0.value.contains { $0.day == earliest } }.map(\.key)
        let firstOfApp = earliest.flatMap { day in
            first.count == 1 ? first.first { beginsApp(day, with: $0) } : nil
        }
        let lives = byLabel.filter { counted.contains($0.key) }.compactMap { label, days in
            life(
                label, days.sorted { $0.day < $1.day }, unnumbered: unnumbered[label] ?? [], all: all,
                earliest: label == firstOfApp ? nil : earliest, released: released)
        }.sorted {
            $0.firstDay != $1.firstDay ? $0.firstDay < $1.firstDay : Version($0.label) < Version($1.label)
        }
        return namingSameVersions(lives)
    }

    /// Whether an app came out with the one release that was in use on a day, the first with any: the days before it are
    /// known to be empty, nothing else of the app is older, and nothing states an earlier day.
    private func beginsApp(_ day: CivilDate, with release: String) -> Bool {
        let isEmpty = (1...ReleaseHistory.emptyDays).allSatisfy { countedUse(on: day.advanced(by: -$0)) == 0 }
        guard isEmpty, firstUse.map({ $0 >= day }) ?? true else { return false }
        return dates[release].map { !$0.isStated || $0.day >= day.advanced(by: -1) } ?? true
    }

    /// How much the app was used on a day, in what lives are counted in or in the other; nil where it was not counted to
    /// its end.
    private func countedUse(on day: CivilDate) -> Int? {
        let basis = counts.basis
        let fact: CoveredFact = basis == .users ? .users : .sessions
        guard let health = counts.totals[day], let count = basis.total(of: health),
            counts.source?.coverage(fact, on: day).isComplete == true
        else { return nil }
        return max(count, basis.other.total(of: health) ?? 0)
    }

    /// - Parameters:
    ///   - unnumbered: the days on which it was used and not both of its counts are known.
    ///   - earliest: the first day on which any release was used, where this one may have been in use before.
    ///   - released: the day on which each release came out, as its source says.
    private func life(
        _ label: String, _ days: [(day: CivilDate, health: HealthDay)], unnumbered: Set<CivilDate>,
        all: CountsOfUse, earliest: CivilDate?, released: [String: CivilDate]
    ) -> ReleaseHistory? {
        let basis = counts.basis
        func missing(_ one: (day: CivilDate, health: HealthDay)) -> Int {
            guard let use = one.health.use(basis) else { return 0 }
            let wanted = (Double(all[use.basis, one.day]) * ReleaseHistory.threshold).rounded(.up)
            return Int(wanted) - use.count
        }
        guard let oldest = days.first, let newest = days.last else { return nil }
        let reached = days.first { missing($0) <= 0 }
        let first = (reached ?? oldest).day
        let isReported = released[label].map { $0 >= first.advanced(by: -1) } ?? false
        let start: ReleaseHistory.Start =
            reached == nil
            ? .belowShare(missing: missing(newest))
            : first == earliest && !isReported ? .beforeFigures : .known
        let last = min(newest.day, first.advanced(by: ReleaseHistory.longest - 1))
        var counts = [DayCount?](repeating: nil, count: first.days(to: last) + 1)
        for one in days where one.day >= first && one.day <= last {
            counts[first.days(to: one.day)] = basis.count(of: one.health)?
                .multiplied(by: sampling[one.day])
        }
        let gaps = counts.indices.filter { age in
            let day = first.advanced(by: age)
            return counts[age] == nil && (unnumbered.contains(day) || !self.counts.isWhole(on: day))
        }
        return ReleaseHistory(
            label: label, basis: basis, firstDay: first, start: start, days: counts, gaps: Set(gaps))
    }
}

/// The day that a source gives a release.
struct ReleaseDate {
    let day: CivilDate
    /// Whether it is when the release came out, as somebody stated it.
    let isStated: Bool
}

/// What says on a day that a release was used.
private struct CountOfUse {
    let basis: Basis
    let count: Int
}

/// How much all releases together were used on each day.
private struct CountsOfUse {
    private let totals: [Basis: [CivilDate: Int]]
    private var sums: [Basis: [CivilDate: Int]] = [:]

    init(_ days: [CivilDate: HealthDay]) {
        totals = Dictionary(
            uniqueKeysWithValues: Basis.allCases.map { basis in
                (basis, days.compactMapValues { basis.total(of: $0) }.filter { $0.value > 0 })
            })
    }

    /// The first day on which the app was used.
    var first: CivilDate? { totals.values.compactMap { $0.keys.min() }.min() }

    mutating func add(_ use: CountOfUse, on day: CivilDate) {
        sums[use.basis, default: [:]][day, default: 0] += use.count
    }

    /// Users of two releases on one day are in both, so that their sum is not the users of the day.
    subscript(basis: Basis, day: CivilDate) -> Int {
        let (sum, total) = (sums[basis]?[day] ?? 0, totals[basis]?[day] ?? 0)
        return basis == .sessions ? max(sum, total) : total > 0 ? total : sum
    }
}

extension HealthDay {
    /// That a release was used on its day: by what lives are counted in, else by the other. A service that counted users
    /// alone before it counted sessions knows when a release came out.
    fileprivate func use(_ basis: Basis) -> CountOfUse? {
        let known = [basis, basis.other].first { $0.total(of: self) != nil }
        return known.flatMap { known in
            let count = known.total(of: self) ?? 0
            return count > 0 ? CountOfUse(basis: known, count: count) : nil
        }
    }
}

/// Marks each life before which another label of its version was in use: a source that writes a version in another way
/// makes it no new one. Labels that differ by their builds are of several versions.
private func namingSameVersions(_ lives: [ReleaseHistory]) -> [ReleaseHistory] {
    var lives = lives
    var earlier: [String: [(build: String, life: ReleaseHistory)]] = [:]
    for (place, life) in lives.enumerated() {
        let version = Version(life.label)
        let (name, build) = (version.withoutBuild, version.anyBuild)
        let same = earlier[name]?.first { other in
            other.life.firstDay < life.firstDay
                && (build.isEmpty || other.build.isEmpty || build == other.build)
        }
        if let same, life.start == .known { lives[place].start = .sameVersion(as: same.life.label) }
        // A few builds that are tried before a release are no use of it.
        if case .belowShare = life.start { continue }
        earlier[name, default: []].append((build, life))
    }
    return lives
}
