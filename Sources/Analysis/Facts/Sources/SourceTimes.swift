import AppHealth
import Statistics

/// What the days of a source are in time; without a source, those of UTC.
extension SourceHistory? {
    /// The instant at which a day is over, in the zone of the source where that is known.
    func end(of day: CivilDate) -> Instant { self?.end(of: day) ?? endInUTC(of: day) }

    /// Whether it was queried after the end of a day, in whatever zone its days are.
    func isOver(_ day: CivilDate) -> Bool {
        guard let source = self, let capturedAt = source.capturedAt else { return false }
        if source.zoneOffsets != nil { return source.lastDayOver(at: capturedAt) >= day }
        return capturedAt >= endInUTC(of: day).advanced(bySeconds: secondsBehindUTC(source.source.zone))
    }

    /// Whether late data may still change a day.
    func isSettling(_ day: CivilDate) -> Bool {
        guard let capturedAt = self?.capturedAt else { return true }
        return capturedAt < settles(day)
    }

    /// When late data can no longer change a day.
    func settles(_ day: CivilDate) -> Instant {
        let age = self?.source.settling ?? .standard
        return endInUTC(of: day).advanced(bySeconds: age.changesForHours * 3600)
    }

    /// The first day that is over no sooner than another one settles: each report that has it whole knows what needs the
    /// other one without late data.
    func dayKnown(bySettling day: CivilDate) -> CivilDate {
        let settled = settles(day)
        var known = day
        while end(of: known) < settled { known = known.advanced(by: 1) }
        return known
    }

    /// The first capture with which a day was settled; nil where the archive does not say when the day came.
    func capture(settling day: CivilDate) -> Instant? {
        guard let source = self, let came = source.captures.first[day] else { return nil }
        let earliest = max(came, settles(day))
        let captures = source.captures.first.values.lazy.filter { $0 >= earliest }
        // A run that brought no new day is known by the source alone.
        return captures.min() ?? source.capturedAt.map { max($0, earliest) }
    }

    /// A day that still settles and holds less than half of its usual total has not come in: it reports nothing.
    func withoutPartialDays<Count>(
        _ counts: [Count?], of days: [CivilDate], total: (Count) -> Int
    ) -> [Count?] {
        var counts = counts
        for place in counts.indices where isSettling(days[place]) {
            let weeks = (1...4).compactMap { place >= 7 * $0 ? counts[place - 7 * $0] : nil }
            guard let count = counts[place], let usual = median(weeks.map { Double(total($0)) }) else {
                continue
            }
            if Double(total(count)) < usual / 2 { counts[place] = nil }
        }
        return counts
    }

    /// Which shares of their counts on a basis the days have that are not final, as of its newest capture.
    func lateCounts(_ basis: Basis) -> [CivilDate: LateCounts] {
        self?.lateCounts[basis == .users ? .users : .sessions] ?? [:]
    }
}

private func endInUTC(of day: CivilDate) -> Instant { Instant(startOf: day.advanced(by: 1)) }

/// How much later than in UTC the days of a zone that is not known may end. The parts of the world that are never behind
/// UTC need no time; of the others there is only a bound.
private func secondsBehindUTC(_ zone: String) -> Int {
    let neverBehind = ["UTC", "GMT", "Etc/UTC", "Europe/", "Asia/", "Australia/", "Indian/", "Africa/"]
    return neverBehind.contains { zone == $0 || ($0.hasSuffix("/") && zone.hasPrefix($0)) } ? 0 : 12 * 3600
}
