import AppHealth

/// What a table has since its rows fell to less than a tenth, where that is no late load: one rule for sessions and crashes.
///
/// Devices whose clocks are ahead have a few rows of days that are not loaded yet: about one in a hundred at most, and fewer
/// from hour to hour. A low day with more is loaded: at once where its rows go on to its end, otherwise after more days than
/// a table is late, where they do not get fewer.
struct LowerLevel {
    /// One row of so many that are expected is more than those of devices whose clocks are ahead: on a day whose rows go on
    /// to its end, and on several days.
    private static let (mostOfOneDay, mostOfSeveral) = (40.0, 100.0)

    /// The first day of it.
    let first: CivilDate
    /// The rows of an ordinary day of it.
    let usual: Int
    /// Whether the rows of yesterday show that the table is loaded to the end of that day.
    let reachesEnd: Bool

    /// Nil where the days after the newest one with a fair part of the usual rows may not be loaded.
    ///
    /// - Parameters:
    ///   - fair: The newest day with a fair part.
    ///   - rows: The rows of each day that has any.
    ///   - usual: What an ordinary day had before.
    ///   - expected: What yesterday was to have.
    init?(
        after fair: CivilDate?, _ rows: [CivilDate: Int], usual: Int, expected: Double, hours: LoadedHours,
        _ window: WarehouseWindow
    ) {
        let yesterday = window.days.upperBound.advanced(by: -1)
        guard let first = fair?.advanced(by: 1), first <= yesterday else { return nil }
        let late = (first...yesterday).all.map { rows[$0] ?? 0 }
        reachesEnd =
            Double(rows[yesterday] ?? 0) * Self.mostOfOneDay >= expected && hours.goOnToTheEnd(of: yesterday)
        let run = late.prefix {
            $0 >= LoadedHours.fewestRows && Double($0) * Self.mostOfSeveral >= Double(usual)
        }
        let lasts = run.dropFirst(CrashTableReach.lateDays).contains { $0 >= late[0] / 2 }
        guard reachesEnd || lasts, let ordinary = OrdinaryDay(late.filter { $0 > 0 }, atLeast: 1) else {
            return nil
        }
        (self.first, self.usual) = (first, ordinary.count)
    }
}
