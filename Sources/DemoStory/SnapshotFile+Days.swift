import AppHealth

extension SnapshotFile {
    /// The records of health of one day: all releases together first, then each release that was used.
    func healthRecords(_ day: DayFigures) -> [String] {
        var all = JSONRecord()
        all.add("date", day.date.description)
        all.add("sessions", day.sessions)
        all.add("crashedSessions", day.crashedSessions)
        all.add("users", day.users)
        all.add("crashedUsers", day.crashedUsers)
        guard plan.capabilities.contains(.releaseHealth) else { return [all.text] }
        return [all.text] + day.cells.map { healthRecord($0, on: day.date) }
    }

    private func healthRecord(_ cell: ReleaseCell, on date: CivilDate) -> String {
        var record = JSONRecord()
        record.add("date", date.description)
        record.add("release", plan.releases[cell.release].version.label)
        record.add("sessions", cell.sessions)
        record.add("crashedSessions", cell.crashedSessions)
        record.add("users", cell.users)
        record.add("crashedUsers", cell.crashedUsers)
        return record.text
    }

    /// The records of use of the days that the file carries.
    var usageRecords: [String] {
        carried.map { day in
            var record = JSONRecord()
            record.add("date", day.date.description)
            record.add("activeUsers", day.users)
            record.add("weeklyActiveUsers", meanUsers(ofDays: 7, upTo: day.date) * 24 / 10)
            record.add("monthlyActiveUsers", meanUsers(ofDays: 28, upTo: day.date) * 51 / 10)
            record.add("newUsers", day.newUsers)
            record.add("sessions", day.sessions)
            return record.text
        }
    }

    /// The mean over the days that end with this one, or over the first so many days where there are fewer:
    /// distinct users of a week are a multiple of it, since many of them come on several days.
    private func meanUsers(ofDays count: Int, upTo date: CivilDate) -> Int {
        let days = known.filter { $0.date <= date }.suffix(count)
        let enough = days.count < count ? known.prefix(count) : days
        return enough.isEmpty ? 0 : enough.reduce(0) { $0 + $1.users } / enough.count
    }
}
