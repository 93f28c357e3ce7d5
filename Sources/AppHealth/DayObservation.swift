/// What one snapshot says of one day: what is compared to tell whether the day is settled.
package struct DayObservation: Hashable, Sendable {
    /// When the snapshot was captured.
    package private(set) var capturedAt: Instant
    /// The crashed shares, in a fixed order; nil where there is none.
    let rates: [Fraction?]
    /// The counts that no rate stands for, in a fixed order; nil where there is none.
    let counts: [Int?]

    /// What a snapshot says of the stability of a day.
    ///
    /// A crashed count is compared by its rate: one crash more among millions of sessions is no change. Where
    /// the whole is not known it is compared as it is.
    package init(_ day: HealthDay, capturedAt: Instant) {
        self.capturedAt = capturedAt
        rates = [day.crashedUserShare, day.crashedSessionShare]
        counts = [
            day.users, day.sessions, day.crashedUserShare == nil ? day.crashedUsers : nil,
            day.crashedSessionShare == nil ? day.crashedSessions : nil,
        ]
    }

    /// What a snapshot says of the use of a day.
    package init(_ day: UsageDay, capturedAt: Instant) {
        self.capturedAt = capturedAt
        rates = []
        counts = [
            day.activeUsers, day.weeklyActiveUsers, day.monthlyActiveUsers, day.newUsers, day.sessions,
        ]
    }

    /// The same said by a later snapshot.
    package func repeated(at instant: Instant) -> DayObservation {
        var look = self
        look.capturedAt = instant
        return look
    }

    /// How a later snapshot contradicts this one; nil when they agree.
    func doubt(about later: DayObservation) -> DayFinality.ProvisionalReason? {
        let moves = zip(rates, later.rates).compactMap { before, after in
            before.flatMap { before in after.map { abs($0.value - before.value) * 100 } }
        }
        // Differences of doubles lose their last digits.
        if let most = moves.max(), most >= DayFinality.agreedPoints - 1e-9 {
            return .rateChanged(points: most)
        }
        for (before, after) in zip(counts, later.counts) where !agree(before, after) {
            return .countChanged(from: before, to: after)
        }
        return nil
    }
}

private func agree(_ before: Int?, _ after: Int?) -> Bool {
    guard let before, let after else { return before == after }
    let (difference, isOver) = before.subtractingReportingOverflow(after)
    guard !isOver else { return false }
    return Double(difference.magnitude) <= DayFinality.agreedShare * Double(max(before, after))
}
