package import AppHealth

/// An alert of the ledger that the data of now cannot judge, as it was raised: its days are in the time from which a
/// rule learns, or before all data.
package struct RaisedAlert: Hashable, Codable, Sendable {
    /// The id, the app and the first day of the alert that was raised.
    package internal(set) var occasion: EventIdentity
    /// What kind of event it is.
    package let kind: EventKind
    /// What the ledger keeps of it.
    package let entry: LedgerEntry
    /// The issue it is about, when it is about one that is known.
    package internal(set) var issue: Issue?
    /// The last of the quiet days that ended one that may have several days; nil while it lasts. The ledger keeps its last
    /// day alone.
    package let knownOver: CivilDate?
    /// The day with which reports could know that.
    package let reportedOver: CivilDate?
    /// Whether the words of the alert are reported again.
    package internal(set) var includesOriginal = true

    /// An alert that the ledger keeps, with what the sources of its days say of them.
    init(_ entry: LedgerEntry, kind: EventKind, in index: HistoryIndex) {
        let lasts = kind == .stability || kind == .usage
        let waits = entry.rule == CrashCountRule.id || entry.rule == UsageAnomalyRule.id
        let quiet = entry.lastDay.advanced(by: StabilityRule().quietDays)
        let over = lasts && entry.state == .closed ? quiet : nil
        occasion = index.occasion(of: entry)
        (self.kind, self.entry) = (kind, entry)
        issue = kind == .velocity || kind == .regressed ? index.issues.issue(ofSubject: entry.subject) : nil
        knownOver = over
        reportedOver = over.map { day in
            guard waits else { return day }
            let own = index.index(ofRule: entry.rule, on: entry.firstDay)
            return own.source(ofRule: entry.rule).dayKnown(bySettling: day)
        }
    }

    /// Whether it is a drop or a rise that was not over when it could last be judged.
    package var isOpen: Bool { entry.state == .open && lasts }

    /// Whether its kind has a begin and an end.
    package var lasts: Bool { kind == .stability }
}

/// Which alerts of the ledger a rule can judge by the data of now. Those it cannot judge stay as they were raised.
package enum JudgedAlerts: Hashable, Sendable {
    /// None: there are no data of the kind.
    case none
    /// Those whose first day is one of these.
    case since(ClosedRange<CivilDate>)
    /// Those about these subjects.
    case about(Set<String>)

    /// From a day to the last one.
    init(from first: CivilDate?, in index: HistoryIndex) {
        guard let first, first <= index.lastDay else {
            self = .none
            return
        }
        self = .since(first...index.lastDay)
    }

    /// Whether an alert is one of them.
    package func contains(_ entry: LedgerEntry) -> Bool {
        switch self {
        case .none: false
        case .since(let days): days.contains(entry.firstDay)
        case .about(let subjects): subjects.contains(entry.subject)
        }
    }

    /// Whether an alert that begins on a day can be.
    func covers(_ day: CivilDate) -> Bool {
        switch self {
        case .none, .about: false
        case .since(let days): days.contains(day)
        }
    }
}

extension HistoryIndex {
    /// The source of what a rule finds; nil when no source has any.
    func source(ofRule rule: String) -> SourceHistory? {
        switch rule {
        case StabilityRule.id, RecoveryRule.id: rates.source
        case CrashCountRule.id: crashes.judgedSource
        case IssueVelocityRule.id, RegressedIssueRule.id: issues.source
        case UsageAnomalyRule.id: UsageSeries(self)?.source
        case ReleaseVerdictRule.id: releases.counts.source
        default: nil
        }
    }

    /// The place of an alert that the ledger keeps; of a recovery that of its last day.
    func occasion(of entry: LedgerEntry) -> EventIdentity {
        let day = entry.rule == RecoveryRule.id ? entry.days.upperBound : entry.firstDay
        var occasion = EventIdentity(
            rule: entry.rule, subject: entry.subject, app: app, day: day,
            at: source(ofRule: entry.rule).end(of: day))
        occasion.id = entry.id
        occasion.published = published(entry, occasion)
        return occasion
    }

    /// When an alert was first reported: the end of the day in its id, or before it the capture that showed it. Both
    /// stay when revised data move its days, and when the hours that it was found in are no longer kept.
    func published(_ entry: LedgerEntry, _ occasion: EventIdentity) -> Instant {
        guard let day = occasion.namedDay else { return occasion.at }
        return min(source(ofRule: entry.rule).end(of: day), entry.raisedAt)
    }
}

extension IssueIndex {
    /// The issue of the subject of an alert, with a version behind it or without; nil when none is known.
    func issue(ofSubject subject: String) -> Issue? {
        byID[IssueSubject(text: subject, in: self).issue]?.mention
    }
}
