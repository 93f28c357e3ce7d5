import Analysis
import AppHealth
import Charts
import Diagnostics
import Formatting
package import Templates

/// The entry page: the state of everything.
package struct PortfolioPage: TemplateModel {
    package static let modelName = "portfolio"
    package var frame: Frame
    /// The words of the site's owner; nil when there are none.
    package var introduction: ContentBody?
    package var state: StateSentence
    package var quiet: String?
    package var apps: [AppRow]
    package var noApps: String
    package var allApps: LinkItem?
    package var groups: [GroupRow]
    package var allGroups: LinkItem?
    package var events: [EventEntry]
    package var rates: ChartView?
    package var weekStem: String?

    package static let fields: [Field<PortfolioPage>] = [
        .model("frame", "What is around every page", \.frame),
        .list("introduction", "The words of `index.md` and the live blocks in them") {
            $0.introduction?.parts ?? []
        },
        .text("sentence", "One sentence on the state of everything", \.sentence),
        .text(
            "headline",
            "Its first part: which apps are below their target, and how many meet it; where no app has a rate, the first thing there is to say, or all of it where an alert is open",
            \.state.headline),
        .optionalText("details", "The rest of it; absent when there is none", \.state.details),
        .optionalText(
            "quiet", "How much was checked; absent when there is activity in any app", \.quiet),
        .list(
            "apps",
            "The apps, those first that need attention most; of a site with groups or more than 40 apps the first ten that need it",
            \.apps),
        .text("noApps", "What is said where no app is listed, such as `No app needs attention.`", \.noApps),
        .optional("allApps", "The list of all apps; absent when all are on the page", \.allApps),
        .list("groups", "The groups, those first that need attention most", \.groups),
        .flag("hasGroups", "True when apps are in groups") { !$0.groups.isEmpty },
        .optional("allGroups", "The list of all groups; absent when all are on the page", \.allGroups),
        .list("events", "The newest events of all apps, without daily summaries", \.events),
        .optional(
            "rates",
            "The crash-free rates of the apps on one scale; absent for fewer than two apps, and when not all apps are on the page",
            \.rates),
        .optionalUrl(
            "weekStem", "The address of the newest week, without ending; absent while none is over",
            \.weekStem),
    ]
}

/// An app as one row of the entry page.
package struct AppRow: TemplateModel {
    package static let modelName = "app-row"
    package var name: String
    package var platform: String
    package var stem: String?
    package var verdict: VerdictView
    package var crashFree: Figure
    package var crashes: String?
    package var crashesNote: String?
    package var counted: String?
    package var change: String?
    package var sparkline: ChartView
    package var release: String?
    package var adoption: String?
    package var adoptionUnit: String
    package var stage: String?
    package var budget: String?
    package var openAlerts: Int

    package static let fields: [Field<AppRow>] = [
        .text("name", "The app's name", \.name),
        .text("platform", "Its platform, such as `ios`; may be empty", \.platform),
        .optionalUrl("stem", "The address of its page without ending", \.stem),
        .model("verdict", "The verdict on its stability", \.verdict),
        .model("crashFree", "Its crash-free rate of the last day", \.crashFree),
        .optionalText(
            "crashes",
            "Its crashes of the last day, such as `34 crashes`, where no day has a rate; its events where crashes are not known",
            \.crashes),
        .optionalText(
            "crashesNote",
            "Their state in words unless current, such as `Stale: data from Thu, Nov 19, 2026, 06:00 UTC`",
            \.crashesNote),
        .optionalText(
            "counted", "What its trend counts where no day has a rate: `Crashes` or `Events`", \.counted),
        .optionalText(
            "change",
            "The change against the same weekday a week before, such as `−0.21 pp vs. Thu 12 Nov 2026`",
            \.change),
        .model(
            "sparkline", "Its crash-free rate over 28 days, or its crashes or events where no day has a rate",
            \.sparkline),
        .optionalText("release", "Its newest release, such as `4.3.0 (391)`", \.release),
        .optionalText("adoption", "The share of that release on the last day", \.adoption),
        .text(
            "adoptionUnit", "What that is a share of: `sessions`, or `users` of a source without sessions",
            \.adoptionUnit),
        .optionalText("stage", "The stage of that release: `Adopted`, `Replaced` or `Low`", \.stage),
        .optionalText(
            "budget",
            "What is left of its error budget, such as `37% remaining`, with the days that are known where these are not all of them",
            \.budget),
        .number("openAlerts", "How many alerts of the last seven days stand", \.openAlerts),
        .flag("hasOpenAlerts", "True when there is at least one") { $0.openAlerts > 0 },
    ]
}

