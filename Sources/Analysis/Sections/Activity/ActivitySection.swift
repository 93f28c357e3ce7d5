package import AppHealth

/// What happened to an app: events by day and by issue, and what mutes and settings did with them.
package struct ActivitySection: Hashable, Codable, Sendable {
    /// What is reported and what is not.
    package internal(set) var activity: Activity
    /// What mutes hold back, as whoever reads the site would see it. No page has it: that something is muted changes
    /// nothing of what was sent.
    package internal(set) var silenced: [Event]
    /// The ids of muted verdicts whose mute is over: no page shows them again, and what was not sent may be.
    package internal(set) var freedVerdicts: Set<String>
    /// What each event is called for the team, by its id here, where that is another. No page has them: what was sent is
    /// the same for whoever reads it.
    package internal(set) var ownIDs: [String: String] = [:]
    /// The events of each day without its summary, newest first.
    package internal(set) var byDay: [CivilDate: [Event]]
    /// The muted events of each day, newest first.
    package internal(set) var mutedByDay: [CivilDate: [MutedEvent]]
    /// What the settings leave out, by day.
    package internal(set) var hiddenByDay: [CivilDate: [HiddenEvents]]
    /// The days on which something happened, was muted or was cut off by a limit, newest first.
    package internal(set) var days: [CivilDate]
    /// The notes on the app and its parts, newest first.
    package internal(set) var notes: [Note]
    /// Alerts of the last seven days that stand, usage anomalies with any day in them; of drops those that had a night in
    /// them and are still open; and sources that fail.
    package let openAlerts: Int
    /// Which of its alerts are open.
    let openSpan: OpenSpan
    /// How many alerts of the last seven days, or that are still open, are muted.
    package internal(set) var mutedAlerts: Int?
    /// What became of each mute, whoever reads it.
    package let muteUses: [MuteUse]
    /// When each event that is reported last changed, by its id: an alert changes when it is over, when it is withdrawn,
    /// and when revised data move its days.
    package internal(set) var changed: [String: Instant]
    /// When each event that is reported was known, by its id: what its alert was raised with, or the first capture of its
    /// day. Missing where the archive does not know it.
    package internal(set) var known: [String: Instant]
    /// The events about each issue, newest first.
    var byIssue: [String: [Event]]
    /// The muted events about each issue, newest first.
    var mutedByIssue: [String: [MutedEvent]]
    /// What marks each issue, from the events of a span that ends with the last day.
    var signals: [String: Set<IssueSignal>]

    /// How many days back an event still marks its issue.
    package static let signalSpan = 7

    /// What is reported, newest first.
    package var events: [Event] { activity.shown }

    /// What mutes or settings hold back, as whoever reads the site would see it: neither changes what was sent.
    package var withheld: [Event] { silenced + activity.hiddenAlerts }

    /// Where the events of each day are among all: events are large, and only some are wanted.
    package var places: [CivilDate: [Int]] {
        Dictionary(grouping: events.indices, by: { events[$0].occasion.day })
    }

    /// The weeks of its days, newest first.
    package var weeks: [CivilWeek] { Set(days.map { CivilWeek(of: $0) }).sorted(by: >) }

    /// When an event last changed; never before it was published.
    func changeTime(of event: Event) -> Instant {
        max(event.occasion.published, changed[event.occasion.id] ?? event.occasion.published)
    }

    /// The limits of a day that cut something off.
    package func cut(on day: CivilDate) -> [HiddenEvents] {
        (hiddenByDay[day] ?? []).filter { if case .limit = $0.reason { true } else { false } }
    }

    init(
        _ activity: Activity, in index: HistoryIndex, ledger: [LedgerEntry], recordedAt: [String: Instant],
        changes: [String: LedgerChange]
    ) {
        let lastDay = index.figureDays.last
        let table = EventTable(
            activity, of: index.issues.source?.source, since: lastDay.advanced(by: 1 - Self.signalSpan))
        self.activity = activity
        silenced = activity.muted.map(\.event)
        freedVerdicts = activity.freedVerdicts
        byDay = table.byDay
        byIssue = table.byIssue
        signals = table.signals
        mutedByDay = Dictionary(grouping: activity.muted, by: \.event.occasion.day)
        mutedByIssue = Dictionary(
            grouping: activity.muted.filter { $0.event.issueID != nil }, by: { $0.event.issueID ?? "" })
        hiddenByDay = Dictionary(grouping: activity.hidden, by: \.day)
        days = activeDays(activity)
        notes = orderedNotes(index)
        let since = index.lastDay.advanced(by: -6)
        // A drop that was open when data stopped is open when they are back, until a week of days is known again.
        let lastingSince = min(since, index.countedDays.suffix(Self.signalSpan).first ?? since)
        let span = OpenSpan(since: since, lastingSince: lastingSince)
        openSpan = span
        // A source that brings no newer day and then fails is one cause.
        openAlerts =
            Set(
                activity.shown.lazy.filter(span.isOpen).map { event in
                    if case .sourceTrouble(let failure) = event {
                        failure.source.text
                    } else {
                        event.occasion.id
                    }
                }
            ).count
        mutedAlerts = activity.muted.count {
            span.isOpen($0.event) || $0.event.kind.isAlert && $0.event.occasion.day >= since
        }
        muteUses = activity.uses
        changed = changeTimes(of: activity.shown, index, recordedAt, changes)
        // What the first run raised of older days could be known when their figures came.
        let begin = ledger.map(\.raisedAt).min()
        let raised = Dictionary(
            ledger.filter { $0.raisedAt != begin }.map { ($0.id, $0.raisedAt) },
            uniquingKeysWith: { first, _ in first })
        known = Dictionary(
            activity.shown.compactMap { event in
                knownTime(of: event, index, raised).map { (event.occasion.id, $0) }
            }, uniquingKeysWith: { first, _ in first })
        let raisedTimes = ledger.timesRaised(notAt: begin)
        for case .recovery(let recovery) in activity.shown {
            let rule = recovery.isCounted ? CrashCountRule.id : StabilityRule.id
            guard let raised = raisedTimes[rule]?[recovery.alertDay] else { continue }
            // Revised days may bring an alert with its recovery: that is not known before the alert.
            let id = recovery.occasion.id
            known[id] = known[id].map { max($0, raised) }
            changed[id] = changed[id].map { max($0, raised) }
        }
        // A drop of use that waited for late data is not over before it was known.
        for case .usage(let anomaly) in activity.shown where anomaly.knownOver != nil {
            let id = anomaly.occasion.id
            if let known = raised[id], let over = changed[id] { changed[id] = max(over, known) }
        }
    }
}

