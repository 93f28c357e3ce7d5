import AppHealth

/// Issues that are stored and that the service has no more: it merged them into others, whose events and users of all
/// days include theirs, or someone deleted them.
///
/// A whole list says so by lacking them. A list that is cut does not: then one request asks for those of its stored
/// issues that had most events, by their ids. The service answers it with the issues that are there, whatever their events.
extension SentryRun {
    /// The stored issues that a list which is cut lacks and that are not there any more; none where the service does not
    /// say it.
    mutating func gone(from list: SentryIssueList, in scope: SentryScope) async -> Set<String> {
        guard !list.isWhole, let control = list.ids.filter({ Int64($0) != nil }).min() else { return [] }
        let stored = storedIssues().unlisted(by: list).prefix(SentryEndpoint.mostIssues - 1)
        guard !stored.isEmpty else { return [] }
        let asked = [control] + stored
        let endpoint = SentryEndpoint.issuesByID(asked, scope)
        guard parts.client.allows(endpoint) else { return [] }
        do throws(ServiceFault) {
            let (answer, losses) = try await parts.client.value(LossyArray<SentryIssue>.self, at: endpoint)
            parts.add(losses.warnings)
            let there = Set(answer.values.compactMap(\.id.text))
            // A server that does not know the question sends others, or none.
            guard !losses.hasLostElements, there.contains(control), there.isSubset(of: asked) else {
                return []
            }
            return Set(stored).subtracting(there)
        } catch {
            parts.addMissing(endpoint.part, error)
            return []
        }
    }

    /// Takes back what is stored of issues that have nothing any more: the events and users of the list's time, and for
    /// those that only a request showed to be gone also those of each day that the service still has.
    mutating func takeBackGone(in snapshot: inout Snapshot) {
        guard let listed else { return }
        let named = Set(snapshot.issues.map(\.id))
        let known = storedIssues()
        snapshot.issues += known.issues.filter { issue in
            let isGone = listed.isWhole || listed.gone.contains(issue.id)
            return isGone && !named.contains(issue.id) && issue.hasCounts
        }.map(\.withoutCounts)
        snapshot.issueDays += known.days.filter { day in
            listed.gone.contains(day.issue) && !named.contains(day.issue) && day.version == nil
                && day.hasCounts && listed.covers(day.date) && reach.holds(day.date)
        }.map { IssueDay(issue: $0.issue, date: $0.date, events: 0, users: $0.users.map { _ in 0 }) }
    }
}

extension KnownIssues {
    /// The issues with events on the days of a list that it does not name, those with most events first.
    fileprivate func unlisted(by list: SentryIssueList) -> [String] {
        var events: [String: Int] = [:]
        for day in days where day.version == nil && list.covers(day.date) && !list.ids.contains(day.issue) {
            guard let count = day.events, count > 0, Int64(day.issue) != nil else { continue }
            events[day.issue] = (events[day.issue] ?? 0).addingCapped(count)
        }
        return events.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }
}

extension Issue {
    fileprivate var hasCounts: Bool { (events ?? 0) > 0 || (users ?? 0) > 0 }

    fileprivate var withoutCounts: Issue {
        var issue = self
        (issue.events, issue.users, issue.namedShare) = (0, users.map { _ in 0 }, nil)
        return issue
    }
}

extension IssueDay {
    fileprivate var hasCounts: Bool { (events ?? 0) > 0 || (users ?? 0) > 0 }
}
