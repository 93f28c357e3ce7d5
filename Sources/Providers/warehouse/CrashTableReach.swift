import AppHealth

/// How far a table of crashes is loaded, as its rows of an app show.
///
/// A day is known as far as the table is known to reach. After the newest row there was no crash, or the table is not loaded
/// yet; which of the two is not known at first. Where an ordinary day has so many rows that none is no chance, a day without
/// any was not loaded, unless it had few sessions and later rows are there; so was one with less than a tenth, as devices
/// whose clocks are ahead have a few rows of later days, unless `LowerLevel` shows that crashes became few. The newest day
/// with more is loaded as far as its rows go. Before its oldest row a table says what `TableBegin` says. A table that has
/// lost every row says nothing.
struct CrashTableReach {
    /// How many of the newest days that are over may not be loaded yet.
    static let lateDays = 2

    private let window: WarehouseWindow
    /// The rows of each day that has any, as far as they are counted.
    private var rows: [CivilDate: Int] = [:]
    private var newestRow: Instant?
    /// The newest row that is not one of a device whose clock is ahead; nil where it is not known.
    private var loadedRow: Instant?
    /// The rows of an ordinary day; 0 while nothing is usual.
    private(set) var usual = 0
    /// What it has since its rows fell to less than a tenth; nil while they did not, or may not be loaded.
    private var lower: LowerLevel?
    /// The rows of each day, and those that earlier fetches stored.
    private var all: [CivilDate: Int] = [:]
    /// The sessions of each day as a share of an ordinary one, at most 1.
    private var sessionShares: [CivilDate: Double] = [:]
    /// The last day of which rows were stored that the table has no more; nil while it has any.
    private(set) var lostDay: CivilDate?
    /// The newest day with a fair part of the usual rows, where the table is not loaded to its end.
    private(set) var cutDay: CivilDate?
    private var begin: TableBegin?

    /// No row is known yet.
    init(_ window: WarehouseWindow) { self.window = window }

    /// Whether it has no row at all.
    var isEmpty: Bool { rows.isEmpty && newestRow == nil }

    /// The newest day with a row, where rows are many with a fair part of them.
    var newestDay: CivilDate? {
        [rows.keys.filter(isFair).max(), loadedRow.map(window.day)].compactMap(\.self).max()
    }

    /// Adds a day with so many rows or more.
    mutating func add(_ day: CivilDate, rows count: Int = 1) { rows[day] = max(rows[day] ?? 1, count) }

    /// Adds the time of a row; one of the future is of a device whose clock is ahead.
    mutating func add(_ row: Instant) {
        guard row < window.hours.upperBound.advanced(by: 1).start else { return }
        newestRow = max(newestRow ?? row, row)
        loadedRow = newestRow
    }

    /// Learns what is usual, once all rows are added.
    ///
    /// - Parameters:
    ///   - active: The days of which rows were asked for and on which there may be some.
    ///   - span: All days of which rows were asked for.
    ///   - sessions: The sessions of each day, where they are known.
    ///   - hours: The rows of each hour that was asked for.
    ///   - named: The issues that the answers name: of others the answers have no rows.
    ///   - stored: What earlier fetches stored.
    mutating func learn(
        active: Set<CivilDate>, span: Range<CivilDate>, sessions: [CivilDate: Int], hours: [UTCHour: Int],
        named: Set<String>, stored: () -> KnownIssues
    ) {
        let issues = stored()
        let known = issues.rows(of: { _ in true })
        lostDay = isEmpty ? known.keys.filter(span.contains).max() : nil
        all = rows.merging(known, uniquingKeysWith: max)
        guard let first = all.keys.min(), let last = all.keys.max() else { return }
        // Of the days before the window those from the first stored one on are known.
        let days = (last.advanced(by: 1 - OrdinaryDay.span)...last).all.filter {
            all[$0] != nil || active.contains($0) || $0 >= first && $0 < window.days.lowerBound
        }
        usual = OrdinaryDay(days.map { all[$0] ?? 0 })?.count ?? 0
        sessionShares = shares(sessions)
        begin = TableBegin(
            rows.filter { $0.value > 0 }, stored: known,
            comparable: issues.rows(of: named.contains), active: active, span: window.days,
            wasRead: wasRead, manyRows: OrdinaryDay.manyRows)
        let loaded = LoadedHours(hours, window)
        lower = lowerLevel(loaded)
        if isBusy, lower?.reachesEnd != true { limit(to: loaded, isKnownByHour: !hours.isEmpty) }
        cutDay = cut(loaded)
    }

    /// What it has since its rows fell to less than a tenth, where that is no late load.
    private func lowerLevel(_ loaded: LoadedHours) -> LowerLevel? {
        guard isBusy else { return nil }
        let yesterday = window.days.upperBound.advanced(by: -1)
        return LowerLevel(
            after: all.filter { $0.key <= yesterday && isFair($0.value, on: $0.key) }.keys.max(), all,
            usual: usual, expected: expected(on: yesterday), hours: loaded, window)
    }

    /// Takes the newest row that is not one of a device whose clock is ahead.
    private mutating func limit(to loaded: LoadedHours, isKnownByHour: Bool) {
        guard let row = newestRow, let day = rows.keys.filter(isFair).max() else { return }
        if let hour = loaded.newest(usual: usual(on: day)), window.day(of: hour.start) >= day {
            loadedRow = min(row, hour.advanced(by: 1).start.advanced(bySeconds: -1))
        } else if window.day(of: row) > day, isKnownByHour || window.days.contains(window.day(of: row)) {
            loadedRow = nil
        }
    }

