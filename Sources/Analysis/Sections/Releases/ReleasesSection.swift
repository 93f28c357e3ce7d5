package import AppHealth

/// What is known of one release at the end of the report.
package struct ReleaseFacts: Hashable, Codable, Sendable {
    /// The release.
    package let release: Release
    /// When the newest of its figures was captured; nil when that is not known.
    package let capturedAt: Instant?
    /// The last day of its figures: that of the report, or the one on which it had been unused for long.
    package let lastDay: CivilDate
    /// Its sessions over its life, those of the days of which crashed ones are known as well where any are; sessions may be
    /// added up over days, users may not.
    package let sessions: Int?
    /// Its crashed sessions over its life.
    package let crashedSessions: Int?
    /// The crashed share of its user-days over its life, where it is judged by users as its source counts no sessions; nil of
    /// others.
    package internal(set) var crashedUserDays: Measured<Fraction>?
    /// On how many days of its life these are known; nil where its source gives them as one sum.
    package let life: KnownDays?
    /// On how many days of its life all issues are known; nil without days or issues by release.
    package let issueDays: KnownDays?
    /// The source of its sessions; nil when there is none.
    package internal(set) var source: SourceFacts?
    /// The crashed share of its sessions over its life, with its state.
    package internal(set) var crashed: Measured<Fraction>
    /// The levels that it is judged by.
    package let targets: Targets
    /// That share, or that of its user-days, against them.
    package let verdict: Verdict
    /// Its share of all sessions of a day, with its state.
    package internal(set) var adoption: Measured<Fraction>
    /// That day: its last one, or the newest before it where its source is behind that of the app's rate.
    package let adoptionDay: CivilDate
    /// The day on which it came out: that of its source, else the first one with a share of sessions; nil where it was in
    /// use before data began.
    package let cameOut: CivilDate?
    /// The verdict on rolling it out.
    package internal(set) var evaluation: ReleaseEvaluation
    /// How far it has been taken up; nil when no share is known.
    package internal(set) var stage: ReleaseStage?
    /// Its days with figures, in order.
    package internal(set) var days: [HealthDay]
    /// The issues with events in it, most events first.
    package internal(set) var topIssues: [ReleaseIssue]
    /// The issues first seen in it, most events in it first.
    package internal(set) var newIssues: [ReleaseIssue]
    /// The issues that were fixed and came back in it, newest first.
    package internal(set) var regressedIssues: [ReleaseIssue]
    /// Every issue that was seen, or seen first, in it, by rank.
    package internal(set) var issues: [ReleaseIssue]
    /// The notes on it, newest first.
    package internal(set) var notes: [Note]

    /// The share of its sessions that name a user; nil when all do, or the source does not say.
    package var namedShare: Double? { days.namedShare }

    /// Its label.
    package var label: String { release.version.label }

    /// Whether it is judged by users, as its source counts no sessions.
    package var isCountedInUsers: Bool { crashedUserDays != nil }

    /// Whether anything of its use was ever counted.
    var isCounted: Bool {
        days.contains { ($0.sessions ?? 0) > 0 || ($0.users ?? 0) > 0 }
            || (release.lifetime?.sessions ?? 0) > 0
    }

    /// Whether it has figures of a day.
    package func holds(_ day: CivilDate) -> Bool { days.contains { $0.date == day } }
}

extension [HealthDay] {
    /// What the rates of a release with these days are counted in: users of single days where of no sessions it is known how
    /// many crashed, as of services that count users alone.
    package var basisOfRelease: Basis {
        !contains { $0.crashedSessionShare != nil } && contains { $0.crashedUserShare != nil }
            ? .users : .sessions
    }
}

/// An issue in one release.
package struct ReleaseIssue: Hashable, Codable, Sendable {
    /// The id of the issue.
    package internal(set) var id: String
    /// Its events in the release; nil when the source counts none.
    package let events: Int?
    /// These of the sessions of the release over its life; nil when they are not known.
    package internal(set) var share: Fraction?
    /// Whether it was first seen in the release.
    package let isNew: Bool
}

extension ReleaseFacts {
    /// Its newest share of all; zero where none is known.
    fileprivate var shareInUse: Double { (adoption.value ?? stage?.share)?.value ?? 0 }
}

