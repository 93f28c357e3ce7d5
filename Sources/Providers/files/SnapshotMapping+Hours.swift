import AppHealth

extension SnapshotMapping {
    mutating func healthHours() -> [HealthHour] {
        var seen: Set<UTCHour> = []
        return accepted(file.hours, "hours") { entry, path, losses in
            guard let hour = losses.hour(entry.hour, at: path.description, seen: &seen),
                losses.isPart(
                    entry.crashedSessions, of: entry.sessions, at: "\(path).crashedSessions",
                    "sessions of that hour")
            else { return nil }
            return HealthHour(
                hour: hour, sessions: entry.sessions?.value, crashedSessions: entry.crashedSessions?.value)
        }
    }

    /// The hours of the issues that were accepted, by the place of the issue in the file.
    mutating func issueHours(ofIssuesAt accepted: Set<Int>) -> [IssueHour] {
        let lists = (file.issues?.items ?? []).filter { accepted.contains($0.index) }
        return lists.flatMap { item in
            issueHours(item.value.hours, of: item.value.id.text, "issues[\(item.index)].hours")
        }
    }

    private mutating func issueHours(
        _ list: LossyArray<SnapshotFile.IssueHourEntry>?, of issue: String, _ name: String
    ) -> [IssueHour] {
        var seen: Set<UTCHour> = []
        return accepted(list, name) { entry, path, losses in
            losses.hour(entry.hour, at: path.description, seen: &seen).map { hour in
                IssueHour(
                    issue: issue, hour: hour, events: entry.events?.value, users: entry.users?.value)
            }
        }
    }
}

extension Losses {
    /// The hour that begins at an instant; nil for an instant within an hour and for one that was met before.
    fileprivate mutating func hour(
        _ instant: WireInstant, at path: @autoclosure () -> String, seen: inout Set<UTCHour>
    ) -> UTCHour? {
        let hour = UTCHour(of: instant.instant)
        guard hour.start == instant.instant else {
            refuse(
                "\(path()).hour", expected: "the beginning of an hour in UTC", found: "\(instant.instant)")
            return nil
        }
        return isFirst(hour, in: &seen, at: path(), "an hour") ? hour : nil
    }
}
