package import AppHealth
package import Diagnostics
import Foundation

// Nothing counts what is to come: a row with a date typed ahead would be the newest figure once that day comes.

extension Snapshot {
    /// The same without what it has of days and hours that had not begun when it was captured, and a warning of it.
    package func withoutDaysToCome(at place: Location? = nil) -> Snapshot {
        var snapshot = self
        if let warning = snapshot.removeDaysToCome(at: place) { snapshot.warnings.append(warning) }
        return snapshot
    }

    /// Removes what it has of days and hours that had not begun when it was captured.
    ///
    /// - Parameter place: Where it is written, and can be corrected. The times of issues that a service has of devices whose
    ///   clocks are ahead cannot: they are removed without a word.
    /// - Returns: what to report; nil where nothing was counted on them, as in a table that has rows for days to come.
    mutating func removeDaysToCome(at place: Location? = nil) -> Diagnostic? {
        let begun = BegunDays(at: capturedAt, zone: source.zone)
        var lost = LostDates()
        health.removeAll { lost.take($0.date, begun, isCounted: $0.isCounted) }
        usage.removeAll { lost.take($0.date, begun, isCounted: $0.isCounted) }
        deviceDays.removeAll { lost.take($0.date, begun, isCounted: ($0.crashes ?? 0) > 0) }
        issueDays.removeAll { lost.take($0.date, begun, isCounted: $0.isCounted) }
        healthHours.removeAll { lost.take($0.hour, begun, isCounted: ($0.sessions ?? 0) > 0) }
        issueHours.removeAll { lost.take($0.hour, begun, isCounted: !$0.isEmpty) }
        for index in issues.indices {
            lost.take(&issues[index].firstSeen, begun, isNoted: place != nil)
            lost.take(&issues[index].lastSeen, begun, isNoted: place != nil)
        }
        coverage = coverage.compactMap { span in
            guard span.days.lowerBound <= begun.last else { return nil }
            let days = span.days.lowerBound...min(span.days.upperBound, begun.last)
            return CoverageSpan(span.fact, days, span.coverage)
        }
        return lost.warning(of: self, at: place)
    }
}

/// The last day that had begun at a capture, in UTC or in the zone of the source; in any zone where that is not known.
func lastBegunDay(at capture: Instant, zone: String) -> CivilDate { BegunDays(at: capture, zone: zone).last }

/// Which days had begun at a capture, in UTC or in the zone of the source; in any zone where that is not known.
private struct BegunDays {
    /// How far ahead of UTC the first place is in which a day begins.
    private static let farthestAhead = 14 * 3600

    /// The last of them.
    let last: CivilDate
    private let capture: Instant

    init(at capture: Instant, zone: String) {
        let date = Date(timeIntervalSince1970: Double(capture.secondsSinceEpoch))
        let ahead = TimeZone(identifier: zone)?.secondsFromGMT(for: date) ?? Self.farthestAhead
        self.capture = capture
        last = capture.advanced(bySeconds: max(0, ahead)).date
    }

    func hold(_ hour: UTCHour) -> Bool { capture.seconds(to: hour.start) <= Instant.mostAheadSeconds }
}

/// What was dated ahead.
private struct LostDates {
    private var count = 0
    private var first: CivilDate?

    /// Whether a day had not begun.
    mutating func take(_ day: CivilDate, _ begun: BegunDays, isCounted: Bool) -> Bool {
        guard day > begun.last else { return false }
        if isCounted { note(day) }
        return true
    }

    /// Whether an hour had not begun.
    mutating func take(_ hour: UTCHour, _ begun: BegunDays, isCounted: Bool) -> Bool {
        guard !begun.hold(hour) else { return false }
        if isCounted { note(hour.start.date) }
        return true
    }

    /// Removes a time on a day that had not begun.
    mutating func take(_ time: inout Instant?, _ begun: BegunDays, isNoted: Bool) {
        guard let day = time?.date, day > begun.last else { return }
        if isNoted { note(day) }
        time = nil
    }

    private mutating func note(_ day: CivilDate) {
        count += 1
        first = min(first ?? day, day)
    }

    func warning(of snapshot: Snapshot, at place: Location?) -> Diagnostic? {
        guard let first else { return nil }
        let what = count == 1 ? "1 value was" : "\(count) values were"
        return .warning(
            "decoding.to-come",
            "\(snapshot.source.provider): \(what) skipped that \(count == 1 ? "is" : "are") dated after the capture, such as \(first)",
            details: ["captured \(snapshot.capturedAt)"], at: place,
            hints: ["correct the date, or state the zone in which the days begin"])
    }
}

extension HealthDay {
    /// Whether anything was counted on it.
    var isCounted: Bool {
        [sessions, crashedSessions, users, crashedUsers, crashes].contains { ($0 ?? 0) > 0 }
    }
}

extension IssueDay {
    /// Whether anything was counted on it.
    var isCounted: Bool { (events ?? users ?? 0) > 0 }
}

extension UsageDay {
    fileprivate var isCounted: Bool {
        [activeUsers, weeklyActiveUsers, monthlyActiveUsers, newUsers, sessions].contains { ($0 ?? 0) > 0 }
    }
}
