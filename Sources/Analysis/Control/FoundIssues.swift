package import AppHealth

/// The issues that were new or came back, as the data show them, without those that are muted.
///
/// The settings of the activity choose which of these are reported as events; what is counted of a day, and what marks an
/// issue in lists, does not change with them.
struct FoundIssues {
    /// What was found of each day, newest first.
    let byDay: [CivilDate: [Event]]
    /// What was found of each issue, newest first.
    let byIssue: [String: [Event]]

    /// Reads events that are newest first, with what the activity made of them.
    init(_ found: [Event], _ activity: Activity, in index: HistoryIndex, under control: AlertControl) {
        let events = found.filter { $0.kind == .newIssue || $0.kind == .regressed }
        let reported = Set(activity.shown.lazy.map(\.occasion.id))
        let muted = Set(activity.muted.lazy.map(\.event.occasion.id))
        // What the settings skip was held against no mute.
        let skipped = events.filter {
            !reported.contains($0.occasion.id) && !muted.contains($0.occasion.id)
        }
        let triage = EventTriage(
            settings: .standard,
            mutes: control.mutes.filter { $0.concerns(index.app) }.map { DatedMute($0, in: index) },
            index: index)
        let free = Set(
            triage.triaged(skipped).lazy.filter { $0.disposition == .shown }.map(\.event.occasion.id))
        let kept = events.filter { reported.contains($0.occasion.id) || free.contains($0.occasion.id) }
        byDay = Dictionary(grouping: kept, by: \.occasion.day)
        byIssue = Dictionary(grouping: kept, by: { $0.issueID ?? "" })
    }
}

/// That an issue was new or came back on a day.
package struct IssueMark: Hashable, Codable, Sendable {
    /// The day.
    package let day: CivilDate
    /// What it marks the issue with.
    package let signal: IssueSignal

    /// Nil for an event that marks no issue.
    init?(_ event: Event) {
        guard let signal = event.signal else { return nil }
        (day, self.signal) = (event.occasion.day, signal)
    }
}
