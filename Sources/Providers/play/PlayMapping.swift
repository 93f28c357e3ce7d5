import AppHealth

/// The zone of Play's days.
let playZone = "America/Los_Angeles"

/// Health by day from the rows of a rate; one row for each day and, with versions, for each version code.
///
/// The service gives a fraction and a rounded number of users. Affected users are their product, rounded.
func playHealth(
    _ rows: [Placed<PlayRows.Row>], measure: PlayMeasure, names: PlayReleaseNames?,
    losses: inout SkippedValues
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

/// Nil is a row that is skipped, a nil within is a day of all versions.
private func label(
    of row: Placed<PlayRows.Row>, names: PlayReleaseNames?, losses: inout SkippedValues
) -> String?? {
    guard let names else { return .some(nil) }
    guard let code = row.value.dimension("versionCode").flatMap({ wholeNumber($0) }) else {
        losses.refuse("\(row.path).dimensions", expected: "a versionCode", found: "none")
        return nil
    }
    return names.mayName(code) ? .some(names.version(code).label) : nil
}

/// The day of a row in Los Angeles; nil with a loss for any other span or zone.
func playDay(_ row: Placed<PlayRows.Row>, losses: inout SkippedValues) -> CivilDate? {
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
func playWhole(_ number: Double?, at path: String, _ words: String, _ losses: inout SkippedValues) -> Int?? {
    guard let number else { return .some(nil) }
    guard let whole = Int(exactly: number.rounded()), whole >= 0, whole < 1 << 53 else {
        losses.refuse("\(path).metrics", expected: "a number of \(words)", found: "\(number)")
        return nil
    }
    return .some(whole)
}

/// A fraction in 0…1, though the documentation speaks of percentages; nil within when there is none.
private func playRate(_ number: Double?, at path: String, _ losses: inout SkippedValues) -> Double?? {
    guard let number else { return .some(nil) }
    guard (0...1).contains(number) else {
        losses.refuse("\(path).metrics", expected: "a fraction in 0…1", found: "\(number)")
        return nil
    }
    return .some(number)
}

/// Reports by day, of every issue.
struct PlayCounts: Sendable {
    /// The days of the issues that are known.
    var issueDays: [IssueDay] = []
    /// Crashes of each day, all issues together.
    var crashes: [CivilDate: Int] = [:]
    /// All issues with rows, also those that are not among the known ones.
    var all: Set<String> = []

    /// Reads the rows by type and issue. Their users are not rounded: each issue is of one type.
    init(_ rows: [Placed<PlayRows.Row>], issues: Set<String>, losses: inout SkippedValues) {
        var seen: Set<String> = []
        for row in rows {
            let type = row.value.dimension("reportType")
            guard type.map(isFatal) ?? true else { continue }
            guard let issue = row.value.dimension("issueId") else {
                losses.refuse("\(row.path).dimensions", expected: "an issueId", found: "none")
                continue
            }
            guard let date = playDay(row, losses: &losses),
                let events = playWhole(
                    row.value.number("errorReportCount"), at: row.path, "reports", &losses),
                let users = playWhole(
                    row.value.number("distinctUsers"), at: row.path, "users", &losses),
                losses.isFirst("\(date) \(issue)", in: &seen, at: row.path, "a day of an issue")
            else { continue }
            all.insert(issue)
            if type == "CRASH", let events { crashes[date] = checkedSum([crashes[date] ?? 0, events]) }
            guard issues.contains(issue) else { continue }
            issueDays.append(IssueDay(issue: issue, date: date, events: events, users: users))
        }
        issueDays.sort { ($0.issue, $0.date) < ($1.issue, $1.date) }
    }
}

private func isFatal(_ type: String) -> Bool {
    ["CRASH", "ANR", "APPLICATION_NOT_RESPONDING"].contains(type)
}

/// An issue. Play has no state and no first occurrence of one; `firstAppVersion` is the oldest of the window
/// only, so it is not taken for the oldest ever.
func playIssue(
    _ found: Placed<PlayIssues.Element>, names: PlayReleaseNames, losses: inout SkippedValues
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
        events: issue.errorReportCount?.value, users: issue.distinctUsers?.value,
        url: losses.webAddress(issue.issueUri?.nonEmpty, at: "\(found.path).issueUri"))
}

private func kind(_ type: String?) -> Issue.Kind {
    switch type {
    case "APPLICATION_NOT_RESPONDING", "ANR": .hang
    case "NON_FATAL": .error
    default: .crash
    }
}

/// A note that says what the service found; about the release when it was found in one version code.
///
/// It is dated by the beginning of the anomaly, for its end moves while it lasts.
func playAnomaly(
    _ found: Placed<PlayAnomalies.Element>, names: PlayReleaseNames, losses: inout SkippedValues
) -> Note? {
    let anomaly = found.value
    let id = lastSegment(anomaly.name.text)
    guard !id.isEmpty else { return nil }
    guard let start = anomaly.timelineSpec.startTime.instant else {
        losses.refuse(
            "\(found.path).timelineSpec.startTime", expected: "a time in a known zone", found: "none")
        return nil
    }
    return Note(
        id: id, at: start, author: "Google Play", text: words(of: anomaly),
        subject: subject(of: anomaly, names: names))
}

private func subject(of anomaly: PlayAnomalies.Element, names: PlayReleaseNames) -> Note.Subject {
    let code = anomaly.dimensions?.values.first { $0.dimension.text == "versionCode" }?.text
    return code.flatMap { wholeNumber($0) }.map { .release(names.version($0).label) } ?? .app
}

/// `Anomaly in crashRate: 8.93% (confidence interval 8% to 9.5%), on 2026-11-16, for versionCode 370.`
private func words(of anomaly: PlayAnomalies.Element) -> String {
    let metric = anomaly.metric
    let name = metric.metric.text
    var words = "Anomaly in \(name)"
    if let value = metric.decimalValue { words += ": \(number(value, of: name))" }
    let interval = metric.decimalValueConfidenceInterval
    if let lower = interval?.lowerBound, let upper = interval?.upperBound {
        words += " (confidence interval \(number(lower, of: name)) to \(number(upper, of: name)))"
    }
    words += ", " + period(of: anomaly.timelineSpec)
    let dimensions = (anomaly.dimensions?.values ?? []).compactMap(part(of:))
    return dimensions.isEmpty
        ? words + "." : words + ", for \(dimensions.joined(separator: " and "))."
}

private func part(of dimension: PlayRows.Dimension) -> String? {
    dimension.text.map { text in
        let label = dimension.valueLabel?.nonEmpty.map { $0 == text ? "" : " (\($0))" } ?? ""
        return "\(dimension.dimension.text) \(text)\(label)"
    }
}

/// Rates are fractions, though the service calls them percentages; what is none stays as it came.
private func number(_ decimal: WireDecimal, of metric: String) -> String {
    let value = decimal.number
    if metric.contains("Rate"), (0...1).contains(value) {
        return "\(plain((value * 10_000).rounded() / 100))%"
    }
    return plain(value)
}

private func plain(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
}

/// The first and the last day; of hours, the first and the one at which it ended.
private func period(of timeline: PlayAnomalies.Timeline) -> String {
    let (start, end) = (timeline.startTime, timeline.endTime)
    let first = start.date?.description ?? ""
    if timeline.aggregationPeriod?.text == "HOURLY" {
        let until = end?.date.map { " until \($0) \(clock(end?.hours))" } ?? ""
        return "from \(first) \(clock(start.hours))\(until) (\(start.timeZone?.id ?? "UTC"))"
    }
    let last = end?.date.map { $0.advanced(by: -1).description } ?? first
    return first == last ? "on \(first)" : "from \(first) to \(last)"
}

private func clock(_ hours: Int?) -> String {
    let hours = hours ?? 0
    return (hours < 10 ? "0" : "") + "\(hours):00"
}

/// The file and the line that a location names in the way of a stack frame: `flush(Canvas.kt:54)`. Most
/// locations are only the name of a method or of an activity.
func playPlace(_ location: String?) -> CodePlace? {
    guard let location, let colon = location.lastIndex(of: ":") else { return nil }
    let digits = location[location.index(after: colon)...].prefix { $0.isASCII && $0.isWholeNumber }
    let rest = location[location.index(colon, offsetBy: digits.count + 1)...]
    let file = location[..<colon].suffix(while: { !" (\t".contains($0) })
    let ending = file.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    let isFile =
        file.contains(".") && (1...5).contains(ending.count)
        && ending.allSatisfy { $0.isASCII && $0.isLetter }
    guard isFile, rest.isEmpty || rest.hasPrefix(")"), let line = wholeNumber(digits), line > 0 else {
        return nil
    }
    return CodePlace(file: String(file), line: line)
}

extension Substring {
    fileprivate func suffix(while isWanted: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !isWanted($0) }) else { return self }
        return self[index(after: last)...]
    }
}

