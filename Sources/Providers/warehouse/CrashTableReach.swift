import AppHealth

/// How far a table of crashes is loaded, as its newest row of an app shows.
///
/// After that row there was no crash, or the table is not loaded yet; which of the two is not known at first.
struct CrashTableReach {
    /// How many of the newest days that are over may not be loaded yet.
    static let lateDays = 2

    private let window: WarehouseWindow
    private var newestDay: CivilDate?
    private var newestRow: Instant?

    /// No row is known yet.
    init(_ window: WarehouseWindow) { self.window = window }

    /// Whether it has no row at all.
    var isEmpty: Bool { newestDay == nil }

    /// Adds a day with a row.
    mutating func add(_ day: CivilDate) { newestDay = max(newestDay ?? day, day) }

    /// Adds the time of a row.
    mutating func add(_ row: Instant) {
        newestRow = max(newestRow ?? row, row)
        add(window.day(of: row))
    }

    /// Whether a day without a row may be one that is not loaded yet.
    func mayBeLate(on day: CivilDate) -> Bool {
        newestDay.map { day > $0 } ?? true && day >= window.days.upperBound.advanced(by: -Self.lateDays)
    }

    /// Whether an hour that begins at an instant may not be loaded yet.
    func mayBeLate(at hour: Instant) -> Bool {
        newestRow.map { hour > $0 } ?? mayBeLate(on: window.day(of: hour))
    }
}
