import AppHealth

/// The zone of Play's days.
let playZone = "America/Los_Angeles"

/// Health by day from the rows of a rate; one row for each day and, with versions, for each version code.
///
/// The service gives a fraction and a rounded number of users. Those who met it are their product, rounded.
func playHealth(
    _ rows: [Placed<PlayRows.Row>], measure: PlayMeasure, names: PlayReleaseNames?,
    losses: inout Losses
) -> [HealthDay] {
    var seen: Set<String> = []
    return rows.compactMap { row in
        guard let date = playDay(row, losses: &losses),
            let label = label(of: row, names: names, losses: &losses),
            let users = playWhole(row.value.number("distinctUsers"), at: row.path, "users", &losses),
            let rate = playRate(row.value.number(measure.rate), at: row.path, &losses),
            losses.isFirst("\(date) \(label ?? "")", in: &seen, at: row.path, "a day")
        else { return nil }
        let crashed = users.flatMap { users in rate.map { Int((Double(users) * $0).rounded()) } }
        return HealthDay(date: date, version: label, users: users, crashedUsers: crashed)
    }
    .sorted { ($0.date, $0.version ?? "") < ($1.date, $1.version ?? "") }
}

/// Nil is a row that is left out, a nil within is a day of all versions.
private func label(
    of row: Placed<PlayRows.Row>, names: PlayReleaseNames?, losses: inout Losses
) -> String?? {
    guard let names else { return .some(nil) }
    guard let code = row.value.dimension("versionCode").flatMap({ wholeNumber($0) }) else {
        losses.refuse("\(row.path).dimensions", expected: "a versionCode", found: "none")
        return nil
    }
    return .some(names.version(code).label)
}

/// The day of a row in Los Angeles; nil with a loss for any other span or zone.
func playDay(_ row: Placed<PlayRows.Row>, losses: inout Losses) -> CivilDate? {
    let start = row.value.startTime
    let zone = start.timeZone?.id ?? playZone
    guard zone == playZone, start.hours ?? 0 == 0,
        row.value.aggregationPeriod?.text ?? "DAILY" == "DAILY"
    else {
        losses.refuse(
            "\(row.path).startTime", expected: "a day in \(playZone)", found: quoted(zone, limit: 40))
        return nil
    }
    guard let date = start.date else {
        losses.refuse("\(row.path).startTime", expected: "a date", found: "none")
        return nil
    }
    return date
}

/// A count that is sent as a decimal; nil within when there is none, nil when it cannot be one.
func playWhole(_ number: Double?, at path: String, _ words: String, _ losses: inout Losses) -> Int?? {
    guard let number else { return .some(nil) }
    guard let whole = Int(exactly: number.rounded()), whole >= 0, whole < 1 << 53 else {
        losses.refuse("\(path).metrics", expected: "a number of \(words)", found: "\(number)")
        return nil
    }
    return .some(whole)
}

/// A fraction in 0…1, though the documentation speaks of percentages; nil within when there is none.
private func playRate(_ number: Double?, at path: String, _ losses: inout Losses) -> Double?? {
    guard let number else { return .some(nil) }
    guard (0...1).contains(number) else {
        losses.refuse("\(path).metrics", expected: "a fraction in 0…1", found: "\(number)")
        return nil
    }
    return .some(number)
}

/// Reports by day of the issues that are known, from the rows by type and issue.
func playIssueDays(
    _ rows: [Placed<PlayRows.Row>], issues: Set<String>, losses: inout Losses
) -> [IssueDay] {
    var seen: Set<String> = []
    return rows.compactMap { row in
        guard let issue = row.value.dimension("issueId"), issues.contains(issue),
            let date = playDay(row, losses: &losses),
            let events = playWhole(
                row.value.number("errorReportCount"), at: row.path, "reports", &losses),
            let users = playWhole(row.value.number("distinctUsers"), at: row.path, "users", &losses),
            losses.isFirst("\(date) \(issue)", in: &seen, at: row.path, "a day of an issue")
        else { return nil }
        return IssueDay(issue: issue, date: date, events: events, users: users)
    }
    .sorted { ($0.issue, $0.date) < ($1.issue, $1.date) }
}

/// An issue. Play has no state and no first sighting of one; `firstAppVersion` is the oldest of the window
/// only, so it is not taken for the oldest ever.
func playIssue(
    _ found: Placed<PlayIssues.Element>, names: PlayReleaseNames, losses: inout Losses
) -> Issue? {
    let issue = found.value
    let id = lastSegment(issue.name.text)
    guard !id.isEmpty else { return nil }
    let words = [issue.cause?.nonEmpty, issue.location?.nonEmpty].compactMap(\.self)
    return Issue(
        id: id, title: words.isEmpty ? id : words.joined(separator: " in "),
        kind: kind(issue.type?.text),
        place: playPlace(issue.location?.nonEmpty), lastSeen: issue.lastErrorReportTime?.instant,
        lastVersion: issue.lastAppVersion?.versionCode.map { names.version($0.value) },
        events: issue.errorReportCount?.value ?? 0, users: issue.distinctUsers?.value,
        url: losses.webAddress(issue.issueUri?.nonEmpty, at: "\(found.path).issueUri"))
}

private func kind(_ type: String?) -> Issue.Kind {
    switch type {
    case "APPLICATION_NOT_RESPONDING", "ANR": .hang
    case "NON_FATAL": .error
    default: .crash
    }
}
