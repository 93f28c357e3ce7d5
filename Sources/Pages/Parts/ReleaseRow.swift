import Analysis
import AppHealth
import Formatting
import Statistics
package import Templates

/// A release as one row of a list.
package struct ReleaseRow: TemplateModel {
    package static let modelName = "release-row"
    package var version: String
    package var stem: String?
    /// The page that shows it beside the release before it, named as that one; nil when there is none, and in other
    /// lists than that of all releases.
    package var beside: LinkItem?
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
            "beside", "The page that shows it beside the release before it, with the label of that one",
            \.beside),
        .text("released", "When it was released, such as `2026-10-13`; `–` when unknown", \.released),
        .model("crashFree", "Its crash-free sessions over its life", \.crashFree),
        .text("adoption", "Its share of the sessions of the last day, such as `41.2%`", \.adoption),
        .optionalText(
            "stage", "`adopted`, `replaced` or `low`; absent when no share is known", \.stage),
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
            beside: nil,
            released: release.release.releasedAt?.date.description ?? "–",
            crashFree: Figure(
                .crashFreeSessions, crashed: release.crashed, of: "sessions", "lifetime",
                isEmpty: release.sessions == 0, from: release.source, in: scope),
            adoption: release.adoption.value.map(shareText) ?? "–",
            stage: release.stage?.words, stageShare: release.stage?.shareText,
            rollout: VerdictView(release.evaluation, counts: scope.audience.counts),
            sessions: scope.countOrDash(release.sessions), verdict: VerdictView(release, in: scope))
    }
}

extension ReleaseStage {
    /// How far the release has been taken up, such as `41.2% of users (40.8–41.6) on Thu, Nov 19, 2026`.
    var shareText: String {
        let shown = PercentFormat.share(share)
        return "\(shown.rate) of \(basis.rawValue) (\(shown.interval)) on \(day.compactText)"
    }
}
