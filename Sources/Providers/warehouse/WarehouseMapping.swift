import AppHealth
import Diagnostics

/// What came of one round of queries, as it becomes a snapshot.
struct WarehouseMapping {
    let window: WarehouseWindow
    /// The most issues that were requested.
    let mostIssues: Int
    /// The relative standard error of the counts of each query.
    private let deviations: [WarehouseQuery: Double]
    /// Whether releases are those of the window and the month before it, not of all data.
    private let areReleasesOfMonth: Bool
    var tables: [WarehouseQuery: WarehouseTable]
    var snapshot: Snapshot
    /// The queries whose crashes are of a table that is loaded apart from that of the sessions.
    let ofCrashTable: Set<WarehouseQuery>
    /// How far that table is loaded.
    var crashTable: CrashTableReach
    /// How far the table of the sessions is loaded: other days stay unknown until a later fetch.
    private(set) var sessionTable: SessionTableReach
    /// What earlier fetches stored of days and releases.
    let earlier: StoredWarehouse
    /// The days of issues and their hours of the answers; nil when there is none.
    private(set) var issueDayRows: [IssueDay]?
    private(set) var issueHourRows: [IssueHour]?
    /// The queries that have a text.
    private let asked: Set<WarehouseQuery>
    /// Those whose text is the user's own.
    private let own: Set<WarehouseQuery>
    /// Whether the table of first uses is loaded apart from that of the sessions.
    let hasFirstsTable: Bool
    /// The days of the answer, of all releases and by release; nil when there is none.
    private var answeredDays: [HealthDay]?
    private var answeredReleaseDays: [HealthDay]?
    /// The days of use of the answer.
    private(set) var answeredUsage: [UsageDay] = []
    /// The issues of the answer; nil when there is none.
    private(set) var listed: [Issue]?
    /// The first day of which the warehouse has anything, but for rows of devices whose clocks are behind; nil when unknown.
    private(set) var begin: CivilDate?
    /// Whether the days that are known show that first day.
    private var isBeginShown = false
    /// The first day of which there was anything to count when all of the history was asked for; nil when that is
    /// unknown, or before the history.
    var firstDay: CivilDate?
    /// Days that were never loaded: of weeks and months with one of them the users are not known.
    var gaps: Set<CivilDate>
    /// Whether no answer has a row, and nothing is stored.
    private(set) var hasNoRow = false
    /// How many issues the warehouse counts on a day.
    private var issuesOfDays: [CivilDate: Int] = [:]

    init(
        _ tables: [WarehouseQuery: WarehouseTable], of snapshot: Snapshot, window: WarehouseWindow,
        begin firstDay: CivilDate?, gaps: Set<CivilDate> = [], mostIssues: Int,
        texts: [WarehouseQuery: QueryFile],
        areReleasesOfMonth: Bool, earlier: StoredWarehouse = StoredWarehouse(),
        stored: () -> KnownIssues = { KnownIssues() }
    ) {
        (self.tables, self.snapshot, self.window, self.mostIssues) = (tables, snapshot, window, mostIssues)
        self.areReleasesOfMonth = areReleasesOfMonth
        (self.firstDay, self.earlier) = (firstDay, earlier)
        sessionTable = SessionTableReach(window, days: [:], hours: nil)
        self.gaps = gaps.filter { !window.days.contains($0) }
        deviations = texts.compactMapValues(\.deviation)
        ofCrashTable = Set(texts.filter(\.value.readsCrashTable).keys)
        crashTable = CrashTableReach(window)
        asked = Set(texts.keys)
        own = Set(texts.filter { $0.value.deviation == nil }.keys)
        hasFirstsTable = texts[.newUsers]?.readsFirstsTable ?? true
        answeredDays = healthDays(.days, byRelease: false)
        answeredReleaseDays = healthDays(.releaseDays, byRelease: true)
        answeredUsage = usageRows()
        addReleases()
        listed = issues()
        issueDayRows = issueDays(.issueDays, byRelease: false)
        issueHourRows = issueHours()
        var known: KnownIssues?
        func storedOnce() -> KnownIssues {
            let found = known ?? stored()
            known = found
            return found
        }
        addHealth(storedOnce)
        addUsage()
        addIssues(storedOnce)
        addIssueHours()
        hasNoRow =
            WarehouseQuery.mainOnes.contains { tables[$0] != nil } && tables.values.allSatisfy(\.isEmpty)
            && earlier.isEmpty && storedOnce().issues.isEmpty
        self.snapshot.warnings += WarehouseQuery.allCases.flatMap { self.tables[$0]?.losses.warnings ?? [] }
    }

