import AppHealth
import Statistics

extension HistoryIndex {
    /// Crashed and all of each of `days` on a basis; nil for a day without figures, with impossible ones, or
    /// whose figures are not whole yet.
    func crashSeries(_ basis: Basis) -> [DayCount?] {
        let days = healthDays
        let counts = days.map { day -> DayCount? in
            guard let health = health[day], isOver(day, for: rates[basis]) else { return nil }
            return basis.count(of: health)
        }
        return withoutPartialDays(counts, of: days, from: rates[basis]) { $0.total }
    }

    /// Whether a source was queried after the end of a day, in whatever zone its days are.
    func isOver(_ day: CivilDate, for source: SourceHistory?) -> Bool {
        guard let source, let capturedAt = source.capturedAt else { return false }
        if source.zoneOffsets != nil { return source.lastDayOver(at: capturedAt) >= day }
        return capturedAt >= end(of: day).advanced(bySeconds: secondsBehindUTC(source.source.zone))
    }

    /// How many hours after its end a day's figures may still grow, of a source that does not need longer.
    package static let settlingHours = SettlingAge.standard.settlesAfterHours

    /// Whether late data may still change a day.
    func isSettling(_ day: CivilDate, for source: SourceHistory?) -> Bool {
        guard let source, let capturedAt = source.capturedAt else { return true }
        return capturedAt < settles(day, for: source)
    }

    /// When late data can no longer change a day.
    func settles(_ day: CivilDate, for source: SourceHistory?) -> Instant {
        let age = source?.source.settling ?? .standard
        return end(of: day).advanced(bySeconds: age.changesForHours * 3600)
    }

    /// The first day that is over no sooner than another one settles: each report that has it whole knows what needs the
    /// other one without late data.
    func dayKnown(bySettling day: CivilDate, for source: SourceHistory?) -> CivilDate {
        let settled = settles(day, for: source)
        var known = day
        while end(of: known, for: source) < settled { known = known.advanced(by: 1) }
        return known
    }

    /// The first capture with which a day was settled; nil where the archive does not say when the day came.
    func capture(settling day: CivilDate, for source: SourceHistory?) -> Instant? {
        guard let source, let came = source.captures.first[day] else { return nil }
        let earliest = max(came, settles(day, for: source))
        let captures = source.captures.first.values.lazy.filter { $0 >= earliest }
        // A run that brought no new day is known by the source alone.
        return captures.min() ?? source.capturedAt.map { max($0, earliest) }
    }

    /// A day that still settles and holds less than half of its usual total has not come in: it reports nothing.
    func withoutPartialDays<Count>(
        _ counts: [Count?], of days: [CivilDate], from source: SourceHistory?, total: (Count) -> Int
    ) -> [Count?] {
        var counts = counts
        for place in counts.indices where isSettling(days[place], for: source) {
            let weeks = (1...4).compactMap { place >= 7 * $0 ? counts[place - 7 * $0] : nil }
            guard let count = counts[place], let usual = median(weeks.map { Double(total($0)) }) else {
                continue
            }
            if Double(total(count)) < usual / 2 { counts[place] = nil }
        }
        return counts
    }
}

/// How much later than in UTC the days of a zone that is not known may end. The parts of the world that are never behind
/// UTC need no time; of the others there is only a bound.
private func secondsBehindUTC(_ zone: String) -> Int {
    let neverBehind = ["UTC", "GMT", "Etc/UTC", "Europe/", "Asia/", "Australia/", "Indian/", "Africa/"]
    return neverBehind.contains { zone == $0 || ($0.hasSuffix("/") && zone.hasPrefix($0)) } ? 0 : 12 * 3600
}
