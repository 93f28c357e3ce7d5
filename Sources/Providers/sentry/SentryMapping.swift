import AppHealth

/// The days of all releases together.
func healthDays(
    _ sessions: [CivilDate: SessionCounts], users: [CivilDate: UserCounts]
) -> [HealthDay] {
    sessions.sorted { $0.key < $1.key }.map { date, counts in
        HealthDay(
            date: date, sessions: counts.all, crashedSessions: counts.crashed, users: users[date]?.users,
            crashedUsers: users[date]?.crashed)
    }
}

/// What the days of sessions cover; users are known where the app reports them.
func coverage(of health: [HealthDay], users: [UsageDay]) -> [CoverageSpan] {
    coverageSpans(.sessions, health.filter { $0.sessions != nil }.map(\.date))
        + coverageSpans(.users, health.filter { $0.users != nil }.map(\.date))
        + coverageSpans(.usage, users.filter { $0.activeUsers != nil }.map(\.date))
}

/// The use of the app on each day; a day without known users reports sessions alone.
func usageDays(_ health: [HealthDay]) -> [UsageDay] {
    health.map { UsageDay(date: $0.date, activeUsers: $0.users, sessions: $0.sessions) }
}

/// The days of each version from the first on which it ran.
///
/// Several builds have one label. Their sessions are added up, for no session runs on two builds; their users
/// are known only where a single build ran that day.
func healthDays(
    byRelease sessions: [String: [CivilDate: SessionCounts]],
    users: [String: [CivilDate: UserCounts]],
    version: (String) -> Version
) -> [HealthDay] {
    let names = Set(sessions.keys).union(users.keys).subtracting([""])
    let byLabel = Dictionary(grouping: names.sorted(), by: { version($0).label })
    return byLabel.sorted { $0.key < $1.key }.flatMap { label, names -> [HealthDay] in
        let dates = Set(names.flatMap { daysKnown(sessions[$0]) + daysKnown(users[$0]) }).sorted()
        let days = dates.map { date in
            healthDay(label, date, names.map { (sessions[$0]?[date], users[$0]?[date]) })
        }
        return Array(days.drop { ($0.sessions ?? 0) == 0 && ($0.users ?? 0) == 0 })
    }
}

private func daysKnown<Value>(_ days: [CivilDate: Value]?) -> [CivilDate] {
    days.map { Array($0.keys) } ?? []
}

private func healthDay(
    _ label: String, _ date: CivilDate, _ builds: [(sessions: SessionCounts?, users: UserCounts?)]
) -> HealthDay {
    let ran = builds.filter { ($0.sessions?.all ?? $0.users?.sessions ?? 0) > 0 }
    var day = HealthDay(date: date, version: label)
    // A build that a response does not name did not run; one that ran and has no statuses leaves no sum.
    let isWhole = ran.allSatisfy { $0.sessions != nil } && builds.contains { $0.sessions != nil }
    day.sessions = sum(
        isWhole ? builds.compactMap { $0.sessions?.all } : builds.compactMap { $0.users?.sessions })
    day.crashedSessions = isWhole ? sum(builds.compactMap { $0.sessions?.crashed }) : nil
    let only = ran.count == 1 ? ran.first?.users : ran.isEmpty ? builds.first?.users : nil
    (day.users, day.crashedUsers) = (only?.users, only?.crashed)
    return day
}

/// The sum, or nil when there is nothing to add up or the sum is beyond every number.
private func sum(_ counts: [Int]) -> Int? { counts.isEmpty ? nil : checkedSum(counts) }

/// One element of the list as an issue; nil for what is no error and for what is about to vanish.
func issue(_ item: SentryIssue, losses: inout SkippedValues) -> Issue? {
    guard let id = item.id.text, item.category == nil || item.category?.text == "error",
        !["pending_deletion", "pending_merge"].contains(item.status?.text)
    else { return nil }
    let lifetime = item.lifetime?.value
    return Issue(
        id: id, title: title(of: item, id: id), kind: kind(of: item), state: state(of: item),
        place: place(of: item.metadata?.value),
        firstSeen: lifetime?.firstSeen?.instant ?? item.firstSeen?.instant,
        lastSeen: lifetime?.lastSeen?.instant ?? item.lastSeen?.instant,
        fixedIn: item.statusDetails?.value?.inRelease?.nonEmpty.map { sentryVersion($0) },
        events: item.count?.value, users: users(of: item),
        url: losses.webAddress(item.page?.value?.nonEmpty, at: "issue \(id): permalink"))
}

/// A headline is never empty.
private func title(of item: SentryIssue, id: String) -> String {
    item.title?.nonEmpty ?? item.culprit?.nonEmpty ?? item.shortID?.nonEmpty ?? id
}

/// The SDKs give `fatal` to what ended the app. An unhandled error of another level let it go on.
private func kind(of item: SentryIssue) -> Issue.Kind {
    let type = item.metadata?.value?.type?.value?.text ?? ""
    return isSDKHang(type) ? .hang : item.level?.text == "fatal" ? .crash : .error
}

/// The substatus is newer than the status and may be missing; what is new, escalating or regressed is open.
private func state(of item: SentryIssue) -> Issue.State {
    switch item.status?.text {
    case "resolved": .closed
    case "ignored", "muted": .muted
    default: item.substatus?.value?.text.hasPrefix("archived") == true ? .muted : .open
    }
}

/// Where an app reports no users, the service says 0 of them next to events: they are unknown then.
private func users(of item: SentryIssue) -> Int? {
    guard let users = item.userCount?.value, users > 0 || item.count?.value == 0 else { return nil }
    return users
}

/// The issue with what its own page reports.
func detailed(_ issue: Issue, by detail: SentryIssueDetail) -> Issue {
    var issue = issue
    issue.firstVersion = detail.firstRelease?.value.map {
        sentryVersion($0.version.text, info: $0.info?.value)
    }
    issue.lastVersion = detail.lastRelease?.value.map {
        sentryVersion($0.version.text, info: $0.info?.value)
    }
    return issue
}

/// The releases. The time of one is when it was said to be released, otherwise when the service first knew of it, as the
/// service itself orders releases.
func releases(_ items: [SentryReleaseItem]) -> [Release] {
    releases(
        of: items.filter { !$0.version.text.isEmpty }.map {
            (
                sentryVersion($0.version.text, info: $0.info?.value),
                $0.released?.instant ?? $0.created?.instant
            )
        })
}

/// Label and build of a release of Sentry's: what the service read out of the name where it reports, otherwise the name's
/// own parts.
func sentryVersion(_ name: String, info: SentryVersionInfo? = nil) -> Version {
    let own = version(ofRelease: name) ?? Version(name)
    guard let parts = info?.version?.value, !parts.raw.text.isEmpty else { return own }
    let build = parts.build?.value?.text ?? ""
    let raw = parts.raw.text
    let label =
        !build.isEmpty && raw.hasSuffix("+\(build)") ? String(raw.dropLast(build.count + 1)) : raw
    return Version(label.isEmpty ? own.label : label, build: build)
}
