package import AppHealth

/// The sources of the rates of an app: of each kind of figure the first that provides it.
///
/// A rate is of one source: crashed users and users of the same, crashed sessions and sessions of the same, and the
/// sessions of a release next to all sessions of the source of the releases.
package struct RateSources: Sendable {
    /// The source of users; where none provides them, that of sessions.
    package let users: SourceHistory?
    /// The source of sessions; where none provides them, that of users.
    package let sessions: SourceHistory?
    /// The source of releases by day: that of the sessions, or where it provides none the first that does.
    package let releases: SourceHistory?
    /// Each of them once.
    let all: [SourceHistory]

    /// Chooses among sources that responded, in the order of the configuration: the first that has a rate, else the first
    /// that counts.
    init(_ known: [SourceHistory]) {
        func first(_ capability: Capability) -> SourceHistory? {
            known.first { $0.source.capabilities.contains(capability) }
        }
        // What counts use alone takes no rate away from a later source that has one.
        func firstRated(_ capability: Capability, _ basis: Basis) -> SourceHistory? {
            let counting = known.filter { $0.source.capabilities.contains(capability) }
            guard counting.count > 1 else { return counting.first }
            return counting.first { $0.hasRate(of: basis) } ?? counting.first
        }
        let (users, sessions) = (firstRated(.users, .users), firstRated(.sessions, .sessions))
        self.users = users ?? sessions
        self.sessions = sessions ?? users
        let own = self.sessions
        let providesReleases = own?.source.capabilities.contains(.releaseHealth) == true
        let next = first(.releaseHealth)
        // Where sessions ended with their source, releases may go on with one that counts users alone.
        let isFollowed = own?.source.until != nil && next?.source.until == nil && next != nil
        let releases = providesReleases && !isFollowed ? own : next ?? own
        self.releases = releases
        self.all = eachOnce([self.users, own, releases])
    }

    /// The source of what is counted on a basis.
    package subscript(basis: Basis) -> SourceHistory? { basis == .users ? users : sessions }

    /// What the rates of an app with this health are counted in.
    func basis(of health: [CivilDate: HealthDay]) -> Basis {
        guard users?.source.capabilities.contains(.users) == true else { return .sessions }
        return RatedDays(health).basis() ?? .users
    }

    /// Whether users and sessions are of two sources.
    var areTwo: Bool { users?.source.id != sessions?.source.id }

    /// Whether the sessions of releases are parts of those of the app.
    var coversReleases: Bool { releases?.source.id == sessions?.source.id }

    /// What both sources have of each day, counts of users of the one and of sessions of the other. Crashes are those of
    /// the first that has any.
    func joined(_ days: (SourceHistory) -> [CivilDate: HealthDay]) -> [CivilDate: HealthDay] {
        guard let users, let sessions else { return [:] }
        let ofSessions = days(sessions)
        guard areTwo else { return ofSessions }
        let ofUsers = days(users)
        let crashes = [ofUsers, ofSessions].first { $0.values.contains { $0.crashes != nil } } ?? [:]
        return Dictionary(
            Set(ofUsers.keys).union(ofSessions.keys).map { date in
                (
                    date,
                    HealthDay(date, users: ofUsers[date], sessions: ofSessions[date], crashes[date]?.crashes)
                )
            }, uniquingKeysWith: { first, _ in first }
        ).filter { $0.value.hasCounts }
    }
}

extension [SourceHistory] {
    /// The providers that ever responded, each once.
    var answered: [String] { eachOnce(lazy.filter { $0.capturedAt != nil }.map(\.source.provider)) }
}

/// Each text once, in order.
func eachOnce(_ texts: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
}

/// The sources that there are, each once.
func eachOnce(_ sources: [SourceHistory?]) -> [SourceHistory] {
    var seen: Set<Slug> = []
    return sources.compactMap(\.self).filter { seen.insert($0.source.id).inserted }
}

extension HealthDay {
    /// Whether a rate is known, of users or of sessions.
    var hasRate: Bool { crashedUserShare != nil || crashedSessionShare != nil }
}

extension HealthDay {
    fileprivate init(_ date: CivilDate, users: HealthDay?, sessions: HealthDay?, _ crashes: Int?) {
        self.init(
            date: date, sessions: sessions?.sessions, crashedSessions: sessions?.crashedSessions,
            users: users?.users, crashedUsers: users?.crashedUsers, crashes: crashes)
        sessionDeviation = sessions?.sessionDeviation
        userDeviation = users?.userDeviation
        namedShare = users?.namedShare
    }

    var hasCounts: Bool {
        [sessions, crashedSessions, users, crashedUsers, crashes].contains { $0 != nil }
    }
}

extension RateSources {
    /// Whether the figures of each day are settled: a day is when both sources are done with it.
    var settlement: [CivilDate: DayFinality] {
        let ofUsers = users?.healthSettlement ?? [:]
        guard areTwo, let sessions else { return ofUsers }
        return ofUsers.merging(sessions.healthSettlement) { first, second in
            first.doubt == nil ? second : first
        }
    }
}

/// The days of which a crash-free rate of users or of sessions is known, and what an app is judged by as of each.
struct RatedDays {
    private let users: Set<CivilDate>
    private let all: Set<CivilDate>

    init(_ health: [CivilDate: HealthDay]) {
        users = Set(health.lazy.filter { $0.value.crashedUserShare != nil }.map(\.key))
        all = Set(health.lazy.filter(\.value.hasRate).map(\.key))
    }

    /// What the rate is counted in as of a day, or of the last one: users where the days of the last four weeks with a rate
    /// have them at least as often as not, the last time no more than a week before the newest; nil before any rate.
    func basis(through day: CivilDate? = nil) -> Basis? {
        let newest =
            day.map { day in all.contains(day) ? day : all.lazy.filter { $0 < day }.max() } ?? all.max()
        guard let newest else { return nil }
        return newest.hasLately(users.contains, among: all.contains) ? .users : .sessions
    }

    /// The last day as of which the rate was counted in something else; nil when there is none.
    func lastDay(notBy basis: Basis) -> CivilDate? {
        guard let first = all.min(), let last = all.max() else { return nil }
        let count = min(first.days(to: last), HistoryIndex.longestSpan)
        return (0...count).lazy.map { last.advanced(by: -$0) }.first { day in
            all.contains(day) && self.basis(through: day) == basis.other
        }
    }
}

extension CivilDate {
    /// Whether the four weeks that end with the day have something at least as often as not where they have anything of its
    /// kind, the last time no more than a week before: an app is not judged by what it had long ago.
    func hasLately(_ isKnown: (CivilDate) -> Bool, among isAnyKnown: (CivilDate) -> Bool) -> Bool {
        let days = (0..<HistoryIndex.latelySpan).map { advanced(by: -$0) }
        return days.prefix(HistoryIndex.longestLag + 1).contains(where: isKnown)
            && days.count(where: isKnown) * 2 >= days.count(where: isAnyKnown)
    }
}

extension SourceHistory {
    /// Whether it ever had both counts of a rate.
    func hasRate(of basis: Basis) -> Bool { health.reversed().contains(where: basis.isRated) }
}
