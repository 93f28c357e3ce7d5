import Analysis
import AppHealth
import Formatting

/// The state of several apps in one sentence.
package struct StateSentence: Sendable {
    /// Which apps are below their target, and how many meet it; of apps without a rate the first part there is, or all of it
    /// where an alert is open.
    package let headline: String
    /// The rest; nil when there is none.
    package let details: String?

    /// All of it: `Sketchbook is below target. 1 of 4 apps meets its target. Not enough data: Tidepool. No crash-free
    /// rate: Buoy. Stale: Anchor (data through Wed, Nov 18, 2026). Open alert: Buoy. Error budget overspent: Sketchbook.
    /// Hold: Sketchbook 4.3.0.`.
    package var text: String { [headline, details].compactMap(\.self).joined(separator: " ") }

    /// The state of the apps of a site or of a group.
    init(_ apps: [AppSummaryRow]) {
        guard !apps.isEmpty else {
            (headline, details) = ("No apps configured.", nil)
            return
        }
        let statuses = apps.map { ($0.row.name, statusInSentence($0)) }
        let (rated, alerts) = (targetParts(statuses), alertParts(apps))
        let parts = rated + undecidedParts(statuses) + staleParts(apps) + alerts
        // Of apps without a rate an alert is the most important.
        let split = !rated.isEmpty ? rated.count : alerts.isEmpty ? 1 : parts.count
        headline = joined(parts.prefix(split))
        details = parts.count > split ? joined(parts.dropFirst(split)) : nil
    }
}

private func joined(_ parts: ArraySlice<String>) -> String {
    parts.joined(separator: ". ") + "."
}

/// The status by which a sentence names an app; nil for one that it names as stale.
private func statusInSentence(_ app: AppSummaryRow) -> StatusInSentence? {
    switch app.verdict.look {
    case .critical: .critical
    case .misses: .below
    case .meets: .meeting
    case .insufficient: app.isStale ? nil : .unsure
    case .even, .unknown: app.isStale ? nil : app.crashed == nil ? .unrated : .silent
    }
}

private func staleParts(_ apps: [AppSummaryRow]) -> [String] {
    [(true, "Not enough data and stale"), (false, "Stale")].flatMap { isUnsure, what in
        let stale = apps.filter { $0.isStale && ($0.verdict.look == .insufficient) == isUnsure }
        return named(stale.map { "\($0.row.name) (data through \($0.lastDay.compactText))" }, what, "apps")
    }
}

private func alertParts(_ apps: [AppSummaryRow]) -> [String] {
    // That a rate is too low is said already.
    let alerted = apps.filter { $0.hasOpenStabilityAlert && !$0.isBelowTarget }
    var parts = named(alerted.map(\.row.name), "Open alert", "apps")
    parts += named(apps.filter(\.isOverspent).map(\.row.name), "Error budget overspent", "apps")
    for (isRollBack, what) in [(true, "Roll back"), (false, "Hold")] {
        let releases = apps.flatMap { app in
            app.held.filter { $0.isRollBack == isRollBack }.map { "\(app.row.name) \($0.label)" }
        }
        parts += named(releases, what, "releases")
    }
    return parts
}

/// How many apps of one status a sentence names; more are counted.
private let namedApps = 3

/// What a sentence on several apps says of one.
enum StatusInSentence {
    case critical, below, meeting, unsure, unrated, silent
}

/// An app and the status by which a sentence names it; one without is named elsewhere.
typealias NamedStatus = (name: String, status: StatusInSentence?)

/// `Sketchbook is below target`, `2 of 3 apps meet their target`, `Not enough data: Tidepool`, `No crash-free rate: Buoy`:
/// the statuses that any app has.
func statusParts(_ apps: [NamedStatus]) -> [String] {
    targetParts(apps) + undecidedParts(apps)
}

/// `Sketchbook is below target`, `2 of 3 apps meet their target`.
private func targetParts(_ apps: [NamedStatus]) -> [String] {
    var parts: [String] = []
    for (status, words) in [(StatusInSentence.critical, "critical"), (.below, "below target")] {
        let names = names(of: status, in: apps)
        parts +=
            names.count > namedApps
            ? ["\(countText(names.count)) apps are \(words)"] : names.map { "\($0) is \(words)" }
    }
    let meeting = names(of: .meeting, in: apps).count
    return meeting > 0 ? parts + [meetingText(meeting, of: apps.count)] : parts
}

/// `Not enough data: Tidepool`, `No crash-free rate: Buoy`.
private func undecidedParts(_ apps: [NamedStatus]) -> [String] {
    let statuses: [(StatusInSentence, String)] = [
        (.unsure, "Not enough data"), (.unrated, "No crash-free rate"), (.silent, "No crashes reported"),
    ]
    return statuses.flatMap { named(names(of: $0, in: apps), $1, "apps") }
}

private func names(of status: StatusInSentence, in apps: [NamedStatus]) -> [String] {
    apps.filter { $0.status == status }.map(\.name)
}

/// `2 of 3 apps meet their target`.
private func meetingText(_ meeting: Int, of apps: Int) -> String {
    let isOne = meeting == 1 || apps == 1
    return "\(countText(meeting)) of \(countedText(apps, "app")) "
        + (isOne ? "meets its target" : "meet their target")
}

/// `Not enough data: Tidepool`, or of many their number; nothing for none.
private func named(_ names: [String], _ what: String, _ unit: String) -> [String] {
    guard !names.isEmpty else { return [] }
    let list = names.count > namedApps ? "\(countText(names.count)) \(unit)" : names.joined(separator: ", ")
    return ["\(what): \(list)"]
}
