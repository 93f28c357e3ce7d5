package import Analysis
import AppHealth
import Diagnostics
import Estimates
import Formatting
package import Templates

/// A status or a verdict in words, with a mark that does not need color.
package struct VerdictView: TemplateModel, Hashable {
    package static let modelName = "verdict"
    package var words: String
    package var look: VerdictLook
    package var why: String
    /// The sample and the comparison behind it in one line; nil when the sentence says all.
    package var detail: String?
    /// The word of its look.
    package var name: String { look.rawValue }
    /// The sign of its look.
    package var mark: String { look.mark }

    /// A verdict with its reason.
    package init(_ verdict: Verdict, why: String) {
        self.words = verdict.words.sentenceCased
        self.why = why
        self.look =
            switch verdict {
            case .meets: .meets
            case .misses: .misses
            case .critical: .critical
            case .notEnoughData: .insufficient
            case .unknown: .unknown
            }
    }

    package static let fields: [Field<VerdictView>] = [
        .text("words", "The status or verdict, such as `Meets target`", \.words),
        .text(
            "name", "`meets`, `misses`, `critical`, `even`, `insufficient` or `unknown`, for style sheets",
            \.name),
        .text("mark", "A sign that says the same without color, such as `▲`", \.mark),
        .text("why", "The numbers that decide it in one sentence", \.why),
        .optionalText("detail", "The sample and the comparison behind it", \.detail),
    ]
}

extension VerdictView {
    /// A verdict on a release with its reason; its look is that of the verdict against levels which is as good
    /// or as bad.
    package init(_ evaluation: ReleaseEvaluation, counts: Audience.Display) {
        let look: Verdict =
            switch evaluation.verdict {
            case .go: .meets
            case .hold: .misses
            case .rollBack: .critical
            case .notEnoughData: .notEnoughData(needed: nil)
            case .unknown: .unknown
            }
        self.init(look, why: evaluation.why(counts: counts))
        self.words = evaluation.verdict.words.sentenceCased
        self.detail = evaluation.detail(counts: counts)
    }

    /// The same as it is decided now, with the open alerts on the release and its issues.
    init(_ evaluation: ReleaseEvaluation, openAlerts: [Event], counts: Audience.Display) {
        self.init(evaluation, counts: counts)
        let parts = [detail, openAlertsSentence(openAlerts, counts: counts)].compactMap(\.self)
        self.detail = parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// The verdict on a day, on the app's basis.
    init(_ day: DaySection, in scope: AppScope) {
        let crashes = day.isCounted ? scope.crashesReason(day) : nil
        let basis = scope.facts.basis
        let silence = day.silence.map {
            " " + $0.sentence(on: day.date, basis, counts: scope.audience.counts)
        }
        self.init(
            day.verdict,
            why: crashes
                ?? scope.reason(
                    day.verdict, day.crashed(basis), of: basis.rawValue, when: "on \(day.date.compactText)",
                    against: scope.facts.levels[day.date]) + lateText(day, on: basis) + (silence ?? ""))
    }

    /// The status of an app now, of its last day: what is stale says so before its figure. Without a rate and crashes it is
    /// counted by its events.
    init(now last: DaySection, _ events: ReportedEvents?, staleSince: Instant?, in scope: AppScope) {
        let old = staleSince.map { "\(staleText($0)). " } ?? ""
        if !last.isCounted, let why = scope.eventsReason(events, on: last.date) {
            self.init(.unknown, why: old + why)
            return
        }
        let ofDay = VerdictView(last, in: scope)
        let measured = last.crashed(scope.facts.basis)
        let isUnknowable = if case .absent(.unknowable) = measured { !last.isCounted } else { false }
        self.init(
            last.status(on: scope.facts.basis),
            why: old + ofDay.why + (isUnknowable ? " \(ratesAdvice)" : ""))
    }

    /// The verdict on a release over its life.
    init(_ release: ReleaseFacts, in scope: AppScope) {
        let evaluation = release.evaluation
        let silence = evaluation.silence.map {
            " " + evaluation.silenceSentence($0, counts: scope.audience.counts)
        }
        self.init(
            release.verdict,
            why: scope.reason(
                release.verdict, release.crashedOfLife, of: release.unitOfLife,
                when: "over \(release.lifeText ?? "the lifetime") of \(release.label)",
                against: release.targets) + (silence ?? ""))
    }
}

extension AppScope {
    /// When what the status of an app goes by was captured, if that is stale: its rate, else its crashes, else its events.
    func staleSince(
        _ last: DaySection, _ stability: StabilitySection, _ events: ReportedEvents?, _ issues: IssuesSection
    ) -> Instant? {
        let rate = last.crashed(facts.basis)
        if stability.isCounted { return rate.staleSince ?? stability.crashCount(on: last.date).staleSince }
        return rate.staleSince
            ?? issues.source.flatMap { events?.measured(on: last.date, from: $0).staleSince }
    }

    /// The same of an overview.
    func staleSince(_ overview: Overview) -> Instant? {
        staleSince(overview.last, overview.stability, overview.reportedEvents, overview.issues)
    }

    /// The sentence behind a verdict: the rate, its interval, the level, and what is missing.
    fileprivate func reason(
        _ verdict: Verdict, _ measured: Measured<Fraction>, of whom: String, when: String,
        against targets: Targets
    ) -> String {
        let target = targets.target
        guard let crashed = measured.value else {
            if case .failed(let why) = measured { return "No rate: \(why.summary)." }
            if case .absent(let why) = measured { return "No rate: \(why.words)." }
            return "No rate."
        }
        let level = "target \(PercentFormat.levelText(target))"
        let rate = "Crash-free \(whom) \(PercentFormat.crashFree(crashed).text) \(when); \(level)."
        guard case .notEnoughData(let needed) = verdict else { return rate }
        if target == 1 { return rate + " No sample can prove a target of 100%." }
        guard let needed else {
            let error = deviationText(crashed.deviation)
            return rate
                + (error.map { " Counts \($0): more \(whom) make it no surer." }
                    ?? " Too close to the target to call.")
        }
        if hidesCounts { return rate + " More \(whom) needed." }
        return rate + " About \(moreText(needed, whom)) needed."
    }
}
