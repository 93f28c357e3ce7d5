import AppHealth
import Diagnostics

/// From the entries of a snapshot file to the nouns of AppHealth; an impossible entry costs that entry.
struct SnapshotMapping {
    let file: SnapshotFile
    private let app: App
    private let sourceID: Slug
    let zone: FileZone
    var losses: SkippedValues

    init(file: SnapshotFile, app: App, sourceID: Slug, losses: SkippedValues) {
        self.file = file
        self.app = app
        self.sourceID = sourceID
        self.zone = FileZone(file.source?.zone?.nonEmpty ?? "UTC")
        self.losses = losses
    }

    mutating func snapshot() -> Snapshot {
        let source = source()
        var result = Snapshot(app: app, source: source, capturedAt: file.capturedAt.instant)
        result.health = health()
        result.usage = usage()
        result.deviceDays = deviceDays()
        result.releases = releases()
        let issues = issues()
        result.issues = issues.map(\.issue)
        result.issueDays = issueDays(ofIssuesAt: Set(issues.map(\.index)))
        result.healthHours = healthHours()
        result.issueHours = issueHours(ofIssuesAt: Set(issues.map(\.index)))
        // What is complete goes from the first to the last day that can be known.
        if let warning = result.removeDaysToCome(at: .file(path: losses.endpoint)) { losses.add(warning) }
        if let first = issues.first?.issue.id { addQuietHours(to: &result, issue: first) }
        result.notes = notes()
        result.coverage = coverage(of: result)
        if result.countsReleasesAlone, !skipsTotals { losses.addMissingTotals(losses.endpoint) }
        _ = result.removeDaysToCome()
        zone.removeRunningDays(of: &result)
        reportUnprovided(source.capabilities)
        result.warnings = losses.warnings
        return result
    }

    /// Whether a row of all releases is in the file and was skipped, or may be: its own fault is what to correct.
    private var skipsTotals: Bool {
        guard let health = file.health else { return false }
        return health.skipped > 0 || health.values.contains { $0.release?.nonEmpty == nil }
    }

    private mutating func source() -> Source {
        let words = file.source
        let name = words?.name?.nonEmpty
        let delay = words?.delay?.nonEmpty
        let place = Location.keyPath(document: losses.endpoint, path: "source.zone")
        if let warning = zone.warning(at: place) { losses.add(warning) }
        return Source(
            id: sourceID, provider: SnapshotReader.provider,
            sessionDefinition: words?.session?.text ?? "", userDefinition: words?.user?.text ?? "",
            zone: zone.name,
            delay: delay.map { delay in name.map { "\($0): \(delay)" } ?? delay } ?? "",
            capabilities: capabilities(),
            issueTotals: issueTotals(words?.issueTotalsDays), countsSteadyShare: words?.steadyShare ?? false,
            statesReleaseDays: true)
    }

    /// A file that says nothing counts an issue over its life, as the format has it.
    private mutating func issueTotals(_ days: Count?) -> IssueTotals {
        guard let days = days?.value else { return .lifetime }
        guard days > 0 else {
            losses.refuse("source.issueTotalsDays", expected: "a number of days, 1 or more", found: "0")
            return .unstated
        }
        return .days(days)
    }

    private mutating func capabilities() -> Set<Capability> {
        var result: Set<Capability> = []
        for item in file.provides.items {
            if let capability = Capability(rawValue: item.value.text) {
                result.insert(capability)
            } else {
                losses.refuse(
                    word: item.value.text, at: "provides[\(item.index)]",
                    among: Capability.allCases.map(\.rawValue))
            }
        }
        return result
    }

    /// What is given though the producer does not list it would be kept and never shown.
    private mutating func reportUnprovided(_ capabilities: Set<Capability>) {
        let lists: [(name: String, isGiven: Bool, needs: [Capability])] = [
            (
                "health", file.health?.values.contains { $0.sessions != nil || $0.users != nil } == true,
                [.sessions, .users, .releaseHealth]
            ),
            ("hours", file.hours?.items.isEmpty == false, [.hours]),
            ("usage", file.usage?.items.isEmpty == false, [.usage]),
            ("releases", file.releases?.items.isEmpty == false, [.releases]),
            ("issues", file.issues?.items.isEmpty == false, [.issues]),
            ("notes", file.notes?.items.isEmpty == false, [.notes]),
        ]
        for list in lists where list.isGiven && capabilities.isDisjoint(with: list.needs) {
            let words = list.needs.map(\.rawValue).joined(separator: ", ")
            losses.refuse(
                "provides", expected: "\(words), for '\(list.name)' is given", found: "none of it")
        }
    }

    /// The entries of a list that the transform accepts; it gets each with its path.
    mutating func accepted<Entry, Value>(
        _ list: LossyArray<Entry>?, _ name: String,
        _ transform: (Entry, EntryPath, inout SkippedValues) -> Value?
    ) -> [Value] {
        (list?.items ?? []).compactMap {
            transform($0.value, EntryPath(list: name, index: $0.index), &losses)
        }
    }
}

