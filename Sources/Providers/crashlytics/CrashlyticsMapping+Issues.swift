import AppHealth

/// An issue with its counts over the window.
func crashlyticsIssue(
    _ issue: CrashlyticsIssue, metrics: [CrashlyticsMetrics], place: CodePlace?, at path: String,
    losses: inout Losses
) -> Issue {
    Issue(
        id: issue.id.text, title: title(of: issue), kind: kind(issue.errorType?.text),
        state: state(issue.state?.text), place: place, firstSeen: issue.firstSeenTime?.instant,
        lastSeen: issue.lastSeenTime?.instant, firstVersion: version(issue.firstSeenVersion),
        lastVersion: version(issue.lastSeenVersion), events: events(in: metrics),
        users: users(in: metrics),
        url: losses.webAddress(issue.uri?.nonEmpty, at: "\(path).issue.uri"))
}

/// Usually a file or a method, and what happened there.
private func title(of issue: CrashlyticsIssue) -> String {
    let words = [issue.title?.nonEmpty, issue.subtitle?.nonEmpty].compactMap(\.self)
    return words.isEmpty ? issue.id.text : words.joined(separator: ": ")
}

private func kind(_ errorType: String?) -> Issue.Kind {
    switch errorType {
    case "NON_FATAL": .error
    case "ANR": .hang
    default: .crash
    }
}

private func state(_ state: String?) -> Issue.State {
    switch state {
    case "CLOSED": .closed
    case "MUTED": .muted
    default: .open
    }
}

private func version(_ label: WireName?) -> Version? {
    label?.nonEmpty.map { Version($0) }
}

/// Events may be added up over spans. A count that is missing is zero, no counts at all are unknown.
private func events(in metrics: [CrashlyticsMetrics]) -> Int? {
    guard !metrics.isEmpty else { return nil }
    return checkedSum(metrics.map { $0.events?.value ?? 0 })
}

/// Users of one span are known, those of several are not: the same person comes back.
private func users(in metrics: [CrashlyticsMetrics]) -> Int? {
    guard let only = metrics.first, metrics.count == 1 else { return nil }
    return only.impactedUsers?.value ?? 0
}

/// The counts by day of one issue.
func crashlyticsIssueDays(
    _ group: Placed<CrashlyticsReport.Group>, losses: inout Losses
) -> [IssueDay] {
    guard let issue = group.value.issue, !issue.id.text.isEmpty else { return [] }
    return crashlyticsDays(group, losses: &losses).map { day in
        IssueDay(
            issue: issue.id.text, date: day.date, events: day.metrics.events?.value ?? 0,
            users: day.metrics.impactedUsers?.value ?? 0)
    }
}

/// The place in the code that a frame names.
func crashlyticsPlace(_ frame: CrashlyticsEvents.Frame?) -> CodePlace? {
    guard let frame, let file = frame.file?.nonEmpty else { return nil }
    let line = frame.line?.value?.value
    return CodePlace(file: file, line: line.flatMap { $0 > 0 ? $0 : nil })
}

/// A note on an issue. Its author is an e-mail address, of which a public page needs the name only.
func crashlyticsNote(_ note: CrashlyticsNotes.Note, on issue: String) -> Note? {
    guard let text = note.body?.nonEmpty else { return nil }
    return Note(
        id: lastSegment(note.name.text), at: note.createTime.instant,
        author: String((note.author?.text ?? "").prefix { $0 != "@" }), text: text,
        subject: .issue(issue))
}

/// `123` of `projects/p/apps/a/issues/i/notes/123`.
func lastSegment(_ name: String) -> String {
    name.split(separator: "/").last.map(String.init) ?? name
}

/// The sum, or nil when it is beyond every number.
func checkedSum(_ counts: [Int]) -> Int? {
    counts.reduce(Int?.some(0)) { total, next in
        guard let (sum, isOver) = total?.addingReportingOverflow(next), !isOver else { return nil }
        return sum
    }
}
