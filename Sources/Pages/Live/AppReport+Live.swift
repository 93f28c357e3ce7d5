import Analysis
import AppHealth
import Charts
package import Diagnostics
import Templates

extension AppReport {
    /// What a fence asks for that the app does not have: a release or an issue that is not known.
    package func problem(with fence: LiveFence) -> Diagnostic? {
        guard case .chart(let request) = fence.request else { return nil }
        if let label = request.release, !knownReleases.contains(label) {
            return unknown("release", label, among: knownReleases, at: fence.places["release"])
        }
        if let id = request.issue, issue(withID: id) == nil {
            return unknown("issue", id, among: Set(evidence.issuesByID.keys), at: fence.places["issue"])
        }
        return nil
    }

    /// The issue that a source calls so, whatever name it has for the audience.
    func issue(withID id: String) -> Issue? { evidence.issuesByID[redaction.anonymous(id)] }

    /// The labels of the releases that have a page or days of their own.
    var knownReleases: Set<String> {
        Set(releases.map(\.version.label)).union(evidence.releaseHealth.keys.map(\.version))
    }

    /// `There is no release '4.3.9' of Sketchbook`.
    func unknown(
        _ what: String, _ name: String, among names: Set<String>, at place: Location?,
        severity: Diagnostic.Severity = .error
    ) -> Diagnostic {
        let some = names.sorted().suffix(10).joined(separator: ", ")
        let known = names.isEmpty ? "none is known at this instant" : "use one of: \(some)"
        return Diagnostic(
            severity, id: "content.unknown-\(what)", "There is no \(what) '\(name)' of \(app.name)",
            location: place,
            hints: [nearestName(to: name, among: names).map { "did you mean '\($0)'?" } ?? known],
            gravity: severity == .error ? .usage : .remark)
    }

    /// What a fence shows.
    func liveView(of request: LiveRequest, named name: String, _ links: Links) -> any TemplateModel {
        switch request {
        case .chart(let chart):
            if let drawn = liveChart(chart) {
                return drawn.named(name, title: "\(app.name): \(drawn.chart.title)")
            }
            return AbsentBlock(title: "\(app.name): \(chart.kind.rawValue)", why: absence(of: chart))
        case .block(let block): return liveBlock(block, named: name, links)
        }
    }

    private func liveChart(_ request: ChartRequest) -> ChartView? {
        let span = request.span ?? Self.chartSpan
        switch request.kind {
        case .crashFree:
            if let label = request.release { return releaseChart(label) }
            return stabilityChart(span: span, basis: request.basis)
        case .usage: return usageChart(span: span)
        case .sessions: return sessionsChart(span: span)
        case .adoption: return adoptionChart(span: span)
        case .age: return ageChart()
        case .calendar: return calendarChart(span: request.span)
        case .rank: return issueRanksChart(span: request.span)
        case .issueUsers: return issueUsersChart()
        case .issueEvents:
            guard let issue = request.issue.flatMap(issue(withID:)) else { return nil }
            return issueChart(issue, span: span).map { $0.titled("\($0.chart.title), \(name(of: issue))") }
        case .smallMultiples: return nil
        }
    }

    private func absence(of request: ChartRequest) -> String {
        switch request.kind {
        case .usage: why(no: .usage) ?? "There are no figures."
        case .sessions: why(no: .sessions) ?? "There are no figures."
        case .adoption, .age: "No source of the app counts releases by day."
        case .crashFree: "No source of the app counts this release by day."
        case .issueEvents: "The source does not count this issue by day."
        case .calendar: "There is no rate."
        case .rank, .issueUsers, .smallMultiples: why(no: .issueDays) ?? "No day has a ranking."
        }
    }
}
