import AppHealth

/// Something that happened to an app: one entry of the activity feed.
///
/// Several sections hold the same event: what it says is there once.
package indirect enum Event: Hashable, Codable, Sendable {
    /// Crash-free users or sessions dropped.
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
    /// A source could not be fetched, or brought no newer day.
    case sourceTrouble(SourceFailure)
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
    /// Whether it is about the crashes of an app whose rate is not known.
    package var isOnCrashCounts: Bool {
        switch self {
        case .crashes: true
        case .recovery(let recovery): recovery.isCounted
        case .raised(let alert): alert.entry.rule == CrashCountRule.id
        case .stability, .velocity, .usage, .topIssues, .newIssue, .newNote, .regressed, .sourceTrouble,
            .releaseVerdict, .withdrawn:
            false
        }
    }

    /// Whether it is about the events of an issue whose share of sessions is not known.
    package var isOnEventCounts: Bool {
        switch self {
        case .velocity(let alert): alert.share == nil
        case .raised(let alert): alert.kind == .velocity && alert.entry.reportedSize == nil
        case .stability, .crashes, .usage, .topIssues, .newIssue, .newNote, .regressed, .recovery,
            .sourceTrouble, .releaseVerdict, .withdrawn:
            false
        }
    }
}
