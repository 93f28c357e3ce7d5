/// The kinds of event. The raw value is the permanent name of data files and feeds.
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

    /// Whether it needs attention; the others only inform.
    package var isAlert: Bool {
        switch self {
        case .stability, .velocity, .usage, .regressed, .sourceTrouble: true
        case .topIssues, .newIssue, .newNote, .recovery, .releaseVerdict, .withdrawn: false
        }
    }
}
