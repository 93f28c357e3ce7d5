package import AppHealth
package import Statistics

/// What one release did, day by day, from its first day in use on.
///
/// Sessions where its source counts them: a user may run two releases on one day and be counted twice, so users of
/// releases do not add up to those of the app. Where users alone are counted these are user-days: who used it on two days
/// counts twice, so that they are no users of a life.
package struct ReleaseHistory: Hashable, Codable, Sendable {
    /// What is known of the first day.
    package enum Start: Hashable, Codable, Sendable {
        /// The first day on which it had at least `threshold` of all sessions.
        case known
        /// It had that share on the first day of all figures already, and nothing says that it came out on it: its age is
        /// not known.
        case beforeFigures
        /// An earlier label is of the same version, such as `4.2` of `4.2.0 (370)`: its days may be the first of this one.
        case sameVersion(as: String)
        /// It never had that share; so many more sessions on its newest day would have been needed.
        case belowShare(missing: Int)
    }

    /// The label of the release.
    package let label: String
    /// What is counted: sessions, or users of single days where the source counts users alone.
    package let basis: Basis
    /// Day 0.
    package let firstDay: CivilDate
    /// What is known of day 0.
    package fileprivate(set) var start: Start
    /// Its counts by age in days, from day 0 on, at most `longest`; nil is a day without both counts.
    package let days: [DayCount?]
    /// The ages among them of which nothing is known; on the others without counts it was not used.
    package let gaps: Set<Int>

    /// The share of all sessions from which a release is in use.
    package static let threshold = 0.01
    /// How many days of a life are judged.
    package static let longest = 90
    /// How many days without a session right before the first one of an app say that the app came out with its first
    /// release. They have each day of the week: some apps are not used on weekends.
    static let emptyDays = 7

    /// Its counts up to an age, added up.
    package func total(through age: Int) -> DayCount { wholeCount(days.prefix(max(0, age + 1))) }

    /// The first age at which it is no longer known how many sessions it had had: the first gap.
    var countedAges: Int { gaps.min() ?? days.count }

    /// Its counts up to an age, as far as its sessions are numbered.
    func numbered(through age: Int = .max - 1) -> DayCount {
        wholeCount(days.prefix(min(max(0, age + 1), countedAges)))
    }

    /// Its days up to an age.
    func through(_ age: Int) -> ReleaseHistory {
        ReleaseHistory(
            label: label, basis: basis, firstDay: firstDay, start: start,
            days: Array(days.prefix(max(0, age + 1))),
            gaps: gaps.filter { $0 <= age })
    }

    /// Its days from one of them on, those before it as days of which nothing is known; nil when it was not used since.
    func since(_ day: CivilDate) -> ReleaseHistory? {
        let age = firstDay.days(to: day)
        guard age > 0, days.dropFirst(age).contains(where: { ($0?.total ?? 0) > 0 }) else { return nil }
        return ReleaseHistory(
            label: label, basis: basis, firstDay: firstDay, start: start,
            days: Array(repeating: nil, count: age) + days.dropFirst(age), gaps: gaps.union(0..<age))
    }

    /// The first day that something is known of.
    var firstCountedDay: CivilDate { day(ofAge: days.indices.first { !gaps.contains($0) } ?? 0) }

    /// The day of an age.
    package func day(ofAge age: Int) -> CivilDate { firstDay.advanced(by: age) }

    /// Its counts between two numbers of its own sessions, such as its sessions 10,000 to 20,000, as far as it
    /// had come on a day; a day that is cut is taken to be even. After a day of which nothing is known no session has
    /// a number.
    package func counts(fromSession first: Int, to end: Int, known last: CivilDate) -> DayCount {
        var (all, crashed, passed, missed, multiplied) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (age, day) in days.prefix(countedAges).enumerated() where self.day(ofAge: age) <= last {
            guard let day, day.total > 0 else { continue }
            let overlap = min(Double(end), passed + Double(day.total)) - max(Double(first), passed)
            if overlap > 0 {
                all += overlap
                missed += overlap * (day.deviation ?? 0)
                multiplied += overlap * (day.sampling ?? 1)
                crashed += overlap * Double(day.crashed) / Double(day.total)
            }
            passed += Double(day.total)
        }
        let total = Int(all.rounded())
        return DayCount(
            total: total, crashed: min(total, Int(crashed.rounded())),
            deviation: missed > 0 ? missed / all : nil, sampling: all > 0 ? multiplied / all : nil)
            ?? .nothing
    }
}

