package import Analysis
package import AppHealth

/// An event as feeds carry it.
package struct FeedItem: Sendable {
    /// Permanent; part of a URN.
    package let id: String
    /// When it could be known.
    package let at: Instant
    /// When it last changed: an alert changes when it is over and when it is withdrawn.
    package let updated: Instant
    /// What kind of event it is.
    package let kind: EventKind
    /// The id of its app.
    package let app: Slug
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
        self.updated = max(occasion.at, report.changed(event))
        self.kind = event.kind
        self.app = app
        self.title = "\(report.app.name): \(event.kind.rawValue)"
        self.text =
            ([event.sentence(counts: report.audience.counts)]
            + report.facts(of: event).map { "\($0.name): \($0.value)." })
            .joined(separator: " ")
        switch event {
        case .velocity(let alert): path = .issue(alert.issue.id, of: app)
        case .newIssue(let new): path = .issue(new.issue.id, of: app)
        case .regressed(let regressed): path = .issue(regressed.issue.id, of: app)
        case .newNote(let new): path = report.path(of: new.note, new.issue)
        case .sourceTrouble: path = .health
        case .releaseVerdict(let reached):
            let isKnown = report.releases.contains { $0.version.label == reached.judgement.label }
            path = isKnown ? .release(reached.judgement.label, of: app) : day
        case .stability, .usage, .topIssues, .recovery, .withdrawn: path = day
        }
    }
}

extension FeedItem {
    /// What changed last comes first; the id parts those of one instant.
    package static func isNewer(_ first: FeedItem, _ second: FeedItem) -> Bool {
        first.updated != second.updated ? first.updated > second.updated : first.id < second.id
    }
}

extension AppReport {
    /// The newest events, for feeds.
    package var feed: [FeedItem] {
        Array(events.map { FeedItem($0, in: self) }.sorted(by: FeedItem.isNewer).prefix(60))
    }

    /// When an event last changed.
    fileprivate func changed(_ event: Event) -> Instant {
        switch event {
        case .stability(let alert):
            switch alert.episode.state {
            case .open: return alert.occasion.at
            case .recovered(let day, _), .followed(let day): return evidence.end(of: day)
            }
        case .withdrawn(let alert):
            // Not written down yet: the newest figures withdraw it.
            return ledgerRecordedAt[alert.entry.id] ?? sources.compactMap(\.capturedAt).max() ?? asOf
        case .velocity, .usage, .topIssues, .newIssue, .newNote, .regressed, .recovery, .sourceTrouble,
            .releaseVerdict:
            return event.occasion.at
        }
    }
}
