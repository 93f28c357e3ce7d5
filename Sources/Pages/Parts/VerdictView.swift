package import Analysis
import AppHealth
import Diagnostics
import Formatting
import Statistics
package import Templates

/// A status or a verdict in words, with a mark that does not need color.
package struct VerdictView: TemplateModel, Hashable {
    package static let modelName = "verdict"
    package var words: String
    package var name: String
    package var mark: String
    package var why: String
    /// The sample and the comparison behind it in one line; nil when the sentence says all.
    package var detail: String?

    /// A verdict with its reason.
    package init(_ verdict: Verdict, why: String) {
        self.words = verdict.words.sentenceCased
        self.why = why
        switch verdict {
        case .meets: (name, mark) = ("meets", "▲")
        case .misses: (name, mark) = ("misses", "▼")
        case .critical: (name, mark) = ("critical", "▼▼")
        case .notEnoughData: (name, mark) = ("insufficient", "◌")
        case .unknown: (name, mark) = ("unknown", "?")
        }
    }

    package static let fields: [Field<VerdictView>] = [
        .text("words", "The status or verdict, such as `Meets target`", \.words),
        .text(
            "name", "`meets`, `misses`, `critical`, `even`, `insufficient` or `unknown`, for style sheets",
            \.name),
        .text("mark", "A sign that says the same without color, such as `▲`", \.mark),
        .text("why", "The numbers behind it in one sentence", \.why),
        .optionalText("detail", "The sample and the comparison behind it", \.detail),
    ]
}

extension VerdictView {
    /// A verdict on a release with its reason; its look is that of the verdict against levels which is as good
    /// or as bad.
    package init(_ judgement: ReleaseEvaluation, counts: Audience.Display) {
        let look: Verdict =
            switch judgement.verdict {
            case .go: .meets
            case .hold: .misses
            case .rollBack: .critical
            case .notEnoughData: .notEnoughData(needed: 0)
            case .unknown: .unknown
            }
        self.init(look, why: judgement.why(counts: counts))
        self.words = judgement.verdict.words.sentenceCased
        self.detail = judgement.detail(counts: counts)
    }

    /// The verdict on a day, on the app's basis.
    init(_ day: DaySection, in scope: AppScope) {
        let unit = scope.facts.basis.rawValue
        self.init(
            day.verdict,
            why: scope.reason(
                day.verdict, day.crashed(scope.facts.basis), of: unit, when: "on \(day.date.compactText)"))
    }

    /// The verdict on a release over its life.
    init(_ release: ReleaseFacts, in scope: AppScope) {
        self.init(
            release.verdict,
            why: scope.reason(
                release.verdict, release.crashed, of: "sessions", when: "over the life of \(release.label)"))
    }
}

extension AppScope {
    /// The sentence behind a verdict: the rate, its interval, the level, and what is missing.
    fileprivate func reason(
        _ verdict: Verdict, _ measured: Measured<Fraction>, of whom: String, when: String
    ) -> String {
        let target = facts.targets.target
        guard let crashed = measured.value else {
            if case .failed(let why) = measured { return "No rate: \(why.summary)." }
            if case .absent(let why) = measured { return "There is no rate: \(why.words)." }
            return "No rate."
        }
        let level = "target \(PercentFormat.levelText(target))"
        let rate = "Crash-free \(whom) \(PercentFormat.crashFree(crashed).text) \(when); \(level)."
        guard case .notEnoughData(let needed) = verdict else { return rate }
        if target == 1 { return rate + " No sample can prove a target of 100%." }
        if hidesCounts { return rate + " More \(whom) needed." }
        return rate + " About \(estimateText(needed)) more \(whom) needed."
    }
}
