import Analysis
import AppHealth
import Diagnostics
import Estimates
import Formatting

extension Measured {
    /// The same state with the reason of an absence in words.
    var state: DataState<Value> {
        switch self {
        case .loaded(let value, let asOf): .loaded(value, asOf: asOf)
        case .stale(let value, let asOf, let why):
            .stale(value, asOf: asOf, why: why.diagnostic(for: .public))
        case .failed(let why): .failed(why: why)
        case .absent(let absence): .unavailable(why: absence.words)
        }
    }
}

extension Absence {
    /// Why there is no value: `no data for Thu, Nov 19, 2026`.
    var words: String {
        switch self {
        case .noSource: "no source configured"
        case .neverFetched: "never fetched"
        case .unknowable(let providers): "\(providing(providers)) this"
        case .unknowableOfReleases(let provider): "'\(provider)' doesn't provide this by release"
        case .noFigures(let day): "no data for \(day.compactText)"
        case .unlistedEvents(let day):
            "some events of \(day.compactText) belong to no listed issue, so its crashes are unknown"
        case .noFiguresYet(let day): "no data yet for \(day.compactText)"
        case .unreached(let day, let source, let isOverdue):
            "no data for \(day.compactText): "
                + (isOverdue ? "nothing recent from '\(source)'" : "latest fetch of '\(source)' failed")
        case .none(let basis, let day): "no \(basis.rawValue) on \(day.compactText)"
        case .noFigure(let basis, let day): "no \(basis.rawValue) reported for \(day.compactText)"
        case .noCrashedFigure(let basis, let day):
            "\(basis == .users ? "affected users" : "crashed sessions") of \(day.compactText) not reported, or reported as more than all \(basis.rawValue)"
        case .noUse(let day): "no data for \(day.compactText)"
        case .noMonthlyUsers: "no monthly active users"
        case .noReleaseSource: "no source provides releases"
        case .noSessionSource: "no source provides sessions"
        case .noSessions: "no sessions"
        case .noSessionsOf(let release): "no sessions of \(release)"
        case .noSessionsOn(let release, let day): "no sessions of \(release) on \(day.compactText)"
        case .noSessionsByDay(let release): "no sessions of \(release) by day"
        case .noUsersByDay(let release): "no users of \(release) by day"
        case .noCrashCounts: "no crash data"
        case .inUseBefore(let release): "\(release) was in use before data began"
        case .sameVersion(let release, let label):
            "\(release) is the same version as \(label), in use before"
        case .neverInUse(let release):
            "\(release) never reached \(PercentFormat.levelText(ReleaseHistory.threshold)) of sessions"
        case .otherSource(let release): "\(release) was counted by another source"
        case .noCommonAge: "no data of both at the same age"
        case .noUsersAtAnAge: "no users of both at the same age"
        case .noUsersOn(let days): "no users of both in the last \(days) days"
        }
    }
}

extension StabilitySection {
    /// Whether the sources were fetched and none provides rates.
    var isUnknowable: Bool {
        if source == nil, case .absent(.unknowable) = nothing { true } else { false }
    }
}

/// Why an app has no rates: where a source of use counts sessions, what is missing are those that crashed.
func ratesAbsence(_ stability: StabilitySection, _ usage: UsageSection) -> String {
    stability.nothing.words(
        for: .sessions, named: usage.reportsSessions(stability) ? "crashed sessions" : nil)
}

extension DaySection {
    /// Why there are no issues of the day; nil when they are known.
    func issuesAbsence(_ issues: DayIssues) -> String? {
        issues.lack?.words(for: .issueDays)
            ?? (reportsNoIssues ? "No data by issue for this day." : nil)
    }
}

extension ReleaseFacts {
    /// Why there are no issues of the release; nil when any are known, or that there were none.
    func issuesAbsence(_ issues: ListedIssues) -> String? {
        if let why = issues.lack?.words(for: .issues) { return why }
        guard issues.countsReleases else {
            return issues.knowsFirstReleases ? nil : "The source doesn't report issues by release."
        }
        let isUnknown = issueDays?.known == 0 && self.issues.isEmpty && regressedIssues.isEmpty
        return isUnknown ? issueDaysText : nil
    }

    /// Why its issues with the most events are not known though others of it are; nil when they are.
    func topIssuesAbsence(_ issues: ListedIssues) -> String? {
        guard issuesAbsence(issues) == nil, !issues.countsReleases else { return nil }
        return "The source doesn't report events by release."
    }
}

extension Nothing {
    /// Why something cannot be shown at all.
    ///
    /// - Parameter name: what it is called, where that is not what the capability is called.
    func words(for capability: Capability, named name: String? = nil) -> String {
        switch self {
        case .failed(let why): "Couldn't fetch the source: \(why.summary)."
        case .absent(.noSource): "No sources configured."
        case .absent(.unknowable(let providers)):
            "\((name ?? capability.words).sentenceCased) not available: \(providing(providers)) them."
        case .absent: "No source fetched yet."
        }
    }
}

