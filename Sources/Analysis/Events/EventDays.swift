import AppHealth

extension Event {
    /// The last day of an alert that may have several; nil for what is of one day.
    var lastDay: CivilDate? {
        switch self {
        case .stability(let alert): alert.episode.last
        case .crashes(let alert): alert.episode.last
        case .usage(let anomaly): anomaly.last
        case .raised(let alert) where alert.lasts || alert.kind == .usage: alert.entry.lastDay
        case .velocity, .topIssues, .newIssue, .newNote, .regressed, .recovery, .sourceTrouble,
            .releaseVerdict, .withdrawn, .raised:
            nil
        }
    }
    /// The day with which an alert that may have several was known to be over, which stays when more comes; nil while it
    /// lasts, and for what is of one day. Of one as it was raised its last day alone is kept.
    var knownOver: CivilDate? {
        switch self {
        case .stability(let alert): alert.episode.knownOver
        case .crashes(let alert): alert.episode.knownOver
        case .usage(let anomaly): anomaly.knownOver
        case .raised(let alert) where alert.entry.state == .closed:
            lastDay?.advanced(by: StabilityRule().quietDays)
        case .velocity, .topIssues, .newIssue, .newNote, .regressed, .recovery, .sourceTrouble,
            .releaseVerdict, .withdrawn, .raised:
            nil
        }
    }
}