    /// What each row of an answer makes; nil when there is no answer.
    mutating func values<Value>(
        _ query: WarehouseQuery, _ make: (inout WarehouseRow) -> Value?
    ) -> [Value]? {
        tables[query]?.values(make)
    }

    /// How much of its rows an answer has: a row that was skipped is missing.
    func coverage(of query: WarehouseQuery) -> Coverage {
        let deviation = deviations[query] ?? 0
        guard tables[query]?.losses.warnings.isEmpty ?? false else {
            return .partial(counted: nil, of: nil, deviation: deviation)
        }
        return deviation > 0 ? .approximate(deviation: deviation) : .complete
    }

    /// How much of what it is about an answer names, where a row that is missing is one of nothing.
    private func coverageOfParts(_ query: WarehouseQuery) -> Coverage {
        guard tables[query]?.skipped == 0 else {
            return .partial(counted: nil, of: nil, deviation: deviations[query] ?? 0)
        }
        return coverage(of: query)
    }

    private func isInWindow(_ day: CivilDate) -> Bool { window.days.contains(day) }

    /// How far the table is loaded that an answer has its crashes from; nil where they come with the sessions.
    private func crashTable(of query: WarehouseQuery) -> CrashTableReach? {
        ofCrashTable.contains(query) ? crashTable : nil
    }

    /// Whether an answer has the crashes of a day.
    func knowsCrashes(_ query: WarehouseQuery, on day: CivilDate) -> Bool {
        crashTable(of: query)?.knows(day) ?? sessionTable.knows(day)
    }
}

// MARK: Days

extension WarehouseMapping {
    /// A release that was there on the first day of all data came out before it.
    ///
    /// Its day is stored as the first second of that date in UTC, whatever the zone; the source says so.
    ///
    /// Where no more than a month before the window is read, a release that was there before the window is not new: an
    /// earlier fetch stored it, with the day on which it came out if it saw that.
    private mutating func addReleases() {
        let found = values(.releases) { row -> (version: Version, first: CivilDate?)? in
            guard let label = row.text("release") else { return nil }
            let first = row.cell("first_day") == .null ? nil : row.date("first_day")
            return (Version(withBuildIn: label), first)
        }
        let days = releaseDays((found ?? []).compactMap(\.first))
        let isKnown: (CivilDate?) -> Bool = { [areReleasesOfMonth, window] day in
            areReleasesOfMonth && !window.isFirst && day.map { $0 < window.days.lowerBound } ?? false
        }
        let seen = (found ?? []).filter { !days.isOfClock($0.version, $0.first) }.map { version, first in
            (version: version, first: first.flatMap { days.first(of: version, $0) })
        }
        begin = days.firstOfAll(seen.compactMap(\.first))
        isBeginShown = days.begin.isShown
        snapshot.releases = seen.withBuildsTogether(but: isKnown).map { version, first in
            let day = days.day(of: version, first: first, firstOfAll: begin)
            return Release(version: version, releasedAt: day.map { Instant(startOf: $0) })
        }.sorted { $0.version < $1.version }
    }

    /// What the days that are known say of the first days of releases.
    private func releaseDays(_ firsts: [CivilDate]) -> ReleaseDays {
        let sessions = Dictionary(
            grouping: answeredReleaseDays ?? [], by: { Version(withBuildIn: $0.version ?? "").label }
        ).mapValues { days in
            Dictionary(days.map { ($0.date, $0.sessions ?? 0) }) { $0.addingCapped($1) }
        }
        return ReleaseDays(
            begin: own.contains(.releases) ? DataBegin(firsts) : dataBegin(firsts), window: window,
            earlier: earlier, sessions: sessions,
            areOfRows: !own.contains(.releases) && Set(firsts).count > 1)
    }

