import AppHealth
import Transport

/// The issue, as far as the list reports: a hang by the class that Sentry's SDKs give it, otherwise an error until it is
/// known that nothing handled it.
func issue(_ issue: BugsinkIssue, below base: Address) -> Issue? {
    guard !issue.id.text.isEmpty else { return nil }
    let versions = (issue.eventsAt?.values ?? []).compactMap { version(ofRelease: $0.text) }
    return Issue(
        id: issue.id.text, title: title(of: issue),
        kind: issue.type.map { isSDKHang($0.text) } == true ? .hang : .error,
        state: state(of: issue),
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

/// Events by day in UTC.
struct BugsinkDays: Equatable {
    /// Of the days that any hour was reported of.
    var events: [CivilDate: Int] = [:]
    /// The days of which every hour was reported, of the current one those that have begun.
    var whole: Set<CivilDate> = []
}

/// Hours put together to days; an hour that is not reported is unknown, not zero.
func days(_ counts: BugsinkCounts, at now: Instant, losses: inout SkippedValues) -> BugsinkDays {
    if let seconds = counts.seconds, seconds.value != 3600 {
        losses.refuse("interval_seconds", expected: "3600, an hour", found: String(seconds.value))
        return BugsinkDays()
    }
    var seen: Set<Instant> = []
    var hours: [CivilDate: Int] = [:]
    var days = BugsinkDays()
    for item in counts.buckets.items {
        let (time, path) = (item.value.timestamp.instant, "buckets[\(item.index)]")
        guard losses.isFirst(time, in: &seen, at: path, "an hour") else { continue }
        let (sum, isOver) = days.events[time.date, default: 0].addingReportingOverflow(item.value.count.value)
        if isOver {
            losses.refuse("\(path).count", expected: "a count that can be added", found: "\(sum)")
        }
        days.events[time.date] = isOver ? .max : sum
        if !isOver, UTCHour(of: time).start == time { hours[time.date, default: 0] += 1 }
    }
    days.whole = Set(
        hours.filter { date, count in
            let begun = (Instant(startOf: date).seconds(to: now) + 3599) / 3600
            return count >= min(24, max(1, begun))
        }.keys)
    return days
}

/// The days of an issue, oldest first.
func issueDays(_ days: BugsinkDays, of issue: String) -> [IssueDay] {
    days.events.sorted { $0.key < $1.key }.map {
        IssueDay(issue: issue, date: $0.key, events: $0.value, users: nil)
    }
}

/// The events of each day, all issues together.
func healthDays(_ days: BugsinkDays) -> [HealthDay] {
    days.events.sorted { $0.key < $1.key }.map { HealthDay(date: $0.key, crashes: $0.value) }
}

/// What the days of the whole project cover: a day that lacks hours is a part.
func coverage(of days: BugsinkDays) -> [CoverageSpan] {
    let covered = days.events.keys.map {
        ($0, days.whole.contains($0) ? Coverage.complete : .partial(counted: nil, of: nil))
    }
    return coverageSpans(.crashes, Dictionary(covered) { first, _ in first })
}

/// What the days of issues cover on each date: all issues that may have had an event then, or those of them that were
/// requested.
func coverage(
    ofIssues issues: [Issue], asked: [String: BugsinkDays], isWhole: Bool, on dates: [CivilDate]
) -> [CoverageSpan] {
    coverageSpans(
        .issueDays,
        activeCoverage(of: issues, isWhole: isWhole, on: dates) { asked[$0.id]?.whole.contains($1) == true })
}

/// The releases. A build's date is that of its first event, unless somebody reported the server another one.
func releases(_ list: [BugsinkRelease]) -> [Release] {
    releases(
        of: list.compactMap { entry in
            version(ofRelease: entry.version.text).map { ($0, entry.released?.instant) }
        })
}

/// The comment of a turn in an issue's history; nil without one.
func note(_ turn: BugsinkHistoryEntry, on issue: String) -> Note? {
    guard let text = turn.comment?.value?.nonEmpty, let id = turn.id.text else { return nil }
    return Note(
        id: id, at: turn.at.instant, author: authorName(turn.author?.value?.text), text: text,
        subject: .issue(issue))
}

extension BugsinkEvent {
    /// What kind of problem the event is: a hang by the name that Sentry's SDKs give it or its mechanism, a crash
    /// when nothing handled it, otherwise an error.
    var kind: Issue.Kind {
        let names = [exception?.type?.value?.text, exception?.mechanism?.value?.type?.value?.text]
        if names.contains(where: { $0.map(isSDKHang) ?? false }) { return .hang }
        let isUnhandled = exception?.mechanism?.value?.handled?.value == false
        return isUnhandled || data?.value?.level?.value?.text == "fatal" ? .crash : .error
    }

    /// Where it happened.
    var place: CodePlace? {
        placeThrown(
            in: exceptions.map { exception in
                (exception.stacktrace?.value?.frames?.values ?? []).map { frame in
                    ThrownFrame(
                        file: frame.filename?.value?.nonEmpty, line: frame.line?.value?.value,
                        isInApp: frame.isInApp?.value == true)
                }
            })
    }

    /// The exceptions from cause to effect.
    private var exceptions: [Exception] { data?.value?.exception?.value?.values ?? [] }

    /// The exception that was thrown last.
    private var exception: Exception? { exceptions.last }
}