extension [LedgerEntry] {
    /// When the alerts that stay were raised, by their rule and first day, without those of an instant.
    fileprivate func timesRaised(notAt begin: Instant?) -> [String: [CivilDate: Instant]] {
        reduce(into: [:]) { times, entry in
            guard entry.raisedAt != begin, entry.state != .withdrawn else { return }
            times[entry.rule, default: [:]][entry.firstDay] = entry.raisedAt
        }
    }
}

/// The events that are reported, by what is requested.
private struct EventTable {
    var byDay: [CivilDate: [Event]] = [:]
    var byIssue: [String: [Event]] = [:]
    var signals: [String: Set<IssueSignal>] = [:]

    /// - Parameter source: the source of the issues.
    init(_ activity: Activity, of source: Source?, since first: CivilDate) {
        for issue in activity.standing.compactMap({ $0.mute.mutedIssue(of: source) }) {
            signals[issue, default: []].insert(.muted)
        }
        for event in activity.shown where event.kind != .topIssues {
            byDay[event.occasion.day, default: []].append(event)
            guard let issue = event.issueID else { continue }
            byIssue[issue, default: []].append(event)
            if event.occasion.day >= first, let signal = event.signal {
                signals[issue, default: []].insert(signal)
            }
        }
    }
}

/// The days on which something happened, was muted or was cut off by a limit, newest first.
func activeDays(_ activity: Activity) -> [CivilDate] {
    let cut = activity.hidden.filter { if case .limit = $0.reason { true } else { false } }.map(\.day)
    return Set(activity.shown.map(\.occasion.day)).union(activity.muted.map(\.event.occasion.day)).union(cut)
        .sorted(by: >)
}

extension Event {
    /// Whether it is over only once the rate or the count is back.
    var lastsUntilRecovery: Bool {
        switch self {
        case .stability, .crashes: true
        case .raised(let alert): alert.lasts
        default: false
        }
    }
}

