import Analysis
import AppHealth
import Formatting
package import Templates

/// One issue.
package struct IssuePage: TemplateModel {
    package static let modelName = "issue"
    package var frame: Frame
    package var app: String
    package var title: String
    package var place: String?
    package var file: String?
    package var kind: String
    package var state: String
    package var signals: [String]
    package var facts: [FactRow]
    package var chart: ChartView?
    package var releases: [IssueReleaseRow]
    package var events: [EventEntry]
    package var muted: MutedSection?
    package var notes: [NoteView]
    package var url: String?
    package var parts: [LinkItem]

    /// Its state and its signals as labels.
    var chips: [ChipView] { ([state] + signals).map { ChipView($0) } }

    package static let fields: [Field<IssuePage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("app", "The app's name", \.app),
        .text("title", "The issue's headline", \.title),
        .optionalText("place", "Its place in the code, such as `Atomic.swift:54`", \.place),
        .optionalText("file", "The whole path of its file", \.file),
        .text("kind", "`crash`, `hang` or `error`", \.kind),
        .text("state", "`open`, `closed` or `muted`", \.state),
        .texts("signals", "Words that mark it, such as `regressed`", \.signals),
        .list("chips", "Its state and its signals as labels", \.chips),
        .text("stateText", "These labels in one line, such as `Open · New`") { lineText($0.chips) },
        .list("facts", "What is known of it: first seen, versions, counts", \.facts),
        .optional("chart", "Its events by day; absent when the source has no days", \.chart),
        .list("releases", "Its counts in each release over the last 28 days", \.releases),
        .list("events", "What happened to it", \.events),
        .optional("muted", "What of it is muted; absent when nothing is", \.muted),
        .list("notes", "Notes about it, newest first", \.notes),
        .optionalUrl("url", "Its page at the source", \.url),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// A name and a value.
package struct FactRow: TemplateModel, Hashable {
    package static let modelName = "fact"
    package var name: String
    package var value: String

    package static let fields: [Field<FactRow>] = [
        .text("name", "What it is, such as `First seen`", \.name),
        .text(
            "value", "Its value, such as `Wed, Oct 14, 2026`; `Unknown` when the source does not say",
            \.value
        ),
    ]
}

/// What one issue did in one release.
package struct IssueReleaseRow: TemplateModel {
    package static let modelName = "issue-release"
    package var version: String
    package var stem: String?
    package var events: String
    package var share: String

    package static let fields: [Field<IssueReleaseRow>] = [
        .text("version", "The release's label", \.version),
        .optionalUrl("stem", "The address of the release's page without ending", \.stem),
        .text("events", "Its events in the release, such as `1,204`", \.events),
        .text(
            "share", "Events of the release's sessions on the same days, such as `0.84%`; `–` when unknown",
            \.share),
    ]
}

extension IssuePage {
    /// One issue of an app.
    package init(_ inputs: IssueInputs, site: SiteFacts) {
        let (issue, facts) = (inputs.issue, inputs.facts)
        let known = issue.issue
        let path = SitePath.issue(known.id, of: facts.app.id)
        let scope = AppScope(facts, at: path, of: site)
        self.frame = Frame(
            path, title: "\(facts.app.name): \(known.headline)",
            summary: "An issue of \(facts.app.name) in \(known.label)",
            freshness: captureSentence(issue.capturedAt, named: issue.namedShare),
            crumbs: facts.app.way + [("Issues", .part(.issues, of: facts.app.id))], hasData: true, site: site)
        self.app = facts.app.name
        self.title = known.headline
        self.place = known.placeText
        self.file = known.place?.file
        self.kind = known.kind.rawValue
        self.state = known.state.rawValue
        self.signals = issue.signals.map(\.rawValue)
        self.facts = FactRow.rows(of: issue, in: scope) + scope.trendFacts(issue.window.trend)
        self.chart = scope.issueChart(inputs.course)
        self.releases = issue.window.releases.map { IssueReleaseRow($0, in: scope) }
        let notes = NoteView.views(issue.notes, in: scope) { _ in known }
        self.events = inputs.events.map { EventEntry($0, in: scope).withoutNotes(notes) }
        self.muted = MutedSection(issue.muted, in: scope)
        self.notes = notes
        self.url = known.url
        self.parts = partLinks(of: facts.app, from: path, scope.links)
    }
}

extension FactRow {
    fileprivate static func rows(
        of facts: IssueFacts, in scope: AppScope
    ) -> [FactRow] {
        let (issue, unknown) = (facts.issue, unknownText)
        return [
            FactRow(name: "First seen", value: issue.firstSeenDay?.compactText ?? unknown),
            FactRow(name: "Last seen", value: issue.lastSeenDay?.compactText ?? unknown),
            FactRow(name: "First version", value: issue.firstVersion.map { "\($0)" } ?? unknown),
            FactRow(name: "Last version", value: issue.lastVersion.map { "\($0)" } ?? unknown),
            FactRow(name: "Fixed in", value: issue.fixedIn.map { "\($0)" } ?? unknown),
        ]
            + scope.issueNumbers(facts, source: nil).filter { $0.interval == nil }.map {
                FactRow(name: $0.label, value: $0.value)
            }
            + (facts.window.values == nil
                ? [] : [FactRow(name: "Counted through", value: facts.window.lastDay.compactText)])
    }
}

extension IssueReleaseRow {
    fileprivate init(_ release: IssueInRelease, in scope: AppScope) {
        self.init(
            version: release.label, stem: scope.stem(toRelease: release.label),
            events: scope.countText(release.events), share: release.share.map(shareText) ?? "–")
    }
}
