package import Diagnostics

/// All that one fetch of one source reported about one app; immutable.
package struct Snapshot: Hashable, Codable, Sendable {
    /// The app.
    package var app: App
    /// The source, with what it is able to know.
    package var source: Source
    /// When the source was queried, or when it says its response was made.
    package var capturedAt: Instant
    /// Health by day, for all releases together and for each.
    package var health: [HealthDay]
    /// Use by day.
    package var usage: [UsageDay]
    /// Releases.
    package var releases: [Release]
    /// Issues.
    package var issues: [Issue]
    /// Those of them, by id, of which the source did not say this time what kind they are: a kind that is known of one
    /// stays.
    package var unstatedKinds: Set<String> = []
    /// Counts by day of issues.
    package var issueDays: [IssueDay]
    /// Crashes by day of kinds of device.
    package var deviceDays: [DeviceDay]
    /// Health by hour; not kept for longer than `HourKeeping` says.
    package var healthHours: [HealthHour]
    /// Counts by hour of issues. An hour that any issue names is known for all: issues without it had nothing.
    package var issueHours: [IssueHour]
    /// Notes.
    package var notes: [Note]
    /// How much was reported of each day; of what is not named nothing is stated.
    package var coverage: [CoverageSpan]
    /// What was skipped or looked odd.
    package var warnings: [Diagnostic]
    /// Why the fetch has failed although parts of it came, which are stored; nil when it was good.
    package var failure: Diagnostic?

    /// Makes a snapshot without content.
    package init(app: App, source: Source, capturedAt: Instant) {
        self.app = app
        self.source = source
        self.capturedAt = capturedAt
        self.health = []
        self.usage = []
        self.releases = []
        self.issues = []
        self.issueDays = []
        self.deviceDays = []
        self.healthHours = []
        self.issueHours = []
        self.notes = []
        self.coverage = []
        self.warnings = []
    }

    /// The newest hour in which something was counted.
    package var newestHour: UTCHour? {
        let sessions = healthHours.lazy.filter { ($0.sessions ?? 0) > 0 || ($0.crashedSessions ?? 0) > 0 }
        let events = issueHours.lazy.filter { !$0.isEmpty }
        return [sessions.map(\.hour).max(), events.map(\.hour).max()].compactMap(\.self).max()
    }

    /// Whether it has hours before one.
    package func hasHours(before first: UTCHour) -> Bool {
        healthHours.contains { $0.hour < first } || issueHours.contains { $0.hour < first }
    }

    /// The same without the hours before one.
    package func withoutHours(before first: UTCHour) -> Snapshot {
        var snapshot = self
        snapshot.healthHours.removeAll { $0.hour < first }
        snapshot.issueHours.removeAll { $0.hour < first }
        return snapshot
    }
}

/// One try to fetch one source of one app, successful or not.
package struct FetchAttempt: Hashable, Codable, Sendable {
    /// How it ended.
    package enum Outcome: Hashable, Codable, Sendable {
        /// A snapshot was stored, with these warnings.
        case succeeded(warnings: [Diagnostic])
        /// Nothing was stored, or parts that do not make the figures current.
        case failed(Diagnostic)
    }

    /// When the source was queried, or when it says its response was made.
    package var at: Instant
    /// How it ended.
    package var outcome: Outcome

    /// Makes an attempt.
    package init(at: Instant, outcome: Outcome) {
        self.at = at
        self.outcome = outcome
    }

    /// What was skipped, when it succeeded.
    package var warnings: [Diagnostic] {
        if case .succeeded(let warnings) = outcome { warnings } else { [] }
    }

    /// Why it failed, when it did.
    package var failure: Diagnostic? {
        if case .failed(let why) = outcome { why } else { nil }
    }
}
