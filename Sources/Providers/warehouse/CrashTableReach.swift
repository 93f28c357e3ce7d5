import AppHealth

/// How far a table of crashes is loaded, as its rows of an app show.
///
/// A day is known as far as the table is known to reach. After the newest row there was no crash, or the table is not loaded
/// yet; which of the two is not known at first. Where an ordinary day has so many rows that none is no chance, a day without
/// any was not loaded, unless it had few sessions and later rows are there; and the day of the newest row is loaded as far as
/// that row. A table that has lost every row says nothing.
struct CrashTableReach {
    /// How many of the newest days that are over may not be loaded yet.
    static let lateDays = 2

    private let window: WarehouseWindow
    /// The rows of each day that has any, as far as they are counted.
    private var rows: [CivilDate: Int] = [:]
    private var newestRow: Instant?
    /// The rows of an ordinary day; 0 while nothing is usual.
    private(set) var usual = 0
    /// The days that had so few sessions that no row is no wonder.
    private var quietDays: Set<CivilDate> = []
    /// The last day of which rows were stored that the table has no more; nil while it has any.
    private(set) var lostDay: CivilDate?
    /// The day of the newest row, where the table is not loaded to its end.
    private(set) var cutDay: CivilDate?

    /// No row is known yet.
    init(_ window: WarehouseWindow) { self.window = window }

    /// Whether it has no row at all.
    var isEmpty: Bool { newestDay == nil }

    /// The day of the newest row.
    var newestDay: CivilDate? {
        [rows.keys.max(), newestRow.map(window.day)].compactMap(\.self).max()
    }

    /// Adds a day with so many rows or more.
    mutating func add(_ day: CivilDate, rows count: Int = 1) { rows[day] = max(rows[day] ?? 1, count) }

    /// Adds the time of a row.
    mutating func add(_ row: Instant) { newestRow = max(newestRow ?? row, row) }

    /// Learns what is usual, once all rows are added.
    ///
    /// - Parameters:
    ///   - active: The days of which rows were asked for and on which there may be some.
    ///   - span: All days of which rows were asked for.
    ///   - sessions: The sessions of each day, where they are known.
    ///   - hours: The rows of each hour that was asked for.
    ///   - stored: The rows of each day that earlier fetches stored.
    mutating func learn(
        active: Set<CivilDate>, span: Range<CivilDate>, sessions: [CivilDate: Int], hours: [UTCHour: Int],
        stored: () -> [CivilDate: Int]
    ) {
        // What was stored matters where a row is missing.
        let known = active.allSatisfy { rows[$0] != nil } ? [:] : stored()
        lostDay = isEmpty ? known.keys.filter(span.contains).max() : nil
        let all = rows.merging(known, uniquingKeysWith: max)
        guard let first = all.keys.min(), let last = all.keys.max() else { return }
        // Of the days before the window those from the first stored one on are known.
        let days = (last.advanced(by: 1 - OrdinaryDay.span)...last).all.filter {
            all[$0] != nil || active.contains($0) || $0 >= first && $0 < window.days.lowerBound
        }
        usual = OrdinaryDay(days.map { all[$0] ?? 0 })?.count ?? 0
        cutDay = cut(hours)
        quietDays = quiet(sessions)
    }

    /// The days of which fewer rows than many are to be expected, by their sessions.
    private func quiet(_ sessions: [CivilDate: Int]) -> Set<CivilDate> {
        guard let ordinary = OrdinaryDay(sessions.values)?.count, ordinary > 0 else { return [] }
        let few = Double(OrdinaryDay.manyRows) / Double(max(usual, 1)) * Double(ordinary)
        return Set(sessions.filter { Double($0.value) < few }.keys)
    }

    /// Whether an ordinary day has so many rows that none is no chance.
    private var isBusy: Bool { usual >= OrdinaryDay.manyRows }

    /// Whether it is not loaded for longer than usual.
    var isBehind: Bool {
        if lostDay != nil { return true }
        guard isBusy else { return false }
        return newestDay.map { $0 < window.days.upperBound.advanced(by: -1 - Self.lateDays) } ?? true
    }

    /// Whether the crashes of a day are known: those of its rows, or that there was none.
    func knows(_ day: CivilDate) -> Bool {
        if rows[day] != nil { return day != cutDay }
        if lostDay != nil { return false }
        if isBusy { return quietDays.contains(day) && newestDay.map { day < $0 } == true }
        return newestDay.map { day <= $0 } ?? false
            || day < window.days.upperBound.advanced(by: -Self.lateDays)
    }

    /// Whether the crashes of an hour are known.
    func knows(_ hour: UTCHour) -> Bool {
        newestRow.map { hour.start <= $0 } ?? knows(window.day(of: hour.start))
    }

    /// The day of the newest row, where so many rows are missing after it that none is no chance. Of the newest day the same
    /// hours of the day before say how many that are; of an earlier one a quarter of an ordinary day is missing.
    private func cut(_ hours: [UTCHour: Int]) -> CivilDate? {
        guard isBusy, let newestRow, let day = newestDay, day == window.day(of: newestRow),
            window.days.contains(day)
        else { return nil }
        let end = window.start(of: day.advanced(by: 1))
        guard day == window.days.upperBound.advanced(by: -1) else {
            let missing = usual * max(0, end - newestRow.secondsSinceEpoch) / 86_400
            return missing >= max(OrdinaryDay.manyRows, usual / 4) ? day : nil
        }
        let before = newestRow.secondsSinceEpoch - 86_400..<end - 86_400
        let missing = hours.reduce(0) { sum, hour in
            before.contains(hour.key.start.secondsSinceEpoch) ? sum + hour.value : sum
        }
        return missing >= OrdinaryDay.manyRows ? day : nil
    }
}
