package import Analysis
import AppHealth
import Estimates
import Formatting
package import Markup
package import Templates

/// The daily Top Issues Summary, or the summary of a release: Markdown to paste.
package struct SummaryDocument: TemplateModel {
    package static let modelName = "summary"
    package var title: String
    package var verdict: VerdictView
    package var isDemo: Bool
    package var sentences: [String]
    package var issuesHeading: String
    package var shareHeading: String
    package var issues: [IssueRow]
    package var folded: [FoldedGroup]
    package var muted: [MutedEntry]
    package var foldedTitle: String
    package var notes: [NoteView]
    package var freshness: String
    package var pageStem: String?
    package var methodsStem: String?

    package static let fields: [Field<SummaryDocument>] = [
        .text("title", "`Sketchbook — Thu, Nov 19, 2026 (UTC)`", \.title),
        .model("verdict", "The verdict", \.verdict),
        .flag("isDemo", "True when the data is made up", \.isDemo),
        .texts("sentences", "The first lines, readable alone", \.sentences),
        .text("issuesHeading", "What the issues are", \.issuesHeading),
        .text("shareHeading", "What the shares are shares of, such as `Share of 4.2.1`", \.shareHeading),
        .list("issues", "The top issues", \.issues),
        .flag("hasIssues", "True when there is at least one issue") { !$0.issues.isEmpty },
        .flag("hasFolded", "True when there is a folded part") {
            !$0.folded.isEmpty || !$0.muted.isEmpty
        },
        .text("foldedTitle", "What the folded part holds, such as `Regressed (1) · New (2)`", \.foldedTitle),
        .list("folded", "Groups of issues for a folded part", \.folded),
        .list("muted", "The muted events of the day, for the folded part", \.muted),
        .list("notes", "The notes on the day or the release", \.notes),
        .flag("hasNotes", "True when there is at least one") { !$0.notes.isEmpty },
        .text("freshness", "How fresh and complete the data is", \.freshness),
        .optionalUrl("pageStem", "The address of the page without ending", \.pageStem),
        .optionalUrl("methodsStem", "The address of the methods page without ending", \.methodsStem),
    ]
}

/// A named group of issues in a folded part.
package struct FoldedGroup: TemplateModel {
    package static let modelName = "folded-group"
    package var title: String
    package var issues: [IssueRow]
    /// How many issues it has, those that are not listed too.
    package var count: Int

    package static let fields: [Field<FoldedGroup>] = [
        .text("title", "Its name, such as `Regressed`", \.title),
        .list("issues", "Its issues, the first of them", \.issues),
        .optionalText("more", "How many are not listed, such as `and 12 more`", \.more),
    ]

    /// `and 12 more`; nil when all are listed.
    package var more: String? { count > issues.count ? "and \(countText(count - issues.count)) more" : nil }
}

extension SummaryDocument {
    /// The Top Issues Summary of a day.
    package init(
        _ day: DaySection, _ issues: DayIssues, _ facts: AppFacts, _ links: Links, isDemo: Bool
    ) {
        let date = day.date
        let scope = AppScope(facts, links)
        self.title = "\(facts.app.name) — \(date.compactText) (\(day.zone ?? facts.freshness.zone))"
        self.verdict = VerdictView(day, in: scope)
        self.isDemo = isDemo
        let rows = IssueRow.top(issues.top, of: day.summary, limit: 10, in: scope)
        self.issues = rows
        self.sentences = firstLines(of: day, why: verdict.why, issues, above: rows, scope)
        self.issuesHeading = "Top issues"
        self.shareHeading = "Share"
        self.folded = issues.groups.compactMap { FoldedGroup($0, on: date, in: scope) }
        self.muted = day.muted.map { MutedEntry($0, in: scope) }
        let titles = folded.map { "\($0.title) (\(countText($0.count)))" }
        self.foldedTitle = (titles + (muted.isEmpty ? [] : ["Muted events (\(muted.count))"]))
            .joined(separator: " · ")
        self.notes = NoteView.views(day.notes, in: scope)
        self.freshness = day.freshness(day.summaryCapturedAt)
        self.pageStem = links.stem(to: .day(date, of: facts.app.id))
        self.methodsStem = links.stem(to: .methods)
    }

    /// The summary of a release, for its notes.
    package init(
        _ inputs: ReleaseInputs, _ links: Links, isDemo: Bool
    ) {
        let (release, issues, facts) = (inputs.release, inputs.scope.issues, inputs.facts)
        let label = release.label
        let scope = AppScope(facts, links)
        let released = release.release.releaseDay.map { ", released \($0.compactText)" } ?? ""
        self.title = "\(facts.app.name) \(release.release.version)\(released)"
        self.verdict = VerdictView(headlineOf: release, in: scope)
        self.isDemo = isDemo
        self.sentences = firstLines(of: release, issues, scope)
        self.issuesHeading = "Top issues of \(label)"
        self.shareHeading = "Share of \(label)"
        self.issues = IssueRow.rows(
            release.topIssues.prefix(10), of: release, list: "top", issues, in: scope)
        let groups = [
            (
                "Regressed in \(label)", release.regressedIssues.count,
                IssueRow.rows(release.regressedIssues, of: release, list: "back", issues, in: scope)
            ),
            (
                "New in \(label)", release.newIssues.count,
                IssueRow.rows(
                    release.newIssues.prefix(10), of: release, list: "new", issues, in: scope)
            ),
        ].filter { !$0.2.isEmpty }
        self.folded = groups.map { FoldedGroup(title: $0.0, issues: $0.2, count: $0.1) }
        self.muted = []
        // As many as the page of the release counts, though not all of them are listed here.
        self.foldedTitle = groups.map { "\($0.0) (\(countText($0.1)))" }.joined(separator: " · ")
        self.notes = NoteView.views(release.notes, in: scope)
        self.freshness = captureSentence(release.pageCapturedAt, named: release.namedShare)
        self.pageStem = links.stem(to: .release(label, of: facts.app.id))
        self.methodsStem = links.stem(to: .methods)
    }
}

