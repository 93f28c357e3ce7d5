import Analysis
import AppHealth
import Estimates
import Formatting
package import Templates

/// One release at the age, and at the number of sessions, of the release of the page.
package struct AgeRow: TemplateModel {
    package static let modelName = "age-row"
    package var version: String
    package var stem: String?
    package var isOwn: Bool
    package var sessions: String
    package var crashFree: String
    package var atSessions: String
    package var unit: String
    package var countName: String

    package static let fields: [Field<AgeRow>] = [
        .text("version", "The release's label", \.version),
        .optionalUrl(
            "stem", "The address of its page without ending; absent for the release of the page", \.stem),
        .flag("isOwn", "True for the release of the page", \.isOwn),
        .text(
            "sessions", "Its sessions, or user-days, up to that age, such as `310,204`", \.sessions),
        .text(
            "crashFree", "Its crash-free sessions, or users, up to that age, such as `99.41% (99.36–99.46)`",
            \.crashFree),
        .text(
            "atSessions",
            "Its crash-free sessions, or users, up to that number of sessions, or user-days, such as `99.40% (99.35–99.45)`",
            \.atSessions),
        .text("unit", "What it counts: `Sessions`, or `User-days` of a source without sessions", \.unit),
        .text(
            "countName", "What it is compared at besides its age, such as `Same session count`",
            \.countName),
    ]
}

extension AgeRow {
    /// `310,204 sessions, ` before the rates of a line; empty where counts are hidden.
    package func sampleText(of unit: String) -> String {
        sessions == hiddenCountText ? "" : "\(sessions) \(unit), "
    }

    /// A release next to the earlier ones at the same age and at the same number of sessions.
    static func rows(_ evaluation: ReleaseEvaluation, in scope: AppScope) -> [AgeRow] {
        guard let basis = evaluation.basis, let comparison = basis.comparison else { return [] }
        let own = AgeRow(evaluation.label, stem: nil, basis.total, basis.total, isOwn: true, of: basis, scope)
        return [own]
            + comparison.peers.map { peer in
                AgeRow(
                    peer.label, stem: scope.stem(toRelease: peer.label), peer.atAge, peer.atSessions,
                    isOwn: false, of: basis, scope)
            }
    }

    /// What the ages of the rows are counted over.
    static func span(of evaluation: ReleaseEvaluation, in scope: AppScope) -> String? {
        guard let basis = evaluation.basis, basis.comparison != nil else { return nil }
        let days = basis.age == 0 ? "Day 0" : "Days 0–\(basis.age)"
        let first = scope.hidesCounts ? "first" : "first \(countText(basis.total.total))"
        return
            "\(days), from \(basis.life.firstDay.compactText). Same \(basis.countName): the \(first) \(basis.unit) of each."
    }

    private init(
        _ version: String, stem: String?, _ atAge: DayCount, _ atSessions: DayCount, isOwn: Bool,
        of basis: ReleaseEvaluation.Basis, _ scope: AppScope
    ) {
        func text(_ count: DayCount) -> String {
            count.share.map { share in
                PercentFormat.crashFree(share).text
            } ?? "–"
        }
        self.init(
            version: version, stem: stem, isOwn: isOwn, sessions: scope.countText(atAge.total),
            crashFree: text(atAge), atSessions: text(atSessions), unit: basis.unit.sentenceCased,
            countName: "Same \(basis.countName)")
    }
}
