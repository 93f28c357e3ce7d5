/// What may be known from one source up to a day, and from another one later.
enum JoinedFact: CaseIterable {
    case users, sessions, releaseHealth, releases, issues, issueDays, activeUsers, newUsers, usedSessions

    /// What a source must be able to know.
    var capability: Capability {
        switch self {
        case .users: .users
        case .sessions: .sessions
        case .releaseHealth: .releaseHealth
        case .releases: .releases
        case .issues: .issues
        case .issueDays: .issueDays
        case .activeUsers, .newUsers, .usedSessions: .usage
        }
    }

    /// Whether each day has its own; releases and issues are known from both.
    var isOfDays: Bool { self != .releases && self != .issues }

    /// All of them, those of days first: lists of releases and issues follow these.
    static let inOrder = allCases.filter(\.isOfDays) + allCases.filter { !$0.isOfDays }

    /// The kind of days that a list is about.
    var daysOfList: JoinedFact? {
        switch self {
        case .releases: .releaseHealth
        case .issues: .issueDays
        default: nil
        }
    }

    /// Whether a source that was ever fetched provides it. Of use, each number is from the first source that has it.
    func isProvided(by history: SourceHistory) -> Bool {
        guard history.capturedAt != nil, history.source.capabilities.contains(capability) else {
            return false
        }
        switch self {
        case .activeUsers: return history.usage.contains { $0.activeUsers != nil }
        case .newUsers: return history.usage.contains { $0.newUsers != nil }
        case .usedSessions: return history.usage.contains { $0.sessions != nil }
        default: return true
        }
    }
}

extension SourceHistory {
    /// The days with a fact; none where the fact is not one of days.
    func days(with fact: JoinedFact) -> Set<CivilDate> {
        func totals(_ get: (HealthDay) -> Int?) -> Set<CivilDate> {
            Set(health.filter { $0.version == nil && get($0) != nil }.map(\.date))
        }
        func use(_ get: (UsageDay) -> Int?) -> Set<CivilDate> {
            Set(usage.filter { get($0) != nil }.map(\.date))
        }
        return switch fact {
        case .users: totals(\.users)
        case .sessions: totals(\.sessions)
        case .releaseHealth: Set(health.lazy.filter { $0.version != nil && $0.hasTotal }.map(\.date))
        case .issueDays: Set(issueDays.lazy.map(\.date)).union(coverage.days(of: .issueDays))
        case .activeUsers: use(\.activeUsers)
        case .newUsers: use(\.newUsers)
        case .usedSessions: use(\.sessions)
        case .releases, .issues: []
        }
    }

    /// Takes some days from another source in place of its own; releases and issues are added to its own.
    mutating func take(_ fact: JoinedFact, from other: SourceHistory, on days: ClosedRange<CivilDate>) {
        captures.add(other.captures)
        if [.releaseHealth, .issueDays].contains(fact), other.source.countsPartsApart {
            source.countsPartsApart = true
        }
        switch fact {
        case .users:
            takeTotals(from: other, on: days) { $0.takeUsers(of: $1) }
            coverage.take([.users], from: other.coverage, on: days)
            takeOutlooks(.users, from: other, on: days)
        case .sessions:
            takeTotals(from: other, on: days) { $0.takeSessions(of: $1) }
            coverage.take([.sessions, .crashes], from: other.coverage, on: days)
            takeOutlooks(.sessions, from: other, on: days)
        case .releaseHealth:
            takeReleaseHealth(from: other, on: days)
            coverage.take([.releaseHealth], from: other.coverage, on: days)
        case .releases: takeReleases(of: other)
        case .issues: takeIssues(of: other)
        case .issueDays:
            let rows = other.issueDays.filter { days.contains($0.date) }
            issueDays = (issueDays.filter { !days.contains($0.date) } + rows).inOrder
            deviceDays =
                deviceDays.filter { $0.date < days.lowerBound }
                + other.deviceDays.filter { days.contains($0.date) }
                + deviceDays.filter { $0.date > days.upperBound }
            takeTotals(from: other, on: days) { $0.crashes = $1?.crashes }
            coverage.take(
                [.issueDays, .issueUsers, .issueReleases, .crashes], from: other.coverage, on: days)
        case .activeUsers:
            takeUse(from: other, on: days) { $0.takeUsers(of: $1) }
            coverage.take([.usage], from: other.coverage, on: days)
            takeOutlooks(.usage, from: other, on: days)
        case .newUsers: takeUse(from: other, on: days) { $0.newUsers = $1?.newUsers }
        case .usedSessions: takeUse(from: other, on: days) { $0.sessions = $1?.sessions }
        }
    }

