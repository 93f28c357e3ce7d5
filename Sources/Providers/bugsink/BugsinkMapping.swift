import AppHealth
import Transport

/// The issue, as far as the list tells; its kind is that of an error until an event is looked at.
func issue(_ issue: BugsinkIssue, below base: Address) -> Issue? {
    guard !issue.id.text.isEmpty else { return nil }
    let versions = (issue.eventsAt?.values ?? []).compactMap { version(ofRelease: $0.text) }
    return Issue(
        id: issue.id.text, title: title(of: issue), kind: .error, state: state(of: issue),
        firstSeen: issue.firstSeen?.instant, lastSeen: issue.lastSeen?.instant,
        firstVersion: versions.min(),
        lastVersion: versions.max(),
        fixedIn: issue.isResolved == true ? fixed(issue) : nil, events: issue.events?.value,
        url: page(of: issue.id.text, below: base))
}

private func fixed(_ issue: BugsinkIssue) -> Version? {
    (issue.fixedAt?.values ?? []).compactMap { version(ofRelease: $0.text) }.max()
}

private func state(of issue: BugsinkIssue) -> Issue.State {
    if issue.isResolved == true { return .closed }
    return issue.isMuted == true ? .muted : .open
}

/// Type and first line of the value.
private func title(of issue: BugsinkIssue) -> String {
    let line = issue.value?.text.split(whereSeparator: \.isNewline).first.map(String.init)
    let words = [issue.type?.nonEmpty, line].compactMap(\.self)
    return words.isEmpty
        ? issue.transaction?.nonEmpty ?? issue.id.text : words.joined(separator: ": ")
}

private func page(of issue: String, below base: Address) -> String? {
    var address = base
    do throws(AddressError) {
        for segment in ["issues", "issue", issue, "event", "last", ""] {
            address = try address.appending(segment)
        }
    } catch {
        return nil
    }
    return address.text
}

/// Hours put together to days in UTC, oldest first; hours before the first are unknown, not zero.
func issueDays(_ counts: BugsinkCounts, of issue: String, losses: inout SkippedValues) -> [IssueDay] {
    if let seconds = counts.seconds, seconds.value != 3600 {
        losses.refuse("interval_seconds", expected: "3600, an hour", found: String(seconds.value))
        return []
    }
    var seen: Set<Instant> = []
    var days: [CivilDate: Int] = [:]
    for item in counts.buckets.items {
        let (time, path) = (item.value.timestamp.instant, "buckets[\(item.index)]")
        guard losses.isFirst(time, in: &seen, at: path, "an hour") else { continue }
        let (sum, isOver) = days[time.date, default: 0].addingReportingOverflow(item.value.count.value)
        if isOver {
            losses.refuse("\(path).count", expected: "a count that can be added", found: "\(sum)")
        }
        days[time.date] = isOver ? .max : sum
    }
    return days.sorted { $0.key < $1.key }.map {
        IssueDay(issue: issue, date: $0.key, events: $0.value, users: nil)
    }
}

/// One release for each version, newest first. A release's date is that of its first event, unless somebody
/// told the server another one.
func releases(_ list: [BugsinkRelease]) -> [Release] {
    var seen: Set<Version> = []
    return list.compactMap { entry in
        version(ofRelease: entry.version.text).map {
            Release(version: $0, releasedAt: entry.released?.instant)
        }
    }
    .filter { seen.insert($0.version).inserted }
    .sorted { $0.version > $1.version }
}

/// The comment of a turn in an issue's history; nil when nobody wrote one.
func note(_ turn: BugsinkHistoryEntry, on issue: String) -> Note? {
    guard let text = turn.comment?.value?.nonEmpty, let id = turn.id.text else { return nil }
    return Note(
        id: id, at: turn.at.instant, author: turn.author?.value?.text ?? "", text: text,
        subject: .issue(issue))
}

extension BugsinkEvent {
    /// What kind of problem the event tells of: a hang by the name that Sentry's SDKs give it, a crash when
    /// nothing handled it, otherwise an error.
    var kind: Issue.Kind {
        let names = [exception?.type?.value?.text, exception?.mechanism?.value?.type?.value?.text]
        if names.contains(where: { $0.map(isHang) ?? false }) { return .hang }
        let isUnhandled = exception?.mechanism?.value?.handled?.value == false
        return isUnhandled || data?.value?.level?.value?.text == "fatal" ? .crash : .error
    }

    /// The innermost frame of the app's own code, otherwise the innermost that names a file.
    var place: CodePlace? {
        let frames = (exception?.stacktrace?.value?.frames?.values ?? []).reversed()
            .filter { $0.filename?.value?.nonEmpty != nil }
        guard let frame = frames.first(where: { $0.isInApp?.value == true }) ?? frames.first,
            let file = frame.filename?.value?.nonEmpty
        else { return nil }
        let line = frame.line?.value?.value
        return CodePlace(file: file, line: line.flatMap { $0 > 0 ? $0 : nil })
    }

    /// The exception that was thrown last.
    private var exception: Exception? { data?.value?.exception?.value?.values.last }
}

private func isHang(_ name: String) -> Bool {
    ["applicationnotresponding", "app hanging", "anr", "apphang", "backgroundanr"].contains(
        name.lowercased())
}
