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

    /// The signature of ends that the system counts and tells nothing else about.
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
    var date: CivilDate {
        guard let end = end?.value?.instant else { return begin.instant.date }
        let length = min(max(begin.instant.seconds(to: end), 0), 86_400)
        return begin.instant.advanced(bySeconds: length / 2).date
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

    /// Ends that no diagnostic tells of: crashes have theirs and would count twice.
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
