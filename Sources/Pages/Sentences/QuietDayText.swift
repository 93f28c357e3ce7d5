import Analysis
import AppHealth
import Formatting
import Statistics

extension QuietDay {
    /// `Nothing to report on Thu, Nov 19, 2026: 52,149 sessions, 214 issues and 7 releases were looked at; data
    /// complete to 06:00 UTC, the day is provisional.`
    func sentence(asOf: Instant) -> String {
        "All quiet on \(day.compactText). "
            + "Checked \(checkedText(sessions: sessions, users: users, issues, releases)). "
            + "Data as of \(timeText(capturedAt, asOf: asOf)); the day is "
            + "\(isProvisional ? "provisional" : "final")."
    }
}

/// One sentence for several apps without activity; nil when there was some in any.
func quietSentence(_ days: [QuietDay?], asOf: Instant) -> String? {
    let quiet = days.compactMap(\.self)
    guard quiet.count > 1, quiet.count == days.count, let first = quiet.map(\.day).min(),
        let last = quiet.map(\.day).max(), let complete = quiet.map(\.capturedAt).min()
    else { return quiet.count == days.count ? quiet.first?.sentence(asOf: asOf) : nil }
    let span = first == last ? "on \(last.compactText)" : "on the last complete day of each app"
    // Sessions, issues and releases of two apps have nothing in common and add up; users may be the same people.
    let sessions = quiet.compactMap(\.sessions)
    let what = checkedText(
        sessions: sessions.count == quiet.count ? sessions.reduce(0, &+) : nil, users: nil,
        quiet.reduce(0) { $0 + $1.issues }, quiet.reduce(0) { $0 + $1.releases })
    let open = quiet.count(where: \.isProvisional)
    let state = open == 0 ? "final" : open == quiet.count ? "provisional" : "provisional for \(open) apps"
    return "All quiet \(span). Checked \(what) of \(quiet.count) apps. "
        + "Data as of \(timeText(complete, asOf: asOf)); the data is \(state)."
}

private func checkedText(sessions: Int?, users: Int?, _ issues: Int, _ releases: Int) -> String {
    func text(_ count: Int, _ unit: String) -> String {
        "\(countText(count)) \(unit)\(count == 1 ? "" : "s")"
    }
    let use = sessions.map { text($0, "session") } ?? users.map { text($0, "user") }
    let parts = [use, text(issues, "issue"), text(releases, "release")].compactMap(\.self)
    return parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
}

/// `06:00 UTC`, with its day when that is not the day of the report.
private func timeText(_ instant: Instant, asOf: Instant) -> String {
    instant.date == asOf.date ? "\(instant.timeText) UTC" : instant.proseText
}

extension AppScope {
    /// The day as the readers see it.
    func shown(_ day: QuietDay) -> QuietDay { hidesCounts ? day.withoutCounts : day }

    /// The sentence of a day without activity.
    func quietLine(_ day: QuietDay) -> String { shown(day).sentence(asOf: facts.asOf) }
}
