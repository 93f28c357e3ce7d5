import AppHealth

/// The days that decide which alerts are open.
struct OpenSpan: Hashable, Codable, Sendable {
    /// The first day of the last seven.
    let since: CivilDate
    /// The same of alerts that last until a recovery, which wait for days with figures.
    let lastingSince: CivilDate

    /// Whether an event is an alert that is open.
    func isOpen(_ event: Event) -> Bool {
        Analysis.isOpen(event, since: event.lastsUntilRecovery ? lastingSince : since)
    }
}

extension ActivitySection {
    /// The open alerts on issues of all releases, newest first.
    package var openIssueAlerts: [Event] {
        activity.shown.filter { $0.issueID != nil && openSpan.isOpen($0) }
    }
}

extension ReleaseFacts {
    /// Those of some open alerts that are on it or on its issues. What is reported of another release is not about it.
    package func alerts(among open: [Event]) -> [Event] {
        guard !open.isEmpty else { return [] }
        let ids = Set(issues.map(\.id))
        return open.filter { event in
            guard let issue = event.issueID else { return false }
            return event.releaseOfIssue.map { $0 == label } ?? ids.contains(issue)
        }
    }
}

extension Event {
    /// The label of the release in which an issue spreads or is back; nil where it is of none.
    var releaseOfIssue: String? {
        switch self {
        case .velocity(let alert): alert.version
        case .regressed(let regressed): regressed.seenIn.label
        case .stability, .crashes, .usage, .topIssues, .newIssue, .newNote, .recovery, .sourceTrouble,
            .releaseVerdict, .withdrawn, .raised:
            nil
        }
    }
}
