package import AppHealth

/// An event with what its entry shows of other sections.
package struct EventRecord: Hashable, Codable, Sendable {
    /// The event.
    package let event: Event
    /// When it last changed: an alert changes when it is over, when it is withdrawn, and when revised data move its days.
    package let updated: Instant
    /// When it was known: by the capture of what it was found in; nil where only its own time is known.
    package let knownAt: Instant?
    /// What explains a Stability Alert on its first night; nil where it cannot be reported.
    package let cause: DropBreakdown?
    /// The first issues of the day of a daily summary.
    package let topIssues: [DayIssue]
    /// The issue that a note is about, when it is about one that is known.
    package let issue: Issue?

    /// How many issues of a daily summary its entry shows.
    package static let issueLimit = 3
}

/// What happened on one day.
package struct DayActivity: Hashable, Codable, Sendable {
    /// The day.
    package let day: CivilDate
    /// When the newest of its figures was captured; nil when it has none.
    package let capturedAt: Instant?
    /// Its events, newest first.
    package let events: [EventRecord]
    /// Its muted events, newest first.
    package let muted: [MutedEvent]
    /// What limits cut off of it.
    package let cut: [HiddenEvents]
}

extension AppAnalysis {
    /// An event with what its entry shows.
    package func record(of event: Event) -> EventRecord {
        let id = event.occasion.id
        var cause: DropBreakdown?
        var top: [DayIssue] = []
        var issue: Issue?
        switch event {
        case .stability: cause = stability.causes[id]
        case .topIssues:
            top = issues.top(
                of: day(event.occasion.day), lastDay: facts.lastDay, limit: EventRecord.issueLimit)
        case .newNote(let new):
            if case .issue(let id) = new.note.subject { issue = issues[id]?.issue.mention }
        case .crashes, .velocity, .usage, .newIssue, .regressed, .recovery, .sourceTrouble, .releaseVerdict,
            .withdrawn, .raised:
            break
        }
        return EventRecord(
            event: event, updated: activity.changeTime(of: event), knownAt: activity.known[id],
            cause: cause, topIssues: top, issue: issue)
    }

    /// What happened on some days, in their order.
    ///
    /// - Parameter events: what is reported of a day, newest first.
    package func activity(
        on days: some Sequence<CivilDate>, events: (CivilDate) -> [EventRecord]
    ) -> [DayActivity] {
        days.map { day in
            DayActivity(
                day: day, capturedAt: self.day(day).capturedAt, events: events(day),
                muted: activity.mutedByDay[day] ?? [],
                cut: activity.cut(on: day))
        }
    }
}
