import Analysis
import AppHealth
import Charts
import Formatting
package import Templates

/// The entry page: the state of everything.
package struct PortfolioPage: TemplateModel {
    package static let modelName = "portfolio"
    package var frame: Frame
    /// The words of the site's owner; nil when there are none.
    package var introduction: ContentBody?
    package var sentence: String
    package var quiet: String?
    package var apps: [AppRow]
    package var events: [EventEntry]
    package var rates: ChartView?
    package var weekStem: String?

    package static let fields: [Field<PortfolioPage>] = [
        .model("frame", "What is around every page", \.frame),
        .list("introduction", "The words of `index.md` and the live blocks in them") {
            $0.introduction?.parts ?? []
        },
        .text("sentence", "One sentence on the state of everything", \.sentence),
        .optionalText(
            "quiet", "How much was checked; absent when there is activity in any app", \.quiet),
        .list("apps", "The apps, those first that need attention most", \.apps),
        .list("events", "The newest events of all apps, without daily summaries", \.events),
        .optional(
            "rates", "The crash-free rates of the apps on one scale; absent for fewer than two apps", \.rates),
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
    package var change: String?
    package var sparkline: ChartView
    package var release: String?
    package var adoption: String?
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
            "change",
            "The change against the same weekday a week before, such as `−0.21 pp vs. Thu 12 Nov 2026`",
            \.change),
        .model("sparkline", "Its crash-free rate over 28 days", \.sparkline),
        .optionalText("release", "Its newest release, such as `4.3.0 (391)`", \.release),
        .optionalText("adoption", "The share of sessions of that release on the last day", \.adoption),
        .optionalText("stage", "The stage of that release: `Adopted`, `Replaced` or `Low`", \.stage),
        .optionalText("budget", "What is left of its error budget, such as `37% remaining`", \.budget),
        .number("openAlerts", "How many alerts of the last seven days stand", \.openAlerts),
        .flag("hasOpenAlerts", "True when there is at least one") { $0.openAlerts > 0 },
    ]
}

extension PortfolioPage {
    /// The entry page of all apps.
    package init(_ digests: [AppSummaryRow], introduction: ContentBody?, site: SiteFacts) {
        self.introduction = introduction
        let ordered = digests.sorted { first, second in
            first.need != second.need
                ? first.need > second.need : (first.row.name, first.id) < (second.row.name, second.id)
        }
        self.sentence = stateSentence(ordered)
        self.frame = Frame(
            .portfolio, title: site.title, summary: sentence,
            freshness: freshnessSentence(digests.flatMap(\.sources)),
            hasData: true, tables: ["events"], showsInstant: true, site: site)
        self.quiet = quietSentence(digests.map(\.quiet), asOf: site.asOf)
        self.apps = ordered.map(\.row)
        self.events = newestEvents(of: digests, limit: 12)
        self.rates = ratesChart(ordered)
        self.weekStem = WeekPage.weeks(of: digests.map(\.weeks)).first.flatMap {
            site.links(from: .portfolio).stem(to: .week($0))
        }
    }
}

private func newestEvents(of digests: [AppSummaryRow], limit: Int) -> [EventEntry] {
    let all = digests.flatMap { digest in Array(zip(digest.eventTimes, digest.events)) }
    let ordered = all.sorted { first, second in
        first.0 != second.0 ? first.0 > second.0 : first.1.anchor < second.1.anchor
    }
    return ordered.prefix(limit).map { $0.1 }
}

/// `Sketchbook is below target. 1 of 3 apps meets its target. Not enough data: Tidepool.`.
private func stateSentence(_ digests: [AppSummaryRow]) -> String {
    guard !digests.isEmpty else { return "No apps configured." }
    let trouble = digests.filter { $0.verdict.name == "misses" || $0.verdict.name == "critical" }
    let unsure = digests.filter { $0.verdict.name == "insufficient" || $0.verdict.name == "unknown" }
    let apps = digests.count == 1 ? "1 app" : "\(digests.count) apps"
    var parts: [String] = []
    if !trouble.isEmpty {
        parts.append(
            trouble.map { "\($0.row.name) is \($0.verdict.name == "critical" ? "critical" : "below target")" }
                .joined(separator: ". "))
    }
    let meeting = digests.count - trouble.count - unsure.count
    if meeting > 0 {
        parts.append("\(meeting) of \(apps) \(meeting == 1 ? "meets its" : "meet their") target")
    }
    if !unsure.isEmpty { parts.append("Not enough data: " + unsure.map(\.row.name).joined(separator: ", ")) }
    return parts.joined(separator: ". ") + "."
}

/// `2 of 3 sources up to date, 1 stale.`
func freshnessSentence(_ sources: [SourceRow]) -> String {
    guard !sources.isEmpty else { return "No sources configured." }
    let current = sources.count { $0.state == "loaded" }
    let others = ["stale", "failed", "never fetched"].compactMap { state -> String? in
        let count = sources.count { $0.state == state }
        return count == 0 ? nil : "\(count) \(state)"
    }
    let whole = "\(current) of \(sources.count) \(sources.count == 1 ? "source" : "sources") up to date"
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
