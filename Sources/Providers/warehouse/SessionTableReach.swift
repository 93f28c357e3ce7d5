import AppHealth

/// How far a table of sessions is loaded, as its days and hours of an app show.
///
/// It reaches to the newest day with a tenth of an ordinary one: a few sessions of later days are those of devices whose
/// clocks are ahead, unless `LowerLevel` shows that use became low. It begins where `TableBegin` says. Where an ordinary day
/// has many and none came for days, the job that fills it does not run.
struct SessionTableReach {
    private let window: WarehouseWindow
    /// The sessions of each day that has any.
    private let days: [CivilDate: Int]
    /// Those, and of days that were not requested those that earlier fetches stored.
    private let all: [CivilDate: Int]
    /// The newest day with a session that earlier fetches stored.
    private let newestStored: CivilDate?
    /// The sessions of each hour that has any; nil when they are not known.
    private let hours: LoadedHours?
    private let begin: TableBegin
    /// The newest day with a fair part of an ordinary one; nil when none has.
    private var newestDay: CivilDate?
    /// What it has since its sessions fell to less than a tenth; nil while they did not, or may not be loaded.
    private var lower: LowerLevel?
    /// That day, where the table is not loaded to its end.
    private(set) var cutDay: CivilDate?
    /// The newest hour that is loaded, where a later day or a part of the newest one is not.
    private(set) var newestHour: UTCHour?

    init(
        _ window: WarehouseWindow, days: [CivilDate: Int], hours: [UTCHour: Int]?,
        stored: [CivilDate: Int] = [:], begin: CivilDate? = nil
    ) {
        self.window = window
        self.days = days.filter { $0.value > 0 }
        all = self.days.merging(stored.filter { !window.days.contains($0.key) }) { own, _ in own }
        newestStored = stored.filter { $0.value > 0 }.keys.max()
        self.hours = hours.map { LoadedHours($0, window) }
        self.begin = TableBegin(
            self.days, stored: stored, active: [], span: window.days, begin: begin,
            manyRows: OrdinaryDay.manySessions)
        newestDay = self.days.keys.max()
        guard let loaded = self.hours else { return }
        lower = lowerLevel(loaded)
        newestDay = self.days.keys.filter(isFair).max()
        guard lower?.reachesEnd != true else { return }
        cutDay = newestDay.flatMap(cut)
        if cutDay != nil || newestDay != self.days.keys.max() {
            newestHour = self.hours?.newest(usual: newestDay.flatMap(usual) ?? 0)
        }
    }

    /// The oldest day, where the table has a part of it alone.
    var partDay: CivilDate? { begin.partDay }

    /// Whether the sessions of a day are known, where it has any.
    func knows(_ day: CivilDate) -> Bool {
        guard day != cutDay, day != begin.partDay else { return false }
        guard let last = days.keys.max(), newestDay != last else { return true }
        return newestDay.map { day <= $0 } ?? false
    }

    /// Whether the sessions of an hour are known, where it has any.
    func knows(_ hour: UTCHour) -> Bool {
        if knows(window.day(of: hour.start)), cutDay == nil, newestDay == days.keys.max() { return true }
        return newestHour.map { hour <= $0 } ?? false
    }

    /// The newest day before all that are not loaded yet.
    var lastDay: CivilDate {
        let last = endedDay ?? window.days.upperBound.advanced(by: -1)
        let open = days.keys.filter { $0 != begin.partDay && !knows($0) }.min()
        return open.map { min(last, $0.advanced(by: -1)) } ?? last
    }

    /// Whether days are unknown, as they have few sessions or none, and for longer than a table is late.
    var isBehind: Bool {
        guard let last = days.keys.max(), newestDay != last else { return endedDay != nil }
        return newestDay.map(isLate) ?? true
    }

    /// The newest day that is loaded, and the sessions of an ordinary day before those that are not.
    var reached: (day: CivilDate?, usual: Int?) {
        endedDay.map { ($0, usual(before: $0.advanced(by: 1))) } ?? (
            newestDay, days.keys.max().flatMap(usual)
        )
    }

    /// The newest day with a session, its own or a stored one, where none came since for longer than a table is late, and
    /// days have so many that this is no chance.
    var endedDay: CivilDate? {
        guard newestDay == days.keys.max(), let last = newestDay ?? newestStored,
            isLate(last), usual(before: last.advanced(by: 1)) != nil
        else { return nil }
        return last
    }

    /// Whether a table that has nothing after a day is late by more than is usual.
    private func isLate(_ day: CivilDate) -> Bool {
        day < window.days.upperBound.advanced(by: -1 - CrashTableReach.lateDays)
    }

    /// What it has since its sessions fell to less than a tenth, where that is no late load.
    private func lowerLevel(_ loaded: LoadedHours) -> LowerLevel? {
        let yesterday = window.days.upperBound.advanced(by: -1)
        guard let usual = usual(before: yesterday) else { return nil }
        return LowerLevel(
            after: all.keys.filter { $0 <= yesterday && isFair($0) }.max(), all, usual: usual,
            expected: Double(expected(on: yesterday, usual)), hours: loaded, window)
    }

    /// Whether a day has so many sessions that it was loaded.
    private func isFair(_ day: CivilDate) -> Bool {
        usual(before: day).map { LoadedHours.isFair(all[day] ?? 0, of: Double(expected(on: day, $0))) }
            ?? true
    }

    /// The sessions of an ordinary day before one; nil with so few that none is chance.
    private func usual(before day: CivilDate) -> Int? {
        if let lower, day >= lower.first {
            return lower.usual >= OrdinaryDay.manySessions ? lower.usual : nil
        }
        let span = day.advanced(by: -OrdinaryDay.span)..<day
        let earlier = all.filter { span.contains($0.key) }.map(\.value)
        return OrdinaryDay(earlier, atLeast: 1).map(\.count).flatMap {
            $0 >= OrdinaryDay.manySessions ? $0 : nil
        }
    }

    /// What a day is expected to have: on a quiet day of the week that is less.
    private func expected(on day: CivilDate, _ usual: Int) -> Int {
        if let lower, day >= lower.first { return usual }
        let same = (1...4).compactMap { all[day.advanced(by: -7 * $0)] }
        return min(usual, OrdinaryDay(same, atLeast: 1)?.count ?? usual)
    }

    /// The day, where the table is not loaded to its end: the hours after the newest loaded one had a tenth of an ordinary day
    /// on the day before, and many sessions. Once those hours are not known any more, a day after which nothing came is not
    /// whole when it has less than three quarters of what is expected.
    private func cut(_ day: CivilDate) -> CivilDate? {
        guard let hours, let usual = usual(before: day) else { return nil }
        let end = UTCHour(of: Instant(secondsSinceEpoch: window.start(of: day.advanced(by: 1)) - 1))
        if let newest = hours.newest(usual: usual) {
            guard newest < end else { return nil }
            let missing = hours.rowsOfDayBefore(newest.advanced(by: 1)...end)
            if missing >= max(OrdinaryDay.manySessions, usual / 10) { return day }
            guard !hours.covers(dayBefore: newest.advanced(by: 1)) else { return nil }
        }
        guard day < window.days.upperBound.advanced(by: -1) else { return nil }
        return (days[day] ?? 0) * 4 < expected(on: day, usual) * 3 ? day : nil
    }
}
