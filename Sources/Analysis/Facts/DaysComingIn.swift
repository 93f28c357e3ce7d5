import AppHealth
import Statistics

extension SourceHistory {
    /// The days of a count that have not come in.
    ///
    /// A service that takes days to count, by its own statement, has a part of its last days each night. Such a day has not
    /// come in while it holds less than four fifths of what the same weekday usually does, and less than chance explains of
    /// small counts. How late it was captured counts, not how late the source was last fetched: once a day is as old as the
    /// source needs it is shown, however low it is.
    func daysComingIn(
        _ counts: [CivilDate: Int], _ settlement: [CivilDate: DayFinality]?, capturedAt: Instant
    ) -> Set<CivilDate> {
        Set(
            counts.filter { day, count in
                let age = end(of: day).seconds(to: capturedAt)
                let isEarly =
                    age < source.settling.settlesAfterHours * 3_600
                    || settlement?[day]?.isOfAnEarlyCapture == true
                guard isEarly,
                    let usual = median(
                        (1...4).compactMap { counts[day.advanced(by: -7 * $0)] }.map(Double.init))
                else { return false }
                return Double(count) < usual * 0.8 && isBelowChance(count, usual)
            }.keys)
    }
}

extension AppHistory {
    /// Without the crashes and events of days that have not come in, of sources without rates: what is counted of such a
    /// day would be the newest number, and a drop. They are there with the night in which they have come in.
    ///
    /// - Parameter first: the first day of which all is from the present sources; nil where none was replaced.
    func withCrashesThatCameIn(since first: CivilDate?) -> AppHistory {
        var history = self
        history.sources = sources.map { $0.withCrashesThatCameIn(since: first) }
        return history
    }
}

extension SourceHistory {
    fileprivate func withCrashesThatCameIn(since first: CivilDate?) -> SourceHistory {
        guard let capturedAt, source.takesDaysToCount,
            source.capabilities.isDisjoint(with: [.users, .sessions])
        else { return self }
        let counts = crashesByDay.filter { day, _ in first.map { day >= $0 } ?? true }
        let days = daysComingIn(counts, healthSettlement, capturedAt: capturedAt)
        guard !days.isEmpty else { return self }
        var history = self
        history.health.removeAll { days.contains($0.date) && $0.sessions == nil && $0.users == nil }
        history.issueDays.removeAll { days.contains($0.date) }
        history.deviceDays.removeAll { days.contains($0.date) }
        for day in days {
            history.healthSettlement[day] = nil
            for fact in CoveredFact.allCases where fact.isOfCrashes {
                history.coverage.state(CoverageSpan(fact, day...day, .unknown))
            }
        }
        return history
    }

    /// The crashes of each day as they are stated, or the events of all issues where they are not.
    private var crashesByDay: [CivilDate: Int] {
        let totals = health.filter { $0.version == nil }.compactMap { day in
            day.crashes.map { (day.date, $0) }
        }
        guard totals.isEmpty else { return Dictionary(totals, uniquingKeysWith: { $1 }) }
        let whole = coverage.days(of: .issueDays).filter { coverage(.issueDays, on: $0).isComplete }
        var sums = Dictionary(whole.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
        for row in issueDays where row.version == nil {
            sums[row.date] = PlausibleCount.sum(sums[row.date, default: 0], row.events ?? 0)
        }
        return sums
    }
}

extension CoveredFact {
    fileprivate var isOfCrashes: Bool {
        switch self {
        case .crashes, .releaseHealth, .issueDays, .issueUsers, .issueReleases: true
        case .sessions, .users, .usage: false
        }
    }
}

/// Whether fewer than one day in twenty has so few by chance alone.
private func isBelowChance(_ count: Int, _ usual: Double) -> Bool {
    CountDistribution(mean: usual).map { $0.tails(atLeast: count + 1).lower < 0.05 } ?? false
}
