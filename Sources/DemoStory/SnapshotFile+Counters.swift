import AppHealth

/// What an issue's own record says at the capture.
extension SnapshotFile {
    /// When the issue was first seen: as planned, or on the first day that counts it; nil when never.
    func firstSeen(of position: Int) -> Instant? {
        let issue = plan.issues[position]
        if let firstSeen = issue.firstSeen { return firstSeen }
        let first = final.first { $0.count(ofIssue: position).events > 0 }
        return first.map { time(on: $0.date, for: issue) }
    }

    /// When the issue was last seen, as the capture knows.
    func lastSeen(of position: Int, after firstSeen: Instant) -> Instant {
        let last = known.last { $0.count(ofIssue: position).events > 0 }
        let seen = last.map { time(on: $0.date, for: plan.issues[position]) }
        return max(seen ?? firstSeen, firstSeen)
    }

    /// The newest release in which the issue was seen.
    func lastRelease(of position: Int) -> Int? {
        known.lazy.flatMap(\.cells).filter { $0.issues[position].events > 0 }.map(\.release).max()
    }

    /// Events and distinct users so far; one in five daily users of an issue met it before.
    func total(of position: Int) -> IssueCount {
        let days = known.map { $0.count(ofIssue: position) }
        let users = days.reduce(0) { $0 + $1.users }
        let most = days.map(\.users).max() ?? 0
        let earlier = plan.issues[position].earlier
        return IssueCount(
            events: earlier.events + days.reduce(0) { $0 + $1.events },
            users: earlier.users + max(most, users * 4 / 5))
    }

    /// What the team says at the capture.
    func state(of issue: IssuePlan) -> Issue.State {
        guard let reopened = issue.reopenedOn, reopened < capture.date else { return issue.state }
        return .open
    }

    /// The unknown key that the source writes at the capture.
    func strayKey(of issue: IssuePlan) -> String? {
        guard let stray = issue.strayKey, stray.from <= capture.date else { return nil }
        return stray.name
    }

    private func time(on date: CivilDate, for issue: IssuePlan) -> Instant {
        let dayWord = UInt64(bitPattern: Int64(date.daysSinceEpoch))
        var random = SplitMix64(seed: seedWord(issue.id), dayWord)
        return Instant(startOf: date).advanced(bySeconds: 64_800 + Int(random.next() % 21_600))
    }
}
