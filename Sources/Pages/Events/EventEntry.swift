import Analysis
import AppHealth
import Estimates
import Formatting
package import Templates

/// An event as one entry of a feed; the partial with its view's name shows it.
package struct EventEntry: TemplateModel {
    package static let modelName = "event-entry"
    package var anchor: String
    package var stayStem: String?
    package var kind: String
    package var isAlert: Bool
    package var date: String
    package var dateText: String
    package var time: String
    package var app: String
    package var appStem: String?
    package var view: any TemplateModel

    /// The models that can be a view, in the order of the kinds.
    package static let views: [any TemplateModel.Type] = [
        StabilityAlertView.self, IssueVelocityAlertView.self, UsageAnomalyView.self,
        TopIssuesSummaryView.self, NewIssueView.self, NewNoteView.self, RegressedIssueView.self,
        RecoveryView.self, SourceFailureView.self, ReleaseVerdictView.self,
        WithdrawnAlertView.self,
    ]

    package static let fields: [Field<EventEntry>] = [
        .text("anchor", "A permanent name for an anchor", \.anchor),
        .optionalUrl(
            "stayStem",
            "The address of the page of its week, where it stays under its anchor, without ending; absent in a "
                + "single file", \.stayStem),
        .text("kind", "The kind of event, such as `Stability Alert`", \.kind),
        .flag("isAlert", "True when it asks for attention", \.isAlert),
        .text("date", "The day it is about, such as `2026-11-19`", \.date),
        .text("dateText", "The day it is about, such as `Thu, Nov 19, 2026`", \.dateText),
        .text(
            "time",
            "When it was known: `14:07 UTC`, `known Fri, Nov 20, 2026, 06:30 UTC`, or `end of day (UTC)`",
            \.time),
        .text("app", "The app's name", \.app),
        .optionalUrl("appStem", "The address of the app's page without ending", \.appStem),
        .view("view", "What it says: `{{>*view}}` picks the partial with its name", of: views, \.view),
    ]
}

extension EventEntry {
    /// An event as an entry.
    ///
    /// - Parameter showsCauses: Whether the place shows already why the rate is down, so that an alert that
    ///   lasts need not.
    init(_ record: EventRecord, showsCauses: Bool = false, in scope: AppScope) {
        let (event, app) = (record.event, scope.app)
        let occasion = event.occasion
        self.init(
            anchor: occasion.anchor, stayStem: weekStem(event, scope), kind: event.title,
            isAlert: event.kind.isAlert, date: occasion.day.description, dateText: occasion.day.compactText,
            time: timeText(of: record, scope.facts), app: app.name,
            appStem: scope.links.stem(to: .app(app.id)),
            view: eventView(record, showsCauses, scope))
    }
}

extension EventIdentity {
    /// The permanent anchor of the event.
    var anchor: String {
        let (slash, hyphen) = (UInt8(ascii: "/"), UInt8(ascii: "-"))
        return Slug(anyText: String(decoding: id.utf8.map { $0 == slash ? hyphen : $0 }, as: UTF8.self)).text
    }
}

/// The page of the week of an event; a file of its own is its place too.
private func weekStem(_ event: Event, _ scope: AppScope) -> String? {
    if case .within = scope.links { return nil }
    return scope.links.stem(to: .activity(CivilWeek(of: event.occasion.day), of: scope.app.id))
}

/// When it was known: the capture of what it was found in. Otherwise its own time, or the end of its day, as
/// 00:00 would be read as its begin.
private func timeText(of record: EventRecord, _ facts: AppFacts) -> String {
    let occasion = record.event.occasion
    if let known = record.knownAt {
        return known.date == occasion.day ? known.timeText + " UTC" : "known \(known.proseText)"
    }
    if occasion.at == facts.end(of: occasion.day) { return "end of day (UTC)" }
    // A day west of UTC ends on the next one.
    return occasion.at.date == occasion.day
        ? occasion.at.timeText + " UTC" : "known \(occasion.at.proseText)"
}

