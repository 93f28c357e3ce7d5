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

    /// The verdict on a day, on the app's basis.
    init(_ day: DaySection, in scope: AppScope) {
        let crashes = day.isCounted ? scope.crashesReason(day) : nil
        let basis = scope.facts.basis
        self.init(
            day.verdict,
            why: crashes
                ?? scope.reason(
                    day.verdict, day.crashed(basis), of: basis.rawValue, when: "on \(day.date.compactText)",
                    against: scope.facts.levels[day.date]))
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
        guard !release.isCountedInUsers else {
            self.init(.unknown, why: "No lifetime rate: users of several days cannot be added up.")
            return
        }
        self.init(
            release.verdict,
            why: scope.reason(
                release.verdict, release.crashed, of: "sessions",
                when: "over \(release.lifeText ?? "the lifetime") of \(release.label)",
                against: release.targets))
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

/// A release as one row of a list.
package struct ReleaseRow: TemplateModel {
    package static let modelName = "release-row"
    package var version: String
    package var stem: String?
    /// The page that shows it next to the release before it, named as that one; nil when there is none, and in other
    /// lists than that of all releases.
    package var comparison: LinkItem?
    package var released: String
    package var crashFree: Figure
    package var adoption: String
    package var stage: String?
    package var stageShare: String?
    package var rollout: VerdictView
    package var sessions: String
    package var verdict: VerdictView

    package static let fields: [Field<ReleaseRow>] = [
        .text("version", "Its label and build, such as `4.2.1 (370)`", \.version),
        .optionalUrl("stem", "The address of its page without ending", \.stem),
        .optional(
            "comparison", "The page that compares it with the release before it, with the label of that one",
            \.comparison),
        .text("released", "When it was released, such as `2026-10-13`; `–` when unknown", \.released),
        .model("crashFree", "Its crash-free sessions over its life", \.crashFree),
        .text(
            "adoption",
            "Its share of the sessions of the last day, or of the users of its newest where no sessions are counted, such as `41.2%`",
            \.adoption),
        .optionalText(
            "stage", "`Adopted`, `Replaced` or `Low`; absent when no share is known", \.stage),
        .optionalText(
            "stageShare",
            "The share behind the stage, such as `41.2% of users (40.8–41.6) on Thu, Nov 19, 2026`",
            \.stageShare),
        .model("rollout", "The verdict on rolling it out: `go`, `hold`, `roll back` …", \.rollout),
        .text("sessions", "Its sessions over its life, such as `310,204`", \.sessions),
        .model("verdict", "The verdict on its life against the levels", \.verdict),
    ]
}

extension ReleaseRow {
    /// A release as a row.
    init(_ release: ReleaseFacts, in scope: AppScope) {
        self.init(
            version: "\(release.release.version)",
            stem: scope.links.stem(to: .release(release.label, of: scope.app.id)),
            comparison: nil,
            released: release.release.releaseDay?.description ?? "–",
            crashFree: Figure(
                .crashFreeSessions, crashed: release.crashed, of: "sessions", release.lifeText ?? "lifetime",
                isEmpty: release.sessions == 0, from: release.source, in: scope),
            adoption: release.shareInUse.map(shareText) ?? "–",
            stage: release.stage?.words, stageShare: release.stage?.shareText,
            rollout: VerdictView(release.evaluation, counts: scope.audience.counts),
            sessions: scope.countOrDash(release.sessions), verdict: VerdictView(release, in: scope))
    }
}

extension ReleaseFacts {
    /// Its share of the sessions of the last day, or of the users of its newest where no sessions are counted.
    var shareInUse: Fraction? {
        adoption.value ?? (isCountedInUsers && stage?.basis == .users ? stage?.share : nil)
    }

    /// `24 of 28 days` where sessions of its life are not known on all days; nil where they are.
    var lifeText: String? {
        life.flatMap { $0.isWhole ? nil : "\(countText($0.known)) of \(countText($0.all)) days" }
    }

    /// `Issues of 4.3.0 are known for 13 of 28 days.`; nil when they are known for all.
    var issueDaysText: String? {
        issueDays.flatMap { days in
            days.isWhole
                ? nil
                : "Issues of \(label) are known for \(countText(days.known)) of \(countText(days.all)) days."
        }
    }
}

extension ReleaseStage {
    /// How far the release has been taken up, such as `41.2% of users (40.8–41.6) on Thu, Nov 19, 2026`.
    var shareText: String {
        let shown = PercentFormat.share(share)
        return "\(shown.rate) of \(basis.rawValue) (\(shown.interval)) on \(day.compactText)"
    }
}
