import Analysis
import AppHealth
import Charts
import Formatting
package import Templates

/// Two releases of one app next to each other.
package struct ComparePage: TemplateModel {
    package static let modelName = "compare"
    package var frame: Frame
    package var app: String
    package var later: String
    package var earlier: String
    package var laterStem: String?
    package var earlierStem: String?
    package var verdict: VerdictView
    package var rates: [ComparedRateRow]
    package var ages: ChartView?
    package var releases: [ReleaseRow]
    package var onlyLater: ComparedIssues
    package var both: ComparedIssues
    package var onlyEarlier: ComparedIssues
    package var hasCounts: Bool
    package var issuesUnavailable: String?
    package var parts: [LinkItem]

    package static let fields: [Field<ComparePage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("app", "The app's name", \.app),
        .text("later", "The label of the release that came out later", \.later),
        .text("earlier", "The label of the release that came out earlier", \.earlier),
        .optionalUrl(
            "laterStem", "The address of the page of the later release without ending", \.laterStem),
        .optionalUrl(
            "earlierStem", "The address of the page of the earlier release without ending", \.earlierStem),
        .model(
            "verdict",
            "What their counts show: `Crashes more`, `Crashes less`, `No significant difference`, `Not enough data`, `Unknown`",
            \.verdict),
        .list("rates", "Their rates and the differences, over each span", \.rates),
        .optional("ages", "Both by days of their lives; absent when no source provides it", \.ages),
        .list("releases", "Both as rows of the list of releases, the later first", \.releases),
        .text("releasesRate", "What `releases` say the rate of, such as `Crash-free sessions`") {
            $0.releases.rateHeading
        },
        .text("releasesCount", "What `releases` count, such as `Sessions`") { $0.releases.countHeading },
        .model("onlyLater", "Issues seen in the later release and not in the earlier", \.onlyLater),
        .model("both", "Issues seen in both, largest increase first", \.both),
        .model("onlyEarlier", "Issues seen in the earlier release and not in the later", \.onlyEarlier),
        .flag("hasCounts", "True when numbers of users and events are shown", \.hasCounts),
        .optionalText(
            "issuesUnavailable", "Why issues are not available by release, when they are not",
            \.issuesUnavailable),
        .list("parts", "The pages of this app", \.parts),
    ]
}

extension ComparePage {
    /// Two releases of an app next to each other.
    package init(_ inputs: PairInputs, site: SiteFacts) {
        let (pair, facts, issues) = (inputs.pair, inputs.facts, inputs.scope.issues)
        let path = pair.path(of: facts.app.id)
        let scope = AppScope(facts, at: path, of: site)
        let names = pair.names
        let verdict = scope.verdict(on: pair)
        self.frame = Frame(
            path, title: "\(facts.app.name): \(names.later) vs. \(names.earlier)", summary: verdict.why,
            freshness: captureSentence(pair.capturedAt),
            crumbs: facts.app.way + [("Releases", .part(.releases, of: facts.app.id))], hasData: true,
            tables: ["comparedIssues"], site: site)
        self.app = facts.app.name
        self.later = names.later
        self.earlier = names.earlier
        self.laterStem = scope.links.stem(to: .release(names.later, of: facts.app.id))
        self.earlierStem = scope.links.stem(to: .release(names.earlier, of: facts.app.id))
        self.verdict = verdict
        self.rates = pair.rates.map { ComparedRateRow($0, of: names, in: scope) }
        self.ages = scope.pairChart(pair, inputs.releases, inputs.scope.stability)
        self.releases = ReleaseRow.rows(inputs.releases, in: scope)
        self.onlyLater = ComparedIssues(pair.onlyLater, later: names.later, issues, in: scope)
        self.both = ComparedIssues(pair.both, later: names.later, issues, in: scope)
        self.onlyEarlier = ComparedIssues(pair.onlyEarlier, later: names.later, issues, in: scope)
        self.hasCounts = !scope.hidesCounts
        self.issuesUnavailable =
            !issues.countsReleases
            ? "The source doesn't report issues by release."
            : pair.knowsIssues
                ? nil : "Issues by release not available: not reported for every day of both releases."
        self.parts = partLinks(of: facts.app, from: path, scope.links)
    }
}

extension ComparePage: ChartedPage {
    package var charts: [ChartView] { [ages].compactMap(\.self) }

    package mutating func leaveOutChartFiles() { ages = ages?.alone }
}

extension AppScope {
    /// Two releases by days of their lives, the later one in front; of the earlier one some days more, as it went on.
    fileprivate func pairChart(
        _ pair: PairFacts, _ releases: [ReleaseFacts], _ stability: StabilitySection
    ) -> ChartView? {
        guard let lives = pair.lives, lives.later.basis == .sessions else { return nil }
        let days = lives.later.days.count
        let span = days + min(max(days, 4), 14)
        let lines = [lives.later, lives.earlier].compactMap { life in
            releases.first { $0.label == life.label }.map {
                line(of: $0, from: life.firstDay, span: min(span, life.days.count), stability)
            }
        }
        let provisional = lives.later.days.indices.count {
            stability.isProvisional(lives.later.day(ofAge: $0))
        }
        let share = PercentFormat.levelText(ReleaseHistory.threshold)
        return ChartView(
            figure: AgeChart(
                name: "pair-by-age", title: "Crash-free sessions by days after \(share) of sessions",
                unit: .rate, lines: lines, rules: levels, provisional: provisional, start: .share(share)))
    }

    /// The page of a pair as a link that says the earlier release; nil when there is nothing to link to.
    func link(to pair: PairFacts) -> LinkItem? {
        links.stem(to: pair.path(of: app.id)).map {
            LinkItem(title: pair.names.earlier, stem: $0, isCurrent: false)
        }
    }

    /// A comparison that a release takes part in, as a link that says the other release.
    func comparison(of label: String, in names: RateDifference.Names) -> LinkItem {
        LinkItem(
            title: names.later == label ? names.earlier : names.later,
            stem: links.stem(to: names.path(of: app.id)), isCurrent: false)
    }
}
