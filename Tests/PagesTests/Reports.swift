import Analysis
import AppHealth
import HistoryFixtures
import Pages

/// The word means the issues of apps here, not those of tests.
typealias Issue = AppHealth.Issue

let site = SiteFacts(
    title: "Harbour apps", asOf: reportTime, isDemo: false, baseURL: nil, isIndexed: false, contentPages: [])

extension AppAnalysis {
    /// The report of a small app with these sources.
    static func make(
        _ sources: SourceHistory..., named name: String = "Sketchbook", asOf: Instant = reportTime
    )
        -> AppAnalysis
    {
        let app = AppHistory.make(named: name).app
        return AppAnalysis(AppHistory(app: app, sources: sources), targets: .standard, asOf: asOf)
    }
}

/// The summary of a day.
func daySummary(of date: CivilDate, _ report: AppAnalysis, _ links: Links, isDemo: Bool) -> SummaryDocument {
    let day = report.day(date)
    return SummaryDocument(
        day, report.issues.list(of: day, lastDay: report.facts.lastDay), report.facts, links, isDemo: isDemo)
}

/// Plain spaces for no-break ones, so that expectations can be read.
func plain(_ text: String?) -> String? { text?.replacing("\u{A0}", with: " ") }
