package import AppHealth
package import Diagnostics
import Statistics

/// Something that happened to an app: one entry of the activity feed.
///
/// Several sections hold the same event: what it says is there once.
package indirect enum Event: Hashable, Codable, Sendable {
    /// Crash-free users or sessions fell.
    case stability(StabilityAlert)
    /// Crashes rose, of an app whose rate is not known.
    case crashes(CrashCountAlert)
    /// An issue spreads fast.
    case velocity(IssueVelocityAlert)
    /// The app was used much more or much less than expected.
    case usage(UsageAnomaly)
    /// What hurt most on a day.
    case topIssues(TopIssuesSummary)
    /// An issue was seen for the first time.
    case newIssue(NewIssue)
    /// A note was added.
    case newNote(NewNote)
    /// A fixed issue came back.
    case regressed(RegressedIssue)
    /// Stability came back after an alert.
    case recovery(Recovery)
    /// A source could not be fetched.
    case sourceTrouble(SourceTrouble)
    /// A release was judged for the first time.
    case releaseVerdict(ReleaseVerdictReached)
    /// An alert was withdrawn because its figures were revised.
    case withdrawn(WithdrawnAlert)
    /// An alert that the data of now cannot judge, as it was raised.
    case raised(RaisedAlert)

    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity {
        get {
            switch self {
            case .stability(let event): event.occasion
            case .crashes(let event): event.occasion
            case .velocity(let event): event.occasion
            case .usage(let event): event.occasion
            case .topIssues(let event): event.occasion
            case .newIssue(let event): event.occasion
            case .newNote(let event): event.occasion
            case .regressed(let event): event.occasion
            case .recovery(let event): event.occasion
            case .sourceTrouble(let event): event.occasion
            case .releaseVerdict(let event): event.occasion
            case .withdrawn(let event): event.occasion
            case .raised(let event): event.occasion
            }
        }
        set {
            switch self {
            case .stability(var event):
                event.occasion = newValue
                self = .stability(event)
            case .crashes(var event):
                event.occasion = newValue
                self = .crashes(event)
            case .velocity(var event):
                event.occasion = newValue
                self = .velocity(event)
            case .usage(var event):
                event.occasion = newValue
                self = .usage(event)
            case .topIssues(var event):
                event.occasion = newValue
                self = .topIssues(event)
            case .newIssue(var event):
                event.occasion = newValue
                self = .newIssue(event)
            case .newNote(var event):
                event.occasion = newValue
                self = .newNote(event)
            case .regressed(var event):
                event.occasion = newValue
                self = .regressed(event)
            case .recovery(var event):
                event.occasion = newValue
                self = .recovery(event)
            case .sourceTrouble(var event):
                event.occasion = newValue
                self = .sourceTrouble(event)
            case .releaseVerdict(var event):
                event.occasion = newValue
                self = .releaseVerdict(event)
            case .withdrawn(var event):
                event.occasion = newValue
                self = .withdrawn(event)
            case .raised(var event):
                event.occasion = newValue
                self = .raised(event)
            }
        }
    }

    /// What kind it is.
    package var kind: EventKind {
        switch self {
        case .stability, .crashes: .stability
        case .velocity: .velocity
        case .usage: .usage
        case .topIssues: .topIssues
        case .newIssue: .newIssue
        case .newNote: .newNote
        case .regressed: .regressed
        case .recovery: .recovery
        case .sourceTrouble: .sourceTrouble
        case .releaseVerdict: .releaseVerdict
        case .withdrawn: .withdrawn
        case .raised(let event): event.kind
        }
    }
}

extension Event {
    /// Its name on pages, in feeds and in the command: that of its kind, and that it is based on counts where no rate or
    /// share of sessions is known.
    package var title: String {
        switch self {
        case .crashes: kind.title + Self.onCounts
        case .recovery(let recovery) where recovery.isCounted: kind.title + Self.onCounts
        case .velocity(let alert) where alert.share == nil: kind.title + Self.onEvents
        case .withdrawn(let alert): alert.title
        case .raised(let alert) where alert.entry.rule == CrashCountRule.id: kind.title + Self.onCounts
        case .raised(let alert) where kind == .velocity && alert.entry.reportedSize == nil:
            kind.title + Self.onEvents
        default: kind.title
        }
    }

