import AppHealth

extension Snapshot {
    /// The oldest day with events of issues, where these are a part: the server may have dropped some hours of it.
    var oldestDayOfPart: CivilDate? {
        let day = issueDays.lazy.filter { ($0.events ?? 0) > 0 }.map(\.date).min()
        return day.flatMap { CoverageHistory(coverage)(.issueDays, on: $0).isComplete ? nil : $0 }
    }
}

/// What the days of issues cover: all issues that may have had events, or so many of them. The list by time of the last
/// event is whole for days that begin after its end.
///
/// The server drops the events of a day after some time, and sends nothing for it then, as for a day without events. Before
/// the oldest day with events, a day on which no issue was about had none; of any other nothing is known.
func glitchtipCoverage(
    of list: GlitchtipIssues, days rows: [IssueDay], asked: Set<String>, at now: Instant
) -> [CoverageSpan] {
    let oldest = rows.lazy.filter { ($0.events ?? 0) > 0 }.map(\.date).min() ?? now.date
    let issues = list.issues + list.policies
    let dates = (1..<glitchtipIssueDays).map { now.date.advanced(by: -$0) }
        .filter { date in date >= oldest || !issues.contains { $0.mayHaveEvents(on: date) } }
    func days(isWhole: Bool) -> [CivilDate: Coverage] {
        activeCoverage(of: list.issues, isWhole: isWhole, on: dates) { issue, _ in asked.contains(issue.id) }
    }
    let (whole, cut) = (days(isWhole: true), days(isWhole: false))
    let covered = dates.map { date in
        let isWhole = list.isWhole || list.seenSince.map { $0 < Instant(startOf: date) } == true
        return (date, (isWhole ? whole : cut)[date] ?? .unknown)
    }
    return coverageSpans(.issueDays, Dictionary(covered) { first, _ in first }.known)
}

/// The hours put together to days in UTC by their intervals. Null is nothing; an hour that is absent had events of other
/// projects alone. A day with an interval that is no hour is skipped.
///
/// A server keeps its hours for some time only, and one that is gone looks like one without events: days are known that
/// begin no earlier than the first hour with an event.
func glitchtipHealthDays(
    _ answer: GlitchtipTotals, from first: CivilDate, to last: CivilDate, losses: inout SkippedValues
) -> [HealthDay] {
    guard answer.groups.count == 1, let events = answer.groups.first?.series.events,
        events.count == answer.intervals.count, !answer.intervals.isEmpty
    else {
        losses.refuse(
            "groups", expected: "one group with a count for each of \(answer.intervals.count) intervals",
            found: "\(answer.groups.count) with \(answer.groups.first?.series.events.count ?? 0)")
        return []
    }
    var days: [CivilDate: Int] = [:]
    for place in 0...max(0, first.days(to: last)) { days[first.advanced(by: place)] = 0 }
    var seen: Set<Instant> = []
    var damaged: Set<CivilDate> = []
    var oldest: Instant?
    for (index, (interval, count)) in zip(answer.intervals, events).enumerated() {
        let date = interval.instant.date
        guard let sum = days[date] else { continue }
        let isHour = UTCHour(of: interval.instant).start == interval.instant
        guard isHour, seen.insert(interval.instant).inserted else {
            losses.refuse(
                "intervals[\(index)]", expected: "the beginning of another hour", found: "\(interval.instant)"
            )
            damaged.insert(date)
            continue
        }
        let events = count.value?.value ?? 0
        if events > 0 { oldest = min(oldest ?? interval.instant, interval.instant) }
        days[date] = sum.addingCapped(events)
    }
    guard let oldest else { return [] }
    return days.filter { Instant(startOf: $0.key) >= oldest && !damaged.contains($0.key) }
        .sorted { $0.key < $1.key }.map { HealthDay(date: $0.key, crashes: $0.value) }
}

/// The releases.
func glitchtipReleases(_ list: [GlitchtipRelease]) -> [Release] {
    releases(
        of: list.compactMap { entry in
            version(ofRelease: entry.version.text).map {
                ($0, entry.released?.value?.instant ?? entry.created?.instant)
            }
        })
}

extension Issue {
    /// Adds what the values of a key report: distinct users, or the oldest and the newest version.
    mutating func add(_ tags: [GlitchtipTag], of key: GlitchtipTagKey) {
        guard let tag = tags.first(where: { $0.key.text == key.rawValue }) else { return }
        switch key {
        case .user:
            if let users = tag.uniqueValues?.value?.value, users > 0 { self.users = users }
        case .release:
            let versions = (tag.topValues?.values ?? []).compactMap { version(ofRelease: $0.value.text) }
            (firstVersion, lastVersion) = (versions.min(), versions.max())
        }
    }
}

extension GlitchtipIssue {
    /// Whether it is a report of a browser's content policy.
    var isPolicy: Bool { type?.value?.text == "csp" }
}

/// One element of the list as an issue.
func glitchtipIssue(_ item: GlitchtipIssue) -> Issue? {
    guard let id = item.id.text else { return nil }
    return Issue(
        id: id,
        title: item.title?.nonEmpty ?? item.culprit?.nonEmpty ?? item.shortID?.nonEmpty ?? id,
        kind: kind(of: item), state: state(item.status?.text),
        place: place(of: item.metadata?.value), firstSeen: item.firstSeen?.instant,
        lastSeen: item.lastSeen?.instant, events: item.count?.value, users: nil,
        // The server sends the words `Not implemented` in the place of an address.
        url: item.page?.value?.text.asWebAddress)
}

/// The class shows a hang, for the type of an event is only `error` or `default`.
private func kind(of item: GlitchtipIssue) -> Issue.Kind {
    if item.isPolicy { return .error }
    if let type = item.metadata?.value?.type?.value?.text, isSDKHang(type) { return .hang }
    return item.level?.text == "fatal" ? .crash : .error
}

private func state(_ status: String?) -> Issue.State {
    switch status {
    case "resolved": .closed
    case "ignored": .muted
    default: .open
    }
}
