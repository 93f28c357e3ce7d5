import AppHealth
import Foundation

extension SettlingAge {
    /// Of a warehouse whose newest days are asked for again: the oldest of them is read last when it has been over for a
    /// day less.
    static func warehouse(revising days: Int) -> SettlingAge {
        let last = (max(1, days) - 1) * 24
        return SettlingAge(settlesAfterHours: min(48, last), finalAfterHours: max(48, last))
    }
}

/// What one round of queries is about: days that are over, issues of four weeks, hours of the last days.
struct WarehouseWindow: Hashable, Sendable {
    /// Of how many days the counts of an issue are, all of them over: as many as its events by day.
    static let recentDays = 28
    /// How many past days are requested by hour, besides the current one.
    static let pastDaysOfHours = 2

    /// The whole days.
    let days: Range<CivilDate>
    /// The days of which all issues are listed, the current one included: none of them has one that is not.
    let issueDays: Range<CivilDate>
    /// The first day of which the counts of an issue are.
    let recent: CivilDate
    /// The hours that are over.
    let hours: Range<UTCHour>
    /// Whether no earlier fetch is known.
    let isFirst: Bool
    private let zone: TimeZone

    /// - Parameters:
    ///   - revised: How many past days are requested again.
    ///   - history: How many are requested for the first time.
    ///   - last: The last day that an earlier fetch has; nil when none is known.
    init(at now: Instant, zone: TimeZone, revised: Int, history: Int, last: CivilDate?) {
        let seconds = now.secondsSinceEpoch
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let today = Instant(secondsSinceEpoch: seconds + offset).date
        let usual = today.advanced(by: -max(1, revised))
        // The days before the last one may have grown since, as far as they are revised.
        let first =
            last.map { min(usual, $0.advanced(by: 2 - max(1, revised))) }
            ?? today.advanced(by: -max(revised, history))
        days = max(first, today.advanced(by: -max(revised, history)))..<today
        let recent = today.advanced(by: -Self.recentDays)
        issueDays = min(days.lowerBound, recent)..<today.advanced(by: 1)
        self.recent = recent
        let current = UTCHour(of: now)
        hours = current.advanced(by: -24 * Self.pastDaysOfHours)..<current
        isFirst = last == nil
        self.zone = zone
    }

    /// The day of an instant in the zone.
    func day(of instant: Instant) -> CivilDate {
        let date = Date(timeIntervalSince1970: Double(instant.secondsSinceEpoch))
        return instant.advanced(bySeconds: zone.secondsFromGMT(for: date)).date
    }

    /// The first second of a day in the zone: its midnight, or the end of the hour that clocks skip then.
    func start(of day: CivilDate) -> Int {
        let civil = Instant(startOf: day).secondsSinceEpoch
        func offset(at seconds: Int) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        }
        let midnight = civil - offset(at: civil - offset(at: civil))
        // A midnight that clocks skip comes out on the day before, counted with the hours after the change.
        return self.day(of: Instant(secondsSinceEpoch: midnight)) == day
            ? midnight : civil - offset(at: civil)
    }
}
