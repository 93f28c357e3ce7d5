package import Analysis
import AppHealth

extension EventKind {
    /// Its name on pages, in feeds and in the command.
    package var title: String { rawValue }

    /// The same of one that is based on crash counts, as no rate is known.
    package func title(onCrashCounts isOnCrashCounts: Bool) -> String {
        isOnCrashCounts ? title + " on crash counts" : title
    }
}

extension Event {
    /// Its name on pages, in feeds and in the command: that of its kind, and that it is based on counts where no rate or
    /// share of sessions is known.
    package var title: String {
        if case .withdrawn(let alert) = self { return alert.title }
        return isOnEventCounts ? kind.title + " on event counts" : kind.title(onCrashCounts: isOnCrashCounts)
    }
}

extension WithdrawnAlert {
    /// What was withdrawn: `Withdrawn Alert`, `Withdrawn Recovery`, `Withdrawn Verdict`.
    fileprivate var title: String {
        switch entry.rule {
        case RecoveryRule.id: "Withdrawn Recovery"
        case ReleaseVerdictRule.id: "Withdrawn Verdict"
        default: EventKind.withdrawn.title
        }
    }
}

extension LastingAlert {
    /// Its name, such as `Usage Anomaly`.
    var title: String { kind.title(onCrashCounts: isOnCrashCounts) }
}