extension ReleasesSection {
    /// The releases in use: the newest and those with the largest shares of the newest day, the one that came out last
    /// first. Where no share is known these are the newest.
    package func inUse(atMost limit: Int) -> [ReleaseFacts] {
        let newestDay = all.map(\.adoptionDay).max()
        let shares = all.map { $0.adoptionDay == newestDay ? $0.shareInUse : 0 }
        guard shares.contains(where: { $0 >= ReleaseHistory.threshold }) else {
            return Array(all.prefix(limit))
        }
        let newest = all.firstIndex { $0.label == latestLabel } ?? 0
        let used = all.indices.filter { $0 != newest && shares[$0] >= ReleaseHistory.threshold }
        let largest = used.sorted { (shares[$0], -$0) > (shares[$1], -$1) }.prefix(max(limit - 1, 0))
        return ([newest] + largest).sorted().map { all[$0] }
    }
}

/// A release in use that should not reach more people.
package struct HeldRelease: Hashable, Codable, Sendable {
    /// Its label.
    package let label: String
    /// Whether it should be taken back.
    package let isRollBack: Bool

    /// Nil for other verdicts, and for a release that others have replaced or that hardly anybody uses.
    fileprivate init?(_ release: ReleaseFacts) {
        guard release.shareInUse >= ReleaseHistory.threshold, release.stage?.isReplaced != true else {
            return nil
        }
        switch release.evaluation.verdict {
        case .hold: isRollBack = false
        case .rollBack: isRollBack = true
        case .go, .notEnoughData, .unknown: return nil
        }
        label = release.label
    }
}

/// The releases of an app.
package struct ReleasesSection: Hashable, Codable, Sendable {
    /// Every release, the one that came out last first; of two builds of one label the newer.
    package internal(set) var all: [ReleaseFacts]
    /// The label of `latest`.
    private let latestLabel: String?
    /// Two releases held against each other, of the newest first.
    package internal(set) var pairs: [PairFacts]
    /// Those in use that should not reach more people, newest first.
    package let held: [HeldRelease]
    /// Sessions of each release by day, where the source counts them.
    package internal(set) var sessions: [String: [CivilDate: Int]]
    /// All sessions of the days with data of any release, of the same source: on the others a release without sessions is
    /// not a zero.
    package internal(set) var totals: [CivilDate: Int]
    /// The source of the sessions by day; nil when there is none.
    package internal(set) var source: SourceFacts?
    /// Why there are no releases; nil when a source knows them.
    package internal(set) var lack: Nothing?

    /// A release by its label.
    package subscript(label: String) -> ReleaseFacts? { all.first { $0.label == label } }

    /// The latest release: the newest one but for those that the source that counts calls otherwise. One that is so new that
    /// nothing of it was counted yet is the latest, and its verdict is not known.
    package var latest: ReleaseFacts? { latestLabel.flatMap { self[$0] } }

    /// The sessions of all releases together by day, where any is counted.
    package var sessionSums: [CivilDate: Double] {
        var sums: [CivilDate: Double] = [:]
        for days in sessions.values {
            for (day, count) in days { sums[day, default: 0] += Double(count) }
        }
        return sums
    }

    /// The labels of all releases.
    package var known: Set<String> { Set(all.map(\.label)) }

    /// The days of a release with figures, in order.
    package func days(of label: String) -> [HealthDay] { self[label]?.days ?? [] }

    /// The pair of a release and the one that came out before it; nil for the first.
    package func pair(endingWith label: String) -> PairFacts? {
        pairs.first { $0.later.version.label == label }
    }
}