/// `'files' doesn't provide`, `'files', 'sentry' don't provide`.
func providing(_ names: [String]) -> String {
    "\(names.map { "'\($0)'" }.joined(separator: ", ")) \(names.count == 1 ? "doesn't" : "don't") provide"
}

extension Capability {
    /// What it means to a reader.
    var words: String {
        switch self {
        case .sessions: "sessions"
        case .users: "affected users"
        case .releaseHealth: "daily stability by release"
        case .releases: "releases"
        case .issues: "issues"
        case .issueDays: "issues by day"
        case .hours: "hourly data"
        case .usage: "active users"
        case .notes: "notes"
        }
    }
}

extension AppFacts {
    /// One sentence about how fresh and complete the data is.
    var freshnessSentence: String { freshness.sentence(capturedAt) }
}

extension Freshness {
    /// - Parameter capturedAt: when the newest data came, which may be totals without days; nil when none did.
    fileprivate func sentence(_ capturedAt: Instant?) -> String {
        let last = lastDay.map { "\(reachText ?? "Data through \($0.compactText)") (\(zone))" }
        let doubts =
            (isProvisional ? "; latest days provisional" : "") + (coverage.shareText.map { "; \($0)" } ?? "")
            + namedText(namedShare)
        let other = capturedAt.map { "No data by day; totals as of \($0.proseText)" }
        return (last ?? other ?? "No data yet") + doubts + "."
            + stale(failed) { "Latest fetch of \($0) failed." }
            + stale(overdue) { "Nothing recent from \($0)." }
            + stopped.map { " No recent \($0.figure.words) from '\($0.source)'." }.joined()
    }

    private func stale(_ sources: [Slug], _ sentence: (String) -> String) -> String {
        guard !sources.isEmpty else { return "" }
        return " " + sentence(sources.map { "'\($0.text)'" }.joined(separator: ", "))
    }

    /// `Rates through Thu, Nov 19, 2026, issues through Tue, Nov 17, 2026`; nil where all reach the same day.
    private var reachText: String? {
        guard !reaches.isEmpty else { return nil }
        let parts = reaches.map { "\($0.kind.words) through \($0.day.compactText)" }.joined(separator: ", ")
        return parts.prefix(1).uppercased() + parts.dropFirst()
    }
}

extension Freshness.Reach.Kind {
    fileprivate var words: String {
        switch self {
        case .rates: "rates"
        case .crashes: "crashes"
        case .issues: "issues"
        case .use: "active users"
        }
    }
}

/// `Stale: data from Thu, Nov 19, 2026, 06:00 UTC`.
func staleText(_ capturedAt: Instant) -> String { "Stale: data from \(capturedAt.proseText)" }

/// How fresh the data of a page is that is about one day, week, issue or release, such as
/// `Data as of Fri, Nov 20, 2026, 06:00 UTC; provisional.`: it stays until one of its figures is revised. Empty when
/// no capture is known.
///
/// - Parameter named: The share of what its users are counted from that names one; nil when all does.
func captureSentence(
    _ capturedAt: Instant?, isProvisional: Bool = false, _ coverage: Coverage = .unknown,
    named: Double? = nil
) -> String {
    let doubts =
        (isProvisional ? "; provisional" : "") + (coverage.shareText.map { "; \($0)" } ?? "")
        + namedText(named)
    return capturedAt.map { "Data as of \($0.proseText)\(doubts)." } ?? ""
}

/// `; users partial: 93% of the data`: the rest names no user, so there may be more; empty when all names one or none
/// does, or nothing is stated.
private func namedText(_ share: Double?) -> String {
    guard let share, share > 0 else { return "" }
    return "; users partial: \(PercentFormat(decimals: 0).text(share)) of the data"
}

extension Coverage {
    /// `±0.56%, approximate`: how far a count that is estimated may miss; nil when it is exact.
    var deviationText: String? { Pages.deviationText(deviation) }

