import AppHealth

/// Use by day: sessions, distinct devices where they are known, and first-time downloads as new users.
func appStoreConnectUsage(sessions: AppStoreConnectDays, installs: AppStoreConnectDays)
    -> [UsageDay]
{
    Set(sessions.dates).union(installs.dates).sorted().compactMap { date in
        let day = UsageDay(
            date: date, activeUsers: sessions.devices(on: date), newUsers: installs.count(on: date),
            sessions: sessions.count(on: date))
        return day == UsageDay(date: date) ? nil : day
    }
}

/// Crashes by day, of the app and of each version. They are events: no session and no user is counted as crashed.
func appStoreConnectHealth(_ crashes: AppStoreConnectDays) -> [HealthDay] {
    crashes.dates.flatMap { date -> [HealthDay] in
        guard let all = crashes.count(on: date) else { return [] }
        return [HealthDay(date: date, crashes: all)]
            + crashes.counts(on: date).map { HealthDay(date: date, version: $0.version, crashes: $0.count) }
    }
}

/// Crashes by day of kinds of device.
func appStoreConnectDevices(_ crashes: AppStoreConnectDays) -> [DeviceDay] {
    crashes.dates.flatMap { date in
        crashes.countsByDevice(on: date).map {
            DeviceDay(date: date, device: $0.device, crashes: $0.count)
        }
    }
}

/// What the reports cover: never all, for only those count who share analytics, and only where five did a thing.
///
/// - Parameter users: The days on which the devices of crashes are known.
func appStoreConnectCoverage(
    _ days: [AppStoreConnectReport: AppStoreConnectDays], users: [CivilDate]
) -> [CoverageSpan] {
    let part = Coverage.partial(counted: nil, of: nil)
    let crashes = days[.crashes] ?? .init()
    let counted = crashes.dates.filter { crashes.count(on: $0) != nil }
    let used = Set((days[.sessions] ?? .init()).dates).union((days[.installs] ?? .init()).dates)
    var spans = coverageSpans(.usage, used, part)
    for fact in [CoveredFact.crashes, .releaseHealth, .issueDays, .issueReleases] {
        spans += coverageSpans(fact, counted, part)
    }
    spans += coverageSpans(.issueUsers, users, part)
    if let hidden = days[.sessions]?.suppressed, used.isEmpty {
        spans.append(CoverageSpan(.usage, hidden, .unknown))
    }
    if let hidden = crashes.suppressed {
        spans += [CoveredFact.crashes, .issueDays].map { CoverageSpan($0, hidden, .unknown) }
    }
    return spans
}

/// All crashes as one issue, for the report has no cause; none when no crash was counted.
///
/// Crashes are events. They are no crashed sessions: a session may hold none, and how many sessions or people
/// were hit is not reported.
func appStoreConnectCrashes(_ days: AppStoreConnectDays) -> (issues: [Issue], days: [IssueDay]) {
    let id = "all-crashes"
    var issueDays: [IssueDay] = []
    for date in days.dates {
        guard let all = days.count(on: date) else { continue }
        issueDays.append(IssueDay(issue: id, date: date, events: all, users: days.devices(on: date)))
        issueDays += days.counts(on: date).map {
            IssueDay(issue: id, date: date, version: $0.version, events: $0.count, users: nil)
        }
    }
    let whole = issueDays.filter { $0.version == nil }
    guard let last = whole.last(where: { $0.events != 0 }) else { return ([], []) }
    let versions = issueDays.compactMap { $0.events == 0 ? nil : $0.version }.map { Version($0) }
    let issue = Issue(
        id: id, title: "All crashes, whatever their cause", kind: .crash,
        lastSeen: Instant(startOf: last.date),
        lastVersion: versions.max())
    return ([issue], issueDays)
}

/// The releases, newest version first: of each version that was built, the build that was uploaded last, and
/// every version that a report reports next to them.
func appStoreConnectReleases(_ builds: AppStoreConnectBuildList, seen: Set<String>) -> [Release] {
    let built = builds.releases
    let others = seen.subtracting(built.map(\.version.label)).subtracting(builds.foreign)
    return (built + others.map { Release(version: Version($0), releasedAt: nil) })
        .sorted { $0.version > $1.version }
}