extension VerdictView {
    /// What the headline of the summary of a release says: a verdict that stops it, as its page does, else its status.
    fileprivate init(headlineOf release: ReleaseFacts, in scope: AppScope) {
        if release.evaluation.verdict.stopsRollout {
            self.init(release.evaluation, counts: scope.audience.counts)
        } else {
            self.init(release, in: scope)
        }
    }
}

extension FoldedGroup {
    fileprivate init?(
        _ group: DayIssues.Group, on day: CivilDate, in scope: AppScope
    ) {
        let title =
            switch group.kind {
            case .regressed: "Regressed"
            case .new: "New"
            case .velocity: "Velocity"
            case .muted: "Muted"
            }
        let rows = IssueRow.rows(group, on: day, in: scope)
        guard !rows.isEmpty else { return nil }
        self.init(title: title, issues: rows, count: group.count)
    }
}

private func firstLines(
    of day: DaySection, why: String, _ issues: DayIssues, above rows: [IssueRow], _ scope: AppScope
) -> [String] {
    let counts = scope.audience.counts
    var lines = [why]
    if let change = day.change { lines[0] += " Change: \(change.text)." }
    if let quiet = day.quiet { lines.append(quiet.sentence) }
    lines += day.events.filter(\.isInSummary).map { $0.sentence(counts: counts) }
    // Why the rate is down says of which day it is.
    if day.breakdown == nil { lines += day.lastingSentences(scope.facts.basis) }
    if let causes = day.breakdown { lines.append(causes.sentence(counts: counts)) }
    if let summary = day.summary {
        lines.append(
            [summary.sentence(counts: counts), coverageText(summary, in: scope)].compactMap { $0 }.joined(
                separator: " "))
    }
    if let covering = day.covering { lines.append(covering.sentence(counts: counts, above: rows)) }
    if let budget = day.budget { lines.append(budget.summaryLine(counts: counts)) }
    if let why = day.issuesAbsence(issues), day.summary == nil { lines.append(why) }
    return lines
}

extension Event {
    /// Whether a summary of its day has a line for it: those about an issue are in its table, the others are not.
    fileprivate var isInSummary: Bool {
        switch kind {
        case .stability, .recovery, .usage: true
        case .releaseVerdict: asksForAttention
        default: false
        }
    }
}

private func firstLines(
    of release: ReleaseFacts, _ issues: ListedIssues, _ scope: AppScope
) -> [String] {
    let evaluation = release.evaluation
    var lines = [
        VerdictView(release, in: scope).why,
        "Verdict: \(evaluation.verdict.words.sentenceCased). \(evaluation.why(counts: scope.audience.counts))",
    ]
    if let adoption = release.adoption.value {
        lines.append("Session adoption \(shareText(adoption)) on \(release.lastDay.compactText).")
    }
    if let stage = release.stage { lines.append("Adoption: \(stage.words), \(stage.shareText).") }
    let absence = release.issuesAbsence(issues) ?? release.topIssuesAbsence(issues)
    if let known = absence ?? release.issueDaysText { lines.append(known) }
    if release.issuesAbsence(issues) == nil, let doubt = release.newIssuesDoubt { lines.append(doubt) }
    return lines
}

extension WeekChange {
    /// The difference in percentage points: `−0.21 pp`.
    var pointsText: String { PercentFormat.crashFree(now).display.changeText(then.value - now.value) }

    /// `−0.21 pp vs. Thu, Nov 12, 2026`.
    var text: String { "\(pointsText) vs. \(before.compactText)" }
}

/// Writes summaries in each dialect, cut to what the place that they are written for holds.
package struct SummaryWriter: Sendable {
    /// The theme's own template for GitHub's dialect; nil when the theme leaves it to the program.
    package let template: Template<SummaryDocument>?

    /// A writer with the template of a theme, if it has one.
    package init(template: Template<SummaryDocument>?) {
        self.template = template
    }

    /// The summary in a dialect; never longer than the dialect's limit unless its title alone is.
    package func text(of document: SummaryDocument, in dialect: MarkdownDialect) -> String {
        text(of: document, in: dialect, limit: dialect.limit, because: dialect.limitWords ?? "")
    }

    /// The same with a limit in UTF-16 units: they are never fewer than the characters that a service counts.
    package func text(
        of document: SummaryDocument, in dialect: MarkdownDialect, limit: Int?, because reason: String
    ) -> String {
        if dialect == .github, let template {
            return pageText(template.rendered(document), in: dialect, limit: limit, because: reason).text
        }
        return fittingText(document.blocks, limit: limit, because: reason, unfolds: !dialect.hasFolds) {
            documentText($0, in: dialect)
        }.text
    }
}
