extension Source {
    /// Whether its last day was over at an instant, in UTC: it brings nothing newer.
    package func isEnded(at instant: Instant) -> Bool { until.map { $0 < instant.date } ?? false }

    /// Whether it is still asked at an instant. On the two days after its last one it is: only then that one is whole, west
    /// of Greenwich for some hours later than in UTC.
    package func isAsked(at instant: Instant) -> Bool {
        until.map { instant.date <= $0.advanced(by: 2) } ?? true
    }
}

extension SourceHistory {
    /// Without what it has of later days than its last one, and without what only a source that goes on has: attempts
    /// that failed after that day, and days that may still change. It ends with the last day that it has, however late the
    /// configuration says, once no more of them is awaited.
    func ended(asOf instant: Instant) -> SourceHistory {
        guard let last = source.until else { return self }
        var history = through(last)
        let end = end(of: last)
        if case .failed? = lastAttempt?.outcome {
            history.lastAttempt = capturedAt.map { FetchAttempt(at: $0, outcome: .succeeded(warnings: [])) }
        }
        history.outages = outages.filter { $0.first < end }.map { outage in
            guard outage.end == nil else { return outage }
            return Outage(first: outage.first, resumed: outage.resumed, end: end, why: outage.why)
        }
        history.idleTimes = idleTimes.filter { $0.first < end }.map { time in
            guard time.end == nil else { return time }
            return IdleTime(first: time.first, end: end, since: time.since, figure: time.figure)
        }
        if !source.isAsked(at: instant) {
            history.healthSettlement = history.healthSettlement.mapValues { _ in .settled }
            history.usageSettlement = history.usageSettlement.mapValues { _ in .settled }
            (history.leastOutlooks, history.lateCounts) = ([:], [:])
        }
        return history.isAwaited(at: instant) ? history : history.endingWithItsDays
    }

    /// Ending with the last day that it has, where that is before the one that the configuration says.
    var endingWithItsDays: SourceHistory {
        guard let last = source.until, let newest = newestDay else { return self }
        var history = self
        history.source.until = min(last, newest)
        return history
    }

    /// Whether days up to its last one may still come: it is asked, and none of them is later than usual.
    func isAwaited(at instant: Instant) -> Bool {
        source.isAsked(at: instant) && awaitedUntil.map { instant < $0 } ?? true
    }

    /// When the day after its newest one is later than usual, of a source that has a last day; nil where it has no day.
    package var awaitedUntil: Instant? {
        guard source.until != nil, let newest = newestDay else { return nil }
        return end(of: newest).advanced(bySeconds: arrivals().awaitedHours * 3600)
    }

    /// Whether another source, which goes on, has newer days of something that it provides.
    func isFollowed(by other: SourceHistory, at instant: Instant) -> Bool {
        guard other.source.id != source.id, !other.source.isEnded(at: instant), let newest = newestDay else {
            return false
        }
        return JoinedFact.allCases.contains { fact in
            fact.isProvided(by: self) && fact.isProvided(by: other)
                && other.days(with: fact).max().map { $0 > newest } ?? false
        }
    }

    /// The newest day up to its last one of which it has any fact that each day has its own of; nil where it has none.
    private var newestDay: CivilDate? {
        let facts = JoinedFact.allCases.lazy.filter { $0.isProvided(by: self) }
        return facts.compactMap { fact in
            days(with: fact).lazy.filter { day in source.until.map { day <= $0 } ?? true }.max()
        }.max()
    }

    /// Without what it has of later days.
    func through(_ last: CivilDate) -> SourceHistory {
        var history = self
        let end = end(of: last)
        history.health.removeAll { $0.date > last }
        history.healthAsReported = healthAsReported.filter { $0.key <= last }
        history.healthSettlement = healthSettlement.filter { $0.key <= last }
        history.usageSettlement = usageSettlement.filter { $0.key <= last }
        history.leastOutlooks = leastOutlooks.mapValues { $0.filter { $0.key <= last } }
        history.lateCounts = lateCounts.mapValues { $0.filter { $0.key <= last } }
        history.usage.removeAll { $0.date > last }
        history.issueDays.removeAll { $0.date > last }
        history.deviceDays.removeAll { $0.date > last }
        history.healthHours.removeAll { $0.hour.start >= end }
        history.issueHours.removeAll { $0.hour.start >= end }
        history.hoursOfIssues = hoursOfIssues.filter { $0.start < end }
        history.notes.removeAll { $0.at >= end }
        history.releases.removeAll { release in release.releaseDay.map { $0 > last } ?? false }
        history.issues.removeAll { issue in issue.firstSeenDay.map { $0 > last } ?? false }
        history.coverage = coverage.through(last)
        return history
    }
}
