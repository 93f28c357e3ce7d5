import Analysis
import AppHealth
import Formatting
import Templates

extension AppReport {
    /// A part of the app's pages as a block.
    func liveBlock(_ request: BlockRequest, named name: String, _ links: Links) -> any TemplateModel {
        let stem = links.stem(to: .app(app.id))
        switch request.kind {
        case .verdict: return VerdictBlock(title: app.name, stem: stem, verdict: verdict)
        case .tiles:
            return TilesBlock(
                title: "\(app.name) on \(lastDay.compactText)", stem: stem, tiles: tiles(on: lastDay))
        case .budget:
            let title = "\(app.name): error budget"
            guard let budget else {
                return AbsentBlock(title: title, why: "There are no figures in its window.")
            }
            return BudgetBlock(title: title, stem: stem, budget: BudgetView(budget, counts: audience.counts))
        case .releases:
            return ReleasesBlock(
                title: "\(app.name): releases", stem: links.stem(to: .part(.releases, of: app.id)),
                releases: releaseRows(links, limit: request.limit ?? 4))
        case .activity:
            return ActivityBlock(
                title: "\(app.name): activity", stem: links.stem(to: .part(.activity, of: app.id)),
                events: newestEntries(request.limit ?? 8, links))
        case .notes:
            let title = "\(app.name): notes"
            guard !redaction.isPublic else {
                return AbsentBlock(title: title, why: "Notes are left out of this edition.")
            }
            return NotesBlock(
                title: title, stem: stem,
                notes: notes(links, limit: request.limit ?? 4) { _ in true })
        case .topIssues: return topIssues(limit: request.limit ?? 8, named: name, links)
        }
    }

    private func topIssues(limit: Int, named name: String, _ links: Links) -> TopIssuesBlock {
        let (issues, span) = topIssues(limit: limit, links)
        return TopIssuesBlock(
            title: "\(app.name): top issues \(span)", stem: links.stem(to: .part(.issues, of: app.id)),
            issues: issues.map { issue in
                var issue = issue
                // Two lists on a page may show one issue.
                issue.sparkline = issue.sparkline?.small(named: "\(name)-\(issue.rank)")
                return issue
            })
    }
}
