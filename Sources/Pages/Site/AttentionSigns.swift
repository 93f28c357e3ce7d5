import Analysis
package import AppHealth

/// Whether a day asks for attention, and its verdict with its alerts as texts to compare with those of a summary that was
/// sent.
package struct AttentionSigns: Sendable {
    /// Whether it asks for attention: what is muted does not.
    package let asks: Bool
    /// The text with what is muted: to mute something changes nothing of what was sent.
    package let all: String
    /// The text without it.
    package let shown: String

    init(verdict: String, shown: [String], muted: [String]) {
        func text(_ alerts: [String]) -> String { ([verdict] + alerts.sorted()).joined(separator: " ") }
        asks = !shown.isEmpty
        all = text(shown + muted)
        self.shown = text(shown)
    }
}

extension AppPages {
    /// Those of a day. A source that failed since asks for attention too, and that it is back is another text.
    package func attentionSigns(of date: CivilDate) -> AttentionSigns {
        let day = analysis.day(date)
        let muted = analysis.activity.silenced
        return AttentionSigns(
            verdict: VerdictView(day, in: AppScope(facts, .absent)).name,
            shown: day.events.alertNames + failures(after: date, among: analysis.activity.events).names,
            muted: muted.filter { $0.occasion.day == date }.alertNames
                + failures(after: date, among: muted).names)
    }

    /// The sources that failed while a day was the last one that was over: no later summary has to wait for them.
    func failures(after date: CivilDate, among events: [Event]) -> [SourceTrouble] {
        events.compactMap { event in
            guard case .sourceTrouble(let trouble) = event, trouble.lastDayOver == date else { return nil }
            return trouble
        }
    }
}

extension [Event] {
    fileprivate var alertNames: [String] {
        filter { $0.kind != .sourceTrouble && $0.asksForAttention }.map(\.occasion.id)
    }
}

extension [SourceTrouble] {
    fileprivate var names: [String] { map { $0.occasion.id + ($0.end == nil ? "" : " over") } }
}
