package import Alerts
package import AppHealth

/// An event as feeds carry it.
package struct FeedItem: Sendable {
    /// Permanent; part of a URN.
    package let id: String
    /// When it could be known.
    package let at: Instant
    /// `Sketchbook: Stability Alert`.
    package let title: String
    /// The sentence, and for alerts what stands behind it.
    package let text: String
    /// The page that tells more.
    package let path: SitePath

    /// An event of a report.
    package init(_ event: Event, in report: AppReport) {
        let occasion = event.occasion
        let app = report.app.id
        let day = report.daySet.contains(occasion.day) ? SitePath.day(occasion.day, of: app) : .app(app)
        self.id = occasion.id
        self.at = occasion.at
        self.title = "\(report.app.name): \(event.kind.rawValue)"
        self.text =
            ([event.sentence(counts: report.audience.counts)]
            + report.facts(of: event).map { "\($0.name): \($0.value)." })
            .joined(separator: " ")
        switch event {
        case .velocity(let alert): path = .issue(alert.issue.id, of: app)
        case .newIssue(let new): path = .issue(new.issue.id, of: app)
        case .regressed(let regressed): path = .issue(regressed.issue.id, of: app)
        case .newNote(let new): path = new.issue.map { .issue($0.id, of: app) } ?? .app(app)
        case .sourceTrouble: path = .health
        case .releaseVerdict(let reached):
            let isKnown = report.releases.contains { $0.version.label == reached.judgement.label }
            path = isKnown ? .release(reached.judgement.label, of: app) : day
        case .stability, .usage, .topIssues, .recovery, .withdrawn: path = day
        }
    }
}
