package import Analysis
package import AppHealth

/// The pages of one app and the data next to them, each from the sections that it shows.
///
/// With live blocks and explanations, which look up what they are requested, this alone knows the whole analysis: what
/// is handed over here is all that a page depends on.
package final class AppPages: Sendable {
    let analysis: AppAnalysis
    /// The site that they are pages of.
    package let site: SiteFacts
    /// What pages about something past share, by their last day.
    private let pasts: [CivilDate: AppFacts]
    /// What the pages of issues take from the app, by their last day.
    private let surroundings: [CivilDate: IssueSurroundings]
    /// The days with activity of each week, newest first.
    let daysOfWeeks: [CivilWeek: [CivilDate]]
    /// What is reported, newest first, and where that of each day is.
    private let records: [EventRecord]
    private let places: [CivilDate: [Int]]
    /// The weeks with activity, newest first.
    let activeWeeks: [CivilWeek]
    /// The sessions of all releases together by day.
    let sessionSums: [CivilDate: Double]
    /// Where the pairs of each release are among all, by its label.
    private let placesOfPairs: [String: [Int]]
    /// Where each release is among all, by its label.
    let placesOfReleases: [String: Int]
    /// The open alerts on issues, newest first.
    let openIssueAlerts: [Event]

    /// The pages of an app.
    package init(_ analysis: AppAnalysis, site: SiteFacts) {
        self.analysis = analysis
        self.site = site
        let facts = analysis.facts
        self.pasts = Dictionary(
            facts.days.lazy.map { ($0, facts.past(through: $0)) }, uniquingKeysWith: { first, _ in first })
        let ends = Set(analysis.issues.all.map { ($0.pageWindow ?? $0.window).lastDay })
        self.surroundings = Dictionary(
            uniqueKeysWithValues: ends.map {
                ($0, analysis.issues.surroundings(of: chartDays(through: $0), analysis.stability))
            })
        self.daysOfWeeks = Dictionary(grouping: analysis.activity.days, by: { CivilWeek(of: $0) })
        self.records = analysis.activity.events.map(analysis.record)
        self.places = analysis.activity.places
        self.activeWeeks = analysis.activity.weeks
        self.sessionSums = analysis.releases.sessionSums
        self.openIssueAlerts = analysis.activity.openIssueAlerts
        var placesOfPairs: [String: [Int]] = [:]
        for (place, pair) in analysis.releases.pairs.enumerated() {
            for release in [pair.later, pair.earlier] {
                placesOfPairs[release.version.label, default: []].append(place)
            }
        }
        self.placesOfPairs = placesOfPairs
        self.placesOfReleases = Dictionary(
            zip(analysis.releases.all.map(\.label), 0...), uniquingKeysWith: { first, _ in first })
    }

    /// What the pages share.
    package var facts: AppFacts { analysis.facts }
    /// What the pages about something share that ended with a day.
    func past(through day: CivilDate) -> AppFacts { pasts[day] ?? facts.past(through: day) }

    /// What the page of an issue that ends with a day takes from the app.
    func surroundings(through day: CivilDate) -> IssueSurroundings {
        surroundings[day] ?? analysis.issues.surroundings(of: chartDays(through: day), analysis.stability)
    }

    /// The first day of the window of lists.
    package var windowStart: CivilDate { analysis.issues.window.lowerBound }
    /// What the entry page keeps of the app.
    package var summaryRow: AppSummaryRow { AppSummaryRow(analysis) }
    /// The badge of the app.
    package var badge: BadgeDocument { BadgeDocument(analysis.lastDay, analysis.stability, facts) }
    /// All events that are reported, as feeds carry them, newest first.
    package var items: [FeedItem] {
        records.map { FeedItem($0, facts) }
    }

    /// The names of each two releases of which one has a label.
    func namesOfPairs(_ label: String) -> [RateDifference.Names] {
        (placesOfPairs[label] ?? []).map { analysis.releases.pairs[$0].names }
    }

    /// What is reported of a day, newest first.
    func events(on day: CivilDate) -> [EventRecord] { (places[day] ?? []).map { records[$0] } }
}

