import Analysis
package import AppHealth

/// The verdict and the alerts of an app in a week, as texts to compare with those of a summary that was sent.
package struct WeekSigns: Sendable {
    /// The app.
    package let app: Slug
    /// With what mutes and settings hide: neither changes anything of what was sent.
    package let all: String
    /// Without it.
    package let shown: String
    /// With what is muted alone, as it was compared before.
    package let withMuted: String
    /// The same with the name of the app, as they were compared before apps had texts of their own.
    package let former: String
}

extension WeekPageInputs {
    /// Whether something in it asks for attention: an alert of the week, or a release that got a verdict that stops it.
    package var asksForAttention: Bool {
        apps.contains { app in
            app.week.opened > 0 || app.week.releases.contains { $0.verdict?.stopsRollout == true }
        }
    }

    /// Those of each app, in the order of the rows of the page.
    package func signs(_ page: WeekPage) -> [WeekSigns] {
        zip(apps, page.apps).map { app, row in
            let week = app.week
            func text(with more: [WeekFacts.WithheldAlerts]) -> String {
                let opened = more.reduce(week.opened) { $0 + $1.opened }
                let closed = more.reduce(week.closed) { $0 + $1.closed }
                return "\(row.verdict.name) \(opened) \(closed)"
            }
            return WeekSigns(
                app: app.facts.app.id, all: text(with: [week.muted, week.hidden]), shown: text(with: []),
                withMuted: text(with: [week.muted]),
                former: "\(row.name) \(row.verdict.name) \(row.alerts)")
        }
    }
}