extension ReleasesSection {
    init(
        _ index: HistoryIndex, _ sources: SourcesSection, _ activity: ActivitySection,
        found: [Event], ranked: [IssueFacts], lastDay: CivilDate
    ) {
        let releases = index.releasesNewestFirst
        let evaluator = ReleaseEvaluator(index)
        let sessions = sessionsByRelease(index)
        let seen = SeenIssues(index, sessions: sessions)
        let byLabel = Dictionary(grouping: index.releaseHealth, by: \.key.version)
            .mapValues { $0.sorted { $0.key.date < $1.key.date }.map(\.value) }
        let lives = ReleaseLives(index, sources, releases, byLabel)
        let stages = index.releaseStages
        let begins = index.firstDaysOfReleases
        let ranked = RankedIssues(ranked)
        let notes = Dictionary(grouping: activity.notes, by: \.subject)
        let back = RegressedIssues(found)
        let facts = releases.map { release in
            let label = release.version.label
            let totals = lives.totals(label)
            let crashed = lives.standing(lives.crashed(label), of: label)
            let rows = seen.rows(in: label)
            let issues = ReleaseIssues(
                label, rows, ranked.issues(of: label, rows)
            ) { [knowsAll = index.countsAllIssues(of: release, byLabel[label] ?? [])] in
                knowsAll ? seen.share(of: $0, in: label, life: totals.sessions) : nil
            }
            let days = byLabel[label] ?? []
            let evaluation = evaluator.evaluation(of: label)
            let userDays =
                totals.sessions == nil && evaluation.basis?.life.basis == .users
                ? lives.standing(lives.crashedUserDays(label), of: label) : nil
            let targets = index.levels(
                ofRelease: label, lastUsed: days.last { index.releaseBasis.total(of: $0) != 0 }?.date)
            let ofItsLife = userDays == nil ? days.ofItsLife : days.ofUsers
            let (dates, counted) = (Set(days.map(\.date)), Set(ofItsLife.map(\.date)))
            let life = index.lifeDays(of: release, days) {
                dates.contains($0) ? counted.contains($0) : index.tellsAllReleases(on: $0)
            }
            let issueDays =
                index.issueReleaseDays.isEmpty
                ? nil : index.lifeDays(of: release, days) { index.releaseIssueCoverage(on: $0).isComplete }
            return ReleaseFacts(
                release: release, capturedAt: index.capture(ofRelease: label),
                lastDay: lives.lastDay(label), sessions: totals.sessions, crashedSessions: totals.crashed,
                crashedUserDays: userDays, life: life, issueDays: issueDays,
                source: lives.source(label), crashed: crashed,
                targets: targets, verdict: Verdict(on: (userDays ?? crashed).value, against: targets),
                adoption: lives.standing(lives.adoption(label), of: label),
                adoptionDay: lives.adoptionDay(label), cameOut: release.releaseDay ?? begins[label],
                evaluation: evaluation, stage: stages[label], days: days,
                topIssues: issues.top, newIssues: issues.new,
                regressedIssues: issues.those(back.ids(in: label)),
                issues: issues.all, notes: notes[.release(label)] ?? [])
        }
        let pairs = PairFinder(index, sources, facts, seen, lastDay: lastDay)
        self.all = facts
        let otherwise = index.releasesCountedOtherwise(
            counted: Set(facts.lazy.filter(\.isCounted).map(\.label)))
        self.latestLabel = (facts.first { !otherwise.contains($0.label) } ?? facts.first)?.label
        self.pairs = pairs.pairs(back)
        self.held = facts.compactMap(HeldRelease.init)
        self.sessions = sessions
        let reported = Set(index.releaseHealth.keys.lazy.map(\.date))
        self.totals = index.releaseTotals.filter { reported.contains($0.key) }.compactMapValues(\.sessions)
        self.source = sources.releaseHealth
        self.lack = sources.lack(of: .releases)
    }
}

extension [HealthDay] {
    /// The days of a release that count for its life: sessions and crashed sessions of a rate are of the same days. Where
    /// crashed ones are not known on any day, those with sessions.
    fileprivate var ofItsLife: [HealthDay] {
        let whole = filter { $0.sessions == 0 || ($0.sessions != nil && $0.crashedSessions != nil) }
        let hasRate = whole.contains { $0.sessions != 0 }
        return hasRate ? whole : filter { $0.sessions != nil }
    }

    /// Those of which users and affected users are known.
    fileprivate var ofUsers: [HealthDay] { filter { $0.users == 0 || $0.crashedUserShare != nil } }
}

/// Sessions of each release by day.
private func sessionsByRelease(_ index: HistoryIndex) -> [String: [CivilDate: Int]] {
    var result: [String: [CivilDate: Int]] = [:]
    for (key, health) in index.releaseHealth {
        if let sessions = health.sessions { result[key.version, default: [:]][key.date] = sessions }
    }
    return result
}

/// The issues that came back in releases.
struct RegressedIssues {
    private var byRelease: [String: [String]] = [:]

    /// Reads events that are newest first.
    init(_ events: [Event]) {
        for case .regressed(let regressed) in events {
            let label = regressed.seenIn.label
            guard byRelease[label]?.contains(regressed.issue.id) != true else { continue }
            byRelease[label, default: []].append(regressed.issue.id)
        }
    }

