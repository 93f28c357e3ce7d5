import AppHealth

/// The days that decide which alerts are open.
struct OpenSpan: Hashable, Codable, Sendable {
    /// The first day of the last seven.
    let since: CivilDate
    /// The same of falls, which wait for days with figures.
    let fallsSince: CivilDate

    /// Whether an event is an alert that is open.
    func isOpen(_ event: Event) -> Bool {
        Analysis.isOpen(event, since: event.isFallThatLasts ? fallsSince : since)
    }
}

extension ActivitySection {
    /// The open alerts on a release and on its issues, newest first. What is reported of another release is not about it.
    package func openAlerts(on release: ReleaseFacts) -> [Event] {
        let ids = Set(release.issues.map(\.id))
        return activity.shown.filter { event in
            guard let issue = event.issueID, openSpan.isOpen(event) else { return false }
            return event.releaseOfIssue.map { $0 == release.label } ?? ids.contains(issue)
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
