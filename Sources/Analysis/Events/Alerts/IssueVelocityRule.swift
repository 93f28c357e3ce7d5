import AppHealth
package import Statistics

/// Finds issues that spread fast: once for each issue and version.
///
/// An issue with a past is held against it (`IssueVelocityDetector`, by hours on days of which the source has all, else by
/// days). An issue without one meets the thresholds that Firebase documents for its velocity alert (1% of sessions, 25
/// users, 250 sessions), taken over a day as the archive keeps days. Where no sessions are known, its events of a day are
/// held against those of its past, and the alert says so.
package struct IssueVelocityRule: Rule {
    package static let id = "velocity"
    package static let kind = EventKind.velocity
    package static let needs = RuleNeed.issues
    /// The least share of the version's sessions that reports a new issue, in per cent.
    package var percent: Double
    /// The least number of users of a new issue on the day.
    package var minimumUsers: Int
    /// The least number of sessions of the version on the day, for a new issue.
    package var minimumSessions: Int
    /// For how many days from its first occurrence on an issue has too little of a past.
    package var newDays: Int
    /// Finds issues that outrun their own past, by days.
    package var daily: IssueVelocityDetector
    /// Finds issues that outrun their own past, by hours.
    package var hourly: IssueVelocityDetector
    /// Finds issues that outrun their own past, by days, where no sessions are known.
    package var counted: IssueVelocityDetector
    /// After how many quiet days an issue may be reported again where versions are not distinguished.
    package var againAfter: Int

    /// The standard thresholds, or others.
    package init(
        percent: Double = 1, minimumUsers: Int = 25, minimumSessions: Int = 250, newDays: Int = 14,
        daily: IssueVelocityDetector = IssueVelocityDetector(pace: .daily),
        hourly: IssueVelocityDetector = IssueVelocityDetector(),
        counted: IssueVelocityDetector = IssueVelocityDetector(pace: .dailyCounts),
        againAfter: Int = 28
    ) {
        self.percent = percent
        self.minimumUsers = minimumUsers
        self.minimumSessions = minimumSessions
        self.newDays = newDays
        self.daily = daily
        self.hourly = hourly
        self.counted = counted
        self.againAfter = againAfter
    }

    package func events(in index: HistoryIndex) -> [Event] {
        let hours = decidingHours(in: index)
        let begin = hours.map(firstDay(judgedBy:))
        let past = hours.map { pastAlerts($0, index) } ?? dailyAlerts(in: index)
        let new = newIssueAlerts(in: index).filter { alert in
            // Where a past knows no versions, the issue was reported as a whole.
            !past.contains { earlier in
                earlier.issue.id == alert.issue.id && earlier.version == nil
                    && (alert.version != nil || earlier.isByHours)
                    && !earlier.isByDays(before: begin)
                    && abs(earlier.occasion.day.days(to: alert.occasion.day)) < newDays
            }
        }
        return once(past + new, hoursFrom: begin, index).map(Event.velocity)
    }

    /// From the first day on that has enough of a past.
    package func judged(in index: HistoryIndex) -> JudgedAlerts {
        guard let hours = decidingHours(in: index) else {
            let first = index.firstDayWithIssueCounts
            return JudgedAlerts(from: first?.advanced(by: daily.pace.firstReport), in: index)
        }
        return JudgedAlerts(
            from: max(firstDay(judgedBy: hours), firstDayOfNewHours(hours, index)), in: index)
    }

    /// Whether an alert is one of a day whose hours were judged before: by a longer past, where it is one by hours, or by
    /// hours that went since, where it is one by days.
    func isJudgedAgain(
        _ alert: IssueVelocityAlert, _ judged: JudgedAlerts, in index: HistoryIndex
    ) -> Bool {
        guard case .ownPast = alert.grounds, !judged.covers(alert.occasion.day) else { return false }
        guard !alert.isByHours else { return true }
        return decidingHours(in: index).map { alert.occasion.day <= $0.lastDay } ?? false
    }

    /// Whether an issue without versions was reported not long enough ago to be reported again.
    func isRepeated(
        _ alert: IssueVelocityAlert, after entry: LedgerEntry, in index: HistoryIndex
    ) -> Bool {
        alert.version == nil && entry.firstDay < alert.occasion.day
            && index.issues.quietDays(of: alert.issue.id, between: entry.firstDay, and: alert.occasion.day)
                < againAfter
    }

    /// Whether what was raised of an issue in all its versions keeps one of them from being reported as new.
    func isNews(_ alert: IssueVelocityAlert, after entry: LedgerEntry) -> Bool {
        alert.grounds != .newIssue || alert.version == nil
            || abs(entry.firstDay.days(to: alert.occasion.day)) >= newDays
    }

    /// The first alert of each issue and version, in order of time; where two begin on one day, that of the plain
    /// thresholds, as it needs no explaining.
    ///
    /// - Parameter hoursFrom: The first day that hours judge. As hours go, this day moves: what days show of the time before
    ///   it takes nothing away that hours found.
    private func once(
        _ alerts: [IssueVelocityAlert], hoursFrom begin: CivilDate?, _ index: HistoryIndex
    ) -> [IssueVelocityAlert] {
        let ordered = alerts.sorted { first, second in
            let (left, right) = (first.occasion, second.occasion)
            if left.day != right.day { return left.day < right.day }
            if (first.grounds == .newIssue) != (second.grounds == .newIssue) {
                return first.grounds == .newIssue
            }
            return left.at != right.at ? left.at < right.at : left.id < right.id
        }
        var last: [Subject: (any: CivilDate, lasting: CivilDate?)] = [:]
        return ordered.filter { alert in
            let (subject, day) = (Subject(issue: alert.issue.id, version: alert.version), alert.occasion.day)
            let before = last[subject]
            last[subject] = (day, alert.isByDays(before: begin) ? before?.lasting : day)
            let isJudgedByHours = begin.map { day >= $0 } ?? false
            guard let earlier = isJudgedByHours ? before?.lasting : before?.any else { return true }
            return alert.version == nil
                && index.issues.quietDays(of: alert.issue.id, between: earlier, and: day) >= againAfter
        }
    }

    private struct Subject: Hashable {
        let issue: String
        let version: String?
    }

    /// The occasion of an alert: its id names the issue, the version and the first day.
    func occasion(
        _ issue: Issue, _ version: String?, on day: CivilDate, at: Instant, _ index: HistoryIndex
    ) -> EventIdentity {
        let subject = IssueSubject(issue.id, in: version).text
        return EventIdentity(rule: Self.id, subject: subject, app: index.app, day: day, at: at)
    }
}

