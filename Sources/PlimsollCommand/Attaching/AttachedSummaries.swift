import Analysis
import AppHealth
import Attaching
import Markup
import Pages

extension AttachPlan {
    /// The summary of a week as it is attached.
    func ofWeek(
        _ week: CivilWeek, _ job: AttachJob, _ apps: [WeeksOfApp], app: String
    ) -> AttachedSummary {
        let site = reports.site(for: job.audience)
        let inputs = WeekPageInputs(week, apps)
        let summary = WeekSummary(inputs, site: site)
        let model = WeekPage(outward: inputs, site: site)
        return AttachedSummary(
            .week, of: week.description, app: app, reader: job.audience.reader.rawValue,
            isForTeam: !job.audience.hidesData, asksForAttention: inputs.asksForAttention,
            gist: Gist(inputs.signs(model)),
            blocks: summary.blocks, page: summary.page
        ) { limit, reason in summary.text(in: .github, limit: limit, because: reason) }
    }
}

extension AppPages {
    /// Whether there is something to say of a day: figures, or a source that failed then.
    func hasDay(_ day: CivilDate) -> Bool {
        facts.listedDays.contains(day) && day <= facts.lastDay || attentionSigns(of: day).asks
    }

    /// The summary of a day as it is attached.
    func attached(
        _ day: CivilDate, to job: AttachJob, _ writer: SummaryWriter
    ) -> AttachedSummary {
        let signs = attentionSigns(of: day)
        return attached(
            SummaryParts(
                kind: .day, subject: day.description, document: sentSummary(of: day),
                asksForAttention: signs.asks,
                gist: Gist(signs.all, same: [signs.shown], former: signs.former)),
            to: job, writer)
    }

    /// The summary of a release as it is attached.
    func attached(
        _ release: ReleaseFacts, to job: AttachJob, _ writer: SummaryWriter
    ) -> AttachedSummary {
        let verdict = release.evaluation.verdict
        var made = attached(
            SummaryParts(
                kind: .release, subject: release.label, document: summary(of: release),
                asksForAttention: verdict.stopsRollout,
                gist: Gist(
                    verdict: verdict.gist, through: lastDay(of: release),
                    takenBack: Set((verdictsTakenBack[release.label] ?? []).map(\.gist)))),
            to: job, writer)
        made.release = traits(of: release)
        return made
    }

    /// The last day of the figures that the verdict on a release is made from.
    private func lastDay(of release: ReleaseFacts) -> CivilDate {
        release.evaluation.basis.map { $0.life.day(ofAge: $0.age) } ?? release.lastDay
    }

    private func traits(of release: ReleaseFacts) -> ReleaseTraits {
        let latest = releasesOut.map(\.release.version).filter { !$0.isPrerelease }.max()
        let version = release.release.version
        return ReleaseTraits(
            isPrerelease: version.isPrerelease, isLatest: version == latest, cameOut: release.cameOut,
            verdict: release.evaluation.verdict.name)
    }

    private func attached(
        _ parts: SummaryParts, to job: AttachJob, _ writer: SummaryWriter
    ) -> AttachedSummary {
        let document = parts.document
        return AttachedSummary(
            parts.kind, of: parts.subject, app: facts.app.id.text, reader: job.audience.reader.rawValue,
            isForTeam: !job.audience.hidesData, asksForAttention: parts.asksForAttention, gist: parts.gist,
            blocks: document.blocks, page: document.pageStem.map { $0 + ".html" }
        ) { limit, reason in
            writer.text(of: document, in: .github, limit: limit, because: reason)
        }
    }
}

/// What a summary of one app says, before it is known for whom.
private struct SummaryParts {
    let kind: AttachmentKey.Kind
    let subject: String
    let document: SummaryDocument
    let asksForAttention: Bool
    let gist: Gist
}

extension Gist {
    /// That of the apps of a week.
    init(_ signs: [WeekSigns]) {
        let parts = signs.map { ($0.app.text, Part($0.all, same: [$0.shown], former: [$0.withMuted])) }
        self.init(
            apps: Dictionary(parts, uniquingKeysWith: { first, _ in first }),
            former: signs.map(\.former).joined(separator: "\n"))
    }
}

extension ReleaseVerdict {
    /// Whether it is one to act on, so that it is worth a message.
    var isWorthSending: Bool { self == .go || stopsRollout }

    /// What two verdicts have in common that say the same, however many sessions are needed.
    var gist: String {
        if case .notEnoughData = self { "notEnoughData" } else { "\(self)" }
    }
}