extension DayCount {
    /// As a crashed share; nil when there was none.
    package var share: Fraction? { Fraction(crashed, of: total, deviation: deviation) }

    /// By how many times its chance the crashed share varies more, as far as its whole is counted approximately.
    var addedDispersion: Double {
        guard let deviation, total > crashed else { return 0 }
        return Double(crashed) * deviation * deviation * Double(total) / Double(total - crashed)
    }
}

/// Counts added up; those that are nil count nothing.
func wholeCount(_ days: some Sequence<DayCount?>) -> DayCount {
    days.reduce(.nothing) { whole, day in day.map { whole + $0 } ?? whole }
}

/// Counts added up.
func wholeCount(_ days: some Sequence<DayCount>) -> DayCount { days.reduce(.nothing, +) }

extension HealthDay {
    /// Its sessions and crashed sessions; nil when a count is missing, or more crashed than there were.
    var sessionCount: DayCount? { Basis.sessions.count(of: self) }
}

extension HistoryIndex {
    /// What the lives of releases are counted in: users of single days where the source of releases counts users alone.
    var releaseBasis: Basis { countsReleaseUsersAlone ? .users : .sessions }
}

extension HistoryIndex {
    /// The lives of all releases that have counts, in order.
    var livesOfReleases: [ReleaseHistory] {
        var byLabel: [String: [(day: CivilDate, health: HealthDay)]] = [:]
        var unnumbered: [String: Set<CivilDate>] = [:]
        var all = CountsOfUse(releaseTotals)
        // A source that first met the app on the first day with data met each of its releases then: such a day says that a
        // release came out on it only where the source knew the app before that.
        let began = all.first
        let basis = releaseBasis
        var counted: Set<String> = []
        for (key, health) in releaseHealth where basis.total(of: health) != 0 {
            if basis.count(of: health) == nil { unnumbered[key.version, default: []].insert(key.date) }
            guard let use = health.use(basis) else { continue }
            byLabel[key.version, default: []].append((key.date, health))
            if use.basis == basis { counted.insert(key.version) }
            all.add(use, on: key.date)
        }
        let earliest = byLabel.values.joined().lazy.map(\.day).min()
        let released = daysOfReleases.filter { _, date in
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

    /// The earliest day that sources give each release that came out, by its label.
    private var daysOfReleases: [String: ReleaseDate] {
        let dates = sources.flatMap { history in
            history.releases.filter { !isToCome($0) }.compactMap { release in
                release.releaseDay.map {
                    (release.version.label, ReleaseDate(day: $0, isStated: history.source.statesReleaseDays))
                }
            }
        }
        // Of the same day, one that is stated says more.
        return Dictionary(dates) { known, other in
            if known.day == other.day { return known.isStated ? known : other }
            return other.day < known.day ? other : known
        }
    }

    /// Whether an app came out with the one release that was in use on a day, the first with any: the days before it are
    /// known to be empty, nothing else of the app is older, and nothing states an earlier day.
    private func beginsApp(_ day: CivilDate, with release: String) -> Bool {
        let isEmpty = (1...ReleaseHistory.emptyDays).allSatisfy { countedUse(on: day.advanced(by: -$0)) == 0 }
        guard isEmpty, firstUse.map({ $0 >= day }) ?? true else { return false }
        return daysOfReleases[release].map { !$0.isStated || $0.day >= day.advanced(by: -1) } ?? true
    }

    /// How much the app was used on a day, in what lives are counted in or in the other; nil where it was not counted to
    /// its end.
    private func countedUse(on day: CivilDate) -> Int? {
        let basis = releaseBasis
        let fact: CoveredFact = basis == .users ? .users : .sessions
        guard let health = releaseTotals[day], let count = basis.total(of: health),
            rates.releases?.coverage(fact, on: day).isComplete == true
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
        let basis = releaseBasis
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
                .multiplied(by: releaseSampling[one.day])
        }
        let gaps = counts.indices.filter { age in
            let day = first.advanced(by: age)
            return counts[age] == nil && (unnumbered.contains(day) || !tellsAllReleases(on: day))
        }
        return ReleaseHistory(
            label: label, basis: basis, firstDay: first, start: start, days: counts, gaps: Set(gaps))
    }
}

/// The day that a source gives a release.
private struct ReleaseDate {
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

/// The adoption of a release, with its share.
package struct ReleaseStage: Hashable, Codable, Sendable {
    /// The stage after the last day that reports the share.
    package fileprivate(set) var stage: AdoptionStage
    /// What the share is counted in: users of one day where the source reports them for the release, else sessions.
    package let basis: Basis
    /// The newest share.
    package internal(set) var share: Fraction
    /// The day of the newest share.
    package let day: CivilDate

    /// The Wilson interval of the newest share.
    package var interval: Interval? { share.interval }

    /// The name of the stage in data files, which no rewording changes: `low`, `adopted`, `replaced`.
    package var name: String { stage.rawValue }

    /// Whether others have taken its place.
    var isReplaced: Bool { stage == .replaced }

    /// The share from which a release counts as in use.
    package static let threshold = AdoptionStage.threshold
    /// After how many known days in a row without a session others have taken its place.
    package static let silentDays = ReleaseEnds.silence
}

extension HistoryIndex {
    /// What the shares of releases are counted in: users when the source reports users of single releases.
    package var adoptionBasis: Basis {
        let reportsUsers =
            releaseHealth.values.contains { $0.users != nil }
            && releaseTotals.values.contains { $0.users != nil }
        return reportsUsers ? .users : .sessions
    }