extension AppAnalysis {
    /// What the feed of the app carries: the events that changed last.
    package var feed: [FeedItem] { lastChanged(FeedItem.limit).map { FeedItem($0, facts) } }
}

extension AppSummaryRow {
    /// Digests an app.
    package init(_ analysis: AppAnalysis) { self.init(analysis.overview, feed: analysis.feed) }
}

// MARK: pages

extension AppPages {
    /// What the overview is made from.
    package var digest: Overview { analysis.overview }

    /// The overview.
    package var overview: AppPage { AppPage(digest, site: site) }

    /// What happened lately.
    package func activity(newest: Int = ActivityPage.newestDays) -> ActivityPage {
        let activity = analysis.activity
        return ActivityPage(
            newest: analysis.activity(on: activity.days.prefix(newest), events: events), of: activity, facts,
            site: site)
    }

    /// What happened in a week.
    package func activity(_ inputs: WeekInputs) -> ActivityPage { ActivityPage(inputs, site: site) }

    /// What happened in a week.
    package func activity(in week: CivilWeek) -> ActivityPage { activity(inputs(of: week)) }

    /// All issues.
    package var issues: IssuesPage { issues(part: 1) }

    /// A part of the list of all issues, which is on several pages where there are many.
    package func issues(part: Int) -> IssuesPage {
        IssuesPage(analysis.issues, analysis.stability, facts, part: part, site: site)
    }

    /// One issue.
    package func issue(_ inputs: IssueInputs) -> IssuePage { IssuePage(inputs, site: site) }

    /// One issue.
    package func issue(_ issue: IssueFacts) -> IssuePage { self.issue(inputs(of: issue)) }

    /// All releases.
    package var releases: ReleasesPage {
        ReleasesPage(analysis.releases, analysis.stability, facts, site: site)
    }

    /// One release.
    package func release(_ inputs: ReleaseInputs) -> ReleasePage { ReleasePage(inputs, site: site) }

    /// One release.
    package func release(_ release: ReleaseFacts) -> ReleasePage { self.release(inputs(of: release)) }

    /// Two releases next to each other.
    package func comparison(_ inputs: PairInputs) -> ComparePage { ComparePage(inputs, site: site) }

    /// Two releases next to each other.
    package func comparison(_ pair: PairFacts) -> ComparePage { comparison(inputs(of: pair)) }

    /// How much the app is used.
    package var usage: UsagePage { UsagePage(analysis.usage, analysis.stability, facts, site: site) }

    /// One day.
    package func day(_ inputs: DayInputs) -> DayPage { DayPage(inputs, site: site) }

    /// One day.
    package func day(_ date: CivilDate) -> DayPage { day(inputs(of: date)) }

    /// The summary of a day.
    package func summary(_ inputs: DayInputs) -> SummaryDocument {
        SummaryDocument(
            inputs.day, inputs.issues, inputs.facts, site.outwardLinks, isDemo: site.isDemo)
    }

    /// The summary of a day.
    package func summary(of date: CivilDate) -> SummaryDocument { summary(inputs(of: date)) }

    /// The summary of a release.
    package func summary(_ inputs: ReleaseInputs) -> SummaryDocument {
        SummaryDocument(inputs, site.outwardLinks, isDemo: site.isDemo)
    }

    /// The summary of a release.
    package func summary(of release: ReleaseFacts) -> SummaryDocument { summary(inputs(of: release)) }

    /// The weeks of the app that are over, the newest first.
    package var weeks: WeeksOfApp { WeeksOfApp(facts, analysis.weeks) }

    /// Every release, newest first.
    package var allReleases: [ReleaseFacts] { analysis.releases.all }

    /// The same without those that are planned for later: newer than the latest, without a day and never used.
    package var releasesOut: [ReleaseFacts] {
        let newer = allReleases.prefix { $0.label != latestRelease?.label }
        return newer.filter { $0.cameOut != nil || !$0.days.isEmpty } + allReleases.dropFirst(newer.count)
    }

