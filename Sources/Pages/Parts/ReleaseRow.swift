import Analysis
import AppHealth
import Diagnostics
import Estimates
import Formatting
package import Templates

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
    /// What that counts, such as `Sessions`.
    package var countLabel: String
    package var verdict: VerdictView

    package static let fields: [Field<ReleaseRow>] = [
        .text("version", "Its label and build, such as `4.2.1 (370)`", \.version),
        .optionalUrl("stem", "The address of its page without ending", \.stem),
        .optional(
            "comparison", "The page that compares it with the release before it, with the label of that one",
            \.comparison),
        .text("released", "When it was released, such as `2026-10-13`; `–` when unknown", \.released),
        .model(
            "crashFree",
            "Its crash-free sessions over its life, or user-days where its source counts users alone",
            \.crashFree),
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
        .text(
            "sessions",
            "Its sessions over its life, such as `310,204`, or user-days where its source counts users alone",
            \.sessions),
        .text("countLabel", "What that counts, such as `Sessions`", \.countLabel),
        .model("verdict", "The verdict on its life against the levels", \.verdict),
    ]
}

extension ReleaseRow {
    /// Releases as rows of one list. The heading says what is counted of the first; others say it themselves where it is
    /// something else.
    static func rows(_ releases: some Collection<ReleaseFacts>, in scope: AppScope) -> [ReleaseRow] {
        let heading = releases.first?.unitOfLife
        return releases.map { release in
            var row = ReleaseRow(release, in: scope)
            if release.unitOfLife != heading, row.sessions != "–" { row.sessions += " " + release.unitOfLife }
            return row
        }
    }

    /// A release as a row.
    private init(_ release: ReleaseFacts, in scope: AppScope) {
        self.init(
            version: "\(release.release.version)",
            stem: scope.links.stem(to: .release(release.label, of: scope.app.id)),
            comparison: nil,
            released: release.release.releaseDay?.description ?? "–",
            crashFree: scope.crashFree(ofTheLifeOf: release),
            adoption: release.shareInUse.map(shareText) ?? "–",
            stage: release.stage?.words, stageShare: release.stage?.shareText,
            rollout: VerdictView(release.evaluation, counts: scope.audience.counts),
            sessions: scope.countOrDash(release.countOfLife),
            countLabel: scope.labels[release.isCountedInUsers ? .userDays : .sessions],
            verdict: VerdictView(release, in: scope))
    }
}

extension [ReleaseRow] {
    /// What the rates of a list are of, `Crash-free sessions` or `Crash-free user-days`.
    var rateHeading: String { first?.crashFree.label ?? FigureLabels.standard[.crashFreeSessions] }

    /// What is counted, `Sessions` or `User-days`.
    var countHeading: String { first?.countLabel ?? FigureLabels.standard[.sessions] }
}

extension AppScope {
    /// The rate of a release over its life.
    func crashFree(ofTheLifeOf release: ReleaseFacts) -> Figure {
        Figure(
            release.isCountedInUsers ? .crashFreeUserDays : .crashFreeSessions,
            crashed: release.crashedOfLife, of: release.unitOfLife, release.lifeText ?? "lifetime",
            isEmpty: release.countOfLife == 0, from: release.source, in: self)
    }
}

extension ReleaseFacts {
    /// The crashed share of its sessions, or of its user-days where its source counts users alone.
    var crashedOfLife: Measured<Fraction> { crashedUserDays ?? crashed }

    /// What that is a share of.
    var unitOfLife: String { isCountedInUsers ? "user-days" : "sessions" }

    /// Of how many.
    var countOfLife: Int? { isCountedInUsers ? crashedUserDays?.value?.denominator : sessions }

    /// Its share of the sessions of the last day, or of the users of its newest where no sessions are counted.
    var shareInUse: Fraction? {
        adoption.value ?? (isCountedInUsers && stage?.basis == .users ? stage?.share : nil)
    }

    /// `24 of 28 days` where what is counted of its life is not known on all days; nil where they are.
    var lifeText: String? {
        life.flatMap { $0.isWhole ? nil : "\(countText($0.known)) of \(countText($0.all)) days" }
    }

    /// What is not known of its issues; nil when all is.
    var issuesPartialText: String? {
        let texts = [issueDaysText, newIssuesDoubt].compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// `It is unknown whether 3 of 14 issues are new.`; nil when it is known of all.
    var newIssuesDoubt: String? {
        guard issuesOfUnknownAge > 0 else { return nil }
        let all = issues.count { $0.events != 0 }
        return "It is unknown whether \(countText(issuesOfUnknownAge)) of "
            + "\(countedText(all, "issue is", "issues are")) new."
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
