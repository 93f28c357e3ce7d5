import Foundation
import Statistics

/// A family of scenarios: the files it reads and the alerts it raises in one series, as JSON.
struct Family: Sendable {
    let files: [String]
    let alerts: @Sendable (Scenario) -> String
}

let families = [
    Family(files: ["stability_null", "stability_event"]) { scenario in
        guard let n = scenario.n, case .row(let x)? = scenario.x else { return "[]" }
        let series = zip(n, x).map { DayCount(total: $0, crashed: $1) }
        return "\(CrashRateDropDetector().findings(in: series).map(\.day))"
    },
    Family(files: ["usage_null", "usage_event"]) { scenario in
        "\(UsageAnomalyDetector().findings(in: scenario.n ?? []).map(\.day))"
    },
    Family(files: ["releases"]) { scenario in
        guard let n1 = scenario.n1, let x1 = scenario.x1, let n0 = scenario.n0, let x0 = scenario.x0,
            x1.count == n1.count, n0.count == n1.count, x0.count == n1.count
        else { return "[]" }
        let days = n1.indices.map {
            ReleaseDayCounts(newSessions: n1[$0], newCrashed: x1[$0], oldSessions: n0[$0], oldCrashed: x0[$0])
        }
        guard case .worse(let day) = ReleaseRegressionTest().finding(in: days) else { return "[]" }
        return "[\(day)]"
    },
    Family(files: ["velocity_null", "velocity_event"]) { scenario in
        guard let n = scenario.n, case .rows(let x)? = scenario.x,
            let series = HourlyIssues(sessions: n, affected: x)
        else { return "[]" }
        return "\(IssueVelocityDetector().findings(in: series).map { [$0.issue, $0.hour] })"
    },
]
