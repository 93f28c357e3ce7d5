package import Analysis
package import AppHealth
import Formatting
import Statistics

extension AppReport {
    /// The verdict on rolling a release out.
    package func judgement(on release: Release) -> ReleaseEvaluation {
        judgements[release.version.label]
            ?? ReleaseEvaluator(evidence).judgement(on: release.version.label)
    }

    /// How far a release has been taken up, such as `adopted: 41.2% of users (40.8–41.6) on Thu, Nov 19, 2026`.
    func stageText(_ label: String) -> String? {
        guard let stage = stages[label] else { return nil }
        let shown = PercentFormat.share(stage.share)
        return "\(shown.rate) of \(stage.basis.rawValue) (\(shown.interval)) on \(stage.day.compactText)"
    }

    /// A release beside the earlier ones at the same age and at the same number of sessions.
    func ageRows(_ judgement: ReleaseEvaluation, _ links: Links) -> [AgeRow] {
        guard let basis = judgement.basis, let comparison = basis.comparison else { return [] }
        let own = AgeRow(judgement.label, stem: nil, atAge: basis.total, atSessions: basis.total, countText)
        return [own]
            + comparison.peers.map { peer in
                let isKnown = releases.contains { $0.version.label == peer.label }
                return AgeRow(
                    peer.label, stem: isKnown ? links.stem(to: .release(peer.label, of: app.id)) : nil,
                    atAge: peer.atAge, atSessions: peer.atSessions, countText)
            }
    }

    /// What the ages of the rows are counted over.
    func agesSpan(of judgement: ReleaseEvaluation) -> String? {
        guard let basis = judgement.basis, basis.comparison != nil else { return nil }
        return "Days 0 to \(basis.age), from \(basis.life.firstDay.compactText) on, and the first "
            + (hidesCounts ? "sessions, as many of each." : "\(countText(basis.total.total)) sessions.")
    }

    /// Issues that came back in a release, each once, newest first.
    func regressedIssues(in label: String) -> [Issue] {
        var seen: Set<String> = []
        return events.compactMap { event in
            guard case .regressed(let regressed) = event, regressed.seenIn.label == label,
                seen.insert(regressed.issue.id).inserted
            else { return nil }
            return regressed.issue
        }
    }
}

extension AgeRow {
    fileprivate init(
        _ version: String, stem: String?, atAge: DayCount, atSessions: DayCount, _ countText: (Int) -> String
    ) {
        func text(_ count: DayCount) -> String {
            Fraction(count.crashed, of: count.total).map { share in
                PercentFormat.crashFree(share).text
            } ?? "–"
        }
        self.init(
            version: version, stem: stem, isOwn: stem == nil, sessions: countText(atAge.total),
            crashFree: text(atAge), atSessions: text(atSessions))
    }
}
