import AppHealth

/// How far a table of sessions is loaded, as its days and hours of an app show.
struct SessionTableReach {
    private let window: WarehouseWindow
    /// The sessions of each day that has any.
    private let days: [CivilDate: Int]
    /// The sessions of each hour that has any; nil when they are not known.
    private let hours: [UTCHour: Int]?

    init(_ window: WarehouseWindow, days: [CivilDate: Int], hours: [UTCHour: Int]?) {
        self.window = window
        self.days = days.filter { $0.value > 0 }
        self.hours = hours?.filter { $0.value > 0 }
    }

    /// The newest day with a session, where the table is not loaded to its end: the hours after the newest session had a
    /// tenth of an ordinary day on the day before, and many sessions. Once those hours are not known any more, a day after
    /// which nothing came is not whole when it has less than three quarters of an ordinary one.
    var cutDay: CivilDate? {
        guard let day = days.keys.max(), let hours else { return nil }
        let span = day.advanced(by: -OrdinaryDay.span)..<day
        let earlier = days.filter { span.contains($0.key) }.map(\.value)
        guard let usual = OrdinaryDay(earlier, atLeast: 1)?.count, usual >= OrdinaryDay.manySessions
        else { return nil }
        let end = UTCHour(of: Instant(secondsSinceEpoch: window.start(of: day.advanced(by: 1)) - 1))
        if let newest = hours.keys.max() {
            guard newest < end else { return nil }
            let before = newest.advanced(by: -23)...end.advanced(by: -24)
            let missing = hours.reduce(0) { before.contains($1.key) ? $0 + $1.value : $0 }
            if missing >= max(OrdinaryDay.manySessions, usual / 10) { return day }
            guard before.lowerBound < window.hours.lowerBound else { return nil }
        }
        guard day < window.days.upperBound.advanced(by: -1) else { return nil }
        return (days[day] ?? 0) * 4 < usual * 3 ? day : nil
    }
}
