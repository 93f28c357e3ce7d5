import AppHealth

/// The rows of a report by day. Of a day that several instances report, the one that was processed last counts
/// alone: it holds what came late, and rows of two must never be put together. Where that one could not be read, an
/// older one must not count in its place.
struct AppStoreConnectDays: Sendable {
    private(set) var rows: [CivilDate: [AppStoreConnectRow]] = [:]
    /// The last day of the instance that has the rows of each day.
    private var lastDays: [CivilDate: CivilDate] = [:]
    /// How many days before its last one an instance may cover: a day is done after five, or after as many as one shows.
    private var reach = 7
    /// The days of which the report was made and has no row at all: too few people did anything.
    var suppressed: ClosedRange<CivilDate>?

    /// Takes the rows of an instance by the last day that it can cover; instances come in the order of their processing,
    /// newest first.
    mutating func add(olderThanAll instance: [AppStoreConnectRow], until lastDay: CivilDate) {
        let days = Dictionary(grouping: instance, by: \.date)
        if let first = days.keys.min() { reach = max(reach, first.days(to: lastDay)) }
        for (day, found) in days where rows[day] == nil { (rows[day], lastDays[day]) = (found, lastDay) }
    }

    /// Removes the days that an instance which could not be read may cover and a newer one does not.
    mutating func remove(coveredUntil unread: CivilDate) {
        for (day, lastDay) in lastDays
        where lastDay <= unread && day <= unread && day >= unread.advanced(by: -reach) { rows[day] = nil }
    }

    /// The days in their order.
    var dates: [CivilDate] { rows.keys.sorted() }

    /// What was counted on a day; nil when no row of it counts, which is not zero.
    func count(on date: CivilDate) -> Int? {
        total(of: rows[date] ?? [])
    }

    /// What was counted on a day by version, for rows that report one.
    func counts(on date: CivilDate) -> [(version: String, count: Int)] {
        let versions = Dictionary(grouping: (rows[date] ?? []).filter { $0.version != nil }) {
            $0.version ?? ""
        }
        return versions.compactMap { version, rows in total(of: rows).map { (version, $0) } }
            .sorted { $0.version < $1.version }
    }

    /// What was counted on a day by kind of device, for rows that name one.
    func countsByDevice(on date: CivilDate) -> [(device: String, count: Int)] {
        let devices = Dictionary(grouping: (rows[date] ?? []).filter { !$0.device.isEmpty }, by: \.device)
        return devices.compactMap { device, rows in total(of: rows).map { (device, $0) } }
            .sorted { $0.device < $1.device }
    }

    /// Distinct devices of a day. A device is of one kind, so where each kind has one row, and the table can have no more,
    /// these can be added up; rows that differ in anything else may count one device twice, and the number is not known.
    func devices(on date: CivilDate) -> Int? {
        let rows = rows[date] ?? []
        let counts = rows.compactMap(\.devices)
        guard !rows.isEmpty, counts.count == rows.count, Set(rows.map(\.device)).count == rows.count
        else {
            return nil
        }
        return counts.reduce(0, +)
    }

    /// The versions that any row reports.
    var versions: Set<String> { Set(rows.values.joined().compactMap(\.version)) }

    private func total(of rows: [AppStoreConnectRow]) -> Int? {
        let counts = rows.compactMap(\.count)
        return counts.isEmpty ? nil : counts.reduce(0, +)
    }
}
