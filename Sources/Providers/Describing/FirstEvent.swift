import AppHealth

extension Snapshot {
    /// Removes the days before the first one on which the source is known to have counted anything.
    ///
    /// Services say zero of days before an app was there, or say nothing of them, as of a day without a crash: a count that
    /// the service does not give is unknown. From the first event, session or user on, a day without any is a day with none.
    /// Where nothing was counted at all, the days since the last fetch are left.
    ///
    /// - Parameters:
    ///   - lastFetch: The day of the last fetch, for services that are believed their zeros where nothing was counted yet: what
    ///     they say of the days since is as good.
    ///   - stored: What is stored of the source; read only where days would be removed.
    mutating func removeDaysBeforeFirstEvent(
        lastFetch: CivilDate? = nil, stored: () -> KnownIssues
    ) {
        let first = firstEvent ?? capturedAt.date
        guard hasDays(before: first) else { return }
        let begin = [first, lastFetch, stored().firstEvent].compactMap(\.self).min() ?? first
        health.removeAll { $0.date < begin }
        issueDays.removeAll { $0.date < begin }
        coverage = coverage.compactMap { span in
            guard span.days.upperBound >= begin else { return nil }
            let days = max(span.days.lowerBound, begin)...span.days.upperBound
            return CoverageSpan(span.fact, days, span.coverage)
        }
    }

    /// The first day with an event, a session or a user, or on which an issue was first seen.
    private var firstEvent: CivilDate? {
        let counted = health.lazy.filter(\.isCounted).map(\.date).min()
        return [counted, Providers.firstEvent(of: issues, issueDays)].compactMap(\.self).min()
    }

    private func hasDays(before first: CivilDate) -> Bool {
        coverage.contains { $0.days.lowerBound < first } || health.contains { $0.date < first }
            || issueDays.contains { $0.date < first }
    }
}

extension KnownIssues {
    /// The first day on which an issue had an event, or was first seen.
    fileprivate var firstEvent: CivilDate? { Providers.firstEvent(of: issues, days) }
}

private func firstEvent(of issues: [Issue], _ days: [IssueDay]) -> CivilDate? {
    let counted = days.lazy.filter(\.isCounted).map(\.date).min()
    return [counted, issues.lazy.compactMap { $0.firstSeen?.date }.min()].compactMap(\.self).min()
}
