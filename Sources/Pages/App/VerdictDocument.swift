package import Analysis
package import AppHealth
import Estimates
import Formatting

/// A verdict on a release for the command line.
package struct VerdictDocument: Sendable {
    /// The app's name in addresses.
    package let app: Slug
    /// The label of the release; nil when the app has none.
    package let release: String?
    /// `Sketchbook 4.3.0 (391)`.
    package let title: String
    /// The age in days on which it is judged; nil without counts, as the following ones.
    package let age: Int?
    /// What is counted: sessions, or users of single days.
    package let basis: Basis
    /// What its counts are: `sessions`, `user-days`.
    package let unit: String
    /// What releases are compared at besides their age: `session count`, `number of user-days`.
    package let countName: String
    /// Its counts up to then.
    package let own: Counts?
    /// The bounds of its crash-free rate that hold at every look, in 0…1.
    package let crashFree: (lower: Double, upper: Double)?
    /// Whether it is shown to crash more than earlier releases; nil when there is none to compare.
    package let isWorse: Bool?
    /// The counts of the earlier releases up to the same age.
    package let earlier: [Counts]
    /// Its counts, then those of the earlier releases that were in use, on the same days, where these alone keep it from being
    /// worse; else empty.
    package let sameDays: [Counts]
    /// The verdict.
    package let verdict: ReleaseVerdict
    /// About how many more sessions, or user-days, are needed for another verdict; nil when none are, and where counts are hidden.
    package let needed: Int?
    /// Why, with numbers and intervals.
    package let why: String
    /// The sample and the comparison behind it; nil without counts.
    package let detail: String?
    /// The open alerts on the release and on its issues, newest first.
    package let openAlerts: [OpenAlert]
    /// The same in words; nil without any.
    package let openAlertsText: String?
    /// The app's levels.
    package let targets: Targets
    /// The releases it was compared with, itself first.
    package let ages: [AgeRow]
    /// How fresh and complete the data is.
    package let freshness: String
    /// The instant of the report.
    package let asOf: Instant

    /// An open alert.
    package struct OpenAlert: Sendable {
        /// Its permanent name.
        package let id: String
        /// What it is called, such as `Issue Velocity Alert`.
        package let title: String
        /// Its first day.
        package let day: CivilDate
        /// What it reports.
        package let text: String
    }

    /// What was counted of a release.
    package struct Counts: Sendable {
        /// Its label.
        package let release: String
        /// Its sessions, or user-days.
        package let total: Int
        /// Those of them that crashed.
        package let crashed: Int
    }

    /// The verdict on a release of a report; nil is the newest of an app that has none.
    package init(
        _ release: ReleaseFacts?, of releases: ReleasesSection, _ activity: ActivitySection, _ facts: AppFacts
    ) {
        self.init(
            release, label: release?.label, version: release?.release.version.description,
            lack: releases.lack?.words(for: .releases) ?? "No releases yet.",
            alerts: release?.alerts(among: activity.openIssueAlerts) ?? [], facts)
    }

    /// That on a release that no source lists yet: unknown.
    package init(unlisted label: String, of releases: ReleasesSection, _ facts: AppFacts) {
        self.init(
            nil, label: label, version: label,
            lack: "No data names \(label) yet. " + listing(releases), alerts: [], facts)
    }

    /// - Parameter lack: Why there is no verdict, where there is no release.
    private init(
        _ release: ReleaseFacts?, label: String?, version: String?, lack: String, alerts: [Event],
        _ facts: AppFacts
    ) {
        let evaluation = release?.evaluation
        let scope = AppScope(facts, .absent)
        self.app = facts.app.id
        self.release = label
        self.title = version.map { "\(facts.app.name) \($0)" } ?? facts.app.name
        let basis = evaluation?.basis
        self.age = basis?.age
        self.basis = basis?.life.basis ?? .sessions
        self.unit = basis?.unit ?? "sessions"
        self.countName = basis?.countName ?? "session count"
        self.own = basis.map { Counts($0.life.label, $0.total) }
        self.crashFree = basis.map { ($0.crashFree.lower, $0.crashFree.upper) }
        self.isWorse = basis?.comparison?.isWorse
        self.earlier = (basis?.comparison?.peers ?? []).map { Counts($0.label, $0.atAge) }
        self.sameDays = basis.flatMap { Counts.onSameDays($0) } ?? []
        let verdict = evaluation?.verdict ?? .unknown
        self.verdict = verdict
        self.needed =
            if case .notEnoughData(let needed) = verdict, !scope.hidesCounts { needed } else { nil }
        self.why = evaluation?.why(counts: scope.audience.counts) ?? lack
        self.detail = evaluation?.detail(counts: scope.audience.counts)
        let counts = scope.audience.counts
        self.openAlerts = alerts.map { alert in
            OpenAlert(
                id: alert.occasion.id, title: alert.title, day: alert.occasion.day,
                text: alert.sentence(counts: counts))
        }
        self.openAlertsText = openAlertsSentence(alerts, counts: counts)
        self.targets = basis?.targets ?? facts.targets
        self.ages = evaluation.map { AgeRow.rows($0, in: scope) } ?? []
        self.freshness = facts.freshnessSentence
        self.asOf = facts.asOf
    }
}

extension VerdictDocument.Counts {
    fileprivate init(_ release: String, _ counts: DayCount) {
        self.init(release: release, total: counts.total, crashed: counts.crashed)
    }

    fileprivate static func onSameDays(_ basis: ReleaseEvaluation.Basis) -> [Self]? {
        basis.comparison?.sameDays.map { days in
            [Self(basis.life.label, days.own)] + days.others.map { Self($0.label, $0.counts) }
        }
    }
}

/// How many releases are listed in place of one that is not there.
private let listedReleases = 10

/// `Releases: 4.3.0, 4.2.2 and 4.2.1.`: those that are there, newest first, else why there are none.
private func listing(_ releases: ReleasesSection) -> String {
    let labels = releases.all.map(\.label)
    guard !labels.isEmpty else { return releases.lack?.words(for: .releases) ?? "No releases yet." }
    let more = labels.count - listedReleases
    let shown = labels.prefix(listedReleases) + (more > 0 ? ["\(countText(more)) more"] : [])
    return "Releases: \(listed(Array(shown)))."
}