    /// What is added to the name of a kind where no rate is known.
    static let onCounts = " on crash counts"
    private static let onEvents = " on event counts"
}

/// The kinds of event, named as people know them.
package enum EventKind: String, Codable, Sendable, CaseIterable {
    case stability = "Stability Alert"
    case velocity = "Issue Velocity Alert"
    case usage = "Usage Anomaly"
    case topIssues = "Top Issues Summary"
    case newIssue = "New Issue"
    case newNote = "New Note"
    case regressed = "Regressed Issue"
    case recovery = "Recovery"
    case sourceTrouble = "Source Failure"
    case releaseVerdict = "Release Verdict"
    case withdrawn = "Withdrawn Alert"

    /// Its name on pages, in feeds, in data files and in the command.
    package var title: String { rawValue }

    /// Whether it needs attention; the others only inform.
    package var isAlert: Bool {
        switch self {
        case .stability, .velocity, .usage, .regressed, .sourceTrouble: true
        case .topIssues, .newIssue, .newNote, .recovery, .releaseVerdict, .withdrawn: false
        }
    }
}

/// An alert that was raised and that the figures, as they were revised since, no longer show.
package struct WithdrawnAlert: Hashable, Codable, Sendable {
    /// The id, the app and the first day of the alert that was raised.
    package internal(set) var occasion: EventIdentity
    /// What the ledger keeps of it.
    package let entry: LedgerEntry
    /// Whether the words of the alert are reported again.
    package internal(set) var includesOriginal = true

    /// A withdrawn alert.
    init(occasion: EventIdentity, entry: LedgerEntry, includesOriginal: Bool) {
        self.occasion = occasion
        self.entry = entry
        self.includesOriginal = includesOriginal
    }

    /// The kind of what was withdrawn; nil where no rule has the name any more.
    var kind: EventKind? {
        standardRules.lazy.map { type(of: $0) }.first { [entry] in $0.id == entry.rule }?.kind
    }

    /// What was withdrawn: `Withdrawn Alert`, `Withdrawn Recovery`, `Withdrawn Verdict`.
    var title: String {
        switch entry.rule {
        case RecoveryRule.id: "Withdrawn Recovery"
        case ReleaseVerdictRule.id: "Withdrawn Verdict"
        default: EventKind.withdrawn.title
        }
    }

    /// The alert that an entry is about, in the place that it had.
    init(_ entry: LedgerEntry, in evidence: HistoryIndex) {
        occasion = evidence.occasion(of: entry)
        self.entry = entry
    }
}

/// What every event has: a permanent name, the app, the day it is about, and its place in time.
package struct EventIdentity: Hashable, Codable, Sendable {
    /// Permanent: the same event has the same id in every build, whatever its rank or wording. The ledger of
    /// alerts may give another than follows from the day.
    package internal(set) var id: String
    /// The id of the rule that found it.
    package let rule: String
    /// What it is about, such as an issue's id; empty for the app as a whole.
    package let subject: String
    /// The app.
    package let app: App
    /// The day the event is about.
    package let day: CivilDate
    /// When it could be known; events are ordered by it.
    package let at: Instant
    /// The same as it was first reported: it stays when revised data move the day.
    package internal(set) var published: Instant

    /// An occasion of a rule on a day about a subject, such as an issue's id.
    ///
    /// - Parameter named: The day in its id; nil for the day itself.
    package init(
        rule: String, subject: String = "", app: App, day: CivilDate, at: Instant, named: CivilDate? = nil
    ) {
        let tail = subject.isEmpty ? "" : "/" + eventName(of: subject)
        self.id = "\(app.id)/\(rule)/\(named ?? day)\(tail)"
        self.rule = rule
        self.subject = subject
        self.app = app
        self.day = day
        self.at = at
        self.published = at
    }

    /// The day in its id: of an alert the first day as it was first reported. Nil where the id has none.
    var namedDay: CivilDate? {
        let parts = id.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        // A number may follow it.
        return parts.count > 2 ? CivilDate(String(parts[2].prefix("2026-01-27".count))) : nil
    }
}

