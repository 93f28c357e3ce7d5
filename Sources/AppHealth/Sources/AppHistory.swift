package import Diagnostics

/// All that the archive knows about one app as of one instant.
package struct AppHistory: Sendable {
    /// The app.
    package var app: App
    /// Its sources in the order of the configuration.
    package var sources: [SourceHistory]
    /// The alerts that were raised, ordered by id.
    package var ledger: [LedgerEntry]
    /// The notes that the owner of the site wrote as files, ordered by id.
    package var notes: [Note] = []
    /// When each alert of the ledger was written down as it is, by id.
    package var ledgerRecordedAt: [String: Instant] = [:]
    /// When alerts of the ledger last changed, by id; those that never did are missing.
    package var ledgerChanges: [String: LedgerChange] = [:]
    /// The levels by which it was judged, each from the report on that first used it; oldest first.
    package var targetChanges: [TargetChange] = []

    /// Makes a history.
    package init(app: App, sources: [SourceHistory], ledger: [LedgerEntry] = []) {
        self.app = app
        self.sources = sources
        self.ledger = ledger
    }
}

/// When an alert of the ledger last got another state, or other days, than it had.
package struct LedgerChange: Hashable, Codable, Sendable {
    /// When it last got another state; nil when it never did.
    package let at: Instant?
    /// When it was last found again after it was withdrawn; nil when it never was.
    package let returned: Instant?
    /// When revised data last moved its days: another first day, fewer days, or more of them once it was over. Nil when
    /// they never did. That an alert lasts longer is no revision.
    package let moved: Instant?

    /// Makes a change.
    package init(at: Instant?, returned: Instant? = nil, moved: Instant? = nil) {
        self.at = at
        self.returned = returned
        self.moved = moved
    }
}

/// A time in which a source could not be fetched.
package struct Outage: Hashable, Codable, Sendable {
    /// The first attempt that failed.
    package let first: Instant
    /// The first that failed since it was last fetched: later than `first` where it was back for a while on a day.
    package let resumed: Instant
    /// When it could be fetched again; nil while it fails.
    package let end: Instant?
    /// Why the last attempt failed.
    package let why: Diagnostic

    /// Makes an outage.
    package init(first: Instant, resumed: Instant? = nil, end: Instant? = nil, why: Diagnostic) {
        self.first = first
        self.resumed = resumed ?? first
        self.end = end
        self.why = why
    }
}

/// All that the archive knows from one source about one app as of one instant.
///
/// Series of two sources are never mixed: their definitions differ.
package struct SourceHistory: Sendable {
    /// The source as its last good snapshot described it.
    package var source: Source
    /// When the last good snapshot was captured; nil when there never was one.
    package var capturedAt: Instant?
    /// When the good snapshot before that one was captured; nil when there never was one.
    package var previousCapture: Instant?
    /// The newest attempt; nil when the source was never queried.
    package var lastAttempt: FetchAttempt?
    /// When it could not be fetched, oldest first; a failure of the newest attempt may not be among them.
    package var outages: [Outage] = []
    /// When it was fetched and brought no newer day although one was due, oldest first.
    package var idleTimes: [IdleTime] = []
    /// Health by day as known at the instant, ordered by date, then by version (nil first).
    package var health: [HealthDay] = []
    /// The first value that was stored for each day (all releases together): as reported at the time.
    package var healthAsReported: [CivilDate: HealthDay] = [:]
    /// Whether each day with health is settled.
    package var healthSettlement: [CivilDate: DayFinality] = [:]
    /// Whether each day of `usage` is settled.
    package var usageSettlement: [CivilDate: DayFinality] = [:]
    /// The least that a day may come to as any snapshot since it settled showed, by what is counted of use: `users` and
    /// `sessions` of the health, `usage` of the active users. Days that are final by their age have none.
    package var leastOutlooks: [CoveredFact: [CivilDate: Double]] = [:]
    /// Which shares of their counts the days have that are not final by their age: `users` and `sessions` of the health. None
    /// where the past of the source does not say.
    package var lateCounts: [CoveredFact: [CivilDate: LateCounts]] = [:]
    /// Use by day, ordered by date.
    package var usage: [UsageDay] = []
    /// Releases, newest version first.
    package var releases: [Release] = []
    /// Issues, ordered by id.
    package var issues: [Issue] = []
    /// The states and fixes that issues had, by id, oldest first; one that says the same as the one before is not listed.
    package var issueStates: [String: [IssueStateChange]] = [:]
    /// The newest versions that issues were seen in, by id, oldest capture first; one that says the same as the one before
    /// is not listed.
    package var issueVersions: [String: [IssueVersionChange]] = [:]
    /// Counts by day of issues, ordered by issue, date, version.
    package var issueDays: [IssueDay] = []
    /// Crashes by day of kinds of device, ordered by date, then by name.
    package var deviceDays: [DeviceDay] = []
    /// Health by hour, ordered by hour; about the last 30 days.
    package var healthHours: [HealthHour] = []
    /// Counts by hour of issues where there are any, ordered by issue, then by hour; about the last 30 days.
    package var issueHours: [IssueHour] = []
    /// The hours whose issues are known: an issue without a count in one of them had nothing then.
    package var hoursOfIssues: Set<UTCHour> = []
    /// Notes, newest first.
    package var notes: [Note] = []
    /// How much was reported of each day.
    package var coverage = CoverageHistory()
    /// When its newest figures were captured.
    package var captures = FactCaptures()
    /// How far the zone of its days is from UTC; nil when the name of the zone is not known.
    package var zoneOffsets: ZoneOffsets?
    /// The zones that it stated, oldest first; empty where only that of now is known.
    package var statedZones: [StatedZone] = []

    /// Makes a history without content.
    package init(source: Source, capturedAt: Instant? = nil, lastAttempt: FetchAttempt? = nil) {
        self.source = source
        self.capturedAt = capturedAt
        self.lastAttempt = lastAttempt
    }
}

extension SourceHistory {
    /// Every outage, oldest first: where the newest attempt failed and no more is known of it, it is one.
    package var allOutages: [Outage] {
        guard let attempt = lastAttempt, let why = attempt.failure,
            outages.last.map({ $0.end != nil }) != false
        else { return outages }
        return outages + [Outage(first: attempt.at, why: why)]
    }

    /// The last day that is over at an instant: in UTC, and in the zone of its days where that is known.
    package func lastDayOver(at instant: Instant) -> CivilDate {
        zoneOffsets?.lastDayOver(at: instant) ?? instant.date.advanced(by: -1)
    }

    /// The instant at which a day is over in the zone of its days, or in UTC where that is not known.
    package func end(of day: CivilDate) -> Instant {
        zoneOffsets?.end(of: day) ?? Instant(startOf: day.advanced(by: 1))
    }

    /// The day of an instant in the zone of its days, or in UTC where that is not known.
    package func day(of instant: Instant) -> CivilDate { zoneOffsets?.day(of: instant) ?? instant.date }

    /// The last day that a report made at an instant may show as whole: it is over then, and where a day ends later than
    /// in UTC it was over when the newest figures were captured.
    package func lastWholeDay(at instant: Instant) -> CivilDate {
        let last = lastDayOver(at: instant)
        guard let capturedAt, lastDayOver(at: capturedAt) < capturedAt.date.advanced(by: -1) else {
            return last
        }
        return min(last, lastDayOver(at: capturedAt))
    }
}
