import Analysis
package import AppHealth
import Formatting
import Statistics

extension ReleasesPage {
    /// All releases of an app.
    package init(_ report: AppReport, site: SiteFacts) {
        let path = SitePath.part(.releases, of: report.app.id)
        let links = site.links(from: path)
        let newest = report.releases.first
        self.frame = Frame(
            path, title: "\(report.app.name): releases", summary: "The releases of \(report.app.name)",
            freshness: report.freshness,
            crumbs: [("Apps", .portfolio), (report.app.name, .app(report.app.id))],
            hasData: true, site: site)
        self.name = report.app.name
        self.sentence =
            newest.map { "\(countText(report.releases.count)) releases; the newest is \($0.version)." }
            ?? "No release is known."
        self.releases = report.releases.map { release in
            var row = report.releaseRow(release, links)
            row.beside = report.pairBefore(release.version.label).flatMap { report.link(to: $0, links) }
            return row
        }
        self.ages = report.ageChart()
        self.adoption = report.adoptionChart()
        self.unavailable = report.why(no: .releases)
        self.parts = partLinks(of: report.app, from: path, links)
    }
}

extension ReleasePage {
    /// One release of an app.
    package init(_ release: Release, _ report: AppReport, site: SiteFacts) {
        let label = release.version.label
        let path = SitePath.release(label, of: report.app.id)
        let links = site.links(from: path)
        let verdict = report.releaseVerdict(label)
        self.frame = Frame(
            path, title: "\(report.app.name) \(release.version)", summary: verdict.why,
            freshness: report.freshness,
            crumbs: [
                ("Apps", .portfolio), (report.app.name, .app(report.app.id)),
                ("Releases", .part(.releases, of: report.app.id)),
            ], hasData: true, tables: ["releaseIssues", "ages"], site: site)
        self.app = report.app.name
        self.version = "\(release.version)"
        self.released = release.releasedAt?.date.compactText ?? "–"
        let judgement = report.judgement(on: release)
        self.rollout = VerdictView(judgement, counts: report.audience.counts)
        self.agesSpan = report.agesSpan(of: judgement)
        self.ages = report.ageRows(judgement, links)
        self.comparisons = report.comparisons(of: label, links)
        self.stage = report.stages[label]?.words
        self.stageShare = report.stageText(label)
        self.verdict = verdict
        self.tiles = report.releaseTiles(label)
        self.stability = report.releaseChart(label)
        self.newIssues = report.issueRows(inRelease: label, onlyNew: true, links, limit: 20)
        self.regressedIssues = report.regressedRows(inRelease: label, links)
        self.topIssues = report.issueRows(inRelease: label, onlyNew: false, links, limit: 10)
        self.issuesUnavailable =
            report.evidence.issueReleaseDays.isEmpty ? "The source does not count issues by release." : nil
        self.notes = report.notes(links) { $0 == .release(label) }
        self.copyBlock = report.copyBlock(of: release)
        self.summaryStem = "summary"
        self.parts = partLinks(of: report.app, from: path, links)
    }
}

extension AppReport {
    /// What release notes may say of a release: its verdict, its take-up, and how many issues are new and back.
    fileprivate func copyBlock(of release: Release) -> [String] {
        let label = release.version.label
        let judgement = judgement(on: release)
        var lines = [
            "Stability of \(release.version): \(judgement.verdict.words). \(judgement.why(counts: audience.counts))"
        ]
        if let stage = stages[label], let share = stageText(label) {
            lines.append("Adoption: \(stage.words), \(share).")
        }
        let new = evidence.issuesByID.values.count { $0.firstVersion?.label == label }
        let back = regressedIssues(in: label).count
        lines.append(
            "Issues: \(Formatting.countText(new)) new, \(Formatting.countText(back)) back after a fix.")
        return lines
    }

    /// The share of a release of all sessions of the last day.
    func adoptionFigure(_ label: String) -> Figure {
        Figure(
            "Session adoption", share: adoption(label), "sessions of \(label)", of: "sessions",
            "on \(lastDay.compactText)", from: releaseOrigin(label), for: audience)
    }

    /// The headline figures of a release.
    func releaseTiles(_ label: String) -> [Figure] {
        let totals = releaseTotals(label)
        let sessions = releaseCrashed(label).map(orUnavailable: "no sessions") { _ in totals.sessions }
        let origin = releaseOrigin(label)
        let rates = [
            Figure(
                "Crash-free sessions", crashed: releaseCrashed(label), of: "sessions", "over its life",
                isEmpty: totals.sessions == 0, from: origin, for: audience),
            adoptionFigure(label),
        ]
        guard !hidesCounts else { return rates }
        return rates + [
            Figure(
                "Sessions", count: sessions, detail: "over its life",
                how: "sessions may be added up over days", from: origin)
        ]
    }
}
