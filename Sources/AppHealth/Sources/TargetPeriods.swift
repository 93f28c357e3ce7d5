/// Levels by which an app is judged from an instant on.
package struct TargetChange: Hashable, Codable, Sendable {
    /// When they were first used.
    package let at: Instant
    /// The levels.
    package let targets: Targets

    /// Makes a change.
    package init(at: Instant, targets: Targets) {
        self.at = at
        self.targets = targets
    }
}

/// The levels by which each day of an app is judged: those that held when it was reported, so that a team that raises its
/// target does not find its past missing it.
package struct TargetPeriods: Hashable, Codable, Sendable {
    /// The levels of now.
    package let current: Targets
    /// Those before, the oldest first.
    private let earlier: [Period]

    private struct Period: Hashable, Codable, Sendable {
        let lastDay: CivilDate
        let targets: Targets
    }

    /// For how many days levels must have held to be kept for the past: a slip that is corrected soon leaves no trace.
    package static let leastDays = 14
    /// How many days before the first report by new levels are judged by them: data of these days may not have been there
    /// before.
    package static let reach = 3

    /// The same levels for all days.
    package init(_ targets: Targets) {
        current = targets
        earlier = []
    }

    /// - Parameters:
    ///   - changes: The levels that were used up to the report, the oldest first.
    ///   - current: Those of the report.
    ///   - asOf: The instant of the report.
    package init(_ changes: [TargetChange], current: Targets, asOf: Instant) {
        let isKnown = changes.last?.targets == current
        let all = changes + (isKnown ? [] : [TargetChange(at: asOf, targets: current)])
        var kept: [(targets: Targets, since: Instant, from: Instant)] = []
        for change in all {
            var from = change.at
            if let last = kept.last, last.since.seconds(to: change.at) < Self.leastDays * 86_400 {
                from = last.from
                kept.removeLast()
            }
            // Back from a slip, the levels before it go on.
            if kept.last?.targets == change.targets { continue }
            kept.append((change.targets, change.at, from))
        }
        self.current = current
        self.earlier = zip(kept, kept.dropFirst()).map { period, next in
            Period(lastDay: next.from.date.advanced(by: -Self.reach - 1), targets: period.targets)
        }
    }

    /// The levels by which a day is judged.
    package subscript(day: CivilDate) -> Targets {
        earlier.first { day <= $0.lastDay }?.targets ?? current
    }
}
