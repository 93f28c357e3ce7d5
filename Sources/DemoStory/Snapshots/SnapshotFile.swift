import AppHealth

/// Writes what one source reported of one app at one capture, in the snapshot format, version 1.
struct SnapshotFile {
    let plan: AppPlan
    let capture: Instant
    /// All days up to the capture, as the capture knows them.
    let known: [DayFigures]
    /// All days of the demo as known in the end, for what never changes.
    let final: [DayFigures]

    init(plan: AppPlan, final: [DayFigures], capture: Instant) {
        self.plan = plan
        self.capture = capture
        self.final = final
        let last = DemoCalendar.days(in: capture).upperBound
        known = final.filter { $0.date <= last }.map { $0.reported(of: plan.app, at: capture) }
    }

    /// The days that the file carries.
    var carried: [DayFigures] {
        let days = DemoCalendar.days(in: capture)
        let carried = known.filter { days.contains($0.date) }
        return plan.reach.map(carried.suffix).map(Array.init) ?? carried
    }

    /// The whole file.
    var text: String {
        var parts = [
            "\"format\": \"plimsoll-snapshot\"", "\"version\": 1", "\"app\": \(jsonText(plan.app))",
            "\"capturedAt\": \"\(capture)\"", "\"source\": \(sourceRecord)",
            "\"provides\": \(capabilityList)",
        ]
        parts += lists.map { "\"\($0.key)\": " + jsonList($0.records, indentation: 2) }
        return "{\n  " + parts.joined(separator: ",\n  ") + "\n}\n"
    }

    private var lists: [(key: String, records: [String])] {
        var lists = [("health", carried.flatMap(healthRecords))]
        if plan.capabilities.contains(.usage) { lists.append(("usage", usageRecords)) }
        if plan.devices != nil { lists.append(("devices", deviceRecords)) }
        lists.append(("releases", releaseRecords))
        lists.append(("issues", issueRecords))
        if plan.capabilities.contains(.notes) { lists.append(("notes", noteRecords)) }
        if plan.countsCrashesAlone { lists.append(("coverage", coverageRecords)) }
        return lists
    }

    private var sourceRecord: String {
        var record = JSONRecord()
        record.add("name", plan.source.name)
        record.add("session", plan.source.session)
        record.add("user", plan.source.user)
        record.add("zone", plan.source.zone)
        record.add("delay", plan.source.delay)
        return record.text
    }

    private var capabilityList: String {
        let names = Capability.allCases.filter(plan.capabilities.contains).map { jsonText($0.rawValue) }
        return "[" + names.joined(separator: ",") + "]"
    }

    private var releaseRecords: [String] {
        plan.releases.filter { $0.releasedAt < capture }.map { release in
            var record = JSONRecord()
            record.add("version", release.version.label)
            record.add("build", release.version.build)
            record.add("releasedAt", release.releasedAt.description)
            return record.text
        }
    }

    private var noteRecords: [String] {
        plan.notes.filter { moment($0.at) < capture }.map { note in
            var record = JSONRecord()
            record.add("id", note.id)
            record.add("at", note.at)
            record.add("author", note.author)
            record.add("text", note.text)
            record.add("issue", note.issue)
            record.add("release", note.release)
            return record.text
        }
    }
}