/// A note was added.
package struct NewNote: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The name of the source that has it, or of what wrote it.
    package let origin: String
    /// The note.
    package let note: Note
    /// The issue it is about, when it is about one that is known.
    package let issue: Issue?
}

/// Finds every note.
package struct NewNoteRule: Rule {
    package static let id = "new-note"
    package static let kind = EventKind.newNote

    /// The rule.
    package init() {}

    package func events(in evidence: HistoryIndex) -> [Event] {
        evidence.notes.map { kept in
            let occasion = EventIdentity(
                rule: Self.id, subject: "\(kept.origin)@\(kept.note.id)", app: evidence.app,
                day: kept.note.day ?? evidence.day(of: kept.note.at), at: kept.note.at,
                named: kept.note.at.date)
            return .newNote(
                NewNote(
                    occasion: occasion, origin: kept.origin, note: kept.note, issue: kept.issue?.mention))
        }
    }
}

/// A release was judged go, hold or roll back for the first time.
package struct ReleaseVerdictReached: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The verdict with its reason, as of that day.
    package let evaluation: ReleaseEvaluation
}

extension Event {
    /// The release and its verdict that the figures no longer give, when the event reports that.
    package var verdictTakenBack: (label: String, verdict: ReleaseVerdict)? {
        guard case .withdrawn(let alert) = self, alert.entry.rule == ReleaseVerdictRule.id else { return nil }
        return ReleaseVerdictRule.verdict(ofSubject: alert.entry.subject)
    }

    /// The label of the release whose verdict it is, as it was raised or withdrawn, too; nil for everything else.
    package var releaseOfVerdict: String? {
        switch self {
        case .releaseVerdict(let reached): return reached.evaluation.label
        case .raised, .withdrawn: break
        case .stability, .crashes, .velocity, .usage, .topIssues, .newIssue, .newNote, .regressed, .recovery,
            .sourceTrouble:
            return nil
        }
        guard occasion.rule == ReleaseVerdictRule.id else { return nil }
        return ReleaseVerdictRule.label(ofSubject: occasion.subject)
    }
}

/// Finds the first day on which a release is a go, on hold, or to be rolled back, by judging each day of its
/// life from what was known then.
package struct ReleaseVerdictRule: Rule {
    package static let id = "release-verdict"
    package static let kind = EventKind.releaseVerdict
    package static let needs = RuleNeed.rate

    /// The rule.
    package init() {}

    private static let verdicts: [ReleaseVerdict] = [.go, .hold, .rollBack]

    /// The release and the verdict that an event is about.
    private static func subject(_ label: String, _ verdict: ReleaseVerdict) -> String {
        "\(label) \(verdict.name)"
    }

    /// The label of the release of a subject.
    static func label(ofSubject subject: String) -> String? {
        verdicts.map { Self.subject("", $0) }.first(where: subject.hasSuffix).map {
            String(subject.dropLast($0.count))
        }
    }

    /// The release and the verdict of a subject.
    static func verdict(ofSubject subject: String) -> (label: String, verdict: ReleaseVerdict)? {
        guard let label = label(ofSubject: subject) else { return nil }
        return verdicts.first { Self.subject(label, $0) == subject }.map { (label, $0) }
    }

    /// Those of releases whose first day is known.
    package func judged(in evidence: HistoryIndex) -> JudgedAlerts {
        let lives = evidence.releaseLives.filter { $0.start == .known }
        return .about(Set(lives.flatMap { life in Self.verdicts.map { Self.subject(life.label, $0) } }))
    }

    package func events(in evidence: HistoryIndex) -> [Event] {
        ReleaseEvaluator(evidence).firsts().map { day, evaluation in
            let occasion = EventIdentity(
                rule: Self.id, subject: Self.subject(evaluation.label, evaluation.verdict), app: evidence.app,
                day: day, at: evidence.end(of: day, for: evidence.rates.releases))
            return .releaseVerdict(
                ReleaseVerdictReached(occasion: occasion, evaluation: evaluation.ofItsDay))
        }
    }
}

