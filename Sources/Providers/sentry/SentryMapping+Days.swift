import AppHealth

/// The whole days of a response with the places of their buckets. The last bucket is a part of a day when the
/// response ends inside it or when the day is not over; the response's own intervals count, not what was requested.
func wholeDays(of answer: SentrySessions, at now: Instant, losses: inout SkippedValues) -> [Int: CivilDate] {
    var days: [Int: CivilDate] = [:]
    var seen: Set<CivilDate> = []
    for (index, interval) in answer.intervals.enumerated() {
        let (start, path) = (interval.instant, "intervals[\(index)]")
        let end = start.advanced(bySeconds: 86_400)
        let next = index + 1 < answer.intervals.count ? answer.intervals[index + 1].instant : nil
        guard start == Instant(startOf: start.date), next == nil || next == end else {
            losses.refuse(path, expected: "a day that begins at midnight UTC", found: "\(start)")
            continue
        }
        // An end such as 23:59:59 is included.
        guard end <= now, end <= answer.end.instant.advanced(bySeconds: 1),
            losses.isFirst(start.date, in: &seen, at: path, "a day")
        else { continue }
        days[index] = start.date
    }
    return days
}

/// Sessions of one day.
struct SessionCounts: Equatable, Sendable {
    var all = 0
    /// Those with the status `crashed`. `unhandled` is not among them: the app went on.
    var crashed = 0
}

/// The sessions of each release by day or by hour, those of no release under the empty name; nil when a group cannot be
/// reported from others, for then no sum is right.
func sessionCounts<Bucket: Hashable>(
    of answer: SentrySessions, on buckets: [Int: Bucket], losses: inout SkippedValues
) -> [String: [Bucket: SessionCounts]]? {
    var byRelease: [String: [StatusSamples]] = [:]
    var seen: Set<[String]> = []
    for (index, group) in answer.groups.enumerated() {
        let path = "groups[\(index)]"
        guard let key = group.by?.value, let status = key.status?.nonEmpty else {
            losses.refuse("\(path).by", expected: "a session.status", found: "none")
            return nil
        }
        let release = key.release?.text ?? ""
        guard losses.isFirst([release, status], in: &seen, at: path, "a release and status") else {
            continue
        }
        if !knownStatuses.contains(status) {
            losses.refuse(word: status, at: "\(path).by[\"session.status\"]", among: knownStatuses)
        }
        let values = samples(
            group.series?.value?.sessions, at: "\(path).series[\"sum(session)\"]", losses: &losses)
        byRelease[release, default: []].append(StatusSamples(status: status, values: values))
    }
    guard hasNeededStatuses(byRelease, losses: &losses) else { return nil }
    dropPartial(&byRelease, losses: &losses)
    return byRelease.mapValues { sums(of: $0, on: buckets) }
}

/// What a response about sessions by status has to have.
let sentryStatusGroups = "a group for each session.status, healthy and crashed among them"

/// Without a group of crashed sessions, as under another name, every day would look stable. Servers of every version return
/// it, with zeros where nothing was counted.
private func hasNeededStatuses(_ byRelease: [String: [StatusSamples]], losses: inout SkippedValues) -> Bool {
    let groups = byRelease.values.joined()
    guard groups.contains(where: { $0.values.values.contains { $0 > 0 } }) else { return true }
    let statuses = Set(groups.map(\.status))
    guard let missing = ["healthy", "crashed"].first(where: { !statuses.contains($0) }) else { return true }
    losses.refuse(
        "groups", expected: "one with the session.status \(missing)",
        found: statuses.sorted().prefix(10).map { quoted($0, limit: 60) }.joined(separator: ", "))
    return false
}

/// A release lacks a status that others have when the response was cut inside it; without its crashed group it
/// would look stable.
private func dropPartial(_ byRelease: inout [String: [StatusSamples]], losses: inout SkippedValues) {
    let all = Set(byRelease.values.joined().map(\.status))
    for (release, groups) in byRelease.sorted(by: { $0.key < $1.key }) where groups.count < all.count {
        byRelease[release] = nil
        losses.refuse(
            "groups", expected: "\(all.count) statuses of release \(quoted(release, limit: 60))",
            found: "\(groups.count)")
    }
}

