/// Something that happened to an app: one entry of the activity feed.
package enum Event: Hashable, Sendable {
    /// Crash-free users or sessions fell.
    case stability(StabilityAlert)
    /// An issue spreads fast.
    case velocity(IssueVelocityAlert)
    /// The app was used much more or much less than expected.
    case usage(UsageAnomaly)
    /// What hurt most on a day.
    case topIssues(TopIssuesSummary)
    /// An issue was seen for the first time.
    case newIssue(NewIssue)
    /// Somebody wrote a note.
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

    /// Its name, app, day and place in time.
    package var occasion: EventIdentity {
        switch self {
        case .stability(let event): event.occasion
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
        }
    }

    /// What kind it is.
    package var kind: EventKind {
        switch self {
        case .stability: .stability
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
        }
    }
}

/// The kinds of event, named as people know them.
package enum EventKind: String, Sendable, CaseIterable {
    case stability = "Stability Alert"
    case velocity = "Issue Velocity Alert"
    case usage = "Usage Anomaly"
    case topIssues = "Top Issues Summary"
    case newIssue = "New Issue"
    case newNote = "New Note"
    case regressed = "Regressed Issue"
    case recovery = "Recovery"
    case sourceTrouble = "Source Trouble"
    case releaseVerdict = "Release Verdict"
    case withdrawn = "Withdrawn Alert"

    /// Its name on pages, in feeds and in the command; data files hold the raw value.
    package var title: String { self == .sourceTrouble ? "Source Failure" : rawValue }

    /// Whether it needs attention; the others only inform.
    package var isAlert: Bool {
        switch self {
        case .stability, .velocity, .usage, .regressed, .sourceTrouble: true
        case .topIssues, .newIssue, .newNote, .recovery, .releaseVerdict, .withdrawn: false
        }
    }
}
