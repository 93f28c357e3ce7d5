package import Analysis
package import AppHealth
import Charts
import Formatting

/// An event as feeds carry it.
package struct FeedItem: Codable, Sendable {
    /// Permanent; part of a URN.
    package let id: String
    /// When it could be known, as first reported.
    package let at: Instant
    /// When it last changed: an alert changes when it is over, when it is withdrawn, and when revised data move its days.
    package let updated: Instant
    /// What kind of event it is.
    package let kind: EventKind
    /// The id of its app.
    package let app: Slug
    /// `Sketchbook: Stability Alert · Tue, Nov 17, 2026`.
    package let title: String
    /// The sentence, and for alerts what is behind it.
    package let text: String
    /// The page that reports more.
    package let path: SitePath

    /// An event of an app.
    package init(_ record: EventRecord, _ facts: AppFacts) {
        let (event, occasion) = (record.event, record.event.occasion)
        let (app, scope) = (facts.app.id, AppScope(facts, .absent))
        let day = facts.listedDays.contains(occasion.day) ? SitePath.day(occasion.day, of: app) : .app(app)
        self.id = occasion.id
        self.at = occasion.published
        self.updated = record.updated
        self.kind = event.kind
        self.app = app
        self.title = "\(facts.app.name): \(event.title) · \(event.feedSubject)"
        self.text =
            ([event.sentence(counts: scope.audience.counts)]
            + EventFacts(record, scope).rows.map { "\($0.name): \($0.value)." })
            .joined(separator: " ")
        switch event {
        case .velocity(let alert): path = .issue(alert.issue.id, of: app)
        case .newIssue(let new): path = .issue(new.issue.id, of: app)
        case .regressed(let regressed): path = .issue(regressed.issue.id, of: app)
        case .newNote(let new): path = scope.path(of: new.note, record.issue)
        case .sourceTrouble: path = .sources
        case .releaseVerdict, .raised:
            let release: SitePath? = event.releaseOfVerdict.flatMap { label in
                facts.listedReleases.contains(label) ? .release(label, of: app) : nil
            }
            path = release ?? event.issueID.map { .issue($0, of: app) } ?? day
        case .stability, .crashes, .usage, .topIssues, .recovery, .withdrawn: path = day
        }
    }
}

extension Event {
    /// What tells it from others of its kind in a list of titles: its issue, its release, or its day.
    fileprivate var feedSubject: String {
        let subject: String? =
            switch self {
            case .velocity(let alert): alert.issue.name
            case .newIssue(let new): new.issue.name
            case .regressed(let regressed): regressed.issue.name
            case .newNote(let new): new.issue?.name
            case .raised(let alert): alert.issue?.name ?? releaseOfVerdict
            case .releaseVerdict, .withdrawn: releaseOfVerdict
            case .stability, .crashes, .usage, .topIssues, .recovery, .sourceTrouble: nil
            }
        return subject.map { displayText($0, limit: 80) } ?? occasion.day.compactText
    }
}

extension FeedItem {
    /// How many events the feed of an app has.
    static let limit = 60
    /// How many the feed of a site has.
    static let siteLimit = 100
}
