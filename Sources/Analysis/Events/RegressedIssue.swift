package import AppHealth

/// An issue that was said to be fixed was seen in a version that should have the fix.
package struct RegressedIssue: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The issue.
    package let issue: Issue
    /// The version in which it was seen again.
    package let seenIn: Version
    /// The version that was said to fix it.
    package let fixedIn: Version
}

/// Finds fixed issues that are seen in a version at or above the fix, after the fix was known; older versions and
/// earlier days never count.
package struct RegressedIssueRule: Rule {
    package static let id = "regressed"
    package static let kind = EventKind.regressed
    package static let needs = RuleNeed.issues

    /// The rule.
    package init() {}

    package func events(in index: HistoryIndex) -> [Event] {
        guard let source = index.issues.source else { return [] }
        let builds = Dictionary(
            source.releases.map { ($0.version.label, $0.version) }, uniquingKeysWith: { min($0, $1) })
        return index.issues.byID.all.flatMap { issue -> [Event] in
            let fixes = Fix.all(in: source.issueStates[issue.id] ?? [], of: source)
            return fixes.flatMap { fix in
                var seen: Set<String> = []
                return versions(of: issue.id, after: fix.version, in: index).compactMap {
                    version, day -> Event? in
                    guard fix.isUndone(by: version, oldest: builds[version.label], on: day),
                        seen.insert(version.label).inserted
                    else { return nil }
                    return .regressed(regression(of: issue, on: day, in: version, after: fix, index))
                }
            }
        }
    }

    /// The versions that an issue was seen in, with the day of each. Of a source that counts no events by version these are
    /// the versions that became its last one, on the last day before the snapshot that first says so; what the first
    /// snapshot says may be older than the fix.
    ///
    /// Days name no builds: which build of the version with the fix had an event, the last versions alone may say.
    private func versions(
        of id: String, after fix: Version, in index: HistoryIndex
    ) -> [(version: Version, day: CivilDate)] {
        guard let source = index.issues.source else { return [] }
        let last = (source.issueVersions[id] ?? []).dropFirst().map {
            (version: $0.version, day: source.lastDayOver(at: $0.capturedAt))
        }
        guard !index.issues.releaseDays.isEmpty else { return last }
        let days = (index.issues.releaseDays[id] ?? []).compactMap { day in
            day.version.flatMap { (day.events ?? 0) > 0 ? (version: Version($0), day: day.date) : nil }
        }
        let builds = last.filter { $0.version.isOneVersion(as: fix) }
        // Of one day what the days say comes first.
        return (days + builds).enumerated()
            .sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }.map(\.element)
    }

    /// From the first day on whose issues were known in a state: before it, what was fixed was never known.
    package func judged(in index: HistoryIndex) -> JudgedAlerts {
        let first = index.issues.source.flatMap { source in
            source.issueStates.values.compactMap { $0.first?.capturedAt }.min().map(source.lastDayOver(at:))
        }
        return JudgedAlerts(from: first, in: index)
    }

    private func regression(
        of issue: Issue, on day: CivilDate, in version: Version, after fix: Fix, _ index: HistoryIndex
    ) -> RegressedIssue {
        RegressedIssue(
            occasion: EventIdentity(
                rule: Self.id, subject: IssueSubject(issue.id, in: version.label).text, app: index.app,
                day: day, at: index.issues.source.end(of: day)),
            issue: issue.mention, seenIn: version, fixedIn: fix.version)
    }
}

/// That an issue is fixed, as it was said in one snapshot after another.
private struct Fix {
    /// The version that was said to fix it.
    let version: Version
    /// The first day that began after it was known: on the day before some events may have come before the fix.
    let firstDay: CivilDate
    /// The day on which the fix was no longer said, or another one was; nil while it is. A source that sees the
    /// issue again may take the fix back by itself.
    let lastDay: CivilDate?
    /// Whether the first snapshot with the issue says it, so that it may have been known for long.
    let isOlder: Bool

    /// All fixes of an issue with these states: each version that was named, and each time that it was closed.
    static func all(in states: [IssueStateChange], of source: SourceHistory) -> [Fix] {
        let turns = states.indices.filter { place in
            let (before, now) = (place > 0 ? states[place - 1] : nil, states[place])
            return before?.fixedIn != now.fixedIn || (now.state == .closed && before?.state != .closed)
        }
        return turns.indices.compactMap { place in
            let turn = states[turns[place]]
            guard let version = turn.fixedIn else { return nil }
            let next = place + 1 < turns.count ? states[turns[place + 1]] : nil
            return Fix(
                version: version, firstDay: firstDay(after: turn.capturedAt, of: source),
                lastDay: next.map { source.day(of: $0.capturedAt) },
                isOlder: turns[place] == 0)
        }
    }

    /// The first day that began after an instant.
    private static func firstDay(after known: Instant, of source: SourceHistory) -> CivilDate {
        guard source.zoneOffsets == nil else { return source.day(of: known).advanced(by: 1) }
        let zone = source.source.zone
        let first = source.lastDayOver(at: known).advanced(by: 2)
        if zone == "UTC" || zone.hasPrefix("America/") { return first }
        // The days of a zone may begin up to 14 hours earlier than in UTC.
        return max(first, known.advanced(bySeconds: 14 * 3600).date.advanced(by: 1))
    }

    /// Whether an event of a version on a day shows that the issue is not fixed.
    ///
    /// Where it is not known since when the issue counts as fixed, only a version after the one with the fix shows it
    /// on earlier days: in that version itself the events may be those that were fixed.
    ///
    /// - Parameter oldest: the oldest build of the version that is known: where it is not known which build had the event, it
    ///   may be this one.
    func isUndone(by seen: Version, oldest: Version?, on day: CivilDate) -> Bool {
        if let lastDay, day > lastDay { return false }
        let mayBeAny = seen.anyBuild.isEmpty && !version.anyBuild.isEmpty
        let seen = mayBeAny ? oldest ?? seen : seen
        guard day >= firstDay || isOlder, seen.isAtLeast(version) else { return false }
        return day >= firstDay || (version.comes(before: seen) && !isSameWithoutBuild(seen))
    }

    /// Whether it is a build of the version with the fix, which names none.
    private func isSameWithoutBuild(_ seen: Version) -> Bool {
        version.anyBuild.isEmpty && version.withoutBuild == seen.withoutBuild
    }
}

extension Version {
    /// Whether both name a build of one version.
    fileprivate func isOneVersion(as other: Version) -> Bool {
        !anyBuild.isEmpty && !other.anyBuild.isEmpty && withoutBuild == other.withoutBuild
    }
}
