import AppHealth
import Diagnostics

extension SentryRun {
    /// Adds the users of the 7 and of the 28 days that end with the last whole day; a user of several days is
    /// one, which only the service can report.
    mutating func addUsersOfSpans(of scope: SentryScope, to snapshot: inout Snapshot) async {
        guard let last = snapshot.usage.indices.last, snapshot.usage[last].date == days.last,
            snapshot.usage[last].activeUsers != nil
        else { return }
        let first = snapshot.usage[0].date
        snapshot.usage[last].weeklyActiveUsers = await users(of: 7, since: first, in: scope)
        snapshot.usage[last].monthlyActiveUsers = await users(of: 28, since: first, in: scope)
    }

    private mutating func users(of count: Int, since first: CivilDate, in scope: SentryScope) async -> Int? {
        let span = DaySpan(days: count, endingOn: days.last)
        // Of a span that begins before the first session, or before what the service keeps, the users are those of fewer days.
        guard first <= span.first else { return nil }
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

/// The total of a response that is about just these days; of others it says nothing.
private func usersOfSpan(
    _ answer: SentrySessions, _ span: DaySpan, at now: Instant, losses: inout SkippedValues
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

/// The whole hours whose sessions are requested: the 24 that the service reports of issues, and as many before,
/// in which late sessions may have come.
func sentryHours(before now: Instant) -> ClosedRange<UTCHour> {
    let current = UTCHour(of: now)
    return current.advanced(by: -48)...current.advanced(by: -1)
}

extension SentryRun {
    /// Adds the sessions of the last hours and the events of the issues in them; what is missing is reported.
    mutating func addHours(of scope: SentryScope, to snapshot: inout Snapshot) async {
        let sessions = SentryEndpoint.sessionsByHour(sentryHours(before: now), scope)
        do throws(ServiceFault) {
            var (answer, losses) = try await parts.client.value(SentrySessions.self, at: sessions)
            let hours = wholeHours(of: answer, at: now, losses: &losses)
            let counts = sessionCounts(of: answer, on: hours, losses: &losses)?[""] ?? [:]
            snapshot.healthHours = counts.sorted { $0.key < $1.key }.map { hour, counts in
                HealthHour(hour: hour, sessions: counts.all, crashedSessions: counts.crashed)
            }
            parts.add(losses.warnings)
        } catch {
            return parts.addMissing(sessions.part, error)
        }
        guard !snapshot.issues.isEmpty else { return }
        let issues = SentryEndpoint.issuesByHour(scope)
        do throws(ServiceFault) {
            let (answer, losses) = try await parts.client.value(
                LossyArray<SentryIssueHours>.self, at: issues)
            let known = Set(snapshot.issues.map(\.id))
            snapshot.issueHours = answer.values.flatMap { item -> [IssueHour] in
                guard let id = item.id.text, known.contains(id) else { return [] }
                return issueHours(item.stats?.value?.hours?.values ?? [], of: id, at: now)
            }
            parts.add(losses.warnings)
        } catch {
            parts.addMissing(issues.part, error)
        }
    }
}

/// The whole hours of a response with the places of their buckets; the response's own intervals count.
private func wholeHours(
    of answer: SentrySessions, at now: Instant, losses: inout SkippedValues
) -> [Int: UTCHour] {
    var hours: [Int: UTCHour] = [:]
    var seen: Set<UTCHour> = []
    for (index, interval) in answer.intervals.enumerated() {
        let (hour, path) = (UTCHour(of: interval.instant), "intervals[\(index)]")
        guard hour.start == interval.instant else {
            losses.refuse(path, expected: "the beginning of an hour", found: "\(interval.instant)")
            continue
        }
        let end = hour.advanced(by: 1).start
        // An end such as 05:59:59 is included.
        guard end <= now, end <= answer.end.instant.advanced(bySeconds: 1),
            losses.isFirst(hour, in: &seen, at: path, "an hour")
        else { continue }
        hours[index] = hour
    }
    return hours
}

/// The whole hours of an issue's time line; a bucket without a count, and one that is not an hour, is skipped.
private func issueHours(_ points: [StatPoint], of issue: String, at now: Instant) -> [IssueHour] {
    var seen: Set<UTCHour> = []
    return points.compactMap { point in
        let start = Instant(secondsSinceEpoch: point.seconds)
        let hour = UTCHour(of: start)
        guard hour.start == start, hour.advanced(by: 1).start <= now, let count = point.count?.value,
            seen.insert(hour).inserted
        else { return nil }
        return IssueHour(issue: issue, hour: hour, events: count)
    }.sorted { $0.hour < $1.hour }
}
