import AppHealth

/// What mutes and levels read of an event.
struct EventTraits {
    /// The source's id of the issue that it is about.
    var issue: String?
    /// The label of the version that it is about.
    var version: String?
    /// The source that it comes from.
    var source: Source?
    /// How grave it is.
    var figures = AlertLevel()
    /// The day of the alert that it closes: what becomes of that alert becomes of it.
    var closes: CivilDate?
}

extension Event {
    /// What mutes and levels read of it.
    func traits(in evidence: HistoryIndex) -> EventTraits {
        let issues = evidence.issues?.source
        switch self {
        case .stability(let alert):
            return EventTraits(
                source: evidence.stability?.source, figures: AlertLevel(points: alert.drop * 100))
        case .crashes(let alert):
            return EventTraits(
                source: evidence.crashSource?.source, figures: AlertLevel(share: alert.change * 100))
        case .velocity(let alert):
            let figures = AlertLevel(users: alert.users, share: alert.share.map { $0.value * 100 })
            return EventTraits(
                issue: alert.issue.id, version: alert.version, source: issues, figures: figures)
        case .topIssues: return EventTraits(source: issues)
        case .newIssue(let new):
            return EventTraits(
                issue: new.issue.id, version: new.issue.firstVersion?.label, source: issues,
                figures: evidence.figures(of: new.issue.id, on: occasion.day))
        case .newNote(let new): return EventTraits(issue: new.issue?.id)
        case .regressed(let regressed):
            return EventTraits(
                issue: regressed.issue.id, version: regressed.seenIn.label, source: issues,
                figures: evidence.figures(of: regressed.issue.id, on: occasion.day))
        case .usage(let anomaly):
            return EventTraits(
                source: UsageSeries(evidence)?.source.source,
                figures: AlertLevel(share: abs(anomaly.change) * 100))
        case .releaseVerdict(let reached):
            return EventTraits(
                version: reached.evaluation.label, source: evidence.rates.releases?.source)
        case .withdrawn(let alert):
            let isRecovery = alert.entry.rule == RecoveryRule.id
            return EventTraits(closes: isRecovery ? alert.entry.firstDay : nil)
        case .raised(let alert): return traits(of: alert, in: evidence)
        case .recovery(let recovery):
            let source = recovery.isCounted ? evidence.crashSource : evidence.stability
            return EventTraits(source: source?.source, closes: recovery.alertDay)
        case .sourceTrouble(let trouble):
            return EventTraits(source: evidence.sources.first { $0.source.id == trouble.source }?.source)
        }
    }
}

extension Event {
    /// The same of an alert as it was raised: of its figures only the size is kept.
    private func traits(of alert: RaisedAlert, in evidence: HistoryIndex) -> EventTraits {
        let size = alert.entry.reportedSize.map { $0 * 100 }
        let isFall = alert.entry.rule == StabilityRule.id
        let version = alert.issue.flatMap { issue in
            alert.entry.subject == issue.id ? nil : String(alert.entry.subject.dropFirst(issue.id.count + 1))
        }
        return EventTraits(
            issue: alert.issue?.id, version: version,
            source: evidence.source(ofRule: alert.entry.rule)?.source,
            figures: isFall ? AlertLevel(points: size) : AlertLevel(share: size),
            closes: alert.kind == .recovery ? alert.entry.firstDay : nil)
    }
}

extension HistoryIndex {
    /// How grave an issue was on a day, all versions together.
    fileprivate func figures(of issue: String, on day: CivilDate) -> AlertLevel {
        guard let counted = issueDays[issue]?.last(where: { $0.date == day }) else { return AlertLevel() }
        return figures(of: counted)
    }

    /// How grave a day of an issue was.
    func figures(of day: IssueDay) -> AlertLevel {
        AlertLevel(users: day.users, share: sessionShare(of: day).map { $0.value * 100 })
    }

    /// The events of a day of an issue of the sessions of the same version; at most all of them, as one session
    /// may hold several events. Nil when either is not known.
    func sessionShare(of day: IssueDay) -> Fraction? {
        let health =
            day.version.map { releaseHealth[.init(date: day.date, version: $0)] } ?? self.health[day.date]
        guard let sessions = health?.sessions, let events = day.events else { return nil }
        return Fraction(min(events, sessions), of: sessions)
    }
}
