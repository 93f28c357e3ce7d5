import AppHealth

/// What one made-up app is like; its numbers are drawn from it.
struct AppPlan {
    /// The slug.
    let app: String
    /// What its source says about itself.
    let source: SourcePlan
    /// What its source is able to know.
    var capabilities = Set(Capability.allCases).subtracting([.hours])
    /// Users on an ordinary day at the beginning.
    let dailyUsers: Double
    /// Factors for Monday to Sunday.
    let week: [Double]
    /// How much larger the app is on the last day than on the first, as a share.
    let growth: Double
    /// The deviation of the users of a day beyond chance.
    let userSpread: Double
    /// Sessions of one user on one day.
    let sessionsPerUser: Double
    /// Releases, oldest first.
    let releases: [ReleasePlan]
    /// Issues, in the order in which they are written.
    let issues: [IssuePlan]
    /// Notes, oldest first.
    var notes: [NotePlan] = []
    /// Days without users.
    var idleDays: Set<CivilDate> = []
    /// Days of which the source has no record.
    var missingDays: Set<CivilDate> = []
    /// The capture whose file was cut off while it was sent.
    var truncatedCapture: CivilDate?
    /// How many days back the source reaches; nil for all of them.
    var reach: Int?
    /// How many issues the source counts by day, those with most events first; nil for all of them.
    var issuesByDay: Int?
    /// The kinds of device on which the source counts crashes.
    var devices: DevicesPlan?

    /// Whether the source counts crashes alone: no sessions, and users of an issue only over its life.
    var countsCrashesAlone: Bool { !capabilities.contains(.sessions) }

    /// The position of the release with this label; nil for none.
    func position(of label: String?) -> Int? {
        releases.firstIndex { $0.version.label == label }
    }
}

/// How a source describes its words.
struct SourcePlan {
    let name: String
    let session: String
    let user: String
    let zone = "UTC"
    let delay: String
}

/// The kinds of device on which a source counts crashes.
struct DevicesPlan {
    /// The first day of which they are counted.
    let since: CivilDate
    /// Each kind with its part of all crashes, in thousandths that make 1000.
    let kinds: [(name: String, thousandths: Int)]
}

/// One release and how fast it is taken up.
struct ReleasePlan {
    /// Label and build.
    let version: Version
    /// When it went out.
    let releasedAt: Instant
    /// The days until half of those who will take it have taken it.
    let halfway: Double
    /// The share of the users of older releases that takes it in the end.
    let ceiling: Double

    /// A release that goes out at nine in the morning of the day.
    init(_ label: String, _ build: String, on date: String, halfway: Double = 3, ceiling: Double = 0.93) {
        version = Version(label, build: build)
        releasedAt = Instant(startOf: day(date)).advanced(bySeconds: 9 * 3600)
        self.halfway = halfway
        self.ceiling = ceiling
    }
}

/// One note.
struct NotePlan {
    let id: String
    let at: String
    let author: String
    var issue: String?
    var release: String?
    let text: String
}

extension AppPlan {
    /// The figures of all days of which the source has a record, as they are known in the end.
    func figures() -> [DayFigures] {
        DemoCalendar.days.filter { !missingDays.contains($0) }.map(figures(on:))
    }

    /// Each day has draws of its own, so that a change of one day leaves the others as they are.
    private func figures(on date: CivilDate) -> DayFigures {
        guard !idleDays.contains(date) else { return DayFigures(date: date, cells: [], newUsers: 0) }
        let dayWord = UInt64(bitPattern: Int64(date.daysSinceEpoch))
        var random = SplitMix64(seed: DemoCalendar.seed, seedWord(app), dayWord)
        let age = Double(DemoCalendar.firstDay.days(to: date)) / Double(DemoCalendar.days.count)
        let trend = dailyUsers * week[date.weekday - 1] * (1 + growth * age)
        let users = trend * random.factor(spread: userSpread)
        let mood = random.factor(spread: 0.05)
        let cells = releaseShares(on: date).enumerated().compactMap { release, share in
            cell(release, on: date, users: random.count(users * share), mood: mood, &random)
        }
        let newUsers = random.count(users * 0.031)
        return DayFigures(date: date, cells: cells, newUsers: newUsers)
    }

    private func cell(
        _ release: Int, on date: CivilDate, users: Int, mood: Double, _ random: inout SplitMix64
    ) -> ReleaseCell? {
        guard users > 0 else { return nil }
        let sessions = users + random.count(Double(users) * (sessionsPerUser - 1))
        var cell = ReleaseCell(release: release, users: users, sessions: sessions)
        cell.issues = issues.map { issue in
            let share = issue.share(on: date, release: release, in: self)
            return count(of: issue, share: share * mood, in: cell, &random)
        }
        addCrashes(to: &cell, &random)
        return cell
    }

    private func count(
        of issue: IssuePlan, share: Double, in cell: ReleaseCell, _ random: inout SplitMix64
    ) -> IssueCount {
        guard share > 0 else { return IssueCount() }
        let mean = Double(cell.users) * share * random.factor(spread: 0.06)
        let users = min(cell.users, random.count(mean))
        let more = random.count(Double(users) * (issue.eventsPerUser - 1))
        return IssueCount(events: min(users + more, cell.sessions), users: users)
    }

    /// Crashed sessions and users of a cell from its crashes; a few more were never grouped into an issue.
    private func addCrashes(to cell: inout ReleaseCell, _ random: inout SplitMix64) {
        let crashes = zip(issues, cell.issues).filter { $0.0.kind == .crash }.map(\.1)
        let events = crashes.reduce(0) { $0 + $1.events }
        let users = crashes.reduce(0) { $0 + $1.users }
        let ungrouped = random.count(Double(events) * 0.03)
        // Some users met two issues; none of them can be met by fewer than the most common one.
        let overlap = min(users * 2 / 100, users - (crashes.map(\.users).max() ?? 0))
        cell.crashedSessions = min(cell.sessions, events + ungrouped)
        cell.crashedUsers = min(cell.users, cell.crashedSessions, users - overlap + ungrouped)
    }
}

extension AppPlan {
    /// The share of the users of each release on the day, in the order of the releases; the sum is 1.
    ///
    /// From the newest release back, each takes its part of what the newer ones left; the oldest takes all.
    func releaseShares(on date: CivilDate) -> [Double] {
        var shares = [Double](repeating: 0, count: releases.count)
        var rest = 1.0
        for position in releases.indices.reversed() {
            let taken = position == 0 ? 1 : releases[position].adoption(on: date)
            shares[position] = rest * taken
            rest -= shares[position]
        }
        return shares
    }
}

extension ReleasePlan {
    /// The share of the users of this release and older ones that runs it on the day.
    func adoption(on date: CivilDate) -> Double {
        guard let age = age(on: date) else { return 0 }
        // The release goes out in the morning: its first day is about a third of a day.
        let time = Double(age) + 0.35
        return ceiling * time * time / (time * time + halfway * halfway)
    }

    /// Whole days since it went out; nil before.
    func age(on date: CivilDate) -> Int? {
        let age = releasedAt.date.days(to: date)
        return age >= 0 ? age : nil
    }
}