    /// The stages of all releases that have a share on any day.
    ///
    /// A day with data of some release has no rows of releases without users, so a release without a row has a share
    /// of zero from its first row on; a day that reports none changes nothing, nor does one after the last day of the
    /// release. A release that was adopted and then had no session on so many known days has been replaced, also where the
    /// users of a day are too few to tell.
    package var releaseStages: [String: ReleaseStage] {
        let basis = adoptionBasis
        let ends = releaseEnds
        var stages: [String: ReleaseStage] = [:]
        // Those with a stage that have not ended.
        var open: Set<String> = []
        for (date, rows) in releasesByDay.sorted(by: { $0.key < $1.key }) {
            guard let shares = ReleaseShares(rows, of: releaseTotals[date], basis) else { continue }
            let tellsAll = tellsAllReleases(on: date)
            open = open.filter { date <= ends[$0] }
            for label in open.union(shares.labels) where date <= ends[label] {
                guard let (basis, share) = shares.share(of: label, tellsAll: tellsAll) else { continue }
                let stage = (stages[label]?.stage ?? .low).next(share.interval)
                stages[label] = ReleaseStage(stage: stage, basis: basis, share: share, day: date)
                open.insert(label)
            }
        }
        for (label, stage) in stages where stage.stage == .adopted && ends.isSilent(label) {
            stages[label]?.stage = .replaced
        }
        return stages
    }
}

/// The shares of the releases of one day.
private struct ReleaseShares {
    private let whole: HealthDay
    private let rows: [String: HealthDay]
    private let basis: Basis

    /// Nil for a day on which no release has a share.
    init?(_ rows: [HealthDay], of whole: HealthDay?, _ wanted: Basis) {
        guard let whole else { return nil }
        let known = (wanted == .users ? [.users, .sessions] : [Basis.sessions]).first { basis in
            basis.total(of: whole) != nil && rows.contains { basis.total(of: $0) != nil }
        }
        guard let known else { return nil }
        self.whole = whole
        self.rows = Dictionary(rows.map { ($0.version ?? "", $0) }, uniquingKeysWith: { $1 })
        basis = known
    }

    /// The releases with data.
    var labels: Set<String> { Set(rows.keys) }

    /// The share of a release with what it is counted in: of one whose users are not known, as two builds of it were in use,
    /// that of its sessions.
    func share(of label: String, tellsAll: Bool) -> (Basis, Fraction)? {
        guard let row = rows[label] else { return tellsAll ? share(0, basis) : nil }
        if let count = basis.total(of: row) { return share(count, basis) }
        return row.sessions.flatMap { share($0, .sessions) }
    }

    private func share(_ count: Int, _ basis: Basis) -> (Basis, Fraction)? {
        basis.total(of: whole).flatMap {
            Fraction(part: count, of: $0, deviation: basis.deviation(of: whole))
        }.map { (basis, $0) }
    }
}