private func eventView(
    _ record: EventRecord, _ showsCauses: Bool, _ scope: AppScope
) -> any TemplateModel {
    let event = record.event
    let sentence = event.sentence(counts: scope.audience.counts)
    let dayStem = scope.stem(toDay: event.occasion.day)
    let facts = EventFacts(record, scope)
    switch event {
    case .stability(let alert):
        return StabilityAlertView(
            sentence: sentence, change: changeText(alert.episode.finding),
            state: stateText(alert.episode.state, since: alert.episode.first, again: "dropped"),
            facts: facts.stability(alert, showsCauses: showsCauses), dayStem: dayStem)
    case .crashes(let alert):
        let finding = alert.episode.finding
        return StabilityAlertView(
            sentence: sentence, change: timesText(finding.ratio),
            state: stateText(alert.episode.state, since: alert.episode.first, again: "rose"),
            facts: facts.rows, dayStem: dayStem)
    case .velocity(let alert):
        return IssueVelocityAlertView(
            sentence: sentence, title: alert.issue.headline,
            users: scope.hidesCounts ? nil : alert.users.map(scope.countText),
            facts: facts.rows, stem: scope.stem(toIssue: alert.issue.id))
    case .usage:
        return UsageAnomalyView(sentence: sentence, facts: facts.rows, dayStem: dayStem)
    case .topIssues(let summary):
        return TopIssuesSummaryView(
            sentence: sentence, coverage: coverageText(summary, in: scope),
            issues: IssueRow.top(record.topIssues, of: summary, in: scope), dayStem: dayStem)
    case .newIssue(let new):
        return NewIssueView(
            sentence: sentence, title: new.issue.headline, stem: scope.stem(toIssue: new.issue.id))
    case .newNote(let new):
        return NewNoteView(
            sentence: sentence, note: NoteView(new.note, about: record.issue, named: new.issue, in: scope))
    case .regressed(let regressed):
        return RegressedIssueView(
            sentence: sentence, title: regressed.issue.headline,
            stem: scope.stem(toIssue: regressed.issue.id))
    case .releaseVerdict(let reached):
        let label = reached.evaluation.label
        return ReleaseVerdictView(
            sentence: sentence,
            verdict: VerdictView(reached.evaluation, counts: scope.audience.counts), version: label,
            stem: scope.stem(toRelease: label))
    case .recovery:
        return RecoveryView(sentence: sentence, facts: facts.rows, dayStem: dayStem)
    case .sourceTrouble(let failure):
        return SourceFailureView(
            sentence: sentence, why: DiagnosticView(failure.why.diagnostic(for: scope.audience.reader)),
            sourcesStem: scope.links.stem(to: .sources))
    case .withdrawn(let alert):
        return WithdrawnAlertView(
            sentence: sentence, raised: alert.entry.raisedAt.proseText, dayStem: dayStem)
    case .raised(let alert): return raisedView(alert, record, sentence: sentence, scope)
    }
}

/// An alert as it was raised looks like others of its kind.
private func raisedView(
    _ alert: RaisedAlert, _ record: EventRecord, sentence: String, _ scope: AppScope
) -> any TemplateModel {
    let (rows, dayStem) = (EventFacts(record, scope).rows, scope.stem(toDay: alert.occasion.day))
    if alert.lasts {
        return StabilityAlertView(
            sentence: sentence, change: alert.changeText, state: alert.stateText, facts: rows,
            dayStem: dayStem)
    }
    if let issue = alert.issue {
        return IssueVelocityAlertView(
            sentence: sentence, title: issue.headline, users: nil, facts: rows,
            stem: scope.stem(toIssue: issue.id))
    }
    return UsageAnomalyView(sentence: sentence, facts: rows, dayStem: dayStem)
}

extension RaisedAlert {
    /// `−1.83 pp`; of counts how many more than expected is in the sentence alone.
    fileprivate var changeText: String {
        guard entry.rule == StabilityRule.id, let size = entry.reportedSize else { return "–" }
        return "−\(decimalText(size * 100, decimals: 2))\u{a0}pp"
    }
}

/// How much of the affected users the first issue of a day explains, and how much of the issues of the day is known.
func coverageText(_ summary: TopIssuesSummary, in scope: AppScope) -> String? {
    let parts = [affectedText(summary, in: scope), reportedText(summary)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
}

/// `Reported: 30 of 145 issues with 76% of the crashes.`, `Counted: a share of all users.`
private func reportedText(_ summary: TopIssuesSummary) -> String? {
    guard !summary.reported.isComplete, !summary.entries.isEmpty else { return nil }
    guard !summary.isOfShare else { return "Counted: a share of all users." }
    let words = summary.crashTotal?.words ?? "crashes"
    let share = summary.listedShare.map { PercentFormat.share($0).rate + " of the \(words)" }
    guard let part = summary.reported.partText else {
        return share.map { "Reported: issues with \($0)." } ?? "Other issues of the day are unknown."
    }
    return "Reported: \(part)\(share.map { " with \($0)" } ?? "")."
}

private func affectedText(_ summary: TopIssuesSummary, in scope: AppScope) -> String? {
    guard let coverage = summary.coverage else { return nil }
    let value = PercentFormat.share(coverage).rate
    let users = scope.hidesCounts ? "affected users" : unitText(coverage.denominator, "affected users")
    return "The top issue accounts for \(value) of \(users)."
}

/// An alert that was withdrawn.
package struct WithdrawnAlertView: TemplateModel {
    package static let modelName = "withdrawn-alert"
    package var sentence: String
    package var raised: String
    package var dayStem: String?

    package static let fields: [Field<WithdrawnAlertView>] = [
        .text("sentence", "`Withdrawn: no longer supported by the data. Original alert: …`", \.sentence),
        .text("raised", "When it was raised, such as `Thu, Nov 19, 2026, 06:00 UTC`", \.raised),
        .optionalUrl("dayStem", "The address of the day's page without ending", \.dayStem),
    ]
}

/// A release that was judged for the first time.
package struct ReleaseVerdictView: TemplateModel {
    package static let modelName = "release-verdict"
    package var sentence: String
    package var verdict: VerdictView
    package var version: String
    package var stem: String?

    package static let fields: [Field<ReleaseVerdictView>] = [
        .text("sentence", "`Verdict for 4.3.0: Hold. Crash-free sessions …`", \.sentence),
        .model("verdict", "The verdict as of that day", \.verdict),
        .text("version", "The release's label", \.version),
        .optionalUrl("stem", "The address of the release's page without ending", \.stem),
    ]
}