extension PortfolioPage {
    /// The state of everything in one sentence.
    package var sentence: String { state.text }

    /// The entry page of all apps.
    package init(_ digests: [AppSummaryRow], introduction: ContentBody?, site: SiteFacts) {
        self.init(AppLists(digests), introduction: introduction, site: site)
    }

    /// The entry page of apps: all of them, or those that need attention with the groups.
    package init(_ lists: AppLists, introduction: ContentBody?, site: SiteFacts) {
        self.introduction = introduction
        let digests = lists.apps
        self.state = StateSentence(digests)
        self.frame = Frame(
            .portfolio, title: site.title, summary: state.text,
            freshness: freshnessSentence(digests.flatMap(\.sources)),
            hasData: true, tables: ["events"], showsInstant: true, site: site)
        self.quiet = quietSentence(digests.map(\.quiet), asOf: site.asOf)
        let links = site.links(from: .portfolio)
        let shown = lists.areWhole ? digests : Array(lists.urgent.prefix(AppLists.urgentLimit))
        self.apps = shown.map(\.row)
        self.noApps = lists.areWhole ? "No apps configured." : "No app needs attention."
        self.allApps = lists.areWhole ? nil : allAppsLink(lists, shown: shown.count, links)
        self.groups = lists.groups.prefix(AppLists.groupLimit).map { GroupRow($0, links) }
        self.allGroups = lists.moreGroups ? allGroupsLink(lists, links) : nil
        self.events = newestEvents(of: digests, limit: lists.areWhole ? 12 : 8)
        self.rates = lists.areWhole ? ratesChart(digests) : nil
        self.weekStem = WeekPage.weeks(of: digests.map(\.weeks)).first.flatMap { links.stem(to: .week($0)) }
    }
}

/// `All 1,000 apps (32 more need attention)`, `1 app`
private func allAppsLink(_ lists: AppLists, shown: Int, _ links: Links) -> LinkItem {
    let more = lists.urgent.count - shown
    let rest = more == 0 ? "" : " (\(countText(more)) more \(more == 1 ? "needs" : "need") attention)"
    let apps = countedText(lists.apps.count, "app")
    return LinkItem(
        title: (lists.apps.count == 1 ? "" : "All ") + apps + rest, stem: links.stem(to: .all()),
        isCurrent: false)
}

/// `All 57 groups`
private func allGroupsLink(_ lists: AppLists, _ links: Links) -> LinkItem {
    LinkItem(
        title: "All \(countText(lists.groups.count)) groups", stem: links.stem(to: .groups()),
        isCurrent: false)
}

private func newestEvents(of digests: [AppSummaryRow], limit: Int) -> [EventEntry] {
    let all = digests.flatMap { digest in Array(zip(digest.eventTimes, digest.events)) }
    let ordered = all.sorted { first, second in
        first.0 != second.0 ? first.0 > second.0 : first.1.anchor < second.1.anchor
    }
    return ordered.prefix(limit).map { $0.1 }
}

/// `2 of 3 sources up to date, 1 stale.`
func freshnessSentence(_ sources: [SourceRow]) -> String {
    guard !sources.isEmpty else { return "No sources configured." }
    let ended = sources.count { $0.state == .ended }
    let sources = sources.filter { $0.state != .ended }
    guard !sources.isEmpty else { return "\(counted(ended, "source")) ended." }
    let current = sources.count { $0.state == .loaded }
    let others =
        [SourceState.stale, .failed, .neverFetched].compactMap { state -> String? in
            let count = sources.count { $0.state == state }
            return count == 0 ? nil : "\(count) \(state.words)"
        } + (ended > 0 ? ["\(ended) ended"] : [])
    let whole = "\(current) of \(counted(sources.count, "source")) up to date"
    return others.isEmpty ? whole + "." : whole + ", " + others.joined(separator: ", ") + "."
}

/// How many apps the chart of all apps shows: those that need attention most.
private let panelLimit = 12

/// The crash-free rates of the apps on one scale; nil for fewer than two apps.
func ratesChart(_ digests: [AppSummaryRow]) -> ChartView? {
    guard digests.count > 1, let last = digests.map(\.chartDay).max() else { return nil }
    let shown = digests.prefix(panelLimit)
    let more = digests.count > shown.count ? " (\(shown.count) of \(countText(digests.count)) apps)" : ""
    return ChartView(
        figure: SmallMultiples(
            name: "rates", title: "Crash-free rates on one scale, \(AppFacts.listSpan) days\(more)",
            unit: .rate, domain: DateDomain(last: last, count: AppFacts.listSpan),
            panels: shown.map(\.panel)))
}