    /// The share of an ordinary day's sessions that each day had.
    private func shares(_ sessions: [CivilDate: Int]) -> [CivilDate: Double] {
        guard let ordinary = OrdinaryDay(sessions.values)?.count, ordinary > 0 else { return [:] }
        return sessions.mapValues { min(1, Double($0) / Double(ordinary)) }
    }

    /// The rows of an ordinary day at the time of a day.
    private func usual(on day: CivilDate) -> Int {
        lower.flatMap { day >= $0.first ? $0.usual : nil } ?? usual
    }

    /// The rows that are to be expected on a day, by its sessions and by the same day of earlier weeks, whichever is less.
    private func expected(on day: CivilDate) -> Double {
        let level = usual(on: day)
        let bySessions = Double(level) * (sessionShares[day] ?? 1)
        if let lower, day >= lower.first { return bySessions }
        let same = OrdinaryDay((1...4).compactMap { all[day.advanced(by: -7 * $0)] }, atLeast: 2)
        return min(bySessions, Double(same?.count ?? level))
    }

    /// Whether earlier fetches read the days before the oldest row, which they would have stored: a table does not lose its
    /// rows within a week.
    private var wasRead: Bool {
        let recent = window.days.upperBound.advanced(by: -OrdinaryDay.fewest)
        return !window.isFirst && rows.keys.min().map { $0 >= recent } == true
    }

    /// Whether a day had so few sessions that no row is no wonder.
    private func isQuiet(_ day: CivilDate) -> Bool { expected(on: day) < Double(OrdinaryDay.manyRows) }

    /// Whether a day has so many rows that it was loaded.
    private func isFair(_ day: CivilDate) -> Bool {
        rows[day].map { isFair($0, on: day) } ?? false
    }

    /// Whether so many rows of a day show that it was loaded.
    private func isFair(_ count: Int, on day: CivilDate) -> Bool {
        !isBusy || LoadedHours.isFair(count, of: expected(on: day))
    }

    /// Whether an ordinary day has so many rows that none is no chance.
    private var isBusy: Bool { usual >= OrdinaryDay.manyRows }

    /// The same at the time of a day.
    private func isBusy(on day: CivilDate) -> Bool { usual(on: day) >= OrdinaryDay.manyRows }

    /// Whether it is not loaded for longer than usual.
    var isBehind: Bool {
        if lostDay != nil { return true }
        guard isBusy(on: window.days.upperBound) else { return false }
        return newestDay.map { $0 < window.days.upperBound.advanced(by: -1 - Self.lateDays) } ?? true
    }

    /// Whether a few rows are of days that are not loaded.
    var hasRowsAhead: Bool { rows.keys.contains { day in newestDay.map { day > $0 } ?? true } }

    /// Whether the crashes of a day are known: those of its rows, or that there was none.
    func knows(_ day: CivilDate) -> Bool {
        if begin?.reaches(day) == false || day == cutDay { return false }
        if isFair(day) { return true }
        if lostDay != nil { return false }
        if isBusy(on: day) { return isQuiet(day) && newestDay.map { day < $0 } == true }
        return newestDay.map { day <= $0 } ?? false
            || day < window.days.upperBound.advanced(by: -Self.lateDays)
    }

    /// Whether the crashes of an hour are known.
    func knows(_ hour: UTCHour) -> Bool {
        let isLoaded =
            cutDay == nil && newestDay.map { $0 >= window.days.upperBound.advanced(by: -1) } == true
        let row = isLoaded ? newestRow : loadedRow
        return row.map { hour.start <= $0 } ?? knows(window.day(of: hour.start))
    }

    /// The newest day, where so many rows are missing after its newest one that none is no chance. Of yesterday the same
    /// hours of the day before say how many that are; of an earlier day a quarter of an ordinary one is missing.
    private func cut(_ hours: LoadedHours) -> CivilDate? {
        guard let day = newestDay, window.days.contains(day), isBusy(on: day), lower?.reachesEnd != true
        else { return nil }
        let usual = usual(on: day)
        let (start, end) = (window.start(of: day), window.start(of: day.advanced(by: 1)))
        guard let loadedRow, loadedRow.secondsSinceEpoch >= start else {
            // Its newest row is not known: a few rows of later days hide it.
            let isLast = rows.keys.allSatisfy { $0 <= day }
            return !isLast && Double(rows[day] ?? 0) < expected(on: day) * 0.75 ? day : nil
        }
        let newest = loadedRow.secondsSinceEpoch
        guard newest < end else { return nil }
        guard day == window.days.upperBound.advanced(by: -1) else {
            let missing = Double(usual) * Double(end - newest) / 86_400
            return missing >= Double(max(OrdinaryDay.manyRows, usual / 4)) ? day : nil
        }
        let from = UTCHour(of: loadedRow.advanced(bySeconds: 3_599))
        let last = UTCHour(of: Instant(secondsSinceEpoch: end - 1))
        guard from <= last else { return nil }
        return hours.rowsOfDayBefore(from...last) >= OrdinaryDay.manyRows ? day : nil
    }
}

extension KnownIssues {
    /// The events of each day that has any, of some issues.
    fileprivate func rows(of isNamed: (String) -> Bool) -> [CivilDate: Int] {
        days.reduce(into: [:]) { rows, day in
            guard let events = day.events, events > 0, isNamed(day.issue) else { return }
            rows[day.date] = (rows[day.date] ?? 0).addingCapped(events)
        }
    }
}
