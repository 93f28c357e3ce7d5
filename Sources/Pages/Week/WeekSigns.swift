import Analysis
package import AppHealth

/// The verdict and the alerts of an app in a week, as texts to compare with those of a summary that was sent.
package struct WeekSigns: Sendable {
    /// The app.
    package let app: Slug
    /// With what is muted: to mute something changes nothing of what was sent.
    package let all: String
    /// Without it.
    package let shown: String
    /// The same with the name of the app, as they were compared before apps had texts of their own.
    package let former: String
}

extension WeekPageInputs {
    /// Those of each app, in the order of the rows of the page.
    package func signs(_ page: WeekPage) -> [WeekSigns] {
        zip(apps, page.apps).map { app, row in
            let (week, verdict) = (app.week, row.verdict.name)
            return WeekSigns(
                app: app.facts.app.id,
                all:
                    "\(verdict) \(week.opened + week.muted.opened) \(week.closed + week.muted.closed)",
                shown: "\(verdict) \(week.opened) \(week.closed)",
                former: "\(row.name) \(verdict) \(row.alerts)")
        }
    }
}
