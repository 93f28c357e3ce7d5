import AppHealth

/// Writes what one source told about one app at one capture, in the snapshot format, version 1.
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
        return known.filter { days.contains($0.date) }
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
        lists.append(("releases", releaseRecords))
        lists.append(("issues", issueRecords))
        if plan.capabilities.contains(.notes) { lists.append(("notes", noteRecords)) }
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
