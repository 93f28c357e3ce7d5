import AppHealth

/// The days in UTC that the buckets of a trend cover from midnight to midnight and that are over.
///
/// A bucket that reaches over midnight belongs to no day, and a day of which a part is missing, is told twice or
/// still lies ahead has no count: the first and the last day of a trend are such, as a rule.
func issueDays(of buckets: [BugsnagError.Bucket], issue: String, at now: Instant) -> [IssueDay] {
    let byDay = Dictionary(grouping: buckets, by: \.from.instant.date)
    return byDay.sorted { $0.key < $1.key }.compactMap { date, buckets in
        let end = Instant(startOf: date).advanced(bySeconds: 86_400)
        guard end <= now, let events = events(of: buckets, from: Instant(startOf: date), to: end) else {
            return nil
        }
        return IssueDay(issue: issue, date: date, events: events, users: nil)
    }
}

/// The sum, when each bucket begins where the one before ends, from the first instant to the last.
private func events(of buckets: [BugsnagError.Bucket], from start: Instant, to end: Instant) -> Int? {
    var reached = start
    var sum = 0
    for bucket in buckets.sorted(by: { $0.from.instant < $1.from.instant }) {
        let (next, isOver) = sum.addingReportingOverflow(bucket.events.value)
        guard bucket.from.instant == reached, bucket.to.instant > reached, !isOver else { return nil }
        (reached, sum) = (bucket.to.instant, next)
    }
    return reached == end ? sum : nil
}
