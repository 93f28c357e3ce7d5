import Analysis
import AppHealth

/// The events of an app by what pages ask for, so that no page searches the whole list.
struct EventIndex: Sendable {
    /// The daily summaries by day.
    private(set) var summaries: [CivilDate: TopIssuesSummary] = [:]
    /// The other events by day, newest first.
    private(set) var byDay: [CivilDate: [Event]] = [:]
    /// The events about an issue, newest first.
    private(set) var byIssue: [String: [Event]] = [:]
    /// The muted events by day, newest first.
    let mutedByDay: [CivilDate: [MutedEvent]]
    /// The muted events about an issue, newest first.
    let mutedByIssue: [String: [MutedEvent]]
    /// What the settings leave out, by day.
    let leftOutByDay: [CivilDate: [LeftOut]]
    /// Words that mark an issue, from the events of a span that ends with the last day.
    private(set) var signals: [String: Set<String>] = [:]

    /// How many days back an event still marks its issue.
    static let signalSpan = 7

    /// Indexes what is told and what is not, ordered newest first.
    ///
    /// - Parameter found: every event; the daily summaries are those of all days, as other pages rest on them.
    init(_ activity: Activity, found: [Event], lastDay: CivilDate) {
        mutedByDay = Dictionary(grouping: activity.muted, by: \.event.occasion.day)
        mutedByIssue = Dictionary(
            grouping: activity.muted.filter { $0.event.issueID != nil }, by: { $0.event.issueID ?? "" })
        leftOutByDay = Dictionary(grouping: activity.leftOut, by: \.day)
        for case .topIssues(let summary) in found { summaries[summary.occasion.day] = summary }
        for mute in activity.standing.map(\.mute) {
            if let issue = mute.subject.issue { signals[issue, default: []].insert("muted") }
        }
        let since = lastDay.advanced(by: 1 - Self.signalSpan)
        for event in activity.shown where event.kind != .topIssues {
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
    var issueID: String? {
        switch self {
        case .velocity(let alert): alert.issue.id
        case .newIssue(let new): new.issue.id
        case .regressed(let regressed): regressed.issue.id
        case .newNote(let new): new.issue?.id
        case .stability, .usage, .topIssues, .recovery, .sourceTrouble, .releaseVerdict, .withdrawn: nil
        }
    }

    /// The word with which the event marks its issue in lists.
    fileprivate var signal: String? {
        switch self {
        case .velocity: "velocity"
        case .newIssue: "new"
        case .regressed: "regressed"
        case .newNote, .stability, .usage, .topIssues, .recovery, .sourceTrouble, .releaseVerdict, .withdrawn:
            nil
        }
    }
}
