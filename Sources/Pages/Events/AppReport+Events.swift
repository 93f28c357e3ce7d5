package import Analysis
import AppHealth
import Formatting
import Statistics
import Templates

extension AppReport {
    /// Events as entries of a feed.
    func entries(_ chosen: some Sequence<Event>, _ links: Links) -> [EventEntry] {
        chosen.map { entry($0, links) }
    }

    /// The newest events without the daily summaries.
    ///
    /// - Parameter besideCauses: Whether the place tells already why the rate is down, so that an alert that
    ///   lasts need not.
    func newestEntries(_ limit: Int, _ links: Links, besideCauses: Bool = false) -> [EventEntry] {
        events.lazy.filter { $0.kind != .topIssues }.prefix(limit).map {
            entry($0, links, besideCauses: besideCauses)
        }
    }

    /// An event as an entry.
    package func entry(_ event: Event, _ links: Links, besideCauses: Bool = false) -> EventEntry {
        let occasion = event.occasion
        return EventEntry(
            anchor: anchor(of: occasion), stayStem: stayStem(of: event, links), kind: event.kind.rawValue,
            isAlert: event.kind.isAlert, date: occasion.day.description, dateText: occasion.day.compactText,
            time: timeText(of: occasion), app: app.name, appStem: links.stem(to: .app(app.id)),
            view: view(of: event, links, besideCauses))
    }

    /// The permanent anchor of an event.
    func anchor(of occasion: EventIdentity) -> String {
        Slug(anyText: occasion.id.replacing("/", with: "-")).text
    }

    /// The page of the week of an event; a file of its own is its place too.
    private func stayStem(of event: Event, _ links: Links) -> String? {
        if case .within = links { return nil }
        return links.stem(to: .activity(CivilWeek(of: event.occasion.day), of: app.id))
    }

    /// What could be known at the end of a day is told as of `24:00`: 00:00 would be read as its begin.
    private func timeText(of occasion: EventIdentity) -> String {
        occasion.at == evidence.end(of: occasion.day) ? "24:00" : occasion.at.timeText
    }

    private func view(of event: Event, _ links: Links, _ besideCauses: Bool) -> any TemplateModel {
        let sentence = event.sentence(counts: audience.counts)
        let dayStem =
            daySet.contains(event.occasion.day)
            ? links.stem(to: .day(event.occasion.day, of: app.id)) : nil
        switch event {
        case .stability(let alert):
            return StabilityAlertView(
                sentence: sentence, change: changeText(alert.episode.finding),
                state: stateText(alert.episode.state, since: alert.episode.first),
                facts: stabilityFacts(alert, besideCauses: besideCauses), dayStem: dayStem)
        case .velocity(let alert):
            return IssueVelocityAlertView(
                sentence: sentence, title: title(of: alert.issue),
                users: hidesCounts ? nil : alert.users.map(countText),
                facts: facts(of: event), stem: issueStem(alert.issue, links))
        case .usage:
            return UsageAnomalyView(sentence: sentence, facts: facts(of: event), dayStem: dayStem)
        case .topIssues(let summary):
            return TopIssuesSummaryView(
                sentence: sentence, coverage: coverage(of: summary),
                issues: issueRows(of: summary, links, limit: 3),
                dayStem: dayStem)
        case .newIssue(let new):
            return NewIssueView(
                sentence: sentence, title: title(of: new.issue), stem: issueStem(new.issue, links))
        case .newNote(let new): return NewNoteView(sentence: sentence, note: noteView(new.note, links))
        case .regressed(let regressed):
            return RegressedIssueView(
                sentence: sentence, title: title(of: regressed.issue), stem: issueStem(regressed.issue, links)
            )
        case .releaseVerdict(let reached):
            let label = reached.judgement.label
            let isKnown = releases.contains { $0.version.label == label }
            return ReleaseVerdictView(
                sentence: sentence, verdict: VerdictView(reached.judgement, counts: audience.counts),
                version: label,
                stem: isKnown ? links.stem(to: .release(label, of: app.id)) : nil)
        case .recovery:
            return RecoveryView(sentence: sentence, facts: facts(of: event), dayStem: dayStem)
        case .sourceTrouble(let trouble):
            return SourceTroubleView(
                sentence: sentence, why: DiagnosticView(trouble.why), healthStem: links.stem(to: .health))
        case .withdrawn(let alert):
            let raisedAt = alert.entry.raisedAt
            return WithdrawnAlertView(
                sentence: sentence, raised: raisedAt.proseText,
                dayStem: dayStem)
        }
    }

    private func issueStem(_ issue: Issue, _ links: Links) -> String? {
        links.stem(to: .issue(issue.id, of: app.id))
    }
}
