import AppHealth

/// The metrics of a group by UTC day; a span that is no whole day is skipped, so is a second one of a day.
func crashlyticsDays(
    _ group: Placed<CrashlyticsReport.Group>, losses: inout SkippedValues
) -> [(date: CivilDate, metrics: CrashlyticsMetrics, path: String)] {
    var seen: Set<CivilDate> = []
    return (group.value.metrics?.items ?? []).compactMap { item in
        let path = "\(group.path).metrics[\(item.index)]"
        guard let start = item.value.start?.instant else {
            losses.refuseElement("\(path).startTime", expected: "the beginning of a day", found: "nothing")
            return nil
        }
        let length = item.value.end.map { start.seconds(to: $0.instant) } ?? 86_400
        guard start == Instant(startOf: start.date), length == 86_400 else {
            let end = item.value.end?.instant.description ?? "nothing"
            losses.refuseElement(
                path, expected: "a day from midnight to midnight UTC", found: "\(start) to \(end)")
            return nil
        }
        guard seen.insert(start.date).inserted else {
            losses.refuseElement(path, expected: "one entry for a day", found: "another one")
            return nil
        }
        return (start.date, item.value, path)
    }
}

/// Health by day of the app (groups without a subject) and of its versions, from one report.
///
/// Builds of one version are put together: sessions are added up, users are kept only where one build counted.
func crashlyticsHealth(
    _ groups: [Placed<CrashlyticsReport.Group>], losses: inout SkippedValues
) -> [HealthDay] {
    let known = CrashlyticsTotals(groups)
    var result: [String: HealthDay] = [:]
    for group in groups where !group.value.isOther && group.value.issue == nil {
        let label = group.value.version.map(crashlyticsLabel)
        guard label != "" else { continue }
        for day in crashlyticsDays(group, losses: &losses) {
            guard let health = known.health(day, version: label, losses: &losses) else { continue }
            let key = "\(day.date) \(label ?? "")"
            result[key] = result[key].map { together($0, health) } ?? health
        }
    }
    return result.values.sorted { ($0.date, $0.version ?? "") < ($1.date, $1.version ?? "") }
}

/// `1.2.3`; of a version that has only a compound name, that name.
func crashlyticsLabel(_ version: CrashlyticsVersion) -> String {
    version.displayVersion?.nonEmpty ?? version.displayName?.nonEmpty ?? ""
}

private func together(_ first: HealthDay, _ second: HealthDay) -> HealthDay {
    var both = first
    both.sessions = checkedSum([first.sessions, second.sessions])
    both.crashedSessions = checkedSum([first.crashedSessions, second.crashedSessions])
    both.crashes = checkedSum([first.crashes, second.crashes])
    both.users = nil
    both.crashedUsers = nil
    return both
}

/// Which counts a report carries. Zeros are not sent: events and totals that are missing are zero in a report that
/// has them elsewhere, and unknown in one that has them nowhere. Impacted counts that are missing are unknown: there
/// are reports with events and without them.
struct CrashlyticsTotals: Equatable, Sendable {
    var events: Bool
    var sessions: Bool
    var users: Bool

    init(_ groups: [Placed<CrashlyticsReport.Group>]) {
        let all = groups.flatMap { $0.value.metrics?.values ?? [] }
        events = all.contains { $0.events != nil }
        sessions = all.contains { $0.totalSessions != nil }
        users = all.contains { $0.totalUsers != nil }
    }

    /// The events of a span.
    func events(of metrics: CrashlyticsMetrics) -> Int? {
        metrics.events?.value ?? (events ? 0 : nil)
    }

    func health(
        _ day: (date: CivilDate, metrics: CrashlyticsMetrics, path: String), version: String?,
        losses: inout SkippedValues
    ) -> HealthDay? {
        let metrics = day.metrics
        let all = sessions ? metrics.totalSessions?.value ?? 0 : nil
        let allUsers = users ? metrics.totalUsers?.value ?? 0 : nil
        let crashed = part(
            metrics.impactedSessions?.value ?? metrics.sessionsCount?.value, of: all,
            at: "\(day.path).impactedSessionsCount", "sessions", &losses)
        let crashedUsers = part(
            metrics.impactedUsers?.value, of: allUsers, at: "\(day.path).impactedUsersCount", "users",
            &losses)
        compare(
            metrics.crashFreeSessions?.value, crashed, all, at: "\(day.path).crashFreeSessionsPercentage",
            &losses)
        compare(
            metrics.crashFreeUsers?.value, crashedUsers, allUsers,
            at: "\(day.path).crashFreeUsersPercentage", &losses)
        return HealthDay(
            date: day.date, version: version, sessions: all, crashedSessions: crashed, users: allUsers,
            crashedUsers: crashedUsers, crashes: events(of: metrics))
    }

