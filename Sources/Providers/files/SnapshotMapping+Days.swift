import AppHealth

extension SnapshotMapping {
    private struct DayKey: Hashable {
        var date: CivilDate
        var version: String?
    }

    mutating func health() -> [HealthDay] {
        var seen: Set<DayKey> = []
        return accepted(file.health, "health") { entry, path, losses in
            let day = HealthDay(
                date: entry.date.date, version: entry.release?.nonEmpty, sessions: entry.sessions?.value,
                crashedSessions: entry.crashedSessions?.value, users: entry.users?.value,
                crashedUsers: entry.crashedUsers?.value)
            let key = DayKey(date: day.date, version: day.version)
            let isGood =
                losses.isPart(
                    entry.crashedSessions, of: entry.sessions, at: "\(path).crashedSessions",
                    "sessions of that day")
                && losses.isPart(
                    entry.crashedUsers, of: entry.users, at: "\(path).crashedUsers", "users of that day")
                && losses.isFirst(key, in: &seen, at: path.description, "a day and a release")
            return isGood ? day : nil
        }
    }

    mutating func usage() -> [UsageDay] {
        var seen: Set<CivilDate> = []
        return accepted(file.usage, "usage") { entry, path, losses in
            guard losses.isFirst(entry.date.date, in: &seen, at: path.description, "a day") else {
                return nil
            }
            return UsageDay(
                date: entry.date.date, activeUsers: entry.activeUsers?.value,
                weeklyActiveUsers: entry.weeklyActiveUsers?.value,
                monthlyActiveUsers: entry.monthlyActiveUsers?.value, newUsers: entry.newUsers?.value,
                sessions: entry.sessions?.value)
        }
    }

    /// The days of the issues that were accepted, by the place of the issue in the file.
    mutating func issueDays(ofIssuesAt accepted: Set<Int>) -> [IssueDay] {
        let lists = (file.issues?.items ?? []).filter { accepted.contains($0.index) }
        return lists.flatMap { item in
            issueDays(item.value.days, of: item.value.id.text, "issues[\(item.index)].days")
        }
    }

    private mutating func issueDays(
        _ list: LossyArray<SnapshotFile.IssueDayEntry>?, of issue: String, _ name: String
    ) -> [IssueDay] {
        var seen: Set<DayKey> = []
        return accepted(list, name) { entry, path, losses in
            let key = DayKey(date: entry.date.date, version: entry.release?.nonEmpty)
            guard losses.isFirst(key, in: &seen, at: path.description, "a day and a release") else {
                return nil
            }
            return IssueDay(
                issue: issue, date: key.date, version: key.version, events: entry.events?.value,
                users: entry.users?.value)
        }
    }
}
