import Analysis
import AppHealth
import Charts
import Formatting
import Templates

extension AppScope {
    /// What a fence shows.
    func liveView(
        of request: LiveRequest, named name: String, _ analysis: AppAnalysis
    ) -> any TemplateModel {
        switch request {
        case .chart(let chart):
            if let drawn = liveChart(chart, analysis) {
                return drawn.named(name, title: "\(app.name): \(drawn.chart.title)")
            }
            return AbsentBlock(
                title: "\(app.name): \(chart.kind.rawValue)", why: absence(of: chart, analysis.sources))
        case .block(let block): return liveBlock(block, named: name, analysis)
        }
    }

    private func liveChart(_ request: ChartRequest, _ analysis: AppAnalysis) -> ChartView? {
        let span = request.span ?? AppFacts.chartSpan
        let (stability, releases, issues) = (analysis.stability, analysis.releases, analysis.issues)
        switch request.kind {
        case .crashFree:
            if let label = request.release {
                return releaseChart(label, releases.days(of: label), stability)
            }
            return stabilityChart(
                stability, releases, analysis.activity, span: span, basis: request.basis)
        case .usage: return usageChart(analysis.usage, stability, span: span)
        case .sessions: return sessionsChart(analysis.usage, stability, span: span)
        case .adoption: return adoptionChart(releases, stability, span: span)
        case .age: return ageChart(releases, stability)
        case .calendar: return calendarChart(stability, span: request.span)
        case .rank: return issueRanksChart(issues, span: request.span)
        case .issueUsers: return issueUsersChart(issues)
        case .issueEvents:
            guard let issue = request.issue.flatMap(analysis.issue(withID:)) else { return nil }
            return issueChart(issue, issues, stability, span: span).map {
                $0.titled("\($0.chart.title), \(issue.issue.name)")
            }
        case .smallMultiples: return nil
        }
    }

    private func absence(of request: ChartRequest, _ sources: SourcesSection) -> String {
        switch request.kind {
        case .usage: sources.lack(of: .usage)?.words(for: .usage) ?? "No data."
        case .sessions: sources.lack(of: .sessions)?.words(for: .sessions) ?? "No data."
        case .adoption, .age: "No source provides daily data by release."
        case .crashFree: "No source provides daily data of this release."
        case .issueEvents: "The source doesn't provide daily data of this issue."
        case .calendar: "No rate."
        case .rank, .issueUsers, .smallMultiples:
            sources.lack(of: .issueDays)?.words(for: .issueDays) ?? "No ranked days."
        }
    }
}

extension AppScope {
    /// A part of the app's pages as a block.
    fileprivate func liveBlock(
        _ request: BlockRequest, named name: String, _ analysis: AppAnalysis
    ) -> any TemplateModel {
        let last = analysis.lastDay
        let stem = links.stem(to: .app(app.id))
        switch request.kind {
        case .verdict:
            return VerdictBlock(
                title: app.name, stem: stem,
                verdict: VerdictView(
                    now: last, analysis.reportedEvents,
                    staleSince: staleSince(
                        last, analysis.stability, analysis.reportedEvents, analysis.issues), in: self))
        case .tiles:
            return TilesBlock(
                title: "\(app.name) on \(last.date.compactText)", stem: stem,
                tiles: overviewTiles(
                    analysis.stability, analysis.usage, analysis.reportedEvents, analysis.issues, last
                ).map { tile in
                    var tile = tile
                    tile.nameOnPage = "\(name)-\(tile.explanation.id)"
                    return tile
                })
        case .budget:
            let title = "\(app.name): error budget"
            guard let budget = last.budget else {
                return AbsentBlock(title: title, why: "No data for these days.")
            }
            return BudgetBlock(title: title, stem: stem, budget: BudgetView(budget, counts: audience.counts))
        case .releases:
            let title = "\(app.name): releases"
            if let why = analysis.releases.lack?.words(for: .releases) {
                return AbsentBlock(title: title, why: why)
            }
            return ReleasesBlock(
                title: title, stem: links.stem(to: .part(.releases, of: app.id)),
                releases: ReleaseRow.rows(analysis.releases.all.prefix(request.limit ?? 4), in: self))
        case .activity:
            return ActivityBlock(
                title: "\(app.name): activity", stem: links.stem(to: .part(.activity, of: app.id)),
                events: analysis.newest(request.limit ?? 8).map { EventEntry($0, in: self) })
        case .notes:
            let title = "\(app.name): notes"
            guard audience.reader != .public else {
                return AbsentBlock(title: title, why: "Notes are hidden on this site.")
            }
            return NotesBlock(
                title: title, stem: stem,
                notes: NoteView.views(analysis.activity.notes.prefix(request.limit ?? 4), in: self) {
                    analysis.issues[$0]?.issue
                })
        case .topIssues:
            if let why = analysis.issues.lack?.words(for: .issues) {
                return AbsentBlock(title: "\(app.name): top issues", why: why)
            }
            return topIssues(analysis, limit: request.limit ?? 8, named: name)
        }
    }

    private func topIssues(_ analysis: AppAnalysis, limit: Int, named name: String) -> TopIssuesBlock {
        let last = analysis.lastDay
        let top = analysis.issues.topNow(of: last, lastDay: analysis.facts.lastDay)
        let (issues, span, usersSpan) = topIssues(top, analysis.issues, last, limit: limit)
        return TopIssuesBlock(
            title: "\(app.name): top issues, \(span)" + (usersSpan.map { "; users: \($0)" } ?? ""),
            stem: links.stem(to: .part(.issues, of: app.id)),
            issues: issues.map { issue in
                var issue = issue
                // Two lists on a page may show one issue.
                issue.sparkline = issue.sparkline?.small(named: "\(name)-\(issue.rank)")
                return issue
            })
    }
}