    /// Takes the releases of days; how many crashed alone is no rate, and replaces none.
    private mutating func takeReleaseHealth(from other: SourceHistory, on days: ClosedRange<CivilDate>) {
        let parts = other.health.filter { $0.version != nil && days.contains($0.date) }
        let unrated = Set(parts.map(\.date)).subtracting(other.days(with: .releaseHealth))
        let kept = unrated.intersection(self.days(with: .releaseHealth))
        func isKept(_ day: HealthDay) -> Bool { !days.contains(day.date) || kept.contains(day.date) }
        health =
            (health.filter { $0.version == nil || isKept($0) } + parts.filter { !kept.contains($0.date) })
            .inOrder
    }

    private mutating func takeTotals(
        from other: SourceHistory, on days: ClosedRange<CivilDate>,
        _ take: (inout HealthDay, HealthDay?) -> Void
    ) {
        func isTaken(_ day: HealthDay) -> Bool { day.version == nil && days.contains(day.date) }
        func merged(_ own: [CivilDate: HealthDay], _ theirs: [CivilDate: HealthDay]) -> [HealthDay] {
            Set(own.keys).union(theirs.keys).compactMap { date in
                var day = own[date] ?? HealthDay(date: date)
                take(&day, theirs[date])
                return day.hasCounts ? day : nil
            }
        }
        func byDate(_ health: [HealthDay]) -> [CivilDate: HealthDay] {
            Dictionary(health.lazy.filter(isTaken).map { ($0.date, $0) }, uniquingKeysWith: { $1 })
        }
        health = (health.filter { !isTaken($0) } + merged(byDate(health), byDate(other.health))).inOrder
        let reported = merged(
            healthAsReported.filter { days.contains($0.key) },
            other.healthAsReported.filter { days.contains($0.key) })
        healthAsReported = healthAsReported.filter { !days.contains($0.key) }
        for day in reported { healthAsReported[day.date] = day }
        for (date, finality) in other.healthSettlement where days.contains(date) {
            healthSettlement[date] = finality
        }
    }

    private mutating func takeOutlooks(
        _ fact: CoveredFact, from other: SourceHistory, on days: ClosedRange<CivilDate>
    ) {
        let own = (leastOutlooks[fact] ?? [:]).filter { !days.contains($0.key) }
        let theirs = (other.leastOutlooks[fact] ?? [:]).filter { days.contains($0.key) }
        leastOutlooks[fact] = own.merging(theirs) { $1 }
        let late = (lateCounts[fact] ?? [:]).filter { !days.contains($0.key) }
        let theirLate = (other.lateCounts[fact] ?? [:]).filter { days.contains($0.key) }
        lateCounts[fact] = late.merging(theirLate) { $1 }
    }

    private mutating func takeUse(
        from other: SourceHistory, on taken: ClosedRange<CivilDate>,
        _ take: (inout UsageDay, UsageDay?) -> Void
    ) {
        let theirs = Dictionary(
            other.usage.lazy.filter { taken.contains($0.date) }.map { ($0.date, $0) },
            uniquingKeysWith: { $1 })
        var days = Dictionary(usage.map { ($0.date, $0) }, uniquingKeysWith: { $1 })
        for date in Set(days.keys).union(theirs.keys) where taken.contains(date) {
            var day = days[date] ?? UsageDay(date: date)
            take(&day, theirs[date])
            days[date] = day.hasCounts ? day : nil
        }
        usage = days.values.sorted { $0.date < $1.date }
        for (date, finality) in other.usageSettlement where taken.contains(date) {
            usageSettlement[date] = finality
        }
    }

