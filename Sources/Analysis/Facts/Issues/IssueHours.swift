package import AppHealth
package import Statistics

/// Hours of an app with the issues it met in them.
package struct IssueHours: Hashable, Sendable {
    /// The first hour; the others follow without a hole.
    package let first: UTCHour
    /// The issues by the source's id, in the order of the rows.
    package let issues: [String]
    /// The sessions of the hours, and for each issue those that met it.
    package let counts: HourlyIssues
    /// Whether these are users of the hour wherever any issue has some; else they are events where users are not known.
    package private(set) var areUsers = false
    /// How far the zone of the source's days is from UTC; nil where that is not known.
    private var zoneOffsets: ZoneOffsets?

    /// The hours; nil when the ids do not fit the rows.
    package init?(first: UTCHour, issues: [String], counts: HourlyIssues) {
        guard issues.count == counts.rows.count else { return nil }
        self.first = first
        self.issues = issues
        self.counts = counts
    }

    /// The hour at a place of the series.
    package func hour(at place: Int) -> UTCHour { first.advanced(by: place) }

    /// The day of an instant for their source.
    func day(of instant: Instant) -> CivilDate { zoneOffsets?.day(of: instant) ?? instant.date }

    /// Whether these are about as many as are kept, so that the hours before them are gone: the first one moves each night
    /// and says nothing of when the app's hours began.
    var areCutOff: Bool { counts.sessions.count > HourKeeping.hours - 24 }

    /// The day of the last hour.
    var lastDay: CivilDate { day(of: hour(at: counts.sessions.count - 1).start) }

    /// The days that hours tell all of: from the one after that of a place on, those without a gap. The last one only
    /// where its last hour is over.
    func wholeDays(after place: Int) -> Set<CivilDate> {
        let sessions = counts.sessions
        guard sessions.indices.contains(place) else { return [] }
        let next = day(of: hour(at: sessions.count).start)
        let first = day(of: hour(at: place).start)
        var days: Set<CivilDate> = []
        var gaps: Set<CivilDate> = []
        for place in place..<sessions.count {
            let day = day(of: hour(at: place).start)
            if sessions[place] == nil { gaps.insert(day) } else { days.insert(day) }
        }
        return days.subtracting(gaps).filter { $0 > first && $0 < next }
    }

    /// What part of each day its known hours from a place on are: a whole day is one whole, however many hours it has.
    func knownParts(after place: Int) -> [CivilDate: Double] {
        let sessions = counts.sessions
        guard sessions.indices.contains(place) else { return [:] }
        let known = (place..<sessions.count).filter { sessions[$0] != nil }
        let parts = Dictionary(grouping: known) { day(of: hour(at: $0).start) }
            .mapValues { min(1, Double($0.count) / Self.hoursOfADay) }
        return parts.merging(wholeDays(after: place).map { ($0, 1) }) { $1 }
    }

    private static let hoursOfADay = 24.0
}

extension IssueHours {
    /// The hours of a source up to the instant of the report that are over; nil when it does not report both sessions
    /// and issues by hour.
    ///
    /// An hour is a gap unless its sessions and its issues are both known. The sessions that met an issue are
    /// its users of the hour, or its events where the source reports no users: then an upper bound, as one
    /// session may hold several events; never more than the sessions of the hour.
    init?(of source: SourceHistory, asOf: Instant) {
        guard reportsHours(source) else { return nil }
        let end = UTCHour(of: asOf)
        let sessions = Dictionary(
            source.healthHours.lazy.filter { $0.hour < end && source.hoursOfIssues.contains($0.hour) }
                .compactMap { hour in hour.sessions.map { (hour.hour, $0) } },
            uniquingKeysWith: { $1 })
        guard let last = sessions.keys.max(), let earliest = sessions.keys.min() else { return nil }
        let first = max(earliest, last.advanced(by: 1 - HourKeeping.hours))
        let count = last.hoursSinceEpoch - first.hoursSinceEpoch + 1
        var rows: [String: [(place: Int, count: Int)]] = [:]
        var areUsers = true
        for hour in source.issueHours where hour.hour >= first && hour.hour <= last {
            guard let known = sessions[hour.hour], let met = hour.users ?? hour.events, met > 0 else {
                continue
            }
            if hour.users == nil { areUsers = false }
            let place = hour.hour.hoursSinceEpoch - first.hoursSinceEpoch
            rows[hour.issue, default: []].append((place, min(met, known)))
        }
        let issues = rows.keys.sorted()
        let steps = (0..<count).map { sessions[first.advanced(by: $0)] }
        let met = issues.map { id in
            var counts = [Int?](repeating: 0, count: count)
            for (place, count) in rows[id] ?? [] { counts[place] = count }
            return IssueSeries.Row(counts, sessions: steps)
        }
        guard let counts = HourlyIssues(sessions: steps, rows: met) else { return nil }
        self.init(first: first, issues: issues, counts: counts)
        self.areUsers = areUsers
        zoneOffsets = source.zoneOffsets
    }
}

private func reportsHours(_ source: SourceHistory) -> Bool {
    source.source.capabilities.contains(.hours) && !source.healthHours.isEmpty
        && !source.hoursOfIssues.isEmpty
}