    /// Since when there is data, by the sessions of days, or by their users where there are none.
    private func dataBegin(_ firsts: [CivilDate]) -> DataBegin {
        let days = answeredDays.map { $0.map { ($0.date, $0.sessions ?? 0) } }
        let stored = days == nil ? earlier.counts.activeUsers : earlier.counts.sessions
        // Where nothing is stored, nothing is known of days before the window.
        guard window.isFirst || !stored.isEmpty else { return DataBegin(firsts) }
        let rows = Dictionary(days ?? answeredUsage.map { ($0.date, $0.activeUsers ?? 0) }) { first, _ in
            first
        }
        return DataBegin(
            firsts, rows: stored.merging(rows) { _, own in own },
            requested: min(window.days.lowerBound, stored.keys.min() ?? window.days.lowerBound),
            counted: firstDay)
    }

    private mutating func addHealth(_ stored: () -> KnownIssues) {
        let crashes = values(.crashDays) { row -> CrashDay? in
            guard let day = row.date("day"), let crashes = row.count("crashes") else { return nil }
            return CrashDay(date: day, crashes: crashes, issues: row.count("issues"))
        }?.filter { isInWindow($0.date) }
        let hours = self.hours()
        let answered = answeredDays
        sessionTable = sessionReach(answered ?? [], hours)
        warnOfSessionTable()
        let loaded = answered?.filter { sessionTable.knows($0.date) }
        learnCrashTable(loaded, crashes, stored)
        let all = loaded?.map { withoutUnknownCrashes($0, of: .days) }
        var days = Dictionary((all ?? []).map { ($0.date, $0) }) { first, _ in first }
        let live = liveDays(all, crashes?.map(\.date))
        if let crashes {
            for day in crashes { issuesOfDays[day.date] = day.issues }
            let counts = Dictionary(crashes.map { ($0.date, $0.crashes) }) { first, _ in first }
            for day in live { days[day, default: HealthDay(date: day)].crashes = counts[day] ?? 0 }
            if tables[.crashDays]?.has("issues") == true {
                for day in live where counts[day] == nil { issuesOfDays[day] = 0 }
            }
            snapshot.coverage += coverageSpans(.crashes, live, coverage(of: .crashDays))
        }
        snapshot.health = days.values.sorted { $0.date < $1.date }
        warnOfMany(all ?? [])
        let known = coverage(of: .days)
        snapshot.coverage += coverageSpans(
            .sessions, (all ?? []).filter { $0.crashedSessions != nil }.map(\.date), known)
        snapshot.coverage += coverageSpans(
            .users, (all ?? []).filter { $0.users != nil && $0.crashedUsers != nil }.map(\.date), known)
        addReleaseHealth(of: all.map { Set($0.map(\.date)) })
        addHours(hours)
    }

    /// Releases of the days whose totals came with them: those of days of which an earlier fetch stored the totals may be
    /// more than these.
    private mutating func addReleaseHealth(of days: Set<CivilDate>?) {
        let found = answeredReleaseDays?.map {
            withoutUnknownCrashes($0, of: .releaseDays)
        }.withBuildsTogether(of: snapshot.health)
        let isOfThese: (HealthDay) -> Bool = { days?.contains($0.date) ?? true }
        // Sessions of no release at all may as well be those of a table that was not loaded.
        guard let releases = found?.filter(isOfThese), !releases.isEmpty,
            days != nil || !asked.contains(.days)
        else { return }
        snapshot.health += releases.sorted { ($0.date, $0.version ?? "") < ($1.date, $1.version ?? "") }
        snapshot.coverage += coverageSpans(
            .releaseHealth, days ?? Set(releases.map(\.date)), coverageOfParts(.releaseDays))
    }

