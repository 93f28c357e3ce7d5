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
    package internal(set) var start: Start
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
            if passed >= Double(end) { break }
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