extension IssueVelocityRule {
    /// Issues without a past that pass the plain thresholds.
    func newIssueAlerts(in index: HistoryIndex) -> [IssueVelocityAlert] {
        let samples = issueSampling(in: index)
        return index.issues.byID.all.flatMap { issue in
            let byRelease = index.issues.releaseDays[issue.id] ?? []
            let days = byRelease.isEmpty ? index.issues.days[issue.id] ?? [] : byRelease
            guard let first = firstDay(of: issue, in: index) else { return [IssueVelocityAlert]() }
            return days.compactMap { day in
                guard first.days(to: day.date) < newDays,
                    let share = share(of: day, samples[day.date], in: index)
                else {
                    return nil
                }
                let at = index.issues.source.end(of: day.date)
                return IssueVelocityAlert(
                    occasion: occasion(issue, day.version, on: day.date, at: at, index),
                    issue: issue.mention,
                    version: day.version, extent: .share(share), hours: 24, users: day.users,
                    grounds: .newIssue)
            }
        }
    }

    /// When an issue was first seen; nil where its source does not say and its absence before it is on record is not
    /// known, so that it may be old.
    private func firstDay(of issue: Issue, in index: HistoryIndex) -> CivilDate? {
        guard let known = firstKnownDay(of: issue, in: index) else { return nil }
        guard issue.firstSeen == nil else { return known }
        let before = index.days(before: known).suffix(max(0, newDays))
        return before.count >= newDays && index.issues.areWhole(before) ? known : nil
    }

