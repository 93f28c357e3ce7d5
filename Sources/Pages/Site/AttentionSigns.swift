import Analysis
package import AppHealth

/// Whether a day asks for attention, and its verdict with its alerts as texts to compare with those of a summary that was
/// sent.
package struct AttentionSigns: Sendable {
    /// Whether it asks for attention: what mutes or settings hide does not.
    package let asks: Bool
    /// The text with what mutes and settings hide: neither changes anything of what was sent.
    package let all: String
    /// The text without it.
    package let shown: String
    /// The texts of earlier versions: with what is muted alone, and with the ids that issues have for whoever reads it.
    package let former: [String]

    init(verdict: String, shown: [String], muted: [String], hidden: [String], ownIDs: [String: String]) {
        func text(_ alerts: [String]) -> String { ([verdict] + alerts.sorted()).joined(separator: " ") }
        func own(_ alerts: [String]) -> [String] { alerts.map { ownIDs[$0] ?? $0 } }
        asks = !shown.isEmpty
        all = text(own(shown + muted + hidden))
        self.shown = text(own(shown))
        let current = [all, self.shown]
        former = [text(own(shown + muted)), text(shown + muted), text(shown)].reduce(into: []) {
            texts, text in
            if !current.contains(text), !texts.contains(text) { texts.append(text) }
        }
    }
}

extension AppPages {
    /// Those of a day. A source that failed since asks for attention too, and that it is back is another text.
    package func attentionSigns(of date: CivilDate) -> AttentionSigns {
        let day = analysis.day(date)
        let activity = analysis.activity
        func names(among withheld: [Event]) -> [String] {
            withheld.filter { $0.occasion.day == date }.alertNames
                + failures(after: date, among: withheld).map(\.sign)
        }
        return AttentionSigns(
            verdict: VerdictView(day, in: AppScope(facts, .absent)).name,
            shown: day.events.alertNames + failures(after: date, among: activity.events).map(\.sign),
            muted: names(among: activity.silenced), hidden: names(among: activity.activity.hiddenAlerts),
            ownIDs: activity.ownIDs)
    }

    /// Whether an alert that began before a day lasts on it.
    package func hasLastingAlert(on date: CivilDate) -> Bool { !analysis.day(date).lasting.isEmpty }

    /// The sources that failed while a day was the last one that was over: no later summary has to wait for them.
    func failures(after date: CivilDate, among events: [Event]) -> [SourceFailure] {
        events.compactMap { event in
            guard case .sourceTrouble(let failure) = event, failure.lastDayOver == date else { return nil }
            return failure
        }
    }
}

extension [Event] {
    fileprivate var alertNames: [String] {
        filter { $0.kind != .sourceTrouble && $0.asksForAttention }.map(\.occasion.id)
    }
}

extension SourceFailure {
    fileprivate var sign: String { occasion.id + (end == nil ? "" : " over") }
}
