import AppHealth
import Archive
import Configuration
import Diagnostics

extension StoredDays {
    /// What the archive has of sources that an app does not list, where no other source has it.
    func unlistedSources(of app: AppConfiguration) -> [Diagnostic] {
        let id = app.app.id
        let listed = Set(app.sources.map(\.id))
        let stored = sources(of: id).filter { !listed.contains($0) }
        if stored.isEmpty { return [] }
        let known = days(of: id, listed)
        return stored.compactMap { source in
            let all = days(of: id, source)
            let alone = all.subtracting(known)
            guard let first = alone.min(), let last = alone.max(), let end = all.max() else { return nil }
            let line = line(of: id, source, until: end)
            return .warning(
                "archive.unlisted-source",
                "The archive has \(counted(alone.count, "day")) of '\(source)' of \(id) that no listed source has",
                details: ["\(first) to \(last); no page shows them"],
                hints: ["to keep them on the site, add '- \(line)' to the sources of \(id)"])
        }
    }

    /// What the archive has of apps that the configuration does not name; nil where there are none, or no app is listed.
    func unlistedApps(otherThan apps: [AppConfiguration]) -> Diagnostic? {
        let listed = Set(apps.map(\.app.id))
        guard !listed.isEmpty, let stored = try? archive.apps() else { return nil }
        let unlisted = stored.map(\.id).filter { !listed.contains($0) }.compactMap { app in
            UnlistedApp(app, in: self)
        }
        guard let some = unlisted.first else { return nil }
        let described = unlisted.prefix(Self.mostApps)
        let names = described.map { "'\($0.id)'" }.joined(separator: ", ")
        let more = unlisted.count > described.count ? " and \(unlisted.count - described.count) more" : ""
        return .warning(
            "archive.unlisted-app",
            unlisted.count == 1
                ? "The archive has \(counted(some.days.count, "day")) of the app \(names), which is not listed"
                : "The archive has \(unlisted.count) apps that are not listed: \(names)\(more)",
            details: described.map(\.span),
            hints: [
                "if an app got another id, give it the old one again: its days, alerts and verdicts stay with that"
            ]
                + described.map { "to show '\($0.id)' as an app of its own, add '- \($0.line)' to the apps" })
    }

    /// How many unlisted apps are described.
    private static let mostApps = 5
}

/// An app with days in the archive that the configuration does not name.
private struct UnlistedApp {
    let id: Slug
    let days: Set<CivilDate>
    /// `be: 45 days, 2026-09-01 to 2026-10-27; no page shows them`.
    let span: String
    /// What lists it with the sources that it had.
    let line: String

    /// Nil where the archive has no day of it.
    init?(_ app: Slug, in stored: StoredDays) {
        let lines = stored.sources(of: app).compactMap { source in
            stored.days(of: app, source).max().map { stored.line(of: app, source, until: $0) }
        }
        days = stored.days(of: app, stored.sources(of: app))
        guard let first = days.min(), let last = days.max() else { return nil }
        id = app
        span = "\(app): \(counted(days.count, "day")), \(first) to \(last); no page shows them"
        line = "{ id: \(app), sources: [\(lines.joined(separator: ", "))] }"
    }
}
