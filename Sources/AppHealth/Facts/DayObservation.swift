/// What one snapshot says of one day: what is compared to know whether the day is settled.
package struct DayObservation: Hashable, Codable, Sendable {
    /// When the snapshot was captured.
    package private(set) var capturedAt: Instant
    /// The crashed shares, in a fixed order; nil where there is none.
    let rates: [Fraction?]
    /// The counts that are in no rate, in a fixed order; nil where there is none.
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
            day.crashedSessionShare == nil ? day.crashedSessions : nil, day.crashes,
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

/// Whether a source is done with a day, as far as its snapshots show.
package enum DayFinality: Hashable, Codable, Sendable {
    /// Its figures are not expected to change any more.
    case settled
    /// Its figures may still change, and why that is to be expected.
    case provisional(ProvisionalReason)

    /// Why a day is not settled.
    package enum ProvisionalReason: Hashable, Codable, Sendable {
        /// The newest snapshot was captured sooner after the end of the day than the source needs.
        case early(settlesAfterHours: Int)
        /// Only one snapshot covers the day so far.
        case seenOnce
        /// A crash-free rate differs between the last two snapshots by so many percentage points (> 0).
        case rateChanged(points: Double)
        /// A count differs between the last two snapshots; nil where one of them does not report it.
        case countChanged(from: Int?, to: Int?)
    }

    /// How far a crash-free rate may move, in percentage points, between two snapshots that agree.
    package static let agreedPoints = 0.02
    /// How far a count may move, relative to the larger one, between two snapshots that agree.
    package static let agreedShare = 0.001

    /// Judges a day by the last two snapshots that cover it.
    ///
    /// A day is settled when the newest of them was captured at least `settlesAfterHours` after its end and
    /// agrees with the one before. One that was captured at least `finalAfterHours` after it needs no other,
    /// but two such late ones that differ show that the source still changes the day. The end of the day is
    /// counted in UTC, whatever the source's zone.
    package init(of day: CivilDate, latest: DayObservation, previous: DayObservation?, age: SettlingAge) {
        let end = Instant(startOf: day.advanced(by: 1))
        func isLate(_ look: DayObservation, by hours: Int) -> Bool {
            end.seconds(to: look.capturedAt) >= hours * 3600
        }
        guard isLate(latest, by: age.settlesAfterHours) else {
            self = .provisional(.early(settlesAfterHours: age.settlesAfterHours))
            return
        }
        let isFinal = isLate(latest, by: age.finalAfterHours)
        guard let previous else {
            self = isFinal ? .settled : .provisional(.seenOnce)
            return
        }
        if let doubt = previous.doubt(about: latest), !isFinal || isLate(previous, by: age.finalAfterHours) {
            self = .provisional(doubt)
        } else {
            self = .settled
        }
    }

    /// Why the day is provisional; nil when it is settled.
    package var doubt: ProvisionalReason? {
        if case .provisional(let doubt) = self { doubt } else { nil }
    }

    /// Whether its newest capture was sooner after its end than the source needs.
    package var isOfAnEarlyCapture: Bool {
        if case .early = doubt { true } else { false }
    }
}

/// How long the figures of a source move after the end of a day.
package struct SettlingAge: Hashable, Codable, Sendable {
    /// From how many hours after the end of the day two snapshots that agree settle it; at least 0.
    package let settlesAfterHours: Int
    /// From how many hours after the end of the day one snapshot is enough: the longest delay that is to be
    /// expected of the source; not less than `settlesAfterHours`.
    package let finalAfterHours: Int

    /// An age; numbers outside of their ranges are moved into them.
    package init(settlesAfterHours: Int, finalAfterHours: Int) {
        let least = min(max(settlesAfterHours, 0), 87_600)
        self.settlesAfterHours = least
        self.finalAfterHours = min(max(finalAfterHours, least), 87_600)
    }

    /// For how many hours after its end late data may change a day: no fewer than of a source that states no delay.
    package var changesForHours: Int { max(Self.standard.settlesAfterHours, settlesAfterHours) }

    /// Two days, and fourteen: for sources that state no delay of their own.
    package static let standard = SettlingAge(settlesAfterHours: 48, finalAfterHours: 336)
}