extension SnapshotFile {
    /// The records of health of one day: all releases together first, then each release that was used.
    func healthRecords(_ day: DayFigures) -> [String] {
        var all = JSONRecord()
        all.add("date", day.date.description)
        guard !plan.countsCrashesAlone else {
            all.add("crashes", day.events)
            return [all.text]
        }
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

    /// The crashes of the days that the file carries, by kind of device: parts that make the whole.
    var deviceRecords: [String] {
        guard let devices = plan.devices else { return [] }
        return carried.filter { $0.date >= devices.since }.flatMap { day in
            let crashes = plan.issues.indices.filter { plan.issues[$0].kind == .crash }
                .map { day.count(ofIssue: $0).events }.reduce(0, +)
            var (part, given) = (0, 0)
            return devices.kinds.map { kind in
                part += kind.thousandths
                var record = JSONRecord()
                record.add("date", day.date.description)
                record.add("device", kind.name)
                record.add("crashes", crashes * part / 1000 - given)
                given = crashes * part / 1000
                return record.text
            }
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

/// What an issue's own record says at the capture.
extension SnapshotFile {
    /// When the issue was first seen: as planned, or on the first day that counts it; nil when never.
    func firstSeen(of position: Int) -> Instant? {
        let issue = plan.issues[position]
        if let firstSeen = issue.firstSeen { return firstSeen }
        let first = final.first { $0.count(ofIssue: position).events > 0 }
        return first.map { time(on: $0.date, for: issue) }
    }

    /// When the issue was last seen, as the capture knows.
    func lastSeen(of position: Int, after firstSeen: Instant) -> Instant {
        let last = known.last { $0.count(ofIssue: position).events > 0 }
        let seen = last.map { time(on: $0.date, for: plan.issues[position]) }
        return max(seen ?? firstSeen, firstSeen)
    }

    /// The newest release in which the issue was seen.
    func lastRelease(of position: Int) -> Int? {
        known.lazy.flatMap(\.cells).filter { $0.issues[position].events > 0 }.map(\.release).max()
    }

    /// Events and distinct users so far; one in five users of a day was affected before.
    func total(of position: Int) -> IssueCount {
        let days = known.map { $0.count(ofIssue: position) }
        let users = days.reduce(0) { $0 + $1.users }
        let most = days.map(\.users).max() ?? 0
        let earlier = plan.issues[position].earlier
        return IssueCount(
            events: earlier.events + days.reduce(0) { $0 + $1.events },
            users: earlier.users + max(most, users * 4 / 5))
    }

    /// What the team says at the capture.
    func state(of issue: IssuePlan) -> Issue.State {
        guard let reopened = issue.reopenedOn, reopened < capture.date else { return issue.state }
        return .open
    }

    /// The unknown key that the source writes at the capture.
    func strayKey(of issue: IssuePlan) -> String? {
        guard let stray = issue.strayKey, stray.from <= capture.date else { return nil }
        return stray.name
    }

    private func time(on date: CivilDate, for issue: IssuePlan) -> Instant {
        let dayWord = UInt64(bitPattern: Int64(date.daysSinceEpoch))
        var random = SplitMix64(seed: seedWord(issue.id), dayWord)
        return Instant(startOf: date).advanced(bySeconds: 64_800 + Int(random.next() % 21_600))
    }
}

extension SnapshotFile {
    /// The issues that were seen before the capture and, in a nightly file, on a day that it carries.
    var issueRecords: [String] {
        plan.issues.indices.compactMap { position in
            let issue = plan.issues[position]
            guard let firstSeen = firstSeen(of: position), firstSeen < capture else { return nil }
            let isNightly = capture != DemoCalendar.captures.first
            let isQuiet = carried.allSatisfy { $0.count(ofIssue: position).events == 0 }
            if isNightly, isQuiet, strayKey(of: issue) == nil { return nil }
            return issueRecord(issue, at: position, firstSeen: firstSeen)
        }
    }

    private func issueRecord(_ issue: IssuePlan, at position: Int, firstSeen: Instant) -> String {
        let lastSeen = lastSeen(of: position, after: firstSeen).description
        let total = total(of: position)
        var record = JSONRecord()
        record.add("id", issue.id)
        record.add("title", issue.title)
        record.add("kind", issue.kind.rawValue)
        record.add("state", state(of: issue).rawValue)
        record.add("file", issue.place?.file)
        record.add("line", issue.place?.line)
        record.add("firstSeen", firstSeen.description)
        record.add("lastSeen", lastSeen)
        if let key = strayKey(of: issue) { record.add(key, lastSeen) }
        addVersions(of: issue, at: position, to: &record)
        record.add("events", total.events)
        let isCounted = issuesCountedByDay.contains(position)
        if isCounted { record.add("users", total.users) }
        record.add("url", issue.url ?? "https://telemetry.example/\(plan.app)/issues/\(issue.id)")
        guard isCounted else { return record.text }
        let days = dayRecords(of: position, since: firstSeen.date)
        record.addRaw("days", jsonList(days, indentation: 4))
        return record.text
    }

    private func addVersions(of issue: IssuePlan, at position: Int, to record: inout JSONRecord) {
        let first = plan.position(of: issue.firstVersion).map { plan.releases[$0].version }
        record.add("firstVersion", first?.label ?? issue.firstVersion)
        record.add("firstBuild", first?.build)
        let last = lastRelease(of: position).map { plan.releases[$0].version }
        record.add("lastVersion", last?.label)
        record.add("lastBuild", last?.build)
        let fixed = plan.position(of: issue.fixedIn).map { plan.releases[$0].version }
        record.add("fixedIn", fixed?.label)
        record.add("fixedInBuild", fixed?.build)
    }

    private func dayRecords(of position: Int, since first: CivilDate) -> [String] {
        let isDetailed = plan.issues[position].isDetailed
        return carried.filter { $0.date >= first }.flatMap { day in
            let all = dayRecord(day.count(ofIssue: position), on: day.date, release: nil)
            guard plan.capabilities.contains(.releaseHealth),
                isDetailed || day.date >= DemoCalendar.firstDetailedDay
            else { return [all] }
            let used = day.cells.filter { $0.issues[position].events > 0 }
            return [all]
                + used.map {
                    dayRecord($0.issues[position], on: day.date, release: plan.releases[$0.release])
                }
        }
    }

    private func dayRecord(_ count: IssueCount, on date: CivilDate, release: ReleasePlan?) -> String {
        var record = JSONRecord()
        record.add("date", date.description)
        record.add("release", release?.version.label)
        record.add("events", count.events)
        if !plan.countsCrashesAlone { record.add("users", count.users) }
        return record.text
    }
}

/// What a source without sessions covers: the crashes of each day whole, and of the issues those that it counts.
extension SnapshotFile {
    /// The positions of the issues that are counted by day.
    var issuesCountedByDay: Set<Int> {
        guard let limit = plan.issuesByDay else { return Set(plan.issues.indices) }
        let events = plan.issues.indices.map { position in
            (position, carried.reduce(0) { $0 + $1.count(ofIssue: position).events })
        }
        return Set(events.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(limit).map(\.0))
    }

    private var coverageRecords: [String] {
        guard let first = carried.first?.date, let last = carried.last?.date else { return [] }
        let seen = plan.issues.indices.filter { position in
            carried.contains { $0.count(ofIssue: position).events > 0 }
        }
        let counted = seen.filter(issuesCountedByDay.contains).count
        var crashes = coverageRecord("crashes", first, last)
        crashes.add("state", "complete")
        var issues = coverageRecord("issueDays", first, last)
        issues.add("state", counted == seen.count ? "complete" : "partial")
        if counted < seen.count {
            issues.add("counted", counted)
            issues.add("of", seen.count)
        }
        return [crashes.text, issues.text]
    }

    private func coverageRecord(_ fact: String, _ first: CivilDate, _ last: CivilDate) -> JSONRecord {
        var record = JSONRecord()
        record.add("fact", fact)
        record.add("first", first.description)
        record.add("last", last.description)
        return record
    }
}

/// An object of JSON on one line; its keys stand in the order in which they were added.
struct JSONRecord {
    private var fields: [String] = []

    /// Adds a number; nothing when it is nil.
    mutating func add(_ key: String, _ number: Int?) {
        guard let number else { return }
        addRaw(key, String(number))
    }

    /// Adds a text; nothing when it is nil.
    mutating func add(_ key: String, _ text: String?) {
        guard let text else { return }
        addRaw(key, jsonText(text))
    }

    /// Adds something that is JSON already.
    mutating func addRaw(_ key: String, _ json: String) {
        fields.append(jsonText(key) + ":" + json)
    }

    /// The object.
    var text: String { "{" + fields.joined(separator: ",") + "}" }
}

/// A list with one record a line; the closing bracket is at the indentation.
func jsonList(_ records: [String], indentation: Int) -> String {
    guard !records.isEmpty else { return "[]" }
    let outer = String(repeating: " ", count: indentation)
    let lines = records.map { outer + "  " + $0 }
    return "[\n" + lines.joined(separator: ",\n") + "\n" + outer + "]"
}

/// The text as a string of JSON (RFC 8259 §7); signs that turn the direction of writing are escaped too, so
/// that a file shows what it holds.
func jsonText(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": json += "\\\""
        case "\\": json += "\\\\"
        case "\n": json += "\\n"
        case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{200E}"..."\u{200F}", "\u{2028}"..."\u{202E}",
            "\u{2066}"..."\u{2069}":
            let digits = String(scalar.value, radix: 16)
            json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: json.unicodeScalars.append(scalar)
        }
    }
    return json + "\""
}
