import Analysis
import AppHealth
import Diagnostics
import Formatting
import Statistics

extension Measured {
    /// The same state with the reason of an absence in words.
    var state: DataState<Value> {
        switch self {
        case .loaded(let value, let asOf): .loaded(value, asOf: asOf)
        case .stale(let value, let asOf, let why): .stale(value, asOf: asOf, why: why)
        case .failed(let why): .failed(why: why)
        case .absent(let absence): .unavailable(why: absence.words)
        }
    }
}

extension Absence {
    /// Why there is no value: `no figures for Thu, Nov 19, 2026`.
    var words: String {
        switch self {
        case .noSource: "no source is configured"
        case .neverFetched: "never fetched"
        case .unknowable(let providers): "\(providers.joined(separator: ", ")) cannot know this"
        case .unknowableOfReleases(let provider): "\(provider) cannot know this for releases"
        case .noFigures(let day): "no figures for \(day.compactText)"
        case .none(let basis, let day): "no \(basis.rawValue) on \(day.compactText)"
        case .noFigure(let basis, let day): "no figure for \(basis.rawValue) on \(day.compactText)"
        case .noUse(let day): "no figure for \(day.compactText)"
        case .noMonthlyUsers: "no monthly active users"
        case .noReleaseSource: "no source lists releases"
        case .noSessionSource: "no source counts sessions"
        case .noSessions: "no sessions"
        case .noSessionsOf(let release): "no sessions of \(release)"
        case .noSessionsOn(let release, let day): "no sessions of \(release) on \(day.compactText)"
        case .noSessionsByDay(let release): "no sessions of \(release) by day"
        case .noCrashCounts: "no crash counts"
        case .inUseBefore(let release): "\(release) was in use before the first figures"
        case .neverInUse(let release):
            "\(release) never had \(PercentFormat.levelText(ReleaseHistory.threshold)) of all sessions"
        case .noCommonAge: "no age of which both have counts"
        case .noUsersAtAnAge: "users of both were counted at no age"
        case .noUsersOn(let days): "users of both were counted on none of the last \(days) days"
        }
    }
}

extension SourcesSection {
    /// Why something cannot be shown at all; nil when some source knows it.
    func why(no capability: Capability) -> String? {
        guard knowing(capability) == nil else { return nil }
        let failed = all.first { $0.capturedAt == nil }?.lastAttempt?.failure
        if let failed { return "The source could not be fetched: \(failed.summary)." }
        guard !all.isEmpty else { return "No source is configured." }
        let names = answered.joined(separator: ", ")
        return names.isEmpty ? "No source was fetched yet." : "\(names) cannot know \(capability.words)."
    }
}

extension Capability {
    /// What it means to a reader.
    var words: String {
        switch self {
        case .sessions: "sessions"
        case .users: "users who met a crash"
        case .releaseHealth: "stability of a single release by day"
        case .releases: "releases"
        case .issues: "issues"
        case .issueDays: "issues by day"
        case .hours: "figures by hour"
        case .usage: "active users"
        case .notes: "notes"
        }
    }
}