    /// Counting many one by one takes memory that grows with them.
    private mutating func warnOfMany(_ days: [HealthDay]) {
        let most = WarehouseDistinct.mostExact
        guard deviations[.days] == 0,
            let day = days.first(where: { max($0.sessions ?? 0, $0.users ?? 0) > most })
        else { return }
        let provider = snapshot.source.provider
        snapshot.warnings.append(
            .warning(
                "\(provider).distinct",
                "\(provider): More than \(most) sessions or users of a day are counted exactly",
                details: ["first on \(day.date)"],
                hints: [
                    "set 'distinct: approximate' to count them in little memory, with an error that is shown"
                ]
            ))
    }

    private mutating func healthDays(_ query: WarehouseQuery, byRelease: Bool) -> [HealthDay]? {
        let isExact = deviations[query, default: 0] == 0
        return values(query) { row in
            guard let date = row.date("day") else { return nil }
            var day = HealthDay(date: date)
            if byRelease {
                guard let release = row.required("release") else { return nil }
                day.version = release
            }
            day.sessions = row.count("sessions")
            day.crashedSessions = row.part("crashed_sessions", of: day.sessions)
            day.users = row.count("users")
            day.crashedUsers = row.part("crashed_users", of: day.users)
            day.namedShare = row.namedShare(
                of: day.sessions, without: "unnamed_sessions", isExact: isExact)
            return day.sessions != nil ? day : nil
        }?.filter { isInWindow($0.date) }
    }

    /// The days whose crashes are known: those with a session; without sessions, those up to the last with a crash. A day
    /// without any row may be one that was never loaded.
    private func liveDays(_ health: [HealthDay]?, _ crashes: [CivilDate]?) -> Set<CivilDate> {
        crashDays(health, crashes ?? []).filter { knowsCrashes(.crashDays, on: $0) }
    }

    /// The days on which there may have been a crash: those with a session or a crash; without sessions, those up to the last
    /// with a crash.
    func crashDays(_ health: [HealthDay]?, _ crashes: [CivilDate]) -> Set<CivilDate> {
        if let health { return Set(health.map(\.date)).union(crashes) }
        guard let first = crashes.min(), let last = crashes.max() else { return [] }
        return Set((first...last).all)
    }
}

// MARK: Issues

extension WarehouseMapping {
    private mutating func issues() -> [Issue]? {
        let issues = values(.issues) { row -> Issue? in
            guard let id = row.required("issue") else { return nil }
            var issue = Issue(id: id, title: row.text("title") ?? id)
            issue.kind = row.word("kind") ?? .crash
            if let file = row.text("file") {
                issue.place = CodePlace(file: file, line: row.count("line").flatMap { $0 == 0 ? nil : $0 })
            }
            issue.firstSeen = row.instant("first_seen")
            issue.lastSeen = row.instant("last_seen")
            issue.lastVersion =
                row.text("releases")?.split(separator: "\n").map { Version(withBuildIn: String($0)) }.max()
            // No issue has no events: those that are counted are of fewer days.
            issue.events = row.count("events").flatMap { $0 == 0 ? nil : $0 }
            if issue.events != nil { issue.users = row.count("users") }
            issue.namedShare = row.namedShare(of: issue.events, without: "unnamed_events")
            issue.url = row.webAddress("url")
            return issue
        }
        for seen in (issues ?? []).compactMap(\.lastSeen) { crashTable.add(seen) }
        return issues?.map {
            var issue = $0
            (issue.firstSeen, issue.lastSeen) = (notAhead($0.firstSeen), notAhead($0.lastSeen))
            return issue
        }
    }

    /// The issues without first events of the first day of all data: one that was there on that day began before it.
    private func withoutFirstOfBegin(_ issues: [Issue], _ stored: () -> KnownIssues) -> [Issue] {
        guard let begin, isBeginShown, !own.contains(.issues) else { return issues }
        let places = issues.indices.filter { place in
            issues[place].firstSeen.map { window.day(of: $0) <= begin } ?? false
        }
        guard !places.isEmpty, !hasCrashTable(before: begin, stored) else { return issues }
        var issues = issues
        for place in places { issues[place].firstSeen = nil }
        return issues
    }

