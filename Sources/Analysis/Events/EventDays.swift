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

    /// Whether an alert that may have several days, or a failure of a source, was not known to be over before a day.
    func lasted(into day: CivilDate) -> Bool {
        switch self {
        case .stability, .crashes, .usage: knownOver.map { $0 >= day } ?? true
        case .raised(let alert): alert.isOpen || knownOver.map { $0 >= day } == true
        case .withdrawn(let alert): alert.entry.lastDay >= day
        case .sourceTrouble(let failure): failure.end.map { $0 >= Instant(startOf: day) } ?? true
        case .velocity, .topIssues, .newIssue, .newNote, .regressed, .recovery, .releaseVerdict: false
        }
    }

    /// The day with which reports could know that an alert that may have several is over, which stays when more comes; nil
    /// while it lasts, and for what is of one day. Of one as it was raised its last day alone is kept.
    var knownOver: CivilDate? {
        switch self {
        case .stability(let alert): alert.episode.knownOver
        case .crashes(let alert): alert.episode.reportedOver
        case .usage(let anomaly): anomaly.reportedOver
        case .raised(let alert): alert.reportedOver
        case .velocity, .topIssues, .newIssue, .newNote, .regressed, .recovery, .sourceTrouble,
            .releaseVerdict, .withdrawn:
            nil
        }
    }
}
