import AppHealth

/// What mutes and levels read of an event.
struct EventTraits {
    /// The source's id of the issue that it is about.
    var issue: String?
    /// The label of the version that it is about.
    var version: String?
    /// The build of that version; empty where it is not known.
    var build = ""
    /// The source that it comes from.
    var source: Source?
    /// How grave it is; the users of an issue are those of all versions together.
    var figures = AlertLevel()
    /// The users of the version alone that it is about; nil where it is about none, or where they are not known.
    var versionUsers: Int?
    /// The day of the alert that it closes, or of the last of those that followed each other: what becomes of them becomes
    /// of it.
    var closes: CivilDate?
    /// The kind of what was withdrawn; nil when nothing was. What becomes of that kind becomes of it.
    var withdrawn: EventKind?
}

extension Event {
    /// What mutes and levels read of it.
    func traits(in index: HistoryIndex) -> EventTraits {
        let issues = index.issues.source?.source
        switch self {
        case .stability(let alert):
            return EventTraits(
                source: index.rates.source?.source, figures: AlertLevel(points: alert.worstDepth * 100))
        case .crashes(let alert):
            return EventTraits(
                source: index.crashes.judgedSource?.source, figures: AlertLevel(share: alert.worstRise * 100))
        case .velocity(let alert):
            let about = IssueSubject(alert.issue.id, in: alert.version)
            var traits = EventTraits(
                issue: about.issue, version: about.version, source: issues,
                figures: AlertLevel(share: alert.share.map { $0.value * 100 }))
            traits.setUsers(alert.users, of: about, on: occasion.day, in: index)
            return traits
        case .topIssues: return EventTraits(source: issues)
        case .newIssue(let new):
            let about = IssueSubject(new.issue.id, in: new.issue.firstVersion?.label)
            return EventTraits(
                about, build: new.issue.firstVersion?.build, on: occasion.day, in: index)
        case .newNote(let new):
            return EventTraits(
                issue: new.note.subject.issue, version: new.note.subject.version,
                source: index.sources.first { $0.source.id.text == new.origin }?.source)
        case .regressed(let regressed):
            let about = IssueSubject(regressed.issue.id, in: regressed.seenIn.label)
            return EventTraits(about, build: regressed.seenIn.build, on: occasion.day, in: index)
        case .usage(let anomaly):
            return EventTraits(
                source: UsageSeries(index)?.source.source,
                figures: AlertLevel(share: anomaly.worstChange * 100))
        case .releaseVerdict(let reached):
            return EventTraits(
                version: reached.evaluation.label, source: index.rates.sources.releases?.source)
        case .withdrawn(let alert):
            var traits = alert.entry.traits(in: index)
            traits.withdrawn = alert.kind
            return traits
        case .raised(let alert): return alert.entry.traits(in: index)
        case .recovery(let recovery):
            let source = recovery.isCounted ? index.crashes.judgedSource : index.rates.source
            return EventTraits(source: source?.source, closes: recovery.alertDay)
        case .sourceTrouble(let failure):
            return EventTraits(source: index.sources.first { $0.source.id == failure.source }?.source)
        }
    }
}

extension LedgerEntry {
    /// The same of an alert as it was raised, by what the ledger keeps of it.
    fileprivate func traits(in index: HistoryIndex) -> EventTraits {
        var traits = EventTraits(source: index.source(ofRule: rule)?.source)
        switch rule {
        case StabilityRule.id: traits.figures.points = (reportedDepth ?? reportedSize).map { $0 * 100 }
        case RecoveryRule.id: traits.closes = firstDay
        case ReleaseVerdictRule.id: traits.version = ReleaseVerdictRule.label(ofSubject: subject)
        case IssueVelocityRule.id, RegressedIssueRule.id:
            let about = IssueSubject(text: subject, in: index.issues)
            traits = EventTraits(about, on: firstDay, in: index)
            if rule == IssueVelocityRule.id {
                // Late data may have added to what was first reported.
                let users = [reportedUsers, index.issues.users(of: about, on: firstDay)].compactMap(\.self)
                    .max()
                traits.figures = AlertLevel(share: reportedSize.map { $0 * 100 })
                traits.setUsers(users, of: about, on: firstDay, in: index)
            }
        default: traits.figures.share = (reportedDepth ?? reportedSize).map { $0 * 100 }
        }
        return traits
    }
}

extension EventTraits {
    /// What is about an issue and grave as that is on a day.
    fileprivate init(
        _ subject: IssueSubject, build: String? = nil, on day: CivilDate, in index: HistoryIndex
    ) {
        self.init(
            issue: subject.issue, version: subject.version, build: build ?? "",
            source: index.issues.source?.source,
            figures: index.figures(of: subject.issue, on: day),
            versionUsers: subject.version == nil ? nil : index.issues.users(of: subject, on: day))
    }

    /// How grave it is to a mute: one of a version measures the users of that version.
    func figures(for mute: Mute) -> AlertLevel {
        guard mute.subject.version != nil, let versionUsers else { return figures }
        var figures = figures
        figures.users = versionUsers
        return figures
    }

    /// Takes the users that an alert counts, and those of its issue in all versions on its day.
    fileprivate mutating func setUsers(
        _ users: Int?, of subject: IssueSubject, on day: CivilDate, in index: HistoryIndex
    ) {
        let ofAll = index.issues.users(of: IssueSubject(subject.issue), on: day)
        figures.users = [users, ofAll].compactMap(\.self).max()
        versionUsers = subject.version == nil ? nil : users
    }
}

extension HistoryIndex {
    /// How grave an issue was on a day, all versions together.
    fileprivate func figures(of issue: String, on day: CivilDate) -> AlertLevel {
        guard let counted = issues.days[issue]?.last(where: { $0.date == day }) else { return AlertLevel() }
        return figures(of: counted)
    }

    /// How grave a day of an issue was.
    func figures(of day: IssueDay) -> AlertLevel {
        AlertLevel(users: day.users, share: mostShare(of: day).map { $0.value * 100 })
    }
}

extension IssueIndex {
    /// The users of an issue on a day, in a version where it is about one; nil where they are not known.
    fileprivate func users(of subject: IssueSubject, on day: CivilDate) -> Int? {
        let rows = subject.version == nil ? days[subject.issue] : releaseDays[subject.issue]
        return rows?.last { $0.date == day && $0.version == subject.version }?.users
    }
}
