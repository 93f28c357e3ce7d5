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
    /// Takes the days up to one, that one included, from an earlier source in place of its own.
    mutating func take(_ fact: JoinedFact, from earlier: SourceHistory, through last: CivilDate) {
        captures.add(earlier.captures)
        switch fact {
        case .users:
            takeTotals(from: earlier, through: last) { $0.takeUsers(of: $1) }
            coverage.take([.users], from: earlier.coverage, through: last)
        case .sessions:
            takeTotals(from: earlier, through: last) { $0.takeSessions(of: $1) }
            coverage.take([.sessions, .crashes], from: earlier.coverage, through: last)
        case .releaseHealth:
            let parts = earlier.health.filter { $0.version != nil && $0.date <= last }
            health = (health.filter { $0.version == nil || $0.date > last } + parts).inOrder
            coverage.take([.releaseHealth], from: earlier.coverage, through: last)
        case .releases: takeReleases(of: earlier)
        case .issues: takeIssues(of: earlier)
        case .issueDays:
            let days = earlier.issueDays.filter { $0.date <= last }
            issueDays = (issueDays.filter { $0.date > last } + days).inOrder
            deviceDays = earlier.deviceDays.filter { $0.date <= last } + deviceDays.filter { $0.date > last }
            takeTotals(from: earlier, through: last) { $0.crashes = $1?.crashes }
            coverage.take(
                [.issueDays, .issueUsers, .issueReleases, .crashes], from: earlier.coverage, through: last)
        case .activeUsers:
            takeUse(from: earlier, through: last) { $0.takeUsers(of: $1) }
            coverage.take([.usage], from: earlier.coverage, through: last)
        case .newUsers: takeUse(from: earlier, through: last) { $0.newUsers = $1?.newUsers }
        case .usedSessions: takeUse(from: earlier, through: last) { $0.sessions = $1?.sessions }
        }
    }

    private mutating func takeTotals(
        from earlier: SourceHistory, through last: CivilDate,
        _ take: (inout HealthDay, HealthDay?) -> Void
    ) {
        let theirs = Dictionary(
            earlier.health.lazy.filter { $0.version == nil && $0.date <= last }.map { ($0.date, $0) },
            uniquingKeysWith: { $1 })
        let own = Dictionary(
            health.lazy.filter { $0.version == nil && $0.date <= last }.map { ($0.date, $0) },
            uniquingKeysWith: { $1 })
        func merged(_ own: [CivilDate: HealthDay], _ theirs: [CivilDate: HealthDay]) -> [HealthDay] {
            Set(own.keys).union(theirs.keys).compactMap { date in
                var day = own[date] ?? HealthDay(date: date)
                take(&day, theirs[date])
                return day.hasCounts ? day : nil
            }
        }
        health = (health.filter { $0.version != nil || $0.date > last } + merged(own, theirs)).inOrder
        let reported = merged(
            healthAsReported.filter { $0.key <= last }, earlier.healthAsReported.filter { $0.key <= last })
        healthAsReported = healthAsReported.filter { $0.key > last }
        for day in reported { healthAsReported[day.date] = day }
        for (date, finality) in earlier.healthSettlement where date <= last {
            healthSettlement[date] = finality
        }
    }

    private mutating func takeUse(
        from earlier: SourceHistory, through last: CivilDate, _ take: (inout UsageDay, UsageDay?) -> Void
    ) {
        let theirs = Dictionary(
            earlier.usage.lazy.filter { $0.date <= last }.map { ($0.date, $0) }, uniquingKeysWith: { $1 })
        var days = Dictionary(usage.map { ($0.date, $0) }, uniquingKeysWith: { $1 })
        for date in Set(days.keys).union(theirs.keys) where date <= last {
            var day = days[date] ?? UsageDay(date: date)
            take(&day, theirs[date])
            days[date] = day.hasCounts ? day : nil
        }
        usage = days.values.sorted { $0.date < $1.date }
        for (date, finality) in earlier.usageSettlement where date <= last {
            usageSettlement[date] = finality
        }
    }

    private mutating func takeReleases(of earlier: SourceHistory) {
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
