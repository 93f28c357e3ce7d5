package import AppHealth

/// What the page of an issue takes from the rest of its app: why its days have no count, which of them may still change, and
/// of which all issues are known. Issues with the same last day share most of it.
package struct IssueSurroundings: Hashable, Codable, Sendable {
    /// The days of its chart that lie before the first figure of the app.
    package let notCollected: DaySet
    /// Those that lie after the last good fetch, where the newest failed.
    package let failed: DaySet
    /// Those that may still change.
    package let provisional: DaySet
    /// The days on which every issue is known.
    package private(set) var whole: DaySet
    /// The days of which a part of the issues is known.
    package private(set) var partial: DaySet
    /// The days from which on the counts are another source's.
    package private(set) var changes: [CivilDate]

    /// How much of the issues of a day is known.
    package func coverage(of day: CivilDate) -> Coverage {
        if whole.contains(day) { return .complete }
        return partial.contains(day) ? .partial(counted: nil, of: nil) : .unknown
    }

    func absence(of day: CivilDate) -> DayAbsence {
        if notCollected.contains(day) { return .notCollected }
        return failed.contains(day) ? .failed : .missing
    }

    /// As far as an issue goes: what is known of earlier days changes nothing of its page.
    package func ofPage(of issue: IssueFacts, on days: [CivilDate]) -> IssueSurroundings {
        let known = issue.days?.first?.date
        let asked = ExpectedDays.firstAsked(for: days, known: known)
        guard let first = [known, asked].compactMap(\.self).min() else { return self }
        var part = self
        (part.whole, part.partial) = (whole.since(first), partial.since(first))
        part.changes = changes.filter { $0 > first }
        return part
    }
}

extension IssuesSection {
    /// What the pages of issues take from the app for some days, in order.
    package func surroundings(of days: [CivilDate], _ stability: StabilitySection) -> IssueSurroundings {
        func absent(_ why: DayAbsence) -> DaySet {
            DaySet(days.filter { stability.absence(of: $0, stability.basis) == why })
        }
        let last = days.last ?? window.upperBound
        return IssueSurroundings(
            notCollected: absent(.notCollected), failed: absent(.failed),
            provisional: DaySet(days.filter(isProvisional)),
            whole: wholeDays.through(last), partial: partialDays.through(last),
            changes: stability.changes.days(of: [.issueDays]).filter { $0 <= last })
    }
}
