import AppHealth

/// Since when tables have data of an app: the first day of any release, unless the clocks of devices alone say so.
///
/// A device whose battery was empty dates rows back by weeks or by decades, and one such row is the first of its release
/// for ever. Where the days that are known show the begin, nothing before it counts.
struct DataBegin {
    /// The first day; nil where none is known.
    let day: CivilDate?
    /// Whether the days that are known show it.
    let isShown: Bool

    /// - Parameters:
    ///   - firsts: The first days of the releases.
    ///   - rows: What each day has that was ever requested.
    ///   - requested: The first of these days.
    ///   - counted: The first day of which there was anything when all of the history was requested; nil where that is
    ///     not known, or before the history.
    init(
        _ firsts: [CivilDate], rows: [CivilDate: Int], requested: CivilDate, counted: CivilDate? = nil
    ) {
        guard let oldest = firsts.min(), let run = FirstRun(rows) else {
            (day, isShown) = (firsts.min(), false)
            return
        }
        isShown =
            requested.advanced(by: FirstRun.pause) < run.day
            || counted.map { run.day <= $0.advanced(by: FirstRun.pause) } ?? false
        day = isShown ? max(oldest, run.day) : oldest
    }

    /// Takes the first days as they are.
    init(_ firsts: [CivilDate]) { (day, isShown) = (firsts.min(), false) }
}

/// The first day of rows that go on: those of devices whose clocks are behind are few, and a pause follows them. So few rows
/// may be those of testers before a launch; these go on until it.
struct FirstRun {
    /// So many days after a day with rows, the next ones are no sequel of it.
    static let pause = 7
    /// With less than one row for so many of an ordinary day, a day has those of such devices alone.
    private static let mostOfOrdinary = 10_000

    let day: CivilDate

    /// Nil where days have so few rows that a pause says nothing.
    init?(_ rows: [CivilDate: Int]) {
        let days = rows.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        guard let last = days.last?.key,
            let usual = OrdinaryDay(
                days.filter { last.advanced(by: -OrdinaryDay.span) < $0.key }.map(\.value), atLeast: 1)?
                .count,
            usual >= OrdinaryDay.manySessions,
            let fair = days.firstIndex(where: { LoadedHours.isFair($0.value, of: Double(usual)) })
        else { return nil }
        var first = days[fair].key
        for day in days[..<fair].reversed() where day.value * Self.mostOfOrdinary >= usual {
            guard first <= day.key.advanced(by: Self.pause) else { break }
            first = day.key
        }
        self.day = first
    }
}
