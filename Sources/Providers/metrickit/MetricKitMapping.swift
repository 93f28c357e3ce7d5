import AppHealth

/// What makes two diagnostics one issue, and what a person calls it.
struct MetricKitSignature: Hashable, Sendable {
    var id: String
    var title: String
    var kind: Issue.Kind
}

extension MetricKitSignature {
    /// The signature of a diagnostic: its reason and its three innermost calls. Calls are known by binary and
    /// offset only, so that each build of the app has its own.
    init(_ diagnostic: MetricKitDiagnostic, _ kind: Issue.Kind, named name: String) {
        let frames = (diagnostic.tree?.value?.frames ?? []).prefix(3)
        let facts = diagnostic.metaData?.value
        let (signal, exception) = (facts?.signal?.value, facts?.exceptionType?.value)
        let isWatchdog = facts?.termination?.value?.text.lowercased().contains("8badf00d") == true
        let reason =
            isWatchdog
            ? "watchdog"
            : [
                exception.map { machExceptions[$0] ?? "exception \($0)" },
                signal.map { signals[$0] ?? "signal \($0)" },
            ].compactMap(\.self).joined(separator: " ")
        let calls = frames.map { "\($0.binaryID?.value?.text ?? $0.name)+\($0.offsetText)" }
        self.kind = isWatchdog ? .hang : kind
        id = ([name, reason] + calls).filter { !$0.isEmpty }.joined(separator: " ")
        let place = frames.first.map { " in \($0.name) + \($0.offsetText)" } ?? ""
        title = (reason.isEmpty ? name : "\(name): \(reason)") + place
    }

    /// The signature of ends that the system counts and reports nothing else about.
    init(exit reason: String, _ ground: String) {
        id = "exit \(ground) \(reason)"
        title = "Ended by the system in the \(ground): \(reason)"
        kind = .crash
    }
}

extension MetricKitTree.Frame {
    fileprivate var name: String { binary?.value?.nonEmpty ?? "an unnamed binary" }
    fileprivate var offsetText: String { offset?.value.map { String($0.value) } ?? "?" }
}

extension MetricKitPayload {
    /// The day in UTC in which the middle of the span lies: spans begin at midnight where the device is.
    var date: CivilDate { middle.date }

    /// The middle of the span: when in it something was is not reported.
    var middle: Instant {
        guard let end = end?.value?.instant else { return begin.instant }
        let length = min(max(begin.instant.seconds(to: end), 0), 86_400)
        return begin.instant.advanced(bySeconds: length / 2)
    }

    /// The diagnostics with their signatures.
    var diagnostics: [(signature: MetricKitSignature, version: Version?)] {
        let kinds: [(LossyArray<MetricKitDiagnostic>?, Issue.Kind, String)] = [
            (crashes, .crash, "Crash"), (hangs, .hang, "Hang"), (cpuExceptions, .error, "Too much CPU"),
            (diskWrites, .error, "Too many writes to disk"),
        ]
        return kinds.flatMap { list, kind, name in
            (list?.values ?? []).map { diagnostic in
                (MetricKitSignature(diagnostic, kind, named: name), diagnostic.version ?? appVersion)
            }
        }
    }

    /// Ends that no diagnostic covers: crashes have theirs and would count twice.
    var systemExits: [(signature: MetricKitSignature, count: Int)] {
        let grounds = [
            ("foreground", exits?.value?.foreground), ("background", exits?.value?.background),
        ]
        return grounds.flatMap { ground, counts in
            exitReasons.compactMap { key, reason in
                guard let count = counts?.value?[key]?.value?.value, count > 0 else { return nil }
                return (MetricKitSignature(exit: reason, ground), count)
            }
        }
    }

    /// The version that a metric payload names.
    var appVersion: Version? {
        version?.value?.nonEmpty.map { Version($0, build: metaData?.value?.build?.value?.text ?? "") }
    }
}

extension MetricKitDiagnostic {
    fileprivate var version: Version? {
        let facts = metaData?.value
        return facts?.version?.value?.nonEmpty.map {
            Version($0, build: facts?.build?.value?.text ?? "")
        }
    }
}

