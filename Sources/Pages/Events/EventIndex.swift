import Alerts
import AppHealth

/// The events of an app by what pages ask for, so that no page searches the whole list.
struct EventIndex: Sendable {
    /// The daily summaries by day.
    private(set) var summaries: [CivilDate: TopIssuesSummary] = [:]
    /// The other events by day, newest first.
    private(set) var byDay: [CivilDate: [Event]] = [:]
    /// The events about an issue, newest first.
    private(set) var byIssue: [String: [Event]] = [:]
    /// Words that mark an issue, from the events of a span that ends with the last day.
    private(set) var signals: [String: Set<String>] = [:]

    /// How many days back an event still marks its issue.
    static let signalSpan = 7

    /// Indexes events that are ordered newest first.
    init(_ events: [Event], lastDay: CivilDate) {
        let since = lastDay.advanced(by: 1 - Self.signalSpan)
        for event in events {
            if case .topIssues(let summary) = event {
                summaries[summary.occasion.day] = summary
                continue
            }
            byDay[event.occasion.day, default: []].append(event)
            guard let issue = event.issueID else { continue }
            byIssue[issue, default: []].append(event)
            if event.occasion.day >= since, let signal = event.signal {
                signals[issue, default: []].insert(signal)
            }
        }
    }
}

extension Event {
    /// The issue that the event is about; nil for events about other things.
    fileprivate var issueID: String? {
        switch self {
        case .velocity(let alert): alert.issue.id
        case .newIssue(let new): new.issue.id
        case .regressed(let regressed): regressed.issue.id
        case .newNote(let new): new.issue?.id
        case .stability, .topIssues, .recovery, .sourceTrouble, .withdrawn: nil
        }
    }

    /// The word with which the event marks its issue in lists.
    fileprivate var signal: String? {
        switch self {
        case .velocity: "velocity"
        case .newIssue: "new"
        case .regressed: "regressed"
        case .newNote, .stability, .topIssues, .recovery, .sourceTrouble, .withdrawn: nil
        }
    }
}
