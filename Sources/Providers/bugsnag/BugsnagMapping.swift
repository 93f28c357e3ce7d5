import AppHealth

/// The days of the trend. A bucket of another length than a day is skipped.
func healthDays(of trend: BugsnagTrend, losses: inout SkippedValues) -> [HealthDay] {
    var seen: Set<CivilDate> = []
    return trend.points.items.compactMap { item in
        let path = "timeline_points[\(item.index)]"
        let point = item.value
        let isGood =
            isDay(point, at: path, losses: &losses)
            && losses.isFirst(point.start.instant.date, in: &seen, at: path, "a day")
        return isGood ? healthDay(of: point, at: path, losses: &losses) : nil
    }
}

private func isDay(_ point: BugsnagTrend.Point, at path: String, losses: inout SkippedValues) -> Bool {
    guard let end = point.end?.instant, point.start.instant.seconds(to: end) != 86_400 else {
        return true
    }
    losses.refuse(
        "\(path).bucket_end", expected: "the end of a day that begins at \(point.start.instant)",
        found: "\(end)")
    return false
}

/// Where an app reports no users, the service says 0 of them on a day with sessions: they are unknown then.
private func healthDay(
    of point: BugsnagTrend.Point, at path: String, losses: inout SkippedValues
) -> HealthDay {
    let knowsUsers = point.sessions.value == 0 || (point.users?.value ?? 0) > 0
    let crashedSessions = losses.part(
        point.crashedSessions, of: point.sessions, at: "\(path).unhandled_sessions_count",
        "sessions of that day")
    let crashedUsers = losses.part(
        point.crashedUsers, of: point.users, at: "\(path).users_with_unhandled", "users of that day")
    return HealthDay(
        date: point.start.instant.date, sessions: point.sessions.value, crashedSessions: crashedSessions,
        users: knowsUsers ? point.users?.value : nil, crashedUsers: knowsUsers ? crashedUsers : nil)
}

/// The days in UTC that the buckets of a trend cover from midnight to midnight and that are over.
///
/// A bucket that reaches over midnight belongs to no day, and a day of which a part is missing, is reported twice or
/// still lies ahead has no count: the first and the last day of a trend are such, as a rule.
func issueDays(of buckets: [BugsnagError.Bucket], issue: String, at now: Instant) -> [IssueDay] {
    let byDay = Dictionary(grouping: spans(of: buckets), by: \.start.date)
    return byDay.sorted { $0.key < $1.key }.compactMap { date, buckets in
        let end = Instant(startOf: date).advanced(bySeconds: 86_400)
        guard end <= now, let events = events(of: buckets, from: Instant(startOf: date), to: end) else {
            return nil
        }
        return IssueDay(issue: issue, date: date, events: events, users: nil)
    }
}

/// What was counted from one instant to another.
private struct EventSpan {
    var start: Instant
    var end: Instant
    var events: Int
}

/// The buckets with both ends, in their order. One that names only its beginning lasts until the next begins, the
/// last as long as the one before it, and a single one a day.
private func spans(of buckets: [BugsnagError.Bucket]) -> [EventSpan] {
    let sorted = buckets.sorted { $0.from.instant < $1.from.instant }
    var length = 86_400
    return sorted.enumerated().map { index, bucket in
        let start = bucket.from.instant
        if index + 1 < sorted.count { length = start.seconds(to: sorted[index + 1].from.instant) }
        let end = bucket.to?.instant ?? start.advanced(bySeconds: length)
        return EventSpan(start: start, end: end, events: bucket.events.value)
    }
}

/// The sum, when each bucket begins where the one before ends, from the first instant to the last.
private func events(of spans: [EventSpan], from start: Instant, to end: Instant) -> Int? {
    var reached = start
    var sum = 0
    for span in spans {
        let (next, isOver) = sum.addingReportingOverflow(span.events)
        guard span.start == reached, span.end > reached, !isOver else { return nil }
        (reached, sum) = (span.end, next)
    }
    return reached == end ? sum : nil
}

