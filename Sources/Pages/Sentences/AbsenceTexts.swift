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
        case .noSource: "no source configured"
        case .neverFetched: "never fetched"
        case .unknowable(let providers): "\(providers.joined(separator: ", ")) cannot know this"
        case .unknowableOfReleases(let provider): "\(provider) doesn't provide this by release"
        case .noFigures(let day): "no figures for \(day.compactText)"
        case .none(let basis, let day): "no \(basis.rawValue) on \(day.compactText)"
        case .noFigure(let basis, let day): "no figure for \(basis.rawValue) on \(day.compactText)"
        case .noUse(let day): "no figure for \(day.compactText)"
        case .noMonthlyUsers: "no monthly active users"
        case .noReleaseSource: "no source provides releases"
        case .noSessionSource: "no source provides sessions"
        case .noSessions: "no sessions"
        case .noSessionsOf(let release): "no sessions of \(release)"
        case .noSessionsOn(let release, let day): "no sessions of \(release) on \(day.compactText)"
        case .noSessionsByDay(let release): "no sessions of \(release) by day"
        case .noCrashCounts: "no crash data"
        case .inUseBefore(let release): "\(release) was in use before the first figures"
        case .neverInUse(let release):
            "\(release) never had \(PercentFormat.levelText(ReleaseHistory.threshold)) of all sessions"
        case .noCommonAge: "no data of both at the same age"
        case .noUsersAtAnAge: "no users of both at the same age"
        case .noUsersOn(let days): "users of both were counted on none of the last \(days) days"
        }
    }
}

extension SourcesSection {
    /// Why something cannot be shown at all; nil when some source knows it.
    func why(no capability: Capability) -> String? {
        guard knowing(capability) == nil else { return nil }
        let failed = all.first { $0.capturedAt == nil }?.lastAttempt?.failure
        if let failed { return "Couldn't fetch the source: \(failed.summary)." }
        guard !all.isEmpty else { return "No sources configured." }
        let names = answered.joined(separator: ", ")
        return names.isEmpty ? "No source fetched yet." : "\(names) cannot know \(capability.words)."
    }
}

extension Capability {
    /// What it means to a reader.
    var words: String {
        switch self {
        case .sessions: "sessions"
        case .users: "affected users"
        case .releaseHealth: "daily stability by release"
        case .releases: "releases"
        case .issues: "issues"
        case .issueDays: "issues by day"
        case .hours: "hourly data"
        case .usage: "active users"
        case .notes: "notes"
        }
    }
}