extension HistoryIndex {
    /// The days of which a rate or the crashes are known, in order.
    var countedDays: [CivilDate] { Set(rates.health.keys).union(crashes.counts.keys).sorted() }
}

/// Whether an event is an alert since a day that stays; of a drop, whether it had a night since then and is still open; of
/// a usage anomaly, whether it had a day since then; of a source, whether it still fails.
func isOpen(_ event: Event, since first: CivilDate) -> Bool {
    switch event {
    case .stability, .crashes: guard event.isOpen else { return false }
    case .raised(let alert): guard alert.isOpen || !alert.lasts else { return false }
    case .sourceTrouble(let failure): return failure.end == nil
    case .velocity, .usage, .topIssues, .newIssue, .newNote, .regressed, .recovery, .releaseVerdict,
        .withdrawn:
        break
    }
    return event.kind.isAlert && (event.lastDay ?? event.occasion.day) >= first
}

extension HistoryIndex {
    /// When the day of an event, of a recovery the last of its days, was first captured after it was over, and where it
    /// needs days without late data, after that; nil where the archive does not say.
    fileprivate func firstCapture(behind event: Event) -> Instant? {
        if case .recovery(let recovery) = event, recovery.isCounted {
            return crashes.judgedSource.capture(settling: recovery.known)
        }
        let isOfIssues = event.issueID != nil || event.kind == .topIssues
        let day = if case .recovery(let recovery) = event { recovery.known } else { event.occasion.day }
        return (isOfIssues ? [issues.source] : [rates.source, crashes.judgedSource])
            .compactMap { $0?.captures.first[day] }.min()
    }
}

/// Notes and failures have times of their own; what is found in figures was known when these came.
private func knownTime(of event: Event, _ index: HistoryIndex, _ raised: [String: Instant]) -> Instant? {
    switch event {
    case .newNote, .sourceTrouble, .withdrawn: nil
    case .stability, .crashes, .velocity, .usage, .regressed:
        raised[event.occasion.id] ?? index.firstCapture(behind: event)
    case .raised where event.kind.isAlert: raised[event.occasion.id] ?? index.firstCapture(behind: event)
    case .topIssues, .newIssue, .recovery, .releaseVerdict, .raised: index.firstCapture(behind: event)
    }
}

/// When each event last changed; an alert also when its recovery was withdrawn, so that it is newer than that.
private func changeTimes(
    of events: [Event], _ index: HistoryIndex, _ recorded: [String: Instant],
    _ changes: [String: LedgerChange]
) -> [String: Instant] {
    var times = Dictionary(
        events.map { event in
            let time = changeTime(of: event, index, recorded)
            let change = changes[event.occasion.id]
            // Kinds without an end are open for no more than their day: that it is over is no news.
            let state = event.kind == .stability ? change?.at : change?.returned
            return (event.occasion.id, [time, state, change?.moved].compactMap(\.self).max() ?? time)
        }, uniquingKeysWith: { first, _ in first })
    let takenBack = events.compactMap { event -> (CivilDate, Instant)? in
        guard case .withdrawn(let alert) = event, alert.entry.rule == RecoveryRule.id else { return nil }
        return times[event.occasion.id].map { (alert.entry.firstDay, $0) }
    }
    let byDay = Dictionary(takenBack, uniquingKeysWith: { max($0, $1) })
    guard !byDay.isEmpty else { return times }
    for event in events where event.kind == .stability {
        let id = event.occasion.id
        if let time = byDay[event.occasion.day] { times[id] = max(times[id] ?? time, time) }
    }
    return times
}