    /// Those of a release, each once, newest first.
    func ids(in label: String) -> [String] { byRelease[label] ?? [] }
}

/// All issues by rank, in which those of a release are found without a pass through all of them.
private struct RankedIssues {
    private let ranked: [IssueFacts]
    private var byID: [String: Int] = [:]
    private var byFirstRelease: [String: [Int]] = [:]

    init(_ ranked: [IssueFacts]) {
        self.ranked = ranked
        for place in ranked.indices {
            byID[ranked[place].issue.id] = place
            if let first = ranked[place].issue.firstVersion {
                byFirstRelease[first.label, default: []].append(place)
            }
        }
    }

    /// Those that were first seen in a release or have rows in it.
    func issues(of label: String, _ rows: [String: SeenIssues.Count]) -> [Issue] {
        let places = Set(byFirstRelease[label] ?? []).union(rows.keys.compactMap { byID[$0] })
        return places.sorted().map { ranked[$0].issue }
    }
}

/// The issues of one release.
private struct ReleaseIssues {
    let top: [ReleaseIssue]
    let new: [ReleaseIssue]
    let all: [ReleaseIssue]
    private let byID: [String: ReleaseIssue]

    /// Those with some ids, in their order.
    func those(_ ids: [String]) -> [ReleaseIssue] {
        ids.map { byID[$0] ?? ReleaseIssue(id: $0, events: nil, share: nil, isNew: false) }
    }

    /// - Parameters:
    ///   - issues: those that were first seen in the release or have rows in it, by rank.
    ///   - share: the events of an issue for each session of the release.
    init(
        _ label: String, _ rows: [String: SeenIssues.Count], _ issues: [Issue],
        share: (SeenIssues.Count) -> Fraction?
    ) {
        all = issues.map { issue in
            let row = rows[issue.id]
            return ReleaseIssue(
                id: issue.id, events: row?.rowEvents, share: row.flatMap(share),
                isNew: issue.firstVersion?.label == label)
        }
        func ordered(_ issues: [ReleaseIssue]) -> [ReleaseIssue] {
            issues.sorted { first, second in
                let (left, right) = (max(first.events ?? 0, 0), max(second.events ?? 0, 0))
                return left != right ? left > right : first.id < second.id
            }
        }
        byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        top = ordered(all.filter { ($0.events ?? 0) > 0 })
        new = ordered(all.filter(\.isNew))
    }
}

/// What releases had over their lives.
private struct ReleaseLives {
    private let index: HistoryIndex
    private let sources: SourcesSection
    private let byLabel: [String: [HealthDay]]
    /// The source whose list of releases is used.
    private let lister: SourceFacts?
    /// The labels that the source of the sessions has as its releases, or has ever counted. Of any other it does not say
    /// that nothing of it was used.
    private let ownLabels: Set<String>
    private let ends: ReleaseEnds
    /// What the source has of the whole life of a release, by its label.
    private let lifetimes: [String: ReleaseTotals]
    /// The sessions that it has of the last day of all releases together.
    private let sessionsLastDay: Int
    /// The days of which any release has figures; such a day leaves out those without sessions.
    private let reportedDays: Set<CivilDate>
    /// The newest day with data of any release, where it is of another source than other figures.
    private let newestDay: CivilDate?

    init(
        _ index: HistoryIndex, _ sources: SourcesSection, _ releases: [Release],
        _ byLabel: [String: [HealthDay]]
    ) {
        self.index = index
        self.sources = sources
        self.byLabel = byLabel
        self.lister = index.releaseLister.flatMap(sources.facts(of:))
        self.ownLabels = Set(index.rates.releases?.releases.map(\.version.label) ?? []).union(byLabel.keys)
        self.ends = index.releaseEnds
        let known = releases.compactMap { release in release.lifetime.map { (release.version.label, $0) } }
        self.lifetimes = Dictionary(known, uniquingKeysWith: { first, _ in first })
        self.sessionsLastDay = known.compactMap(\.1.sessionsLastDay).reduce(0, &+)
        let labels = Set(releases.map(\.version.label))
        self.reportedDays = Set(
            index.releaseHealth.keys.lazy.filter { labels.contains($0.version) }.map(\.date))
        self.newestDay = index.rates.areTwo ? index.releaseHealth.keys.lazy.map(\.date).max() : nil
    }

