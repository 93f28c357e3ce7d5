/// Whether a source is done with a day, as far as its snapshots tell.
package enum DayFinality: Hashable, Sendable {
    /// Its figures are not expected to change any more.
    case settled
    /// Its figures may still change, and why that is to be expected.
    case provisional(ProvisionalReason)

    /// Why a day is not settled.
    package enum ProvisionalReason: Hashable, Sendable {
        /// The newest snapshot was captured sooner after the end of the day than the source needs.
        case early(settlesAfterHours: Int)
        /// Only one snapshot covers the day so far.
        case seenOnce
        /// A crash-free rate differs between the last two snapshots by so many percentage points (> 0).
        case rateChanged(points: Double)
        /// A count differs between the last two snapshots; nil where one of them does not tell it.
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
}

/// How long the figures of a source move after the end of a day.
package struct SettlingAge: Hashable, Sendable {
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

    /// Two days, and fourteen: for sources that state no delay of their own.
    package static let standard = SettlingAge(settlesAfterHours: 48, finalAfterHours: 336)
}