/// What the days of the trend cover; users are known where the app reports them.
func coverage(of health: [HealthDay]) -> [CoverageSpan] {
    coverageSpans(.sessions, health.filter { $0.sessions != nil }.map(\.date))
        + coverageSpans(.users, health.filter { $0.users != nil }.map(\.date))
}

/// The counts of a day by issue, as the list of that day reports them.
struct BugsnagDayCounts {
    /// Events and users by issue; users are nil where the app reports none.
    var byIssue: [String: (events: Int?, users: Int?)] = [:]
    /// The errors that are no known issues, as issues without counts: those of one day are none of their own.
    var added: [Issue] = []
    /// How much of the day it is.
    var coverage: Coverage

    /// The counts of a list that may be full. The list of all errors has those with most events ever: of a project with
    /// many, one that is new is in the lists of its days alone.
    ///
    /// - Parameters:
    ///   - isWhole: Whether the service has no other error of the day.
    ///   - issues: The issues that are known.
    ///   - issue: An error as an issue; nil for one that is none.
    init(_ errors: [BugsnagError], isWhole: Bool, of issues: Set<String>, issue: (BugsnagError) -> Issue?) {
        var listed = 0
        for error in errors where byIssue[error.id.text] == nil {
            if !issues.contains(error.id.text) {
                guard var new = issue(error) else { continue }
                (new.events, new.users) = (nil, nil)
                added.append(new)
            }
            listed += 1
            byIssue[error.id.text] = (error.events?.value, users(of: error))
        }
        let known = byIssue.values.count { $0.users != nil }
        coverage = Providers.coverage(counted: known, of: listed, isWhole: isWhole)
    }
}

/// The days with the users of one of them; a day of an issue that had none gets its events too.
func adding(_ counts: BugsnagDayCounts, of date: CivilDate, to days: [IssueDay]) -> [IssueDay] {
    var left = counts.byIssue
    var result = days.map { day in
        guard day.date == date, let counts = left.removeValue(forKey: day.issue) else { return day }
        var day = day
        day.users = counts.users
        return day
    }
    result += left.sorted { $0.key < $1.key }.map { issue, counts in
        IssueDay(issue: issue, date: date, events: counts.events, users: counts.users)
    }
    return result
}

/// An error that was seen in the stage, as an issue; nil for an error of other stages.
func issue(_ error: BugsnagError, stage: String, projectPage: String?) -> Issue? {
    let stages = error.stages?.values.map(\.text) ?? []
    guard stages.isEmpty || stages.contains(stage), !error.id.text.isEmpty else { return nil }
    return Issue(
        id: error.id.text, title: title(of: error),
        kind: error.severity?.text == "error" ? .crash : .error,
        state: state(error.status?.text), place: place(of: error),
        firstSeen: error.firstSeenUnfiltered?.instant ?? error.firstSeen?.instant,
        lastSeen: error.lastSeenUnfiltered?.instant ?? error.lastSeen?.instant,
        events: error.events?.value,
        users: users(of: error), url: projectPage.flatMap { page(of: error.id.text, at: $0) })
}

/// The status words, one of them with a space; a new word counts as open.
private func state(_ status: String?) -> Issue.State {
    switch status {
    case "fixed": .closed
    case "snoozed", "ignored": .muted
    default: .open
    }
}

/// Class and first line of the message.
private func title(of error: BugsnagError) -> String {
    let line = error.message?.text.split(whereSeparator: \.isNewline).first.map(String.init)
    let words = [error.errorClass?.nonEmpty, line].compactMap(\.self)
    return words.isEmpty ? error.context?.nonEmpty ?? error.id.text : words.joined(separator: ": ")
}

private func place(of error: BugsnagError) -> CodePlace? {
    guard let grouping = error.grouping?.value, let file = grouping.file?.value?.nonEmpty else {
        return nil
    }
    let line = grouping.lineNumber?.value?.text.flatMap { Int($0) }
    return CodePlace(file: file, line: line.flatMap { $0 > 0 ? $0 : nil })
}

