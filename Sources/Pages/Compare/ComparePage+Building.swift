import Analysis
import AppHealth
import Charts

extension ComparePage {
    /// Two releases of an app beside each other.
    package init(_ releases: ComparedReleases, _ report: AppReport, site: SiteFacts) {
        let path = report.path(of: releases)
        let links = site.links(from: path)
        let names = releases.names
        let lives = report.lifePair(releases)
        let rates = report.comparedRates(releases, lives)
        let verdict = report.comparedVerdict(rates, lives)
        let issues = report.comparedIssues(releases)
        self.frame = Frame(
            path, title: "\(report.app.name): \(names.later) beside \(names.earlier)", summary: verdict.why,
            freshness: report.freshness,
            crumbs: [
                ("Apps", .portfolio), (report.app.name, .app(report.app.id)),
                ("Releases", .part(.releases, of: report.app.id)),
            ], hasData: true, tables: ["comparedIssues"], site: site)
        self.app = report.app.name
        self.later = names.later
        self.earlier = names.earlier
        self.laterStem = links.stem(to: .release(names.later, of: report.app.id))
        self.earlierStem = links.stem(to: .release(names.earlier, of: report.app.id))
        self.verdict = verdict
        self.rates = rates.map { ComparedRateRow($0, report) }
        self.ages = lives.map(report.pairChart)
        self.releases = [releases.later, releases.earlier].map { report.releaseRow($0, links) }
        self.onlyLater = report.comparedList(issues.onlyLater, releases, links)
        self.both = report.comparedList(issues.both, releases, links)
        self.onlyEarlier = report.comparedList(issues.onlyEarlier, releases, links)
        self.hasCounts = !report.hidesCounts
        self.issuesUnavailable =
            report.evidence.issueReleaseDays.isEmpty ? "The source does not count issues by release." : nil
        self.parts = partLinks(of: report.app, from: path, links)
    }
}

extension ComparePage: ChartedPage {
    package var charts: [ChartView] { [ages].compactMap(\.self) }
}

extension AppReport {
    /// Two releases by days of their lives, the later one in front; of the earlier one some days more, as it went on.
    func pairChart(_ lives: ReleasePair) -> ChartView {
        let days = lives.later.days.count
        let span = days + min(max(days, 4), 14)
        let lines = [lives.later, lives.earlier].map { life in
            line(of: life.label, from: life.firstDay, span: min(span, life.days.count))
        }
        let provisional = lives.later.days.indices.count { isProvisional(lives.later.day(ofAge: $0)) }
        return ChartView(
            figure: AgeChart(
                name: "pair-by-age", title: "Crash-free sessions by age", unit: .rate, lines: lines,
                rules: levels, provisional: provisional))
    }

    /// The page of a pair as a link that says the earlier release; nil when there is nothing to link to.
    func link(to pair: ComparedReleases, _ links: Links) -> LinkItem? {
        links.stem(to: path(of: pair)).map {
            LinkItem(title: pair.names.earlier, stem: $0, isCurrent: false)
        }
    }

    /// The comparisons that a release takes part in, as links that say the other release.
    func comparisons(of label: String, _ links: Links) -> [LinkItem] {
        pairs.filter { $0.holds(label) }.map { pair in
            let names = pair.names
            return LinkItem(
                title: names.later == label ? names.earlier : names.later,
                stem: links.stem(to: path(of: pair)), isCurrent: false)
        }
    }

    /// The numbers of the page of two releases.
    func numbers(of releases: ComparedReleases) -> [Explanation] {
        comparedRates(releases, lifePair(releases)).flatMap { ComparedRateRow($0, self).figures }
            .map(\.explanation)
    }

    /// What does not agree on the page of two releases.
    package func mismatches(in page: ComparePage) -> [Mismatch] {
        mismatches(in: page.rates.flatMap(\.figures), page.charts)
    }
}
