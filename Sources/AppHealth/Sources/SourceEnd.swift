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
    /// that failed after that day, and days that may still change.
    ///
    /// - Parameter last: its last day.
    func ended(on last: CivilDate, asOf instant: Instant) -> SourceHistory {
        var history = through(last)
        let end = end(of: last)
        if case .failed? = lastAttempt?.outcome {
            history.lastAttempt = capturedAt.map { FetchAttempt(at: $0, outcome: .succeeded(warnings: [])) }
        }
        history.outages = outages.filter { $0.first < end }.map { outage in
            guard outage.end == nil else { return outage }
            return Outage(first: outage.first, resumed: outage.resumed, end: end, why: outage.why)
        }
        if !source.isAsked(at: instant) {
            history.healthSettlement = history.healthSettlement.mapValues { _ in .settled }
            history.usageSettlement = history.usageSettlement.mapValues { _ in .settled }
        }
        return history
    }

    /// Without what it has of later days.
    func through(_ last: CivilDate) -> SourceHistory {
        var history = self
        let end = end(of: last)
        history.health.removeAll { $0.date > last }
        history.healthAsReported = healthAsReported.filter { $0.key <= last }
        history.healthSettlement = healthSettlement.filter { $0.key <= last }
        history.usageSettlement = usageSettlement.filter { $0.key <= last }
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