/// Where an entry is: `issues[3].days[0]`. Few are ever written out.
struct EntryPath: CustomStringConvertible {
    var list: String
    var index: Int

    var description: String { "\(list)[\(index)]" }
}

extension SnapshotMapping {
    private struct DayKey: Hashable {
        var date: CivilDate
        var version: String?
    }

    mutating func health() -> [HealthDay] {
        var seen: Set<DayKey> = []
        return accepted(file.health, "health") { entry, path, losses in
            let isNamed = areNamed(
                entry.users?.value, next: entry.sessions?.value, entry.crashedSessions?.value,
                entry.crashes?.value)
            let crashedSessions = losses.part(
                entry.crashedSessions, of: entry.sessions, at: "\(path).crashedSessions",
                "sessions of that day")
            let crashedUsers = losses.part(
                entry.crashedUsers, of: entry.users, at: "\(path).crashedUsers", "users of that day")
            let day = HealthDay(
                date: entry.date.date, version: entry.release?.nonEmpty, sessions: entry.sessions?.value,
                crashedSessions: crashedSessions, users: isNamed ? entry.users?.value : nil,
                crashedUsers: isNamed ? crashedUsers : nil, crashes: entry.crashes?.value)
            let key = DayKey(date: day.date, version: day.version)
            let isGood = losses.isFirst(key, in: &seen, at: path.description, "a day and a release")
            return isGood ? day : nil
        }
    }

    mutating func usage() -> [UsageDay] {
        var seen: Set<CivilDate> = []
        return accepted(file.usage, "usage") { entry, path, losses in
            guard losses.isFirst(entry.date.date, in: &seen, at: path.description, "a day") else {
                return nil
            }
            let isNamed = areNamed(entry.activeUsers?.value, next: entry.sessions?.value)
            return UsageDay(
                date: entry.date.date, activeUsers: isNamed ? entry.activeUsers?.value : nil,
                weeklyActiveUsers: entry.weeklyActiveUsers?.value,
                monthlyActiveUsers: entry.monthlyActiveUsers?.value,
                newUsers: isNamed ? entry.newUsers?.value : nil, sessions: entry.sessions?.value)
        }
    }

    mutating func deviceDays() -> [DeviceDay] {
        struct Key: Hashable {
            let date: CivilDate
            let device: String
        }
        var seen: Set<Key> = []
        return accepted(file.devices, "devices") { entry, path, losses in
            guard let device = entry.device.nonEmpty else {
                losses.refuse("\(path).device", expected: "a name", found: "\"\"")
                return nil
            }
            let key = Key(date: entry.date.date, device: device)
            guard losses.isFirst(key, in: &seen, at: path.description, "a day and a device") else {
                return nil
            }
            return DeviceDay(date: key.date, device: key.device, crashes: entry.crashes?.value)
        }
    }

    /// The days of the issues that were accepted, by the place of the issue in the file.
    mutating func issueDays(ofIssuesAt accepted: Set<Int>) -> [IssueDay] {
        let items = file.issues?.items ?? []
        var days: [IssueDay] = []
        // There may be hundreds of thousands: no more memory than they take.
        days.reserveCapacity(items.reduce(0) { $0 + ($1.value.days?.items.count ?? 0) })
        for item in items where accepted.contains(item.index) {
            days += issueDays(item.value.days, of: item.value.id.text, "issues[\(item.index)].days")
        }
        return days
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
                users: areNamed(entry.users?.value, next: entry.events?.value) ? entry.users?.value : nil)
        }
    }
}

extension SnapshotMapping {
    mutating func healthHours() -> [HealthHour] {
        var seen: Set<UTCHour> = []
        return accepted(file.hours, "hours") { entry, path, losses in
            guard let hour = losses.hour(entry.hour, at: path.description, seen: &seen) else { return nil }
            let crashed = losses.part(
                entry.crashedSessions, of: entry.sessions, at: "\(path).crashedSessions",
                "sessions of that hour")
            return HealthHour(hour: hour, sessions: entry.sessions?.value, crashedSessions: crashed)
        }
    }

    /// The hours of the issues that were accepted, by the place of the issue in the file.
    mutating func issueHours(ofIssuesAt accepted: Set<Int>) -> [IssueHour] {
        var hours: [IssueHour] = []
        for item in file.issues?.items ?? [] where accepted.contains(item.index) {
            hours += issueHours(item.value.hours, of: item.value.id.text, "issues[\(item.index)].hours")
        }
        return hours
    }

    private mutating func issueHours(
        _ list: LossyArray<SnapshotFile.IssueHourEntry>?, of issue: String, _ name: String
    ) -> [IssueHour] {
        var seen: Set<UTCHour> = []
        return accepted(list, name) { entry, path, losses in
            losses.hour(entry.hour, at: path.description, seen: &seen).map { hour in
                IssueHour(
                    issue: issue, hour: hour, events: entry.events?.value,
                    users: areNamed(entry.users?.value, next: entry.events?.value) ? entry.users?.value : nil)
            }
        }
    }
}

extension SkippedValues {
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