private func changeTime(
    of event: Event, _ index: HistoryIndex, _ recorded: [String: Instant]
) -> Instant {
    let published = event.occasion.published
    switch event {
    case .stability(let alert):
        let (episode, source) = (alert.episode, index.rates.source)
        return source.knownEnd(from: episode.last, to: episode.knownOver) ?? published
    case .crashes(let alert):
        let (episode, source) = (alert.episode, index.crashes.judgedSource)
        let waits = if case .recovered = episode.state { true } else { false }
        return source.knownEnd(from: episode.last, to: episode.knownOver, settled: waits)
            ?? published
    case .usage(let anomaly):
        let source = index.source(ofRule: UsageAnomalyRule.id)
        return source.knownEnd(from: anomaly.last, to: anomaly.knownOver, settled: true)
            ?? published
    case .recovery(let recovery):
        let source = recovery.isCounted ? index.crashes.judgedSource : index.rates.source
        return source.knownEnd(
            from: recovery.occasion.day, to: recovery.known, settled: recovery.isCounted)
            ?? published
    case .raised(let alert):
        return changeTime(of: alert, index) ?? published
    case .withdrawn(let alert):
        // Not written down yet: the newest figures withdraw it.
        return recorded[alert.entry.id] ?? index.sources.compactMap(\.capturedAt).max() ?? index.asOf
    case .sourceTrouble(let failure): return failure.end ?? failure.resumed
    case .velocity, .topIssues, .newIssue, .newNote, .regressed, .releaseVerdict:
        return published
    }
}

/// That of an alert as it was raised; nil for what does not change. It is never before that of the alert while its days
/// could be judged: those that ended it are not all kept, but it was raised once they were known.
private func changeTime(of alert: RaisedAlert, _ index: HistoryIndex) -> Instant? {
    let (entry, source) = (alert.entry, index.source(ofRule: alert.entry.rule))
    if entry.rule == RecoveryRule.id { return entry.raisedAt }
    guard entry.state == .closed else { return nil }
    if alert.lasts {
        return max(source.end(of: entry.days.upperBound.advanced(by: 1)), entry.raisedAt)
    }
    guard entry.rule == UsageAnomalyRule.id else { return nil }
    let over = source.knownEnd(from: entry.lastDay, to: alert.knownOver, settled: true)
    return over.map { max($0, entry.raisedAt) }
}

extension SourceHistory? {
    /// When the last of the days that ended something was over, or when one of them came that came after it: with it a day
    /// before the last one may be enough. Nil while it is not known to be over.
    ///
    /// - Parameter settled: Whether only a day that late data can no longer change ends it.
    fileprivate func knownEnd(
        from first: CivilDate, to last: CivilDate?, settled: Bool = false
    ) -> Instant? {
        guard let last else { return nil }
        let over = end(of: last)
        let end = settled ? max(over, settles(last)) : over
        guard first < last, let captures = self?.captures.first, let known = captures[last] else {
            return end
        }
        let others = (0..<first.days(to: last)).compactMap { captures[first.advanced(by: $0)] }
        return others.filter { $0 > known }.max().map { max(end, $0) } ?? end
    }
}

/// The notes of an app, newest first.
func orderedNotes(_ index: HistoryIndex) -> [Note] {
    index.notes.map(\.note).sorted { $0.at != $1.at ? $0.at > $1.at : $0.id < $1.id }
}

extension Event {
    /// Whether it is an alert on the stability of the app that is not known to be over.
    var isOpen: Bool {
        switch self {
        case .stability(let alert): alert.episode.state.isOpen
        case .crashes(let alert): alert.episode.state.isOpen
        case .raised(let alert): alert.isOpen
        case .velocity, .usage, .topIssues, .newIssue, .newNote, .regressed, .recovery, .sourceTrouble,
            .releaseVerdict, .withdrawn:
            false
        }
    }

    /// The issue that the event is about; nil for events about other things.
    package var issueID: String? {
        switch self {
        case .velocity(let alert): alert.issue.id
        case .newIssue(let new): new.issue.id
        case .regressed(let regressed): regressed.issue.id
        case .newNote(let new): new.issue?.id
        case .raised(let alert): alert.issue?.id
        case .stability, .crashes, .usage, .topIssues, .recovery, .sourceTrouble, .releaseVerdict, .withdrawn:
            nil
        }
    }

    /// How the event marks its issue in lists.
    var signal: IssueSignal? {
        switch self {
        case .velocity: .velocity
        case .newIssue: .new
        case .regressed: .regressed
        case .raised(let alert) where alert.kind == .velocity: .velocity
        case .raised(let alert) where alert.kind == .regressed: .regressed
        case .newNote, .stability, .crashes, .usage, .topIssues, .recovery, .sourceTrouble, .releaseVerdict,
            .withdrawn, .raised:
            nil
        }
    }
}