private let exitReasons: [(key: String, reason: String)] = [
    ("cumulativeMemoryResourceLimitExitCount", "memory limit"),
    ("cumulativeCPUResourceLimitExitCount", "CPU limit"),
    ("cumulativeSuspendedWithLockedFileExitCount", "file still locked"),
    ("cumulativeBackgroundTaskAssertionTimeoutExitCount", "background task too long"),
]

/// Darwin's `sys/signal.h`.
private let signals = [
    3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 10: "SIGBUS",
    11: "SIGSEGV",
    12: "SIGSYS", 13: "SIGPIPE", 15: "SIGTERM",
]

/// Darwin's `mach/exception_types.h`.
private let machExceptions = [
    1: "EXC_BAD_ACCESS", 2: "EXC_BAD_INSTRUCTION", 3: "EXC_ARITHMETIC", 4: "EXC_EMULATION",
    5: "EXC_SOFTWARE",
    6: "EXC_BREAKPOINT", 10: "EXC_CRASH", 11: "EXC_RESOURCE", 12: "EXC_GUARD",
]

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
    private var days: Set<CivilDate> = []

    mutating func add(_ payload: MetricKitPayload) {
        days.insert(payload.date)
        for (signature, version) in payload.diagnostics { add(signature, 1, version, payload) }
        for (signature, count) in payload.systemExits {
            add(signature, count, payload.appVersion, payload)
        }
    }

    private mutating func add(
        _ signature: MetricKitSignature, _ count: Int, _ version: Version?, _ payload: MetricKitPayload
    ) {
        // Both lie on days that it is counted on.
        let seen = payload.middle
        var entry = entries[signature.id] ?? Entry(signature: signature, first: seen, last: seen)
        entry.events = entry.events.addingCapped(count)
        entry.days[payload.date] = (entry.days[payload.date] ?? 0).addingCapped(count)
        (entry.first, entry.last) = (min(entry.first, seen), max(entry.last, seen))
        if let version {
            // The oldest and the newest are enough.
            entry.versions = (entry.versions + [version]).sorted()
            if let oldest = entry.versions.first, let newest = entry.versions.last {
                entry.versions = [oldest, newest]
            }
        }
        entries[signature.id] = entry
    }

    /// The issues, those with most events first. What is known of days without a payload counts too: their files may
    /// be elsewhere now.
    func issues(knowing known: KnownIssues) -> [Issue] {
        let before = Dictionary(known.issues.map { ($0.id, $0) }) { first, _ in first }
        let gone = Dictionary(grouping: known.days.filter { !days.contains($0.date) }, by: \.issue)
        return ordered.map { entry in
            let old = before[entry.signature.id]
            let versions = (entry.versions + [old?.firstVersion, old?.lastVersion].compactMap(\.self))
                .sorted()
            return Issue(
                id: entry.signature.id, title: entry.signature.title, kind: entry.signature.kind,
                firstSeen: min(entry.first, old?.firstSeen ?? entry.first),
                lastSeen: max(entry.last, old?.lastSeen ?? entry.last), firstVersion: versions.first,
                lastVersion: versions.last,
                events: gone[entry.signature.id, default: []].reduce(entry.events) {
                    $0.addingCapped($1.events ?? 0)
                })
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

    /// Crashes of each day with a payload, all issues together.
    var health: [HealthDay] {
        var crashes = Dictionary(uniqueKeysWithValues: days.map { ($0, 0) })
        for entry in entries.values where entry.signature.kind == .crash {
            for (date, count) in entry.days { crashes[date] = (crashes[date] ?? 0).addingCapped(count) }
        }
        return crashes.sorted { $0.key < $1.key }.map { HealthDay(date: $0.key, crashes: $0.value) }
    }

    /// Payloads are of those devices that share them: never of all.
    var coverage: [CoverageSpan] {
        [CoveredFact.crashes, .issueDays].flatMap {
            coverageSpans($0, days, .partial(counted: nil, of: nil))
        }
    }

    private var ordered: [Entry] {
        entries.values.sorted { ($1.events, $0.signature.id) < ($0.events, $1.signature.id) }
    }
}
