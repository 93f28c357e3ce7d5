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

/// Finds fixed issues that are seen in a version at or above the fix; older versions never count.
package struct RegressedIssueRule: Rule {
    package static let id = "regressed"
    package static let kind = EventKind.regressed
    package static let needs = RuleNeed.issues

    /// The rule.
    package init() {}

    package func events(in evidence: HistoryIndex) -> [Event] {
        let builds = Dictionary(
            (evidence.issues?.releases ?? []).map { ($0.version.label, $0.version) },
            uniquingKeysWith: { max($0, $1) })
        return evidence.issuesByID.all.flatMap { issue -> [Event] in
            guard let fixedIn = issue.fixedIn else { return [] }
            var seen: Set<String> = []
            return (evidence.issueReleaseDays[issue.id] ?? []).compactMap { day in
                guard let label = day.version, (day.events ?? 0) > 0,
                    let version = Optional(builds[label] ?? Version(label)), !version.comes(before: fixedIn),
                    seen.insert(label).inserted
                else { return nil }
                return .regressed(regression(of: issue, on: day.date, in: version, after: fixedIn, evidence))
            }
        }
    }

    private func regression(
        of issue: Issue, on day: CivilDate, in version: Version, after fixedIn: Version,
        _ evidence: HistoryIndex
    ) -> RegressedIssue {
        RegressedIssue(
            occasion: EventIdentity(
                rule: Self.id, subject: "\(issue.id)@\(version.label)", app: evidence.app, day: day,
                at: evidence.end(of: day)),
            issue: issue.mention, seenIn: version, fixedIn: fixedIn)
    }
}