    /// A figure of a release: of one that is no longer used nothing newer is to come, so that it cannot be stale.
    func standing(_ figure: Measured<Fraction>, of label: String) -> Measured<Fraction> {
        guard case .stale(let value, let asOf, _) = figure, ends.isOver(label) else {
            return figure
        }
        return .loaded(value, asOf: asOf)
    }

    /// The last day of the figures of a release.
    func lastDay(_ label: String) -> CivilDate { ends[label] }

    /// The day of its share of all sessions.
    func adoptionDay(_ label: String) -> CivilDate {
        newestDay.map { min($0, ends[label]) } ?? ends[label]
    }

    /// The source of the sessions of a release.
    func source(_ label: String) -> SourceFacts? {
        byLabel[label] == nil ? lister : sources.releaseHealth
    }

    /// All and crashed sessions.
    func totals(_ label: String) -> (sessions: Int?, crashed: Int?) {
        guard let days = byLabel[label] else {
            let lifetime = lifetimes[label]
            return (lifetime?.sessions, lifetime?.crashedSessions)
        }
        let counted = days.ofItsLife
        let (sessions, crashed) = (counted.compactMap(\.sessions), counted.compactMap(\.crashedSessions))
        let isRated = counted.allSatisfy { $0.sessions == 0 || $0.crashedSessions != nil }
        return (
            sessions.isEmpty ? nil : sessions.reduce(0, &+),
            isRated && !crashed.isEmpty ? crashed.reduce(0, &+) : nil
        )
    }

    /// The error of the crashed share that comes of counting sessions approximately.
    private func error(_ label: String) -> Double? {
        byLabel[label].flatMap { Fraction.error(of: $0.compactMap(\.crashedSessionShare)) }
    }

    /// The crashed share of the sessions.
    func crashed(_ label: String) -> Measured<Fraction> {
        guard let source = source(label) else { return .absent(.noReleaseSource) }
        let totals = totals(label)
        guard let sessions = totals.sessions else {
            return .absent(
                (sources.releaseHealth ?? source).knows(.releaseHealth)
                    ? .noSessionsOf(release: label)
                    : .unknowableOfReleases(provider: source.source.provider))
        }
        return source.measured(
            byLabel[label] == nil ? .releases : .releaseHealth,
            missing: sessions == 0 ? .noSessionsOf(release: label) : .noCrashCounts,
            totals.crashed.flatMap { Fraction($0, of: sessions)?.with(error: error(label)) })
    }

    /// The crashed share of its user-days: in these, who used it on two days counts twice.
    func crashedUserDays(_ label: String) -> Measured<Fraction> {
        guard let source = source(label) else { return .absent(.noReleaseSource) }
        let shares = (byLabel[label] ?? []).ofUsers.compactMap(\.crashedUserShare)
        let all = shares.reduce(0) { $0 &+ $1.denominator }
        return source.measured(
            .releaseHealth, missing: .noUsersByDay(release: label),
            Fraction(shares.reduce(0) { $0 &+ $1.numerator }, of: all)?.with(
                error: Fraction.error(of: shares)))
    }

    /// The share of all sessions of its day.
    func adoption(_ label: String) -> Measured<Fraction> {
        if let source = sources.releaseHealth, source.knows(.releaseHealth) {
            let missing = Absence.noSessionsOn(release: label, adoptionDay(label))
            return source.measured(.releaseHealth, missing: missing, shareOfDay(label))
        }
        guard let source = lister else { return .absent(.noReleaseSource) }
        let share = lifetimes[label]?.sessionsLastDay.flatMap { Fraction($0, of: sessionsLastDay) }
        return source.measured(
            .releases, missing: .unknowable(providers: [source.source.provider]), share)
    }

    private func shareOfDay(_ label: String) -> Fraction? {
        let lastDay = adoptionDay(label)
        guard reportedDays.contains(lastDay), let day = index.releaseTotals[lastDay], let all = day.sessions
        else { return nil }
        let row = index.releaseHealth[.init(date: lastDay, version: label)]
        let absent = ownLabels.contains(label) && index.tellsAllReleases(on: lastDay) ? 0 : nil
        guard let part = row == nil ? absent : row?.sessions else { return nil }
        return Fraction(part: part, of: all, deviation: day.sessionDeviation)
    }
}