    /// Whether crashes have a table of their own that is older than a day: it knows its first day itself. The few rows of devices
    /// whose clocks are behind are none of a table.
    private func hasCrashTable(before day: CivilDate, _ stored: () -> KnownIssues) -> Bool {
        guard ofCrashTable.contains(.issues) else { return false }
        var rows: [CivilDate: Int] = [:]
        for row in (issueDayRows ?? []) + stored().days.filter({ !isInWindow($0.date) }) {
            guard let events = row.events, events > 0 else { continue }
            rows[row.date] = (rows[row.date] ?? 0).addingCapped(events)
        }
        let usual = OrdinaryDay(rows.filter { $0.key >= day }.map(\.value))?.count ?? 0
        let before = rows.count { $0.key < day && LoadedHours.isFair($0.value, of: Double(usual)) }
        return before >= OrdinaryDay.fewest
    }

    /// A time without what the clock of a device is ahead: its row came before the fetch. One of a later day says nothing of
    /// when that was.
    private func notAhead(_ seen: Instant?) -> Instant? {
        seen.flatMap {
            let ahead = snapshot.capturedAt.seconds(to: $0)
            return ahead > 86_400 ? nil : ahead > 0 ? snapshot.capturedAt : $0
        }
    }

    private mutating func addIssues(_ stored: () -> KnownIssues) {
        guard let issues = listed.map({ withoutFirstOfBegin($0, stored) }) else { return }
        let areListed = issues.count < mostIssues && coverageOfParts(.issues).isComplete
        snapshot.issues = issues + (areListed ? ended(stored, but: issues) : [])
        let ids = Set(issues.map(\.id))
        let days = issueDayRows
        let releases = issueDays(.issueReleases, byRelease: true)?.withBuildsTogether
        snapshot.issueDays = ((days ?? []) + (releases ?? [])).filter { ids.contains($0.issue) }
        let dates = issueDates
        for (query, all) in [(WarehouseQuery.issueDays, days), (.issueReleases, releases)] {
            guard let all else { continue }
            let found = all.filter { ids.contains($0.issue) }
            // What came between two queries is in one of them alone.
            let isWhole = areListed && found.count == all.count && coverageOfParts(query).isComplete
            let covered = coverage(
                of: found, on: dates, isWhole: isWhole, mayLack: query == .issueReleases)
            snapshot.coverage += coverageSpans(query == .issueDays ? .issueDays : .issueReleases, covered)
            // Users that are null everywhere are those of a source that names none.
            let namesUsers = found.isEmpty || found.contains { $0.users != nil }
            if query == .issueDays, tables[query]?.has("users") == true, namesUsers {
                let named = coverage(
                    of: found.filter { $0.users != nil }, on: dates,
                    isWhole: isWhole && found.allSatisfy { $0.users != nil }, mayLack: false)
                snapshot.coverage += coverageSpans(.issueUsers, named)
            }
        }
    }

    /// Stored issues that a whole list lacks: they had no event in its time, whatever an earlier list counted. A list that
    /// lost every issue is no answer.
    private func ended(_ stored: () -> KnownIssues, but issues: [Issue]) -> [Issue] {
        guard tables[.issues]?.has("events") == true, crashTable(of: .issues)?.isBehind != true else {
            return []
        }
        let known = stored()
        if issues.isEmpty, known.daysWithEvents.contains(where: window.issueDays.contains) { return [] }
        let ids = Set(issues.map(\.id))
        return known.issues.filter { !ids.contains($0.id) && (($0.events ?? 0) > 0 || ($0.users ?? 0) > 0) }
            .map { issue in
                var issue = issue
                (issue.events, issue.users, issue.namedShare) = (0, issue.users.map { _ in 0 }, nil)
                return issue
            }
    }