/// Where an app reports no users, the service says 0 of them next to many events: they are unknown then.
private func users(of error: BugsnagError) -> Int? {
    guard let users = error.users?.value, users > 0 || error.events?.value == 0 else { return nil }
    return users
}

private func page(of error: String, at project: String) -> String? {
    let isSafe = error.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-_".utf8.contains(byte)
        }
    }
    return isSafe ? project.asWebAddress.map { "\($0)/errors/\(error)" } : nil
}

/// A comment as a note on its issue.
func note(_ comment: BugsnagComment, on issue: String) -> Note {
    Note(
        id: comment.id.text, at: comment.created.instant,
        author: authorName(comment.collaborator?.value?.name?.text),
        text: comment.message.text, subject: .issue(issue))
}

/// One release for each version, with the build that was released last.
///
/// The group's counts stand for the version; where no group covers it, its builds' counts are added up.
/// Sessions may be added: no session runs on two builds. Of users both lists hold only sums of daily ones.
func releases(groups: [BugsnagReleaseGroup], builds: [BugsnagBuild], stage: String) -> [Release] {
    // A list that moves while its pages are read may show one build twice.
    var seen: Set<String> = []
    let ours = builds.filter { build in
        isOf(stage: stage, build) && !build.version.text.isEmpty
            && (build.id.map { seen.insert($0.text).inserted } ?? true)
    }
    let byVersion = Dictionary(grouping: ours, by: \.version.text)
    var result: [String: Release] = [:]
    for group in groups where !group.version.text.isEmpty && result[group.version.text] == nil {
        let label = group.version.text
        result[label] = release(label, group: group, builds: byVersion[label] ?? [])
    }
    for (label, builds) in byVersion where result[label] == nil {
        result[label] = release(label, group: nil, builds: builds)
    }
    return result.values.sorted { $0.version > $1.version }
}

private func isOf(stage: String, _ build: BugsnagBuild) -> Bool {
    guard let name = build.stage?.value?.name.nonEmpty else { return true }
    return name == stage
}

private func release(_ label: String, group: BugsnagReleaseGroup?, builds: [BugsnagBuild])
    -> Release
{
    let times = builds.compactMap { $0.released?.instant }
    let totals =
        group.map {
            ReleaseTotals(
                sessions: $0.sessions?.value, crashedSessions: $0.crashedSessions?.value,
                sessionsLastDay: $0.sessionsLastDay?.value)
        }
        ?? ReleaseTotals(
            sessions: checkedSum(builds.map(\.sessions?.value)),
            crashedSessions: checkedSum(builds.map(\.crashedSessions?.value)),
            sessionsLastDay: checkedSum(builds.map(\.sessionsLastDay?.value)))
    return Release(
        version: Version(label, build: newestBuild(builds)),
        releasedAt: group?.firstReleased?.instant ?? times.min(),
        lifetime: plausible(totals))
}

private func newestBuild(_ builds: [BugsnagBuild]) -> String {
    let numbered = builds.compactMap { build in
        (build.bundleVersion?.text ?? build.versionCode?.text).map {
            (time: build.released?.instant, number: $0)
        }
    }
    let newest = numbered.max { first, second in
        if first.time != second.time {
            return (first.time ?? .distantPast) < (second.time ?? .distantPast)
        }
        return Version("", build: first.number) < Version("", build: second.number)
    }
    return newest?.number ?? ""
}

extension Instant {
    fileprivate static let distantPast = Instant(secondsSinceEpoch: .min)
}

/// Nil when nothing is known, or when more sessions crashed than there were.
private func plausible(_ totals: ReleaseTotals) -> ReleaseTotals? {
    if let sessions = totals.sessions, let crashed = totals.crashedSessions, crashed > sessions {
        return nil
    }
    return totals == ReleaseTotals(sessions: nil, crashedSessions: nil, sessionsLastDay: nil)
        ? nil : totals
}