    /// Removes one number of use from all days; other facts have no number that another one shares a capability with.
    mutating func removeUse(_ fact: JoinedFact) {
        for place in usage.indices {
            switch fact {
            case .activeUsers: usage[place].takeUsers(of: nil)
            case .newUsers: usage[place].newUsers = nil
            case .usedSessions: usage[place].sessions = nil
            case .users, .sessions, .releaseHealth, .releases, .issues, .issueDays: break
            }
        }
        usage.removeAll { !$0.hasCounts }
    }

    private mutating func takeReleases(of earlier: SourceHistory) {
        source.statesReleaseDays = source.statesReleaseDays && earlier.source.statesReleaseDays
        var places = Dictionary(
            releases.enumerated().map { ($1.version.label, $0) }, uniquingKeysWith: { first, _ in first })
        for release in earlier.releases {
            guard let place = places[release.version.label] else {
                places[release.version.label] = releases.count
                releases.append(release)
                continue
            }
            // A service that came later has it from the day on which it came.
            guard let known = release.releasedAt, releases[place].releasedAt.map({ known < $0 }) ?? true
            else {
                continue
            }
            (releases[place].releasedAt, releases[place].releasedOn) = (known, release.releasedOn)
            // What it counted of its life is not all of it.
            releases[place].lifetime = nil
        }
        releases.sort { $0.version > $1.version }
    }

    private mutating func takeIssues(of earlier: SourceHistory) {
        if source.issueTotals != earlier.source.issueTotals { source.issueTotals = .unstated }
        source.countsSteadyShare = source.countsSteadyShare && earlier.source.countsSteadyShare
        var known = Dictionary(
            issues.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for issue in earlier.issues {
            guard let place = known[issue.id] else {
                known[issue.id] = issues.count
                issues.append(issue)
                continue
            }
            guard let first = issue.firstSeen, issues[place].firstSeen.map({ first < $0 }) ?? true else {
                continue
            }
            (issues[place].firstSeen, issues[place].firstSeenOn) = (first, issue.firstSeenOn)
            issues[place].firstVersion = issue.firstVersion ?? issues[place].firstVersion
        }
        issues.sort { $0.id < $1.id }
        issueStates.merge(earlier.issueStates) { own, theirs in
            let first = own.first?.capturedAt
            return theirs.filter { state in first.map { state.capturedAt < $0 } ?? true } + own
        }
        issueVersions.merge(earlier.issueVersions) { own, theirs in
            let first = own.first?.capturedAt
            return theirs.filter { version in first.map { version.capturedAt < $0 } ?? true } + own
        }
    }
}

extension HealthDay {
    fileprivate mutating func takeUsers(of other: HealthDay?) {
        (users, crashedUsers) = (other?.users, other?.crashedUsers)
        (userDeviation, namedShare) = (other?.userDeviation, other?.namedShare)
    }

    fileprivate mutating func takeSessions(of other: HealthDay?) {
        (sessions, crashedSessions) = (other?.sessions, other?.crashedSessions)
        (sessionDeviation, crashes) = (other?.sessionDeviation, other?.crashes)
    }

    /// Whether it is known how many sessions or users there were, crashed or not.
    fileprivate var hasTotal: Bool { sessions != nil || users != nil }

    fileprivate var hasCounts: Bool {
        [sessions, crashedSessions, users, crashedUsers, crashes].contains { $0 != nil }
    }
}

extension UsageDay {
    fileprivate mutating func takeUsers(of other: UsageDay?) {
        activeUsers = other?.activeUsers
        (weeklyActiveUsers, monthlyActiveUsers) = (other?.weeklyActiveUsers, other?.monthlyActiveUsers)
    }

    fileprivate var hasCounts: Bool {
        [activeUsers, weeklyActiveUsers, monthlyActiveUsers, newUsers, sessions].contains { $0 != nil }
    }
}

extension [HealthDay] {
    /// By day, then by release, all together first.
    fileprivate var inOrder: [HealthDay] {
        sorted { $0.date != $1.date ? $0.date < $1.date : ($0.version ?? "") < ($1.version ?? "") }
    }
}

extension [IssueDay] {
    /// By issue, day and release.
    fileprivate var inOrder: [IssueDay] {
        sorted { first, second in
            if first.issue != second.issue { return first.issue < second.issue }
            if first.date != second.date { return first.date < second.date }
            return (first.version ?? "") < (second.version ?? "")
        }
    }
}
