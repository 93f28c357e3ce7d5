import AppHealth

/// Adds the payloads of many devices up to issues. Events may be added: each payload is about one device.
struct MetricKitTally {
    private struct Entry {
        var signature: MetricKitSignature
        var events = 0
        var days: [CivilDate: Int] = [:]
        var first: Instant
        var last: Instant
        var versions: [Version] = []
    }

    private var entries: [String: Entry] = [:]

    mutating func add(_ payload: MetricKitPayload) {
        for (signature, version) in payload.diagnostics { add(signature, 1, version, payload) }
        for (signature, count) in payload.systemExits {
            add(signature, count, payload.appVersion, payload)
        }
    }

    private mutating func add(
        _ signature: MetricKitSignature, _ count: Int, _ version: Version?, _ payload: MetricKitPayload
    ) {
        let begin = payload.begin.instant
        let end = max(begin, payload.end?.value?.instant ?? begin)
        var entry = entries[signature.id] ?? Entry(signature: signature, first: begin, last: end)
        entry.events = sum(entry.events, count)
        entry.days[payload.date] = sum(entry.days[payload.date] ?? 0, count)
        (entry.first, entry.last) = (min(entry.first, begin), max(entry.last, end))
        if let version {
            // The oldest and the newest are enough.
            entry.versions = (entry.versions + [version]).sorted()
            if let oldest = entry.versions.first, let newest = entry.versions.last {
                entry.versions = [oldest, newest]
            }
        }
        entries[signature.id] = entry
    }

    /// The issues, those with most events first.
    var issues: [Issue] {
        ordered.map { entry in
            Issue(
                id: entry.signature.id, title: entry.signature.title, kind: entry.signature.kind,
                firstSeen: entry.first, lastSeen: entry.last, firstVersion: entry.versions.first,
                lastVersion: entry.versions.last, events: entry.events)
        }
    }

    /// Their days, oldest first. A day without a payload is unknown, not zero.
    var issueDays: [IssueDay] {
        ordered.flatMap { entry in
            entry.days.sorted { $0.key < $1.key }.map {
                IssueDay(issue: entry.signature.id, date: $0.key, events: $0.value, users: nil)
            }
        }
    }

    private var ordered: [Entry] {
        entries.values.sorted { ($1.events, $0.signature.id) < ($0.events, $1.signature.id) }
    }

    private func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, isOver) = first.addingReportingOverflow(second)
        return isOver ? .max : sum
    }
}
