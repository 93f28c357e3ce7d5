package import Alerts
package import AppHealth
import Diagnostics

/// All that the pages of one app are made from: computed once, used by each of its pages.
package struct AppReport: Sendable {
    /// The app.
    package let app: App
    /// Its target and critical levels.
    package let targets: Targets
    /// Its history, indexed.
    package let evidence: Evidence
    /// Its events, newest first.
    package let events: [Event]
    /// The instant of the report.
    package let asOf: Instant
    /// Counts of its issues and releases over the windows that pages show.
    let windows: IssueWindows
    /// Its events by day and by issue.
    let index: EventIndex
    /// The releases, newest first, of the first source that lists any; of two builds of one label the newer.
    package let releases: [Release]
    /// The days that have a page.
    let daySet: Set<CivilDate>

    /// How many days the issue lists span.
    package static let issueSpan = 28
    /// How many days the large charts span.
    package static let chartSpan = 90

    /// Computes the report of an app.
    package init(_ history: AppHistory, targets: Targets, asOf: Instant) {
        let evidence = Evidence(history, asOf: asOf)
        self.app = history.app
        self.targets = targets
        self.evidence = evidence
        let events = Alerts.events(in: evidence, ledger: history.ledger)
        self.events = events
        self.index = EventIndex(events, lastDay: evidence.health.keys.max() ?? evidence.lastDay)
        self.releases = newestBuilds(evidence.sources)
        self.daySet = Set(evidence.days)
        self.asOf = asOf
        self.windows = IssueWindows(evidence, span: Self.issueSpan)
    }

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
