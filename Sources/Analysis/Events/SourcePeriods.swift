import AppHealth

/// A time in which all that a rule goes by is from the same sources. No rule compares days of two periods: what changes
/// between them is how services count, not the app.
struct SourcePeriod: Sendable {
    /// Its first day; nil for the first period.
    let first: CivilDate?
    /// Its last day; nil for the present.
    let last: CivilDate?
    /// What its sources have, of the days before as well where they had any.
    let index: HistoryIndex

    /// Whether a day is one of it.
    func contains(_ day: CivilDate) -> Bool {
        first.map { day >= $0 } ?? true && last.map { day <= $0 } ?? true
    }

    /// For how many days every issue of a source that replaced another one is new to it.
    static let unfamiliarDays = 7

    /// Whether an event says more than that the source of the issues is a new one, which sees each for the first time.
    fileprivate func supports(_ event: Event) -> Bool {
        guard contains(event.occasion.day) else { return false }
        guard first != nil, let start = index.firstDayWithIssueCounts ?? index.days.first,
            event.occasion.day < start.advanced(by: Self.unfamiliarDays)
        else { return true }
        switch event {
        case .newIssue: return false
        case .velocity(let alert): return alert.grounds != .newIssue
        default: return true
        }
    }
}

extension HistoryIndex {
    /// The periods that a rule finds events in, the present last.
    func periods(ofRule rule: String) -> [SourcePeriod] {
        var periods: [SourcePeriod] = []
        for (place, era) in eras.enumerated() {
            var first = place > 0 ? eras[place - 1].last?.advanced(by: 1) : nil
            let sources = era.index.sources(ofRule: rule)
            if let before = periods.last, before.index.sources(ofRule: rule) == sources {
                first = before.first
                periods.removeLast()
            }
            periods.append(SourcePeriod(first: first, last: era.last, index: era.index))
        }
        let isOne = periods.count < 2 || sources(ofRule: rule).isEmpty
        return isOne ? [SourcePeriod(first: nil, last: nil, index: self)] : periods
    }

    /// What a rule goes by on a day.
    func index(ofRule rule: String, on day: CivilDate) -> HistoryIndex {
        periods(ofRule: rule).first { $0.contains(day) }?.index ?? self
    }

    /// What a rule finds, in any order.
    func events(of rule: any Rule) -> [Event] {
        let periods = periods(ofRule: type(of: rule).id)
        guard periods.count > 1 else { return rule.events(in: self) }
        return periods.flatMap { period in rule.events(in: period.index).filter(period.supports) }
    }

    /// The sources of what a rule goes by; none of a rule that compares no days.
    private func sources(ofRule rule: String) -> [Slug] {
        let known: [SourceHistory?]
        switch rule {
        case StabilityRule.id: known = [rates.sources.users, rates.sources.sessions]
        case RecoveryRule.id, CrashCountRule.id:
            known = [rates.sources.users, rates.sources.sessions, crashes.judgedSource]
        case IssueVelocityRule.id, RegressedIssueRule.id, NewIssueRule.id, TopIssuesRule.id:
            known = [issues.source, rates.sources.users, rates.sources.sessions, rates.sources.releases]
        case UsageAnomalyRule.id:
            known = [sources.ofActiveUsers, rates.sources.users, rates.sources.sessions]
        default: known = []
        }
        return known.compactMap { $0?.source.id }
    }
}