    /// The first day on which an issue was there: by the source's word or in the archive, whichever is earlier.
    private func firstKnownDay(of issue: Issue, in index: HistoryIndex) -> CivilDate? {
        let days = (index.issues.days[issue.id] ?? []) + (index.issues.releaseDays[issue.id] ?? [])
        let onRecord = days.filter { ($0.events ?? 0) > 0 }.map(\.date).min()
        return [issue.firstSeen.map { index.issues.day(of: $0) }, onRecord].compactMap { $0 }.min()
    }

    /// By what the counts of issues of each day were multiplied, decided for all issues at once.
    private func issueSampling(in index: HistoryIndex) -> DailySampling {
        index.rates.sampling(of: index.issues, span: daily.pace.history + daily.pace.lag)
    }

    /// How many users of its issue a day had at most: where they are not known, each event may be of another one, but no more
    /// than those of all versions.
    private func mostUsers(of day: IssueDay, in index: HistoryIndex) -> Int {
        if let users = day.users { return users }
        let ofAll = index.issues.days[day.issue]?.rows(on: day.date).last?.users
        return min(day.events ?? 0, ofAll ?? .max)
    }

    /// - Parameter factor: By what the counts of the day were multiplied: as many users and sessions must be in the sample.
    private func share(of day: IssueDay, _ factor: Double, in index: HistoryIndex) -> Fraction? {
        guard let share = index.mostShare(of: day),
            Double(share.denominator) / factor >= Double(minimumSessions),
            Double(mostUsers(of: day, in: index)) / factor >= Double(minimumUsers),
            share.leastValue * 100 >= percent
        else { return nil }
        return share
    }
}

extension IssueVelocityRule {
    /// Issues that outrun their own past by days; each is laid at the door of the version that explains most.
    func dailyAlerts(in index: HistoryIndex) -> [IssueVelocityAlert] {
        let table = IssueDayCounts(index, least: 5).fromTheFirstCoveredDay
        guard table.knowsSessions else { return countedAlerts(in: index) }
        let ids = table.ids
        guard let series = table.series(of: ids, deviation: index.rates.largestDeviation ?? 0) else {
            return []
        }
        let samples = issueSampling(in: index)
        return daily.findings(in: series, sampling: table.days.map { samples[$0] }).compactMap { finding in
            guard let issue = index.issues.byID[ids[finding.issue]] else { return nil }
            let days = (0..<finding.window).map { table.days[finding.hour].advanced(by: -$0) }
            // With so few users a new issue is no news, whatever its short past lets expect.
            let users = index.issues.days[issue.id]?.rows(on: days[0]).last?.users
            let seen = Double(users ?? finding.affected) / (finding.sampling ?? 1)
            if isNew(issue, on: days[0], index), seen < Double(minimumUsers) { return nil }
            return alert(
                issue, finding, of: table.countsUsers(of: issue.id) ? .users : .events, days, index)
        }
    }

    /// Issues whose events outrun their own past on days on which they were counted as a whole, of an app whose sessions are
    /// not known.
    ///
    /// An issue that is new has no past: it needs as many users as with sessions, or as many events where users are not
    /// known.
    private func countedAlerts(in index: HistoryIndex) -> [IssueVelocityAlert] {
        let table = IssueDayCounts(index, least: 5, unit: .events).listedDaysOnly.fromTheFirstCoveredDay
        let ids = table.ids
        guard let series = table.series(of: ids) else { return [] }
        return counted.findings(in: series).compactMap { finding in
            guard let issue = index.issues.byID[ids[finding.issue]] else { return nil }
            let day = table.days[finding.hour]
            let users = index.issues.days[issue.id]?.rows(on: day).last?.users
            if isNew(issue, on: day, index), (users ?? finding.affected) < minimumUsers { return nil }
            return IssueVelocityAlert(
                occasion: occasion(
                    issue, nil, on: day, at: index.issues.source.end(of: day), index),
                issue: issue.mention,
                version: nil, extent: .events(finding.affected), hours: 24 * finding.window, users: users,
                grounds: .ownPast(finding, of: .events, falseReportsPerYear: counted.pace.falseReportsPerYear)
            )
        }
    }

    /// Whether an issue has too little of a past on a day; it may be older than what is on record, and never younger.
    private func isNew(_ issue: Issue, on day: CivilDate, _ index: HistoryIndex) -> Bool {
        firstKnownDay(of: issue, in: index).map { $0.days(to: day) < newDays } ?? true
    }

