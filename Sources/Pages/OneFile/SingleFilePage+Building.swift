package import Analysis
import AppHealth
import Formatting
import Markup
import Statistics

extension SingleFilePage {
    private static let daySpan = 7
    private static let issueLimit = 100
    private static let releaseLimit = 30

    /// The report of an app in one file.
    ///
    /// - Parameters:
    ///   - style: the style sheets of the theme, free of `</style` and of addresses of other files.
    ///   - policy: the content security policy that admits this style sheet alone.
    package init(_ report: AppReport, rules: [any Rule], style: String, policy: String, site: SiteFacts) {
        let app = report.app.id
        let days = Array(report.evidence.days.suffix(Self.daySpan).reversed())
        let parts =
            [("Overview", SitePath.app(app))]
            + AppPart.allCases.map {
                ($0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst(), .part($0, of: app))
            }
        let named =
            parts
            + days.prefix(1).map { _ in
                ("The last \(days.count == 1 ? "day" : "\(days.count) days")", Self.daysPath)
            }
            + [("Methods", .methods)]
        var site = site
        site.together = Set(parts.map(\.1) + days.map { SitePath.day($0, of: app) } + [.methods])
        self.style = Markup(trusted: style, language: .html)
        self.policy = policy
        self.name = report.app.name
        self.contents = named.map { ContentsRow(title: $0.0, anchor: $0.1.stem + ".html", level: 2) }
        self.overview = AppPage(report, site: site).alone
        self.activity = ActivityPage(report, newest: .max, site: site)
        self.activity.days = activity.days.compactMap { $0.withoutSummaries(since: report.windows.first) }
        self.issues = IssuesPage(report, site: site).alone
        let all = issues.issues.count
        self.issues.issues = Array(issues.issues.prefix(Self.issueLimit))
        self.issuesCut =
            all > Self.issueLimit ? "The first \(Self.issueLimit) of \(countText(all)) issues." : nil
        self.releases = ReleasesPage(report, site: site).alone
        self.releases.releases = Array(releases.releases.prefix(Self.releaseLimit))
        self.usage = UsagePage(report, site: site).alone
        self.days = days.map { day in
            var page = DayPage(day, report, site: site)
            page.issues = Array(page.issues.prefix(8))
            return page
        }
        self.methods = MethodsPage(
            [AppSummaryRow(report)], targets: [(report.app.name, report.targets)], rules: rules,
            introduction: nil, site: site)
        self.frame = Frame(
            .app(app), title: report.app.name, summary: overview.frame.summary, freshness: report.freshness,
            site: site)
    }

    /// Where the list of days stands; in a site it has no page of its own.
    private static let daysPath = SitePath(folder: [Slug(anyText: "days")])
}

extension AppPage {
    /// The page for a file that has none beside it.
    fileprivate var alone: AppPage {
        var page = self
        page.stability = stability.alone
        page.usage = usage?.alone
        return page
    }
}

extension IssuesPage {
    fileprivate var alone: IssuesPage {
        var page = self
        (page.users, page.ranks) = (users?.alone, ranks?.alone)
        return page
    }
}

extension ReleasesPage {
    fileprivate var alone: ReleasesPage {
        var page = self
        (page.ages, page.adoption) = (ages?.alone, adoption?.alone)
        return page
    }
}

extension UsagePage {
    fileprivate var alone: UsagePage {
        var page = self
        (page.chart, page.sessions, page.calendar) = (chart?.alone, sessions?.alone, calendar?.alone)
        return page
    }
}

extension ActivityDay {
    /// The day without its summary, which stands among the last days; nil when nothing else happened on it.
    fileprivate func withoutSummaries(since first: CivilDate) -> ActivityDay? {
        guard date >= first.description else { return nil }
        var day = self
        day.entries.removeAll { $0.kind == EventKind.topIssues.rawValue }
        return day.entries.isEmpty && day.muted == nil ? nil : day
    }
}
