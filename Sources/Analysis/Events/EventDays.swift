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
}
