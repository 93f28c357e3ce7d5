import AppHealth

/// One release for each version, with the build that was released last.
///
/// The group's counts stand for the version; where no group tells of it, its builds' counts are added up.
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
            sessions: sum(builds, \.sessions), crashedSessions: sum(builds, \.crashedSessions),
            sessionsLastDay: sum(builds, \.sessionsLastDay))
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

/// The sum, or nil when a count is missing or the sum is beyond every number.
private func sum(_ builds: [BugsnagBuild], _ count: KeyPath<BugsnagBuild, Count?>) -> Int? {
    builds.reduce(Int?.some(0)) { total, build in
        guard let total, let next = build[keyPath: count]?.value else { return nil }
        let (sum, isOver) = total.addingReportingOverflow(next)
        return isOver ? nil : sum
    }
}

/// Nil when nothing is known, or when more sessions crashed than there were.
private func plausible(_ totals: ReleaseTotals) -> ReleaseTotals? {
    if let sessions = totals.sessions, let crashed = totals.crashedSessions, crashed > sessions {
        return nil
    }
    return totals == ReleaseTotals(sessions: nil, crashedSessions: nil, sessionsLastDay: nil)
        ? nil : totals
}
