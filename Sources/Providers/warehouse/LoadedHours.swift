import AppHealth

/// Up to which hour a table is loaded, as its rows of the last days show: one rule for sessions and crashes.
///
/// Devices whose clocks are ahead have a few rows of later hours, so that the newest row says nothing. An hour is loaded
/// when from it on a tenth came of what is usual.
struct LoadedHours {
    /// Fewer rows than these may be those of devices whose clocks are ahead.
    static let fewestRows = 3

    /// The rows of each hour that has any.
    private let rows: [UTCHour: Int]
    private let window: WarehouseWindow

    init(_ rows: [UTCHour: Int], _ window: WarehouseWindow) {
        self.rows = rows.filter { $0.value > 0 }
        self.window = window
    }

    /// Whether a day has a fair part of the rows that are expected, more than those of devices whose clocks are ahead.
    static func isFair(_ count: Int, of expected: Double) -> Bool {
        Double(count) >= (expected / 10).rounded(.down)
    }

    /// The newest hour that is loaded; nil when none of the last days is.
    func newest(usual: Int) -> UTCHour? {
        guard let newest = rows.keys.max() else { return nil }
        var (hour, came, before, count) = (newest, 0, 0, 0)
        while hour >= window.hours.lowerBound {
            came = came.addingCapped(rows[hour] ?? 0)
            before = before.addingCapped(rows[hour.advanced(by: -24)] ?? 0)
            count += 1
            let ordinary = max(Double(before), Double(usual) * Double(count) / 24)
            if rows[hour] != nil, came >= Self.fewestRows, Double(came) * 10 >= ordinary { return hour }
            hour = hour.advanced(by: -1)
        }
        return nil
    }

    /// The rows that the same hours of the day before had.
    func rowsOfDayBefore(_ hours: ClosedRange<UTCHour>) -> Int {
        let before = hours.lowerBound.advanced(by: -24)...hours.upperBound.advanced(by: -24)
        return rows.reduce(0) { before.contains($1.key) ? $0.addingCapped($1.value) : $0 }
    }

    /// Whether a day has many rows that go on to its end: a quarter of them in its later half, and some in its last hours.
    /// Those of devices whose clocks are ahead, and of a day that is loaded in part, get fewer.
    func goOnToTheEnd(of day: CivilDate) -> Bool {
        let (start, end) = (window.start(of: day), window.start(of: day.advanced(by: 1)))
        guard UTCHour(of: Instant(secondsSinceEpoch: start)) >= window.hours.lowerBound else { return false }
        func count(from start: Int) -> Int {
            rows.reduce(0) { sum, hour in
                let begin = hour.key.start.secondsSinceEpoch
                return begin >= start && begin < end ? sum.addingCapped(hour.value) : sum
            }
        }
        let all = count(from: start)
        let later = count(from: start + (end - start) / 2)
        return all >= OrdinaryDay.manyRows && later >= all / 4 && count(from: end - (end - start) / 4) > 0
    }

    /// Whether the same hour of the day before was requested.
    func covers(dayBefore hour: UTCHour) -> Bool { hour.advanced(by: -24) >= window.hours.lowerBound }
}
