package import Analysis
import AppHealth
import Estimates
import Formatting
package import Markup
package import Templates

/// The report of one app as one file that needs no other: to send by mail, to keep, to open from a disk.
package struct SingleFilePage: TemplateModel {
    package static let modelName = "single-file"
    package var frame: Frame
    package var name: String
    /// The style sheets of the theme, to stand between `<style>` and `</style>` as they are.
    package var style: Markup
    /// What the file may load: nothing but its own style sheet, which is named by its hash.
    package var policy: String
    package var contents: [ContentsRow]
    package var overview: AppPage
    package var activity: ActivityPage
    package var issues: IssuesPage
    package var issuesCut: String?
    package var releases: ReleasesPage
    package var usage: UsagePage
    package var days: [DayPage]
    package var methods: MethodsPage

    package static let fields: [Field<SingleFilePage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("name", "The app's name", \.name),
        .markup("style", "The style sheets of the theme, for a `style` element") { page, _ in page.style },
        .text("policy", "The content security policy: nothing is loaded but the style sheet", \.policy),
        .list("contents", "The parts of the file", \.contents),
        .model("overview", "The overview", \.overview),
        .model("activity", "The events of the last 28 days", \.activity),
        .model("issues", "The issues, the first hundred of them", \.issues),
        .optionalText(
            "issuesCut", "How many issues are listed, such as `The first 100 of 1,204 issues.`", \.issuesCut),
        .model("releases", "The releases, the newest thirty of them", \.releases),
        .model("usage", "The usage", \.usage),
        .list("days", "The last seven days, newest first", \.days),
        .model("methods", "How the numbers are made, with the sources of this app", \.methods),
    ]
}

extension SingleFilePage {
    private static let daySpan = 7
    private static let issueLimit = 100
    private static let releaseLimit = 30

    /// The report of an app in one file.
    ///
    /// - Parameters:
    ///   - style: the style sheets of the theme, free of `</style` and of addresses of other files.
    ///   - policy: the content security policy that admits this style sheet alone.
    package init(_ pages: AppPages, rules: [any Rule], style: String, policy: String) {
        let facts = pages.facts
        let app = facts.app.id
        let days = Array(facts.days.suffix(Self.daySpan).reversed())
        let parts =
            [("Overview", SitePath.app(app))]
            + AppPart.allCases.map {
                ($0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst(), .part($0, of: app))
            }
        let named =
            parts
            + days.prefix(1).map { _ in
                ("Latest \(days.count == 1 ? "day" : "\(days.count) days")", Self.daysPath)
            }
            + [("Methods", .methods)]
        var site = pages.site
        site.together = Set(parts.map(\.1) + days.map { SitePath.day($0, of: app) } + [.methods])
        let pages = AppPages(pages.analysis, site: site)
        self.style = Markup(trusted: style, language: .html)
        self.policy = policy
        self.name = facts.app.name
        self.contents = named.map { ContentsRow(title: $0.0, anchor: $0.1.stem + ".html", level: 2) }
        self.overview = pages.overview.alone
        self.activity = pages.activity(newest: .max)
        self.activity.days = activity.days.compactMap { $0.withoutSummaries(since: pages.windowStart) }
        self.issues = pages.issues.alone
        let all = pages.analysis.issues.all.count
        self.issues.issues = Array(issues.issues.prefix(Self.issueLimit))
        self.issuesCut =
            all > Self.issueLimit ? "The first \(Self.issueLimit) of \(countText(all)) issues." : nil
        self.releases = pages.releases.alone
        self.releases.releases = Array(releases.releases.prefix(Self.releaseLimit))
        self.usage = pages.usage.alone
        self.days = days.map { day in
            var page = pages.day(day)
            page.issues = Array(page.issues.prefix(8))
            return page
        }
        self.methods = MethodsPage(
            [pages.summaryRow], targets: [(facts.app.name, facts.targets)], rules: rules,
            introduction: nil, site: pages.site)
        self.frame = Frame(
            .app(app), title: facts.app.name, summary: overview.frame.summary,
            freshness: facts.freshnessSentence, showsInstant: true, site: pages.site)
    }

    /// Where the list of days is; in a site it has no page of its own.
    private static let daysPath = SitePath(folder: [Slug(anyText: "days")])
}

extension AppPage {
    /// The page for a file that has none next to it.
    fileprivate var alone: AppPage {
        var page = self
        page.stability = stability?.alone
        page.usage = usage?.alone
        page.causes?.chart = causes?.chart?.alone
        return page
    }
}

extension IssuesPage {
    fileprivate var alone: IssuesPage {
        var page = self
        (page.users, page.ranks) = (users?.alone, ranks?.alone)
        page.listParts = []
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
    /// The day without its summary, which is among the last days; nil when nothing else happened on it.
    fileprivate func withoutSummaries(since first: CivilDate) -> ActivityDay? {
        guard date >= first.description else { return nil }
        var day = self
        day.entries.removeAll { $0.kind == EventKind.topIssues.rawValue }
        return day.entries.isEmpty && day.muted == nil ? nil : day
    }
}