/// The names of version codes.
///
/// The service names the releases that are served, and reports on others for weeks; the console can rename one. A code
/// is called what it was called first: otherwise the users of its days were stored once under each name.
struct PlayReleaseNames: Sendable {
    private var served: [Int: String] = [:]
    private var known: [Int: Version] = [:]
    private var codesOfNames: [String: Set<Int>] = [:]
    /// Whether the names of this run came.
    private var isCurrent = false

    /// The names that an earlier run gave; without one a version is called by its code.
    init(known releases: [Release] = []) {
        for version in releases.map(\.version) {
            guard let code = wholeNumber(version.build), known[code] == nil else { continue }
            known[code] = version
            codesOfNames[version.label, default: []].insert(code)
        }
    }

    init(_ options: PlayReleaseOptions, known releases: [Release] = []) {
        self.init(known: releases)
        isCurrent = true
        let releases = (options.tracks?.values ?? []).flatMap { $0.servingReleases?.values ?? [] }
        for release in releases {
            guard let display = release.displayName?.nonEmpty else { continue }
            let codes = (release.versionCodes?.values ?? []).map(\.value)
            for code in codes where served[code] == nil {
                let name = plainName(display, of: codes)
                served[code] = name
                codesOfNames[name, default: []].insert(code)
            }
        }
    }

