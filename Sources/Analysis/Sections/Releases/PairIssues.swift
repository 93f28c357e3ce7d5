import AppHealth

/// The issues that were seen in at least one of two releases.
struct PairIssues {
    let onlyLater: [PairIssue]
    let both: [PairIssue]
    let onlyEarlier: [PairIssue]

    init(
        _ index: HistoryIndex, _ seen: SeenIssues, _ later: ReleaseFacts, _ earlier: ReleaseFacts,
        _ firsts: FirstReleases, _ back: RegressedIssues
    ) {
        func count(_ row: SeenIssues.Count?, _ issue: Issue, in release: ReleaseFacts) -> PairIssue.Count? {
            row.map { row in
                let isAlone = (index.issues.releaseDays[issue.id] ?? []).allSatisfy {
                    $0.version == release.label
                }
                return PairIssue.Count(
                    events: row.events, mostUsers: row.mostUsers, users: isAlone ? issue.users : nil,
                    share: seen.perSession(row, in: release.label, life: release.sessions).flatMap {
                        Fraction($0.events, of: $0.sessions)
                    })
            }
        }
        func perSession(_ row: SeenIssues.Count?, in release: ReleaseFacts) -> Double? {
            row.flatMap { seen.perSession($0, in: release.label, life: release.sessions) }
                .map { Double($0.events) / Double($0.sessions) }
        }
        func rated(_ release: ReleaseFacts) -> Int? {
            seen.sessions(of: release.label, life: release.sessions)
        }
        let (own, other) = (seen.issues(in: later.label), seen.issues(in: earlier.label))
        let regressed = Set(back.ids(in: later.label))
        var rises: [String: Double] = [:]
        let all = Set(own.keys).union(other.keys).compactMap { id -> PairIssue? in
            index.issues.byID[id].map { issue in
                let (new, old) = (count(own[id], issue, in: later), count(other[id], issue, in: earlier))
                let rates = (
                    later: perSession(own[id], in: later), earlier: perSession(other[id], in: earlier)
                )
                rises[id] = rates.later.flatMap { now in rates.earlier.map { now - $0 } }
                let isNew = regressed.contains(id) ? false : firsts.isNew(issue, in: later.label)
                return PairIssue(
                    id: id, roles: roles(of: issue, in: later.label, isNew: isNew, regressed), isNew: isNew,
                    later: new, earlier: old,
                    expected: new == nil
                        ? expected(rates.earlier, rated(later))
                        : old == nil ? expected(rates.later, rated(earlier)) : nil)
            }
        }
        onlyLater = mostEventsFirst(all.filter { $0.earlier == nil })
        onlyEarlier = mostEventsFirst(all.filter { $0.later == nil })
        both = steepestFirst(all.filter { $0.later != nil && $0.earlier != nil }, rises)
    }
}

private func roles(
    of issue: Issue, in later: String, isNew: Bool?, _ regressed: Set<String>
) -> [PairIssue.Role] {
    if regressed.contains(issue.id) { return [.regressed] }
    return (isNew == true ? [.new] : [])
        + (issue.fixedIn?.label == later ? [.fixed] : [])
}

private func mostEventsFirst(_ issues: [PairIssue]) -> [PairIssue] {
    func events(_ issue: PairIssue) -> Int { (issue.later?.events ?? 0) &+ (issue.earlier?.events ?? 0) }
    return issues.sorted { first, second in
        events(first) != events(second) ? events(first) > events(second) : first.id < second.id
    }
}

/// By how many events for each session they rose, then those of which that is not known by their events in the later
/// release.
private func steepestFirst(_ issues: [PairIssue], _ rises: [String: Double]) -> [PairIssue] {
    func rise(_ issue: PairIssue) -> Double { rises[issue.id] ?? -.infinity }
    func events(_ issue: PairIssue) -> Int { rises[issue.id] == nil ? issue.later?.events ?? 0 : 0 }
    return issues.sorted { first, second in
        if rise(first) != rise(second) { return rise(first) > rise(second) }
        return events(first) != events(second) ? events(first) > events(second) : first.id < second.id
    }
}

/// The events that are expected of the sessions of one release at the rate of the other.
private func expected(_ perSession: Double?, _ sessions: Int?) -> Double? {
    perSession.flatMap { rate in sessions.map { rate * Double($0) } }
}