    private mutating func issueDays(_ query: WarehouseQuery, byRelease: Bool) -> [IssueDay]? {
        values(query) { row -> IssueDay? in
            guard let issue = row.required("issue"), let date = row.date("day"),
                let events = row.count("events")
            else { return nil }
            let release = byRelease ? row.required("release") : nil
            if byRelease, release == nil { return nil }
            var day = IssueDay(
                issue: issue, date: date, version: release, events: events, users: row.count("users"))
            day.namedShare = row.namedShare(of: events, without: "unnamed_events")
            return day
        }?.filter { isInWindow($0.date) }
    }

    /// The days of which the counts of issues are known: those of the crashes, or those that any issue names. A table
    /// without any row may be one that was emptied.
    private var issueDates: Set<CivilDate> {
        guard crashTable(of: .crashDays)?.isEmpty != true else { return [] }
        let crashes = CoverageHistory(snapshot.coverage).days(of: .crashes)
        return Set(crashes).union(snapshot.issueDays.map(\.date))
    }

    /// All issues of a day, or so many of those that the warehouse counts on it.
    ///
    /// An issue of several kinds has no row on a day on which it had events of the others alone, and is counted there: a day
    /// is whole where the whole list has as many issues as it counts.
    ///
    /// - Parameter mayLack: Whether an issue that it counts may have no row: events of no release have none by release.
    private func coverage(
        of days: [IssueDay], on dates: Set<CivilDate>, isWhole: Bool, mayLack: Bool
    ) -> [CivilDate: Coverage] {
        var counted: [CivilDate: Set<String>] = [:]
        for day in days { counted[day.date, default: []].insert(day.issue) }
        let most = listed?.count ?? 0
        return Dictionary(
            uniqueKeysWithValues: dates.map { date in
                let listed = counted[date]?.count ?? 0
                let all = issuesOfDays[date]
                guard knowsCrashes(.issueDays, on: date) else {
                    return (date, .partial(counted: listed, of: nil))
                }
                let isAll = isWhole && (mayLack || max(listed, most) >= all ?? 0)
                if isAll || all == listed { return (date, .complete) }
                return (date, .partial(counted: listed, of: all.map { max($0, listed) }))
            })
    }
}

// MARK: Hours

extension WarehouseMapping {
    private mutating func hours() -> [HealthHour]? {
        values(.hours) { row -> HealthHour? in
            guard let start = row.instant("hour") else { return nil }
            let sessions = row.count("sessions")
            let crashed = row.part("crashed_sessions", of: sessions)
            return HealthHour(hour: UTCHour(of: start), sessions: sessions, crashedSessions: crashed)
        }?.filter { window.hours.contains($0.hour) }
    }

    private mutating func issueHours() -> [IssueHour]? {
        values(.issueHours) { row -> IssueHour? in
            guard let issue = row.required("issue"), let start = row.instant("hour"),
                let events = row.count("events")
            else { return nil }
            return IssueHour(
                issue: issue, hour: UTCHour(of: start), events: events, users: row.count("users"))
        }?.filter { window.hours.contains($0.hour) }
    }

    private mutating func addHours(_ hours: [HealthHour]?) {
        let crashTable = self.crashTable(of: .hours)
        snapshot.healthHours = (hours ?? []).filter { sessionTable.knows($0.hour) }.sorted {
            $0.hour < $1.hour
        }
        for index in snapshot.healthHours.indices
        where crashTable?.knows(snapshot.healthHours[index].hour) == false {
            snapshot.healthHours[index].crashedSessions = nil
        }
    }

    private mutating func addIssueHours() {
        guard let issues = issueHourRows else { return }
        let ids = Set((listed ?? []).map(\.id))
        snapshot.issueHours = issues.filter { ids.contains($0.issue) }
        // An hour with sessions in which no issue had an event is known too.
        let named = Set(snapshot.issueHours.map(\.hour))
        guard let first = listed?.first?.id else { return }
        let issueTable = self.crashTable(of: .issueHours)
        let quiet = snapshot.healthHours.map(\.hour).filter {
            !named.contains($0) && issueTable?.knows($0) != false
        }
        snapshot.issueHours += quiet.map { IssueHour(issue: first, hour: $0, events: 0, users: 0) }
    }
}