    /// The name with the code as its build; the code itself where no release was ever served with it. Users of two
    /// codes cannot be added up, so codes that share a name are kept apart: `4.2.1+370`.
    func version(_ code: Int) -> Version {
        if let version = known[code] { return version }
        guard let name = served[code] else { return Version(String(code), build: String(code)) }
        let isShared = codesOfNames[name, default: []].count > 1
        return Version(isShared ? "\(name)+\(code)" : name, build: String(code))
    }

    /// Whether the days of a code may be stored under the name that is known of it now. In a run without names, a code
    /// that no earlier run named may have one: stored under the code, its users would be there twice once the name comes.
    /// Where names never came, codes are all there is.
    func mayName(_ code: Int) -> Bool { isCurrent || known.isEmpty || known[code] != nil }

    /// The releases that are served, newest first.
    var releases: [Release] {
        served.keys.map { Release(version: version($0), releasedAt: nil) }
            .sorted { $0.version > $1.version }
    }
}

/// `4.2.1` of the name that the console proposes, `370 (4.2.1)`, where 370 is one of the release's codes; any
/// other name as it is.
private func plainName(_ display: String, of codes: [Int]) -> String {
    let parts = display.split(separator: " (", maxSplits: 1)
    guard parts.count == 2, let code = wholeNumber(parts[0]), codes.contains(code),
        parts[1].last == ")",
        parts[1].count > 1
    else { return display }
    return String(parts[1].dropLast())
}
