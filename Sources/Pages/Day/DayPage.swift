import Analysis
import AppHealth
import Estimates
import Formatting
package import Templates

/// One day of one app: with first and current values.
package struct DayPage: TemplateModel {
    package static let modelName = "day"
    package var frame: Frame
    package var app: String
    package var date: String
    package var dateText: String
    package var isProvisional: Bool
    package var provisional: String?
    package var verdict: VerdictView
    package var causes: DropBreakdownView?
    package var sentence: String?
    package var coverage: String?
    package var covering: String?
    package var quiet: String?
    package var issues: [IssueRow]
    package var order: String
    package var issuesUnavailable: String?
    package var events: [EventEntry]
    package var lasting: [String]
    package var activityUnknown: String?
    package var muted: MutedSection?
    package var hidden: [String]
    package var notes: [NoteView]
    package var revisions: [RevisionRow]
    package var previousStem: String?
    package var nextStem: String?
    package var summaryStem: String
    package var parts: [LinkItem]

    package static let fields: [Field<DayPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("app", "The app's name", \.app),
        .text("date", "The day, such as `2026-11-19`", \.date),
        .text("dateText", "The day, such as `Thu, Nov 19, 2026`", \.dateText),
        .flag("isProvisional", "True when late data may still change its figures", \.isProvisional),
        .optionalText("provisional", "Why they may, such as `one snapshot so far`", \.provisional),
        .model("verdict", "The verdict on the day", \.verdict),
        .optional(
            "causes", "Why the rate is down; absent when no Stability Alert is open on the day", \.causes),
        .optionalText(
            "sentence", "The day's Top Issues Summary in one sentence; absent when there is none",
            \.sentence),
        .optionalText(
            "coverage", "The share of the affected users that the first issue accounts for", \.coverage),
        .optionalText("covering", "The fewest issues that account for 80% of the day's crashes", \.covering),
        .optionalText("quiet", "How much was checked; absent when there is activity", \.quiet),
        .list("issues", "The issues of the day, in this order", \.issues),
        .text(
            "order",
            "How the issues are ranked, and how many there are where not all are listed, such as `Most users first.`",
            \.order),
        .optionalText(
            "issuesUnavailable", "Why there are no issues by day, when there are none", \.issuesUnavailable),
        .list("events", "What happened on the day", \.events),
        .texts(
            "lasting",
            "The alerts that began before the day and go on, such as `Usage Anomaly since Sun, Oct 11, 2026.`",
            \.lasting),
        .optionalText(
            "activityUnknown", "Why the activity of the day is not known; absent where there is data",
            \.activityUnknown),
        .flag("isIdle", "True when the day has data, no activity, and no alert that goes on") {
            $0.events.isEmpty && $0.lasting.isEmpty && $0.activityUnknown == nil
        },
        .optional("muted", "What was muted of the day; absent when nothing was", \.muted),
        .texts(
            "hidden", "What is hidden of the day, such as `3 more New Issues hidden (limit 5 a day)`",
            \.hidden),
        .list("notes", "The notes on the day", \.notes),
        .flag("hasNotes", "True when there is at least one") { !$0.notes.isEmpty },
        .flag("hasRevisions", "True when any metric of the day is known") { !$0.revisions.isEmpty },
        .list("revisions", "Each metric as first reported and as it is now", \.revisions),
        .optionalUrl("previousStem", "The address of the day before without ending", \.previousStem),
        .optionalUrl("nextStem", "The address of the day after without ending", \.nextStem),
        .url("summaryStem", "The address of the day's summary, without ending", \.summaryStem),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// One metric of a day: first and current value.
package struct RevisionRow: TemplateModel, Hashable {
    package static let modelName = "revision"
    /// The name of the figure.
    package var id: FigureID
    package var label: String
    package var reported: String
    package var known: String
    package var change: String

    package static let fields: [Field<RevisionRow>] = [
        .text("label", "What is counted, such as `Sessions`", \.label),
        .text("reported", "As first reported; `–` when it was not", \.reported),
        .text("known", "The current value; `–` when there is none", \.known),
        .text("change", "The difference, such as `+1,204`; `unchanged` when none", \.change),
    ]
}

extension DayPage {
    /// One day of an app.
    package init(_ inputs: DayInputs, site: SiteFacts) {
        let (day, issues, events, facts) = (inputs.day, inputs.issues, inputs.events, inputs.facts)
        let date = day.date
        let path = SitePath.day(date, of: facts.app.id)
        let scope = AppScope(facts, at: path, of: site)
        let verdict = VerdictView(day, in: scope)
        self.frame = Frame(
            path, title: "\(facts.app.name): \(date.compactText)", summary: verdict.why,
            freshness: day.freshness(day.pageCapturedAt),
            crumbs: facts.app.way, hasData: true,
            tables: ["health", "healthAsReported"], site: site)
        self.app = facts.app.name
        self.date = date.description
        self.dateText = date.compactText
        self.isProvisional = day.isProvisional
        self.provisional = day.finality?.doubt.map { doubtText($0, scope.audience.counts) }
        self.verdict = verdict
        self.causes = day.breakdown.map { DropBreakdownView($0, in: scope) }
        self.sentence = day.summary?.sentence(counts: scope.audience.counts)
        self.coverage = day.summary.flatMap { coverageText($0, in: scope) }
        let rows = IssueRow.top(issues.top, of: day.summary, in: scope)
        self.issues = rows
        self.covering = day.covering?.sentence(counts: scope.audience.counts, above: rows)
        self.quiet = day.quiet?.sentence
        self.order = orderText(day.summary)
        self.issuesUnavailable = day.issuesAbsence(issues)
        self.events = events.map { EventEntry($0, in: scope) }
        self.lasting = day.lastingSentences(facts.basis)
        self.activityUnknown = day.isUnknown ? "Activity unknown: no data for this day." : nil
        self.muted = MutedSection(day.muted, in: scope)
        self.hidden = day.cut.map(\.sentence)
        self.notes = NoteView.views(day.notes, in: scope)
        self.revisions = RevisionRow.rows(day, in: scope)
        func stem(_ other: CivilDate, _ isThere: Bool?) -> String? {
            isThere == true ? scope.links.stem(to: .day(other, of: facts.app.id)) : nil
        }
        self.previousStem = stem(date.advanced(by: -1), facts.days.first.map { date > $0 })
        self.nextStem = stem(date.advanced(by: 1), facts.days.last.map { date < $0 })
        self.summaryStem = "summary"
        self.parts = partLinks(of: facts.app, from: path, scope.links)
    }
}

extension DaySection {
    /// `Usage Anomaly since Sun, Oct 11, 2026.`; of a day without a rate, that it is not known to be over.
    func lastingSentences(_ basis: Basis) -> [String] {
        let doubt = isCounted || crashed(basis).value != nil ? "" : ", not known to be over"
        return lasting.map { "\($0.title) since \($0.since.compactText)\(doubt)." }
    }

    /// How fresh and complete the data is that is shown of it.
    func freshness(_ capturedAt: Instant?) -> String {
        isUnknown
            ? "No data for this day."
            : captureSentence(
                capturedAt, isProvisional: isProvisional, coverage, named: health?.namedShare)
    }
}

extension RevisionRow {
    /// The metrics of a day that are known: first and current values.
    static func rows(_ day: DaySection, in scope: AppScope) -> [RevisionRow] {
        let (known, reported) = (day.health, day.reported)
        let counts: [(FigureID, KeyPath<HealthDay, Int?>)] = [
            (.sessions, \.sessions), (.crashedSessions, \.crashedSessions), (.users, \.users),
            (.crashedUsers, \.crashedUsers), (.crashes, \.crashes),
        ]
        let rows = (scope.hidesCounts ? [] : counts).map { id, path in
            // Crashes alone may be the sum of issues, which no figure of the day has.
            let isSum = path == \HealthDay.crashes && (day.isCounted || reported?.crashes != nil)
            let sum = isSum ? day.crashes : nil
            return RevisionRow(id, reported?[keyPath: path], known?[keyPath: path] ?? sum, in: scope)
        }
        let all =
            rows + [
                RevisionRow(.crashFreeUsers, reported?.crashedUserShare, known?.crashedUserShare, in: scope),
                RevisionRow(
                    .crashFreeSessions, reported?.crashedSessionShare, known?.crashedSessionShare, in: scope),
            ]
        return all.filter { $0.reported != "–" || $0.known != "–" }
    }

    private init(_ id: FigureID, _ reported: Int?, _ known: Int?, in scope: AppScope) {
        let change: String
        if let reported, let known {
            let difference = known.subtractingReportingOverflow(reported).partialValue
            change = difference == 0 ? "unchanged" : (difference > 0 ? "+" : "") + scope.countText(difference)
        } else {
            change = "–"
        }
        self.init(
            id: id, label: scope.labels[id], reported: scope.countOrDash(reported),
            known: scope.countOrDash(known), change: change)
    }

    private init(_ id: FigureID, _ reported: Fraction?, _ known: Fraction?, in scope: AppScope) {
        let (before, now) = (reported.map(PercentFormat.crashFree), known.map(PercentFormat.crashFree))
        var change = "–"
        if let reported, let known, let now {
            let difference = known.complement.value - reported.complement.value
            change = reported == known ? "unchanged" : now.display.changeText(difference)
        }
        self.init(
            id: id, label: scope.labels[id], reported: before?.brief ?? "–",
            known: now?.text ?? "–",
            change: change)
    }
}

/// `Most users first.`, or `The first 10 of 23, most users first.`
private func orderText(_ summary: TopIssuesSummary?) -> String {
    let first = summary?.ranking == .events ? "ost events first." : "ost users first."
    guard let summary, summary.issueCount > summary.entries.count else { return "M" + first }
    return "The first \(countText(summary.entries.count)) of \(countText(summary.issueCount)), m" + first
}
