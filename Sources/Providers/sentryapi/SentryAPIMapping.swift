import AppHealth

/// Where the event happened: the last frame of the app's own code in what was thrown in the end, otherwise
/// its last frame with a file. The frame that crashed stands last.
func place(of event: SentryAPIEvent) -> CodePlace? {
    let exceptions = event.entries.values.filter { $0.type.text == "exception" }
        .flatMap { $0.exceptions?.value?.values ?? [] }.compactMap { $0.value?.stacktrace?.value }
    guard let stack = exceptions.last(where: { !$0.frames.isEmpty }) else { return nil }
    let frames = stack.frames.compactMap(\.value).filter { $0.filename?.value?.nonEmpty != nil }
    guard let frame = frames.last(where: { $0.isInApp?.value == true }) ?? frames.last,
        let file = frame.filename?.value?.text
    else { return nil }
    return CodePlace(file: file, line: frame.line?.value.flatMap { $0 > 0 ? $0 : nil })
}

/// The file of the headline, without a line; the list of issues tells no more.
func place(of metadata: IssueMetadata?) -> CodePlace? {
    metadata?.filename?.value?.nonEmpty.map { CodePlace(file: $0, line: nil) }
}

/// The notes among all activity of an issue.
func notes(_ activity: [SentryAPINote], on issue: String) -> [Note] {
    activity.compactMap(\.note).map { note in
        Note(
            id: note.id.text ?? "", at: note.created.instant, author: author(note.user?.value),
            text: note.data.text.text, subject: .issue(issue))
    }
    .filter { !$0.id.isEmpty }
}

/// A name; of an e-mail address, which a service gives where a person set no name, the part before the `@`.
private func author(_ user: SentryAPINote.Author?) -> String {
    let names = [user?.name, user?.username, user?.email]
    let name = names.lazy.compactMap { $0?.value?.nonEmpty }.first ?? ""
    return String(name.prefix { $0 != "@" })
}

/// The whole days in UTC before `now` of an issue's time line. Buckets of one day are added up, for a server
/// may send hours; a day of which one bucket has no count is left out.
func issueDays(
    _ points: [StatPoint], of issue: String, first: CivilDate, at now: Instant
) -> [IssueDay] {
    var counts: [CivilDate: Int?] = [:]
    for point in points {
        let date = Instant(secondsSinceEpoch: point.seconds).date
        guard date >= first, date < now.date else { continue }
        guard let known = counts[date, default: 0], let count = point.count?.value else {
            counts[date] = .some(nil)
            continue
        }
        let (sum, isOver) = known.addingReportingOverflow(count)
        counts[date] = .some(isOver ? nil : sum)
    }
    return counts.sorted { $0.key < $1.key }.compactMap { date, events in
        events.map { IssueDay(issue: issue, date: date, events: $0, users: nil) }
    }
}
