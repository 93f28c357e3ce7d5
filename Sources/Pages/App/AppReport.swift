package import Analysis
package import AppHealth
import Diagnostics
import Formatting

/// All that the pages of one app are made from: computed once, used by each of its pages.
package struct AppReport: Sendable {
    /// The app.
    package let app: App
    /// Its target and critical levels.
    package let targets: Targets
    /// Who reads it: nothing that is left out for them is in it.
    package let audience: Audience
    /// What is left out for them.
    let redaction: Redaction
    /// What the mutes did, whoever reads it.
    package let muteUses: [MuteUse]
    /// How many alerts of the last seven days are muted.
    package let mutedAlerts: Int
    /// Its history, indexed.
    package let evidence: HistoryIndex
    /// Its events, parted into what is told and what is not.
    package let activity: Activity
    /// The instant of the report.
    package let asOf: Instant
    /// Counts of its issues and releases over the windows that pages show.
    let windows: IssueWindows
    /// When each alert of its ledger was written down as it stands, by id.
    let ledgerRecordedAt: [String: Instant]
    /// Its events by day and by issue.
    let index: EventIndex
    /// The course of its issues.
    let trends: IssueTrends
    /// The releases, newest first, of the first source that lists any; of two builds of one label the newer.
    package let releases: [Release]
    /// The Stability Alerts that were found, muted ones too.
    let falls: [Event]
    /// What explains each of them on its first night, by the id of the event, where it can be told.
    let causes: [String: DropBreakdown]
    /// The verdicts on rolling its releases out, by label.
    let judgements: [String: ReleaseEvaluation]
    /// What covers most crashes of each day, in a sentence.
    let coverings: [CivilDate: String]
    /// How far its releases have been taken up, by label.
    let stages: [String: ReleaseStage]
    /// The days that have a page.
    let daySet: Set<CivilDate>
    /// Sessions of each release by day, where the source counts them.
    let releaseSessions: [String: [CivilDate: Int]]
    /// What was counted of each issue in each release.
    let seenIssues: SeenIssues
    /// The releases that have a page beside each other, of the newest first.
    package let pairs: [ComparedReleases]

    /// How many days the issue lists span.
    package static let issueSpan = 28
    /// How many days the large charts span.
    package static let chartSpan = 90

    /// Computes the report of an app.
    package init(
        _ history: AppHistory, targets: Targets, asOf: Instant, control: AlertControl = AlertControl(),
        audience: Audience = .team
    ) {
        let whole = HistoryIndex(history, asOf: asOf, targets: targets)
        let redaction = Redaction(history, targets, for: audience)
        let evidence =
            audience.leavesOut
            ? HistoryIndex(redaction.redacted(history), asOf: asOf, targets: targets) : whole
        self.app = history.app
        self.targets = targets
        self.audience = audience
        self.evidence = evidence
        let all = Analysis.events(in: whole, ledger: history.ledger)
        let activity = Activity(of: all, in: whole, under: control)
        let found = audience.leavesOut ? redaction.redacted(all) : all
        self.muteUses = activity.uses
        self.mutedAlerts = activity.mutedAlerts(to: evidence.lastDay)
        self.activity = audience.leavesOut ? redaction.redacted(activity) : activity
        self.redaction = redaction
        self.ledgerRecordedAt = history.ledgerRecordedAt
        let falls = found.filter { $0.kind == .stability }
        self.falls = falls
        self.causes = Dictionary(
            falls.compactMap { event in
                guard case .stability(let alert) = event else { return nil }
                return evidence.causes(of: alert.episode, events: falls).map { (alert.occasion.id, $0) }
            }, uniquingKeysWith: { first, _ in first })
        self.index = EventIndex(
            self.activity, found: found, lastDay: evidence.health.keys.max() ?? evidence.lastDay)
        let releases = newestBuilds(evidence.sources)
        let court = ReleaseEvaluator(evidence)
        self.releases = releases
        self.judgements = Dictionary(
            releases.map { ($0.version.label, court.judgement(on: $0.version.label)) },
            uniquingKeysWith: { first, _ in first })
        self.coverings = TopCrashIssues.ofDays(evidence).mapValues { $0.sentence(counts: audience.counts) }
        self.stages = evidence.releaseStages
        self.daySet = Set(evidence.days)
        self.releaseSessions = sessionsByRelease(evidence)
        self.seenIssues = SeenIssues(evidence)
        self.pairs = comparedReleases(releases, judgements, sessions: releaseSessions, seenIssues)
        self.asOf = asOf
        self.trends = IssueTrends(evidence)
        self.windows = IssueWindows(evidence, span: Self.issueSpan)
    }

    /// Its events that are told, newest first.
    package var events: [Event] { activity.shown }

    /// The last complete day for which there is any figure, or the last complete day when there is none.
    package var lastDay: CivilDate { evidence.health.keys.max() ?? evidence.lastDay }

    /// Every source of the app.
    var sources: [SourceHistory] { evidence.sources }

    /// The verdict on the last day, on the app's basis, with its reason.
    var verdict: VerdictView { verdict(on: lastDay) }

    /// One sentence about how fresh and whole the figures are.
    var freshness: String {
        let last = evidence.health.keys.max().map {
            "Data to \($0.compactText) (\(evidence.stability?.source.zone ?? "UTC"))"
        }
        let provisional =
            evidence.health.keys.max().map(isProvisional) == true ? "; the last days are provisional" : ""
        let trouble = sources.filter { $0.lastAttempt?.failure != nil }.map(\.source.id.text)
        let stale = trouble.isEmpty ? "" : " The newest fetch of \(trouble.joined(separator: ", ")) failed."
        return (last ?? "No figures yet") + provisional + "." + stale
    }
}

/// The releases of the first source that lists any; of two builds of one label the newer.
private func newestBuilds(_ sources: [SourceHistory]) -> [Release] {
    let source = sources.first { $0.capturedAt != nil && $0.source.capabilities.contains(.releases) }
    var seen: Set<String> = []
    return (source?.releases ?? []).filter { seen.insert($0.version.label).inserted }
}