/// A source could not be fetched for a while.
package struct SourceTrouble: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time: those of the first attempt that failed.
    package internal(set) var occasion: EventIdentity
    /// The name of the source.
    package let source: Slug
    /// The provider.
    package let provider: String
    /// When the last good snapshot was captured, while it fails; nil when there never was one.
    package let lastGood: Instant?
    /// The last day of which it has anything, while it fails; nil when it has no day.
    package let lastDay: CivilDate?
    /// The last day that was over when it failed first.
    package let lastDayOver: CivilDate
    /// When it failed after it was fetched last.
    package let resumed: Instant
    /// When it could be fetched again; nil while it fails.
    package let end: Instant?
    /// Why it failed.
    package let why: Diagnostic
}

/// Finds each time in which a source could not be fetched.
package struct SourceFailureRule: Rule {
    package static let id = "source-trouble"
    package static let kind = EventKind.sourceTrouble

    /// The rule.
    package init() {}

    package func events(in evidence: HistoryIndex) -> [Event] {
        evidence.sources.flatMap { history in
            history.allOutages.map { outage in
                let occasion = EventIdentity(
                    rule: Self.id, subject: history.source.id.text, app: evidence.app,
                    day: history.day(of: outage.first), at: outage.first, named: outage.first.date)
                return .sourceTrouble(
                    SourceTrouble(
                        occasion: occasion, source: history.source.id, provider: history.source.provider,
                        lastGood: outage.end == nil ? history.capturedAt : nil,
                        lastDay: outage.end == nil ? history.lastKnownDay : nil,
                        lastDayOver: history.lastDayOver(at: outage.first), resumed: outage.resumed,
                        end: outage.end, why: outage.why))
            }
        }
    }
}

/// One way to find events in the evidence.
package protocol Rule: Sendable {
    /// A stable name, part of the ids of its events.
    static var id: String { get }
    /// What kind of event it finds.
    static var kind: EventKind { get }
    /// What it finds, in any order.
    func events(in evidence: HistoryIndex) -> [Event]
    /// What a day must have for the rule to say anything of it.
    static var needs: RuleNeed { get }
    /// The alerts that it raised of which it can still say whether they are supported: it needs a past to judge a day
    /// by, which a source that was replaced takes along.
    func judged(in evidence: HistoryIndex) -> JudgedAlerts
}

/// What a day must have for a rule to say anything of it.
package enum RuleNeed: Sendable, CaseIterable {
    /// A rate.
    case rate
    /// All crashes, of an app without a rate.
    case crashes
    /// Any issue, or that there was none.
    case issues
    /// How much the app was used.
    case use
    /// Nothing.
    case nothing
}

extension Rule {
    package static var needs: RuleNeed { .nothing }

    /// Those of all days with data.
    package func judged(in evidence: HistoryIndex) -> JudgedAlerts {
        JudgedAlerts(from: evidence.days.first, in: evidence)
    }
}

/// The rules that run on every app: the list is the registry.
package let standardRules: [any Rule] = [
    StabilityRule(), CrashCountRule(), RecoveryRule(), IssueVelocityRule(), UsageAnomalyRule(),
    TopIssuesRule(), NewIssueRule(),
    RegressedIssueRule(), NewNoteRule(), SourceFailureRule(), ReleaseVerdictRule(),
]

/// Everything the rules find, newest first; events of one instant are ordered by id.
package func events(in evidence: HistoryIndex, rules: [any Rule] = standardRules) -> [Event] {
    distinct(rules.flatMap { evidence.events(of: $0) }).sorted(by: isNewer)
}

/// The order of events: newest first, then by id.
func isNewer(_ first: Event, _ second: Event) -> Bool {
    let (left, right) = (first.occasion, second.occasion)
    return left.at != right.at ? left.at > right.at : left.id < right.id
}