    /// `partial: 12% of the data`, of the users and sessions of a day; `counts ±0.56%, approximate`; both where both hold;
    /// nil when nothing says that they are not all or not exact.
    fileprivate var shareText: String? {
        let texts = [partShareText, deviationText.map { "counts \($0)" }].compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    private var partShareText: String? {
        guard case .partial(let counted, let whole, _) = self else { return nil }
        guard let counted, let whole, let share = Fraction(counted, of: whole) else { return "partial" }
        return "partial: \(PercentFormat.sentence(share: share.value)) of the data"
    }
}

/// `±0.56%, approximate`: how far a count with this relative standard error may miss; nil when it is exact.
func deviationText(_ deviation: Double?) -> String? {
    deviation.flatMap(deviationReach).map { "±\(PercentFormat.sentence(share: $0)), approximate" }
}

/// `about 1% of the data, multiplied`: of what a sample is; nil without one.
func dataPartText(_ sampling: Double?) -> String? {
    sampling.map {
        let part = PercentFormat.sentence(share: 1 / $0)
        return "\(part.first?.isNumber == true ? "about " : "")\(part) of the data, multiplied"
    }
}

/// `changed by 0.3 pp between the last two snapshots`.
func doubtText(_ doubt: DayFinality.ProvisionalReason, _ counts: Audience.Display = .shown) -> String {
    switch doubt {
    case .early(let hours): "fetched less than \(hours) hours after it ended"
    case .seenOnce: "one snapshot so far"
    case .rateChanged(let points):
        // Two decimals where one would show nothing.
        "changed by \(pointsText(points, decimals: points >= 0.05 ? 1 : 2)) between the last two snapshots"
    case .countChanged(.some, .some) where counts == .hidden:
        "a count changed between the last two snapshots"
    case .countChanged(let before?, let after?):
        "a count changed from \(countText(before)) to \(countText(after)) between the last two snapshots"
    case .countChanged(nil, _): "a count is new in the last snapshot"
    case .countChanged(_, nil): "a count is missing in the last snapshot"
    }
}

extension QuietDay {
    /// `All quiet on Sun, Nov 15, 2026. Checked 54,286 sessions, 15 issues and 6 releases. Data as of
    /// Mon, Nov 16, 2026, 06:00 UTC; the day is final.`
    /// Without a source of issues it is quiet only as far as rates go, and while the rules have too few days to compare
    /// with, only as far as anything was reported.
    var sentence: String {
        "\(issues == nil || daysUntilAlerts != nil ? "No activity" : "All quiet") on \(day.compactText). "
            + "\(checkedText(sessions: sessions, users: users, issues, releases))"
            + "\(issues == nil ? "; issues not available" : ""). "
            + "Data as of \(capturedAt.proseText); the day is "
            + "\(isProvisional ? "provisional" : "final")."
            + (daysUntilAlerts.map { " \(alertsBegin) (\($0 == 0 ? "from the next day" : "\($0) more"))." }
                ?? "")
    }
}

/// `Stability Alerts start after 21 days with at least 5% of the day's sessions or users`
private let alertsBegin =
    "Stability Alerts start after \(StabilityRule.firstDays) days with at least "
    + "\(plainDecimal(StabilityRule.leastUse * 100))% of the day's sessions or users"

/// One sentence for several apps without activity; nil when there was some in any.
func quietSentence(_ days: [QuietDay?], asOf: Instant) -> String? {
    guard let quiet = QuietDays(days) else {
        return days.contains { $0 == nil } ? nil : days.first??.sentence
    }
    let last = quiet.span.upperBound
    let span =
        quiet.span.lowerBound == last ? "on \(last.compactText)" : "on the last complete day of each app"
    let what = checkedText(sessions: quiet.sessions, users: nil, quiet.issues, quiet.releases)
    let lacking = quiet.withoutIssues
    let lack =
        lacking == 0
        ? ""
        : "; issues not available" + (lacking < quiet.apps ? " for \(lacking) of \(quiet.apps) apps" : "")
    let state =
        quiet.provisional == 0
        ? "final"
        : quiet.provisional == quiet.apps ? "provisional" : "provisional for \(quiet.provisional) apps"
    let isWhole = lacking == 0 && quiet.withoutAlerts == 0
    return "\(isWhole ? "All quiet" : "No activity") \(span). \(what) of \(quiet.apps) apps\(lack). "
        + "Data as of \(timeText(quiet.capturedAt, asOf: asOf)); the data is \(state)."
        + (quiet.withoutAlerts == 0
            ? ""
            : " \(alertsBegin): \(countText(quiet.withoutAlerts)) of \(quiet.apps) apps \(quiet.withoutAlerts == 1 ? "has" : "have") fewer.")
}

/// `Checked 54,286 sessions, 15 issues and 6 releases`, of these what is known.
private func checkedText(sessions: Int?, users: Int?, _ issues: Int?, _ releases: Int?) -> String {
    let use = sessions.map { countedText($0, "session") } ?? users.map { countedText($0, "user") }
    let parts = [use, issues.map { countedText($0, "issue") }, releases.map { countedText($0, "release") }]
    let known = parts.compactMap(\.self)
    return "Checked " + (known.isEmpty ? "crash-free rates" : listed(known))
}

/// `06:00 UTC`, with its day when that is not the day of the report.
private func timeText(_ instant: Instant, asOf: Instant) -> String {
    instant.date == asOf.date ? "\(instant.timeText) UTC" : instant.proseText
}