    private func alert(
        _ issue: Issue, _ finding: VelocityFinding, of counted: IssueVelocityAlert.Counted,
        _ days: [CivilDate], _ index: HistoryIndex
    ) -> IssueVelocityAlert? {
        let cause = cause(of: issue, finding, counted, days, index)
        let events = (index.issues.days[issue.id] ?? []).filter { days.contains($0.date) }
        let deviation = index.rates.largestDeviation
        let all = Fraction(
            min(
                events.reduce(0) { $0 &+ ($1.events ?? 0) }, finding.sessions,
                index.mostSessions(meeting: events) ?? finding.sessions), of: finding.sessions,
            deviation: deviation)
        let affected = Fraction(finding.affected, of: finding.sessions, deviation: deviation)
        guard let share = cause?.share ?? all ?? affected else { return nil }
        let users =
            cause.map(\.days) ?? events
        let at = index.issues.source.end(of: days[0])
        return IssueVelocityAlert(
            occasion: occasion(issue, cause?.version, on: days[0], at: at, index), issue: issue.mention,
            version: cause?.version, extent: .share(share), hours: 24 * days.count,
            users: users.last { $0.date == days[0] }?.users,
            grounds: .ownPast(finding, of: counted, falseReportsPerYear: daily.pace.falseReportsPerYear))
    }

    /// A version and what the issue did in it.
    private struct Cause {
        let version: String
        let share: Fraction
        let days: [IssueDay]
        let excess: Double
    }

    /// The version with the most users, or events, beyond those that the issue's past let one expect of its sessions: what
    /// the finding counted is held against what it expected.
    private func cause(
        of issue: Issue, _ finding: VelocityFinding, _ unit: IssueVelocityAlert.Counted, _ days: [CivilDate],
        _ index: HistoryIndex
    ) -> Cause? {
        let inDays = (index.issues.releaseDays[issue.id] ?? []).filter { days.contains($0.date) }
        let countsUsers = unit == .users && inDays.allSatisfy { $0.users != nil }
        let all = inDays.reduce(0) { $0 &+ ($1.events ?? 0) }
        // Where users of versions are not known, each has as many events for a user as all of them.
        let perUser =
            unit == .users && !countsUsers && finding.affected > 0
            ? max(1, Double(all) / Double(finding.affected)) : 1
        let causes = Dictionary(grouping: inDays) { $0.version ?? "" }.compactMap {
            version, counted -> Cause? in
            let sessions = days.reduce(0) {
                $0 &+ (index.releases.counts.health[.init(date: $1, version: version)]?.sessions ?? 0)
            }
            let events = counted.reduce(0) { $0 &+ ($1.events ?? 0) }
            guard events > 0,
                let share = Fraction(
                    min(events, sessions, index.mostSessions(meeting: counted) ?? sessions), of: sessions,
                    deviation: index.rates.largestDeviation)
            else { return nil }
            let met = countsUsers ? counted.reduce(0) { $0 &+ ($1.users ?? 0) } : events
            let excess = Double(met) / perUser - finding.expected * Double(sessions)
            return Cause(version: version, share: share, days: counted, excess: excess)
        }
        return causes.max { ($0.excess, $1.version) < ($1.excess, $0.version) }
    }
}

extension HistoryIndex {
    /// The first day with any count of an issue, or of which it is known that there was none, with sessions where any
    /// are known; nil when there is none.
    var firstDayWithIssueCounts: CivilDate? {
        let rows = [issues.days, issues.releaseDays].flatMap { $0.values.compactMap { $0.first?.date } }.min()
        let knowsSessions = rates.health.values.contains { ($0.sessions ?? 0) > 0 }
        return days.first { day in
            (rows.map { $0 <= day } == true || issues.coverage(on: day).isComplete)
                && (!knowsSessions || rates.health[day]?.sessions != nil)
        }
    }
}

extension IssueDayCounts {
    /// The counts of some issues; nil when they are impossible.
    fileprivate func series(of ids: [String], deviation: Double = 0) -> IssueSeries? {
        IssueSeries(
            sessions: sessions, rows: ids.map { IssueSeries.Row(counts(of: $0), sessions: sessions) },
            deviation: deviation)
    }
}
