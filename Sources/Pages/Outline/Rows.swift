import Charts
import Markup

extension VerdictView {
    /// The sign and the words, in the tone of the verdict.
    var span: Span { .strong("\(mark) \(words)", tone) }

    /// What the verdict means.
    var tone: Span.Tone {
        switch name {
        case "meets", "go": .good
        case "misses", "critical", "hold", "roll back": .bad
        default: .plain
        }
    }
}

extension IssueRow {
    /// `1 ▲6`.
    var rankText: String { movement.isEmpty ? "\(rank)" : "\(rank) \(movement)" }

    /// The headline with its place in the code; a link where the ending of a page is given.
    func nameSpans(ending: String?) -> [Span] {
        let address = ending.flatMap { ending in stem.map { $0 + ending } }
        return [.link(title, to: address)] + (place.map { [.text(" (\($0))")] } ?? [])
    }

    /// `open · regressed`.
    var stateText: String { ([state] + signals).joined(separator: " · ") }
}

extension ChartView {
    /// The line of block characters, without the words.
    var glyphLine: String { String(chart.text().prefix { !$0.isNewline }) }

    /// The chart as a line of block characters with its sentence.
    var block: Block { .chart(title: chart.title, glyphs: glyphLine, description: chart.description) }
}

extension Figure {
    /// The number, in the tone of its state.
    var valueSpan: Span { .strong(value, state == .failed ? .bad : .plain) }

    /// What it was counted from, and its state unless it is current.
    var groundsText: String { [detail, stateNote].compactMap { $0 }.joined(separator: "; ") }
}

/// A view that tells an event in one sentence.
private protocol Telling {
    var sentence: String { get }
}

extension StabilityAlertView: Telling {}
extension IssueVelocityAlertView: Telling {}
extension UsageAnomalyView: Telling {}
extension TopIssuesSummaryView: Telling {}
extension NewIssueView: Telling {}
extension NewNoteView: Telling {}
extension RegressedIssueView: Telling {}
extension RecoveryView: Telling {}
extension SourceTroubleView: Telling {}
extension ReleaseVerdictView: Telling {}
extension WithdrawnAlertView: Telling {}

extension EventEntry {
    /// The sentence of its view.
    var sentence: String { (view as? any Telling)?.sentence ?? "" }

    /// The day, the kind and the sentence; alerts have a sign of their own.
    func spans(withApp: Bool) -> [Span] {
        let name = isAlert ? "! \(kind)" : kind
        let whose = withApp ? "\(app), " : ""
        return [
            .text("\(whose)\(dateText) "), .strong(name, isAlert ? .bad : .plain), .text(": \(sentence)"),
        ]
    }
}
