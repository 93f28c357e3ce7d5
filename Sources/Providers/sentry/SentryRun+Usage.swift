import AppHealth
import Diagnostics

extension SentryRun {
    /// Adds the users of the 7 and of the 28 days that end with the last whole day; a user of several days is
    /// one, which only the service can tell.
    mutating func addUsersOfSpans(of scope: SentryScope, to snapshot: inout Snapshot) async {
        guard let last = snapshot.usage.indices.last, snapshot.usage[last].date == days.last,
            snapshot.usage[last].activeUsers != nil
        else { return }
        snapshot.usage[last].weeklyActiveUsers = await users(of: 7, in: scope)
        snapshot.usage[last].monthlyActiveUsers = await users(of: 28, in: scope)
    }

    private mutating func users(of count: Int, in scope: SentryScope) async -> Int? {
        let span = DaySpan(days: count, endingOn: days.last)
        let endpoint = SentryEndpoint.sessions(.usersOfSpan, span, scope)
        do throws(ServiceFault) {
            var (answer, losses) = try await parts.client.value(SentrySessions.self, at: endpoint)
            let users = usersOfSpan(answer, span, at: now, losses: &losses)
            parts.add(losses.warnings)
            return users
        } catch {
            parts.addMissing("users of \(count) days", error)
            return nil
        }
    }
}

/// The total of an answer that is about just these days; of others it says nothing.
private func usersOfSpan(
    _ answer: SentrySessions, _ span: DaySpan, at now: Instant, losses: inout Losses
) -> Int? {
    let days = wholeDays(of: answer, at: now, losses: &losses)
    guard days.count == answer.intervals.count, days.values.min() == span.first,
        days.values.max() == span.last
    else {
        losses.refuse("intervals", expected: "the days of \(span)", found: "others")
        return nil
    }
    let users = answer.groups.first?.totals?.value?.users?.value
    return users == 0 ? nil : users
}
