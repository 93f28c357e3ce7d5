import AppHealth

/// Which days of a source still ran when something was captured of them, and are over at a report: what was captured is of
/// a part of the day, and is no number of the whole.
struct RunningDays {
    private let lastDay: CivilDate
    private let end: (CivilDate) -> Instant

    /// The days of a source at a report.
    init(of history: SourceHistory, asOf: Instant) {
        lastDay = history.lastDayOver(at: asOf)
        end = { history.end(of: $0) }
    }

    /// Whether a day still ran at a capture, or was to come. What says of itself that it was captured at the very
    /// beginning of a day is named by it: a file of each day.
    func ran(_ day: CivilDate, at capture: Instant) -> Bool {
        let isNear = capture < Instant(startOf: day.advanced(by: 2))
        return isNear && day <= lastDay && capture < end(day) && !isNamed(capture, by: day)
    }

    private func isNamed(_ capture: Instant, by day: CivilDate) -> Bool {
        capture == Instant(startOf: day) || capture == end(day.advanced(by: -1))
    }

    /// Whether what a capture had of a day lacks much of it. Jobs that run just before midnight count it as it is then.
    func ranLong(_ day: CivilDate, at capture: Instant) -> Bool {
        ran(day, at: capture) && capture < Self.nearlyOver(end(day))
    }

    /// From when on a capture has nearly all of a day that ends at an instant.
    static func nearlyOver(_ end: Instant) -> Instant { end.advanced(bySeconds: -3600) }

    /// What a snapshot states, with a part of the days that ran.
    func parts(of span: CoverageSpan, at capture: Instant) -> [CoverageSpan] {
        guard span.coverage.isComplete, Instant(startOf: span.days.upperBound.advanced(by: 2)) > capture
        else { return [span] }
        let part = Coverage.partial(counted: nil, of: nil, deviation: span.coverage.deviation)
        return span.boundedDays.map { day in
            CoverageSpan(span.fact, day...day, ran(day, at: capture) ? part : span.coverage)
        }
    }
}

extension SourceHistory {
    /// Removes what is known of days of which nothing was reported after they were over.
    ///
    /// - Parameter openDays: The days of each kind of fact on which other facts may have been reported later.
    mutating func remove(_ running: RunningDays, _ openDays: [CoveredFact: Set<CivilDate>]) {
        removeRates(openDays)
        let days = Set(
            captures.days.filter { running.ranLong($0.key, at: $0.value) && captures.first[$0.key] == nil }
                .keys)
        guard !days.isEmpty else { return }
        health.removeAll { days.contains($0.date) }
        usage.removeAll { days.contains($0.date) }
        issueDays.removeAll { days.contains($0.date) }
        deviceDays.removeAll { days.contains($0.date) }
        for day in days {
            healthAsReported[day] = nil
            healthSettlement[day] = nil
            usageSettlement[day] = nil
            for fact in CoveredFact.allCases {
                leastOutlooks[fact]?[day] = nil
                lateCounts[fact]?[day] = nil
            }
            for fact in CoveredFact.allCases { coverage.state(CoverageSpan(fact, day...day, .unknown)) }
        }
    }

    /// Removes users, sessions and use of days on which these were counted as long as the day ran.
    private mutating func removeRates(_ openDays: [CoveredFact: Set<CivilDate>]) {
        func days(_ fact: CoveredFact) -> Set<CivilDate> { openDays[fact] ?? [] }
        func remainder(_ day: HealthDay) -> HealthDay? {
            var day = day
            if days(.sessions).contains(day.date) { (day.sessions, day.crashedSessions) = (nil, nil) }
            if days(.users).contains(day.date) {
                (day.users, day.crashedUsers, day.namedShare) = (nil, nil, nil)
            }
            let isEmpty = day.sessions == nil && day.users == nil && day.crashes == nil
            return isEmpty ? nil : day
        }
        let rated = days(.sessions).union(days(.users))
        health = health.compactMap { day in
            if day.version != nil { return days(.releaseHealth).contains(day.date) ? nil : day }
            return rated.contains(day.date) ? remainder(day) : day
        }
        for day in rated { healthAsReported[day] = healthAsReported[day].flatMap(remainder) }
        usage.removeAll { days(.usage).contains($0.date) }
        for fact in [CoveredFact.sessions, .users, .releaseHealth, .usage] {
            for day in days(fact) { coverage.state(CoverageSpan(fact, day...day, .unknown)) }
        }
    }
}
