package import Analysis
package import AppHealth
import Diagnostics

extension Mute {
    /// A mute on a line.
    package static func make(
        _ number: Int = 0, _ subject: Subject = Subject(), until end: End = End()
    ) -> Mute {
        Mute(
            number: number, subject, until: end, by: "Ana", why: "known",
            at: .file(path: "mutes.yml", line: number + 1))
    }
}

/// An app with events of several kinds: two issues that spread in version 2.0, one of which rises again, and a
/// source that failed. Its rate drops four days back and recovers two days back, too early to be reported.
package let troubled: SourceHistory = .make(
    failure: timeout,
    health: (0...12).flatMap { back -> [HealthDay] in
        [
            .make(back, sessions: 10_000, users: 10_000, crashedUsers: back == 4 || back == 3 ? 300 : 50),
            .make(back, of: "2.0", sessions: 5_000),
        ] + (back == 0 ? [.make(back, of: "2.1", sessions: 5_000)] : [])
    },
    issues: [
        Issue(id: "knot", title: "Knot", firstSeen: .noon(back: 13)),
        Issue(id: "rope", title: "Rope", firstSeen: .noon(back: 13)),
    ],
    issueDays: [
        .make("knot", 12, of: "2.0", events: 100, users: 90),
        .make("knot", 4, of: "2.0", events: 90, users: 80),
        .make("knot", 1, of: "2.0", events: 400, users: 300),
        .make("knot", 0, of: "2.1", events: 500, users: 400),
        .make("rope", 12, of: "2.0", events: 200, users: 150),
    ])

/// The same app with a quiet past: its drop and its recovery are reported, and its issues are new.
package let long: SourceHistory = {
    var source = troubled
    source.health += .quietPast(before: 12, sessions: 10_000, users: 10_000, crashedUsers: 50)
    source.issues = source.issues.map { Issue(id: $0.id, title: $0.title) }
    source.coverage = CoverageHistory(source.everyDay)
    return source
}()

/// What becomes of the events of the troubled app.
package func activity(
    _ mutes: [Mute] = [], _ settings: AlertSettings = .standard, of source: SourceHistory = troubled,
    asOf: Instant = reportTime
) -> Activity {
    let history = AppHistory(app: AppHistory.make().app, sources: [source])
    let index = HistoryIndex(history, asOf: asOf)
    let control = AlertControl(mutes: mutes, settings: [history.app.id: settings])
    return Activity(of: events(in: index), in: index, under: control)
}

extension Event {
    /// `velocity knot@2.0 12`: its kind, its subject and how many days before the last one it was.
    package var brief: String {
        switch self {
        case .velocity(let alert): "velocity \(alert.issue.id)@\(alert.version ?? "") \(back)"
        default: "\(kind.key) \(back)"
        }
    }
}
