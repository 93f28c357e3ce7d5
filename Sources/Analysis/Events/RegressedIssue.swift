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

    package func events(in evidence: HistoryIndex) -> [Event] {
        guard let source = evidence.issues else { return [] }
        let builds = Dictionary(
            source.releases.map { ($0.version.label, $0.version) }, uniquingKeysWith: { max($0, $1) })
        return evidence.issuesByID.all.flatMap { issue -> [Event] in
            let fixes = Fix.all(in: source.issueStates[issue.id] ?? [], of: source)
            let days = fixes.isEmpty ? [] : versions(of: issue.id, in: evidence)
            return fixes.flatMap { fix in
                var seen: Set<String> = []
                return days.compactMap { label, day -> Event? in
                    let version = builds[label] ?? Version(label)
                    guard fix.isUndone(by: version, on: day), seen.insert(label).inserted else {
                        return nil
                    }
                    return .regressed(regression(of: issue, on: day, in: version, after: fix, evidence))
                }
            }
        }
    }

    /// The versions that an issue was seen in, with the day of each. Of a source that counts no events by version these are
    /// the versions that became its last one, on the last day before the snapshot that first says so; what the first
    /// snapshot says may be older than the fix.
    private func versions(of id: String, in evidence: HistoryIndex) -> [(label: String, day: CivilDate)] {
        guard evidence.issueReleaseDays.isEmpty else {
            return (evidence.issueReleaseDays[id] ?? []).compactMap { day in
                day.version.flatMap { (day.events ?? 0) > 0 ? ($0, day.date) : nil }
            }
        }
        guard let source = evidence.issues else { return [] }
        return (source.issueVersions[id] ?? []).dropFirst().map {
            ($0.version.label, source.lastDayOver(at: $0.capturedAt))
        }
    }

    /// From the first day on whose issues were known in a state: before it, what was fixed was never known.
    package func judged(in evidence: HistoryIndex) -> JudgedAlerts {
        let first = evidence.issues.flatMap { source in
            source.issueStates.values.compactMap { $0.first?.capturedAt }.min().map(source.lastDayOver(at:))
        }
        return JudgedAlerts(from: first, in: evidence)
    }

    private func regression(
        of issue: Issue, on day: CivilDate, in version: Version, after fix: Fix, _ evidence: HistoryIndex
    ) -> RegressedIssue {
        RegressedIssue(
            occasion: EventIdentity(
                rule: Self.id, subject: IssueSubject(issue.id, in: version.label).text, app: evidence.app,
                day: day, at: evidence.end(of: day, for: evidence.issues)),
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
    func isUndone(by seen: Version, on day: CivilDate) -> Bool {
        if let lastDay, day > lastDay { return false }
        guard day >= firstDay || isOlder, seen.isAtLeast(version) else { return false }
        return day >= firstDay || version.comes(before: seen)
    }
}
