package import AppHealth

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

    /// The latest release: the newest one but for those that the source that counts calls otherwise, and those that are
    /// still to come. One that is so new that nothing of it was counted yet is the latest, and its verdict is not known.
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
        found: [Event], ranked: [IssueFacts], firsts: FirstReleases, lastDay: CivilDate
    ) {
        let known = index.releases.newestFirst
        let toCome = Set(known.lazy.filter(index.releases.isToCome).map(\.version.label))
        let releases = known.map(index.releases.withoutDayToCome)
        let evaluator = ReleaseEvaluator(index)
        let sessions = sessionsByRelease(index)
        let seen = SeenIssues(index, sessions: sessions)
        let byLabel = Dictionary(grouping: index.releases.counts.health, by: \.key.version)
            .mapValues { $0.sorted { $0.key.date < $1.key.date }.map(\.value) }
        let lives = ReleaseLives(index, sources, releases, byLabel)
        let stages = index.releases.stages
        let begins = index.releases.firstDays
        let factsByID = Dictionary(ranked.map { ($0.issue.id, $0) }, uniquingKeysWith: { first, _ in first })
        let ranked = RankedIssues(ranked)
        let notes = Dictionary(grouping: activity.notes, by: \.subject)
        let back = RegressedIssues(found)
        let facts = releases.map { release in
            let label = release.version.label
            let totals = lives.totals(label)
            let crashed = lives.standing(lives.crashed(label), of: label)
            let rows = seen.rows(in: label)
            let issues = ReleaseIssues(
                label, rows, ranked.issues(of: label, rows), firsts, back: Set(back.ids(in: label))
            ) {
                [knowsAll = index.issues.countsAll(of: release, byLabel[label] ?? [], through: index.lastDay)]
                in
                knowsAll ? seen.share(of: $0, in: label, life: totals.sessions) : nil
            }
            let days = byLabel[label] ?? []
            var evaluation = evaluator.evaluation(of: label)
            let userDays =
                totals.sessions == nil && evaluation.basis?.life.basis == .users
                ? lives.standing(lives.crashedUserDays(label), of: label) : nil
            // One crash that is counted says that reports arrive, also before and after the days that are judged.
            if let rate = (userDays ?? crashed).value, rate.numerator > 0 { evaluation.silence = nil }
            let targets = index.levels(ofRelease: label)
            let ofItsLife = userDays == nil ? days.ofItsLife : days.ofUsers
            let (dates, counted) = (Set(days.map(\.date)), Set(ofItsLife.map(\.date)))
            let life = KnownDays(of: release, days) {
                dates.contains($0) ? counted.contains($0) : index.releases.counts.isWhole(on: $0)
            }
            let issueDays =
                index.issues.releaseDays.isEmpty
                ? nil : KnownDays(of: release, days) { index.issues.releaseCoverage(on: $0).isComplete }
            let ofRelease = lives.lastDay(label)
            let regressed = issues.those(back.ids(in: label))
            let listed =
                issues.new.prefix(ListedIssues.newLimit) + issues.top.prefix(ListedIssues.topLimit)
                + regressed
            return ReleaseFacts(
                release: release,
                capturedAt: index.captures.capture(
                    ofRelease: label, sharesOn: [lives.adoptionDay(label), stages[label]?.day]),
                issuesCapturedAt: index.captures.capture(
                    ofIssues: listed.lazy.map(\.id).filter { id in
                        // Of one that is over, only users of issues that were seen in no other release go on.
                        ofRelease >= lastDay || factsByID[id]?.users(inRelease: label) != nil
                    }),
                lastDay: ofRelease, sessions: totals.sessions, crashedSessions: totals.crashed,
                crashedUserDays: userDays, life: life, issueDays: issueDays,
                source: lives.source(label), crashed: crashed,
                targets: targets,
                verdict: evaluation.silence == nil
                    ? Verdict(on: (userDays ?? crashed).value, against: targets) : .unknown,
                adoption: lives.standing(lives.adoption(label), of: label),
                adoptionDay: lives.adoptionDay(label), cameOut: release.releaseDay ?? begins[label],
                evaluation: evaluation, stage: stages[label], days: days,
                topIssues: issues.top, newIssues: issues.new,
                regressedIssues: regressed,
                issues: issues.all, notes: notes[.release(label)] ?? [])
        }
        let pairs = PairFinder(index, sources, facts, seen, firsts, lastDay: lastDay)
        self.all = facts
        let otherwise = index.releases.countedOtherwise(
            counted: Set(facts.lazy.filter(\.isCounted).map(\.label)))
        let cameOut = facts.filter { !toCome.contains($0.label) || $0.isCounted }
        self.latestLabel =
            (cameOut.first { !otherwise.contains($0.label) } ?? cameOut.first ?? facts.first)?.label
        self.pairs = pairs.pairs(back)
        self.held = facts.compactMap(HeldRelease.init)
        self.sessions = sessions
        let reported = Set(index.releases.counts.health.keys.lazy.map(\.date))
        self.totals = index.releases.counts.totals.filter { reported.contains($0.key) }.compactMapValues(
            \.sessions)
        self.source = sources.releaseHealth
        self.lack = sources.lack(of: .releases)
    }
}

/// Sessions of each release by day.
private func sessionsByRelease(_ index: HistoryIndex) -> [String: [CivilDate: Int]] {
    var result: [String: [CivilDate: Int]] = [:]
    for (key, health) in index.releases.counts.health {
        if let sessions = health.sessions { result[key.version, default: [:]][key.date] = sessions }
    }
    return result
}