    /// The release that a name is of; nil when there is none, or when several are of that version.
    package func release(named name: String) -> ReleaseFacts? { analysis.releases.release(named: name) }

    /// The releases of the version that a name is of, newest first.
    package func releases(ofVersion name: String) -> [ReleaseFacts] {
        analysis.releases.releases(ofVersion: name)
    }

    /// The latest release; nil without any.
    package var latestRelease: ReleaseFacts? { analysis.releases.latest }

    /// The last day on which a release got a verdict for the first time, by its label; muted or not.
    package var verdictDays: [String: CivilDate] {
        Dictionary(
            (analysis.activity.events + analysis.activity.withheld).compactMap { event in
                guard case .releaseVerdict(let reached) = event else { return nil }
                return (reached.evaluation.label, event.occasion.day)
            }, uniquingKeysWith: { max($0, $1) })
    }

    /// Whether a mute that is not over, or that verdicts are turned off, holds back that a release got the verdict that it
    /// has.
    ///
    /// - Parameter isOff: whether the settings turn verdicts off by name: where they show alerts alone, a target may want
    ///   verdicts all the same.
    package func holdsBackVerdict(of release: ReleaseFacts, isOff: Bool) -> Bool {
        let activity = analysis.activity
        func isGiven(among events: [Event]) -> Bool {
            events.contains { event in
                event.verdictGiven.map { given in
                    given.label == release.label && given.verdict == release.evaluation.verdict
                } ?? false
            }
        }
        let muted = activity.silenced.filter { !activity.freedVerdicts.contains($0.occasion.id) }
        let held = muted + (isOff ? activity.activity.hiddenAlerts : [])
        return isGiven(among: held) && !isGiven(among: activity.events)
    }

    /// The verdicts that the figures of their days no longer give, by the label of the release; shown or not.
    package var verdictsTakenBack: [String: Set<ReleaseVerdict>] {
        (analysis.activity.events + analysis.activity.withheld).reduce(into: [:]) { found, event in
            guard let (label, verdict) = event.verdictTakenBack else { return }
            found[label, default: []].insert(verdict)
        }
    }

    /// The summary of a day as it is sent: with the sources that failed since, as whoever gets it sees no other page.
    package func sentSummary(of date: CivilDate) -> SummaryDocument {
        var document = summary(of: date)
        document.sentences += failures(after: date, among: analysis.activity.events).map(\.sentence)
        return document
    }
}

extension Event {
    /// Whether it is an alert, or a verdict that stops a release.
    var asksForAttention: Bool {
        guard case .releaseVerdict(let reached) = self else { return kind.isAlert }
        return reached.evaluation.verdict.stopsRollout
    }
}

// MARK: data and checks

extension AppPages {
    /// The tables of the issues.
    package var issuesTables: [DataTable] {
        [analysis.issues.table] + (analysis.stability.devices.map { [$0.table] } ?? [])
    }

    /// What does not agree on the page of a day.
    package func mismatches(in page: DayPage, _ date: CivilDate) -> [Mismatch] {
        page.mismatches(analysis.day(date), analysis.totalConflicts(on: date, sessionSums))
    }

    /// What does not agree on the page of the use.
    package func mismatches(in page: UsagePage) -> [Mismatch] {
        page.mismatches(lastDay: analysis.usage.lastDay)
    }
}

extension ReleaseInputs {
    /// The tables of the release.
    package var tables: [DataTable] {
        [release.daysTable, release.issuesTable(scope.issues), release.agesTable]
    }
}

extension PairInputs {
    /// The tables of the two releases.
    package var tables: [DataTable] { [pair.differencesTable(facts), pair.issuesTable(scope.issues)] }
}

extension Overview {
    /// The tables of the overview.
    package var tables: [DataTable] {
        [stability.table(of: facts.days), releases.table, last.budgetTable]
            + (reportedEvents.map { [$0.daysTable, $0.releasesTable] } ?? [])
    }

    /// What does not agree on the overview.
    package func mismatches(in page: AppPage) -> [Mismatch] { page.mismatches(facts, conflicts) }
}