/// A status that is none of these counts among all sessions, and is reported of.
private let knownStatuses = ["healthy", "errored", "crashed", "abnormal", "unhandled"]

private struct StatusSamples {
    var status: String
    var values: [Int: Int]
}

/// A day or an hour in which one status has no value has no sum.
private func sums<Bucket: Hashable>(
    of groups: [StatusSamples], on buckets: [Int: Bucket]
) -> [Bucket: SessionCounts] {
    var result: [Bucket: SessionCounts] = [:]
    for (index, bucket) in buckets {
        result[bucket] = groups.reduce(SessionCounts()) { counts, group in
            guard var counts, let value = group.values[index] else { return nil }
            let (sum, isOver) = counts.all.addingReportingOverflow(value)
            counts.all = sum
            if group.status == "crashed" { counts.crashed = value }
            return isOver ? nil : counts
        }
    }
    return result
}

/// The values by bucket; the series as a whole may be missing.
private func samples(
    _ series: LossyArray<Nullable<Count>>?, at path: String, losses: inout SkippedValues
) -> [Int: Int] {
    guard let series else {
        losses.refuse(path, expected: "a list of counts", found: "none")
        return [:]
    }
    return Dictionary(
        series.items.compactMap { item in item.value.value.map { (item.index, $0.value) } },
        uniquingKeysWith: { first, _ in first })
}

/// Users of one day, as far as they are known.
struct UserCounts: Equatable, Sendable {
    var sessions: Int?
    var users: Int?
    var crashed: Int?
}

/// The users of each release by day, those of no release under the empty name.
func userCounts(
    of answer: SentrySessions, on days: [Int: CivilDate], losses: inout SkippedValues
) -> [String: [CivilDate: UserCounts]] {
    var result: [String: [CivilDate: UserCounts]] = [:]
    var seen: Set<String> = []
    for (index, group) in answer.groups.enumerated() {
        let path = "groups[\(index)]"
        guard let key = group.by?.value else {
            losses.refuse("\(path).by", expected: "an object", found: "none")
            continue
        }
        let release = key.release?.text ?? ""
        guard losses.isFirst(release, in: &seen, at: path, "a release") else { continue }
        let series = group.series?.value
        let sessions = samples(
            series?.sessions, at: "\(path).series[\"sum(session)\"]", losses: &losses)
        let users = samples(
            series?.users, at: "\(path).series[\"count_unique(user)\"]", losses: &losses)
        let free = rates(
            series?.crashFreeUsers, at: "\(path).series[\"crash_free_rate(user)\"]", losses: &losses)
        for (bucket, date) in days {
            result[release, default: [:]][date] = dayOfUsers(
                sessions: sessions[bucket], users: users[bucket], crashFree: free[bucket])
        }
    }
    return result
}

/// The rates by bucket; a percentage, which other endpoints give, is refused and never guessed from its size.
private func rates(
    _ series: LossyArray<Nullable<Double>>?, at path: String, losses: inout SkippedValues
) -> [Int: Double] {
    var result: [Int: Double] = [:]
    for item in series?.items ?? [] {
        guard let rate = item.value.value else { continue }
        if rate >= 0, rate <= 1 {
            result[item.index] = rate
        } else {
            losses.refuse("\(path)[\(item.index)]", expected: "a rate from 0 to 1", found: "\(rate)")
        }
    }
    return result
}

/// Crashed users are those without the crash-free ones, rounded: the service gives them only as a rate. Where
/// an app reports no users, the service says 0 of them next to sessions: they are unknown then.
private func dayOfUsers(sessions: Int?, users: Int?, crashFree: Double?) -> UserCounts {
    guard let users, users > 0 else {
        let isQuiet = users == 0 && sessions == 0
        return UserCounts(sessions: sessions, users: isQuiet ? 0 : nil, crashed: isQuiet ? 0 : nil)
    }
    let crashed = crashFree.flatMap { Int(exactly: (Double(users) * (1 - $0)).rounded()) }
    return UserCounts(sessions: sessions, users: users, crashed: crashed.map { min($0, users) })
}