    private func part(
        _ part: Int?, of whole: Int?, at path: String, _ words: String, _ losses: inout SkippedValues
    ) -> Int? {
        guard let part, let whole, part > whole else { return part }
        losses.refuse(
            path, expected: "at most the \(whole) \(words) of that day",
            found: "\(part), which counts as unknown")
        return nil
    }

    /// The counts stand; a percentage that says something else is reported of.
    private func compare(
        _ percent: Double?, _ part: Int?, _ whole: Int?, at path: String, _ losses: inout SkippedValues
    ) {
        guard let percent, let part, let share = whole.flatMap({ Fraction(part, of: $0) })?.complement.value,
            !(abs(percent - share * 100) <= 0.5)
        else { return }
        let expected = (share * 10_000).rounded() / 100
        losses.refuse(
            path, expected: "\(expected) by its own counts, which are kept", found: "\(percent)")
    }
}

/// The versions of a report, each with its highest build.
func crashlyticsReleases(_ groups: [Placed<CrashlyticsReport.Group>]) -> [Release] {
    var builds: [String: String] = [:]
    for version in groups.compactMap(\.value.version) where !crashlyticsLabel(version).isEmpty {
        let label = crashlyticsLabel(version)
        let build = version.buildVersion?.text ?? ""
        if let known = builds[label], !(Version("", build: known) < Version("", build: build)) {
            continue
        }
        builds[label] = build
    }
    return builds.map { Release(version: Version($0.key, build: $0.value), releasedAt: nil) }
        .sorted { $0.version > $1.version }
}

/// An issue with its counts over the window.
func crashlyticsIssue(
    _ issue: CrashlyticsIssue, metrics: [CrashlyticsMetrics], in report: CrashlyticsTotals,
    place: CodePlace?, at path: String, losses: inout SkippedValues
) -> Issue {
    Issue(
        id: issue.id.text, title: title(of: issue), kind: kind(issue.errorType?.text),
        state: state(issue.state?.text), place: place, firstSeen: issue.firstSeenTime?.instant,
        lastSeen: issue.lastSeenTime?.instant, firstVersion: version(issue.firstSeenVersion),
        lastVersion: version(issue.lastSeenVersion), events: events(in: metrics, of: report),
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

/// Events may be added up over spans; no counts at all are unknown.
private func events(in metrics: [CrashlyticsMetrics], of report: CrashlyticsTotals) -> Int? {
    let counts = metrics.compactMap { report.events(of: $0) }
    guard !metrics.isEmpty, counts.count == metrics.count else { return nil }
    return checkedSum(counts)
}

/// Users of one span are known where it states them, those of several are not: the same person comes back.
private func users(in metrics: [CrashlyticsMetrics]) -> Int? {
    metrics.count == 1 ? metrics.first?.impactedUsers?.value : nil
}

/// The counts by day of one issue.
func crashlyticsIssueDays(
    _ group: Placed<CrashlyticsReport.Group>, in report: CrashlyticsTotals, losses: inout SkippedValues
) -> [IssueDay] {
    guard let issue = group.value.issue, !issue.id.text.isEmpty else { return [] }
    return crashlyticsDays(group, losses: &losses).compactMap { day in
        let (events, users) = (report.events(of: day.metrics), day.metrics.impactedUsers?.value)
        guard events != nil || users != nil else { return nil }
        return IssueDay(issue: issue.id.text, date: day.date, events: events, users: users)
    }
}

/// The place in the code that a frame names.
func crashlyticsPlace(_ frame: CrashlyticsEvents.Frame?) -> CodePlace? {
    guard let frame, let file = frame.file?.nonEmpty else { return nil }
    let line = frame.line?.value?.value
    return CodePlace(file: file, line: line.flatMap { $0 > 0 ? $0 : nil })
}

/// A note on an issue.
func crashlyticsNote(_ note: CrashlyticsNotes.Note, on issue: String) -> Note? {
    guard let text = note.body?.nonEmpty else { return nil }
    return Note(
        id: lastSegment(note.name.text), at: note.createTime.instant,
        author: authorName(note.author?.text), text: text, subject: .issue(issue))
}
