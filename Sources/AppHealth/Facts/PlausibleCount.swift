/// What a count may be: none is negative, and sums of larger ones than the largest could leave the numbers.
package enum PlausibleCount {
    /// Counts above this are held to be impossible.
    package static let largest = 1_000_000_000_000

    /// A count as it is; nil for an impossible one, which says nothing.
    package static func known(_ count: Int?) -> Int? { isImpossible(count) ? nil : count }

    /// Two counts added up; at most the largest.
    package static func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, isOver) = first.addingReportingOverflow(second)
        return isOver ? largest : min(largest, sum)
    }

    fileprivate static func isImpossible(_ count: Int?) -> Bool {
        count.map { $0 < 0 || $0 > largest } ?? false
    }
}

extension AppHistory {
    /// Without impossible counts: nothing is known where one was stated. All that is worked out of a history goes by this.
    package var withPlausibleCounts: AppHistory {
        var history = self
        for place in sources.indices { history.sources[place].removeImpossibleCounts() }
        return history
    }
}

extension SourceHistory {
    fileprivate mutating func removeImpossibleCounts() {
        remove(HealthDay.counts, from: &health)
        for (day, reported) in healthAsReported {
            var reported = [reported]
            remove(HealthDay.counts, from: &reported)
            healthAsReported[day] = reported.first
        }
        remove(
            [\.activeUsers, \.weeklyActiveUsers, \.monthlyActiveUsers, \.newUsers, \.sessions], from: &usage)
        remove([\.events, \.users], from: &issues)
        remove([\.crashes], from: &deviceDays)
        remove([\.sessions, \.crashedSessions], from: &healthHours)
        remove([\.events, \.users], from: &issueHours)
        // There may be a million of these, which are read without key paths.
        for place in issueDays.indices where !issueDays[place].isPlausible {
            issueDays[place].events = PlausibleCount.known(issueDays[place].events)
            issueDays[place].users = PlausibleCount.known(issueDays[place].users)
        }
        for place in releases.indices {
            releases[place].lifetime = releases[place].lifetime?.withPlausibleCounts
        }
    }
}

private func remove<Row>(_ counts: [WritableKeyPath<Row, Int?>], from rows: inout [Row]) {
    for count in counts {
        for place in rows.indices where PlausibleCount.isImpossible(rows[place][keyPath: count]) {
            rows[place][keyPath: count] = nil
        }
    }
}

extension HealthDay {
    fileprivate static var counts: [WritableKeyPath<HealthDay, Int?>] {
        [\.sessions, \.crashedSessions, \.users, \.crashedUsers, \.crashes]
    }
}

extension IssueDay {
    fileprivate var isPlausible: Bool {
        !PlausibleCount.isImpossible(events) && !PlausibleCount.isImpossible(users)
    }
}

extension ReleaseTotals {
    fileprivate var withPlausibleCounts: ReleaseTotals {
        ReleaseTotals(
            sessions: PlausibleCount.known(sessions), crashedSessions: PlausibleCount.known(crashedSessions),
            sessionsLastDay: PlausibleCount.known(sessionsLastDay))
    }
}
