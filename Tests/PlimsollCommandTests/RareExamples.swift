import Analysis
import AppHealth
import Diagnostics

@testable import Pages
@testable import Site

/// Examples of what the demo's own pages do not show, made from its figures: other settings, other readers, and
/// blocks that its words do not name.
extension FieldExamples {
    /// Blocks of every kind on a page of the owner's.
    mutating func collectBlocks(_ reports: [AppAnalysis], _ digests: [AppSummaryRow], _ site: SiteFacts)
        async throws
    {
        let folder = try Folder()
        let blocks = ["tiles", "releases", "activity", "budget", "notes"].map {
            "```block\nkind: \($0)\napp: sketchbook\n```\n"
        }
        let absent = "```chart\nkind: age\napp: tidepool\n```\n"
        try folder.write("Content/blocks.md", "# Blocks\n\n" + (blocks + [absent]).joined(separator: "\n"))
        try folder.write("Content/methods.md", "We count *people*, not installations.\n")
        let (content, problems) = ContentFolder.read(
            folder.path + "/Content", apps: reports.map(\.facts.app.id))
        if !problems.isEmpty { throw Diagnostics(problems) }
        var live = LiveContent(content)
        for report in reports { live.gather(from: report) }
        try live.finish(with: digests)
        collect(MethodsPage(digests, targets: [], rules: [], introduction: live.methods, site: site))
        for (page, blocks) in live.pages {
            collect(
                ContentPage(
                    title: page.title, source: page.text.source, summary: page.summary, blocks: blocks,
                    site: site))
        }
    }

    /// A quiet entry page, a page for the public, and one that is at odds with itself.
    mutating func collectFrames(_ digests: [AppSummaryRow], _ site: SiteFacts) {
        let quiet = digests.filter { $0.id.text == "lighthouse" }
        collect(PortfolioPage(quiet, introduction: nil, site: site))
        var open = site
        open.audience = Audience(.public)
        collect(NotFoundPage(site: open))
        var page = NotFoundPage(site: site)
        let failed = Diagnostic.error(
            "page.total", "The sessions of single releases exceed those of all releases",
            details: ["releases: 51,007", "all: 51,006"])
        page.frame.failedChecks = [DiagnosticView(failed)]
        collect(page)
        collect(
            EventCounts(
                figures: [],
                releases: [
                    EventsOfReleaseRow(
                        version: "4.2.1", stem: "releases/4.2.1/index", events: "1,204", issues: "31")
                ], releasesSpan: "28 days to Thu, Nov 19, 2026",
                releasesAbsence: "The source doesn't report issues by release."))
        let published = PublicationState(
            target: "cdn", publishedAt: Instant("2026-11-20T06:05:00Z"),
            failedAt: Instant("2026-11-21T06:05:00Z"))
        collect(
            SourcesPage(digests, mutes: [], failedChecks: [failed], publications: [published], site: site))
        if var ended = digests.first?.sources.first {
            ended.until = "Tue, Mar 31, 2026"
            collect(ended)
        }
        collect(
            WithdrawnAlertView(
                sentence:
                    "Withdrawn: no longer supported by the data. Original alert: Crash free users dropped by 0.37%.",
                raised: "Wed, Nov 18, 2026, 06:00 UTC", dayStem: "../days/2026-11-17/index"))
    }

    /// The pages of a site with more groups than its entry page shows, and with lists on several pages.
    mutating func collectLists(_ digests: [AppSummaryRow], _ site: SiteFacts) {
        let rows = (0..<60).map { number in
            var row = digests[number % digests.count]
            row.id = Slug(anyText: "\(row.id)-\(number)")
            row.group = number < 24 ? "Drawing" : "Harbour \(number)"
            return row
        }
        let lists = AppLists(rows)
        collect(PortfolioPage(lists, introduction: nil, site: site))
        for part in lists.pages { collect(ListPage(part, site: site)) }
        let weeks = rows.map(\.weeks)
        for week in WeekPage.weeks(of: weeks).prefix(1) {
            let inputs = WeekPageInputs(WeekList(week, weeks), part: 2, weeks, weeks: [week])
            collect(WeekPage(inputs, site: site))
        }
        collect(SourcesPage(SourceList(rows), part: 2, site: site))
        collect(
            MethodsPage(
                MethodsList(rows, targets: []), part: 2, rules: [], introduction: nil, site: site))
    }

    /// The pages of an app whose settings leave events out, with a mute that has ended.
    mutating func collectLimits(_ history: AppHistory, _ targets: Targets, asOf: Instant, _ site: SiteFacts) {
        let id = history.app.id
        let limits = AlertSettings(kinds: [
            .newIssue: .init(limit: 1), .newNote: .init(isOn: false), .topIssues: .init(limit: 0),
        ])
        let ended = Mute(
            number: 0, Mute.Subject(app: id, kind: .stability),
            until: Mute.End(date: CivilDate("2026-11-01")),
            by: "Ana", why: "a known fault of 4.2.1", at: .file(path: "Content/mutes.yml", line: 2))
        let report = AppAnalysis(
            history, targets: targets, asOf: asOf,
            control: AlertControl(mutes: [ended], settings: [id: limits]))
        let digest = AppSummaryRow(report)
        collect(AppPages(report, site: site).activity())
        for week in report.activity.weeks { collect(AppPages(report, site: site).activity(in: week)) }
        for day in report.facts.days.suffix(40).reversed() { collect(AppPages(report, site: site).day(day)) }
        let summary = AppPages(report, site: site).summary(of: report.facts.lastDay)
        collect(summary)
        var crowded = summary
        for place in crowded.folded.indices { crowded.folded[place].count += 12 }
        collect(crowded)
        if let newest = report.releases.all.first {
            var page = AppPages(report, site: site).release(newest)
            page.issuesPartial = "Issues of \(newest.label) are known for 13 of 28 days."
            page.issuesUnavailable = "The source doesn't report issues by release."
            collect(page)
        }
        collect(SourcesPage([digest], mutes: muteProblems([ended], digest.muteUses), site: site))
    }

    /// The report of an app in one file, with more issues than it lists, and the list of so many issues in parts.
    mutating func collectSingleFile(
        _ history: AppHistory, _ targets: Targets, asOf: Instant, _ site: SiteFacts
    ) {
        var history = history
        if let issue = history.sources[0].issues.first {
            history.sources[0].issues += (0..<220).map { number in
                var other = issue
                other.id = "other-\(number)"
                return other
            }
        }
        let report = AppAnalysis(history, targets: targets, asOf: asOf)
        collect(AppPages(report, site: site).issues)
        collect(
            SingleFilePage(
                AppPages(report, site: site), rules: standardRules, style: "html{color:var(--ink)}",
                policy: "default-src 'none'; style-src 'sha256-…'; img-src data:"))
    }

    /// The pages of an app whose source knows nothing but the rate.
    mutating func collectAbsences(_ history: AppHistory, _ targets: Targets, asOf: Instant, _ site: SiteFacts)
    {
        var history = history
        for index in history.sources.indices {
            history.sources[index].source.capabilities = [.users]
            history.sources[index].issues = []
            history.sources[index].issueDays = []
            history.sources[index].releases = []
            history.sources[index].usage = []
        }
        let report = AppAnalysis(history, targets: targets, asOf: asOf)
        collect(AppPages(report, site: site).overview)
        collect(AppPages(report, site: site).issues)
        collect(AppPages(report, site: site).releases)
        var usage = AppPages(report, site: site).usage
        usage.partial = "Partial coverage on 3 of 28 days: counts of these days are too low."
        collect(usage)
        if let day = report.facts.days.last { collect(AppPages(report, site: site).day(day)) }
        for index in history.sources.indices {
            history.sources[index].source.capabilities = [.issues, .issueDays]
            history.sources[index].health = []
        }
        let issuesAlone = AppAnalysis(history, targets: targets, asOf: asOf)
        collect(AppPages(issuesAlone, site: site).overview)
    }

    /// The entry page with an app that has crashes alone, which are old.
    mutating func collectStaleCrashes(
        _ history: AppHistory, _ targets: Targets, asOf: Instant, _ site: SiteFacts
    ) {
        let timeout = Diagnostic.error("transport.timeout", "no answer within 30 seconds")
        var history = history
        for index in history.sources.indices {
            history.sources[index].source.capabilities = [.issues, .issueDays]
            history.sources[index].health = []
            history.sources[index].lastAttempt = FetchAttempt(at: asOf, outcome: .failed(timeout))
        }
        let row = AppSummaryRow(AppAnalysis(history, targets: targets, asOf: asOf))
        collect(PortfolioPage([row], introduction: nil, site: site))
    }

    /// Two releases of an app whose source does not report issues by release.
    mutating func collectComparedWithoutIssues(
        _ history: AppHistory, _ targets: Targets, asOf: Instant, _ site: SiteFacts
    ) {
        var history = history
        for index in history.sources.indices {
            history.sources[index].issueDays.removeAll { $0.version != nil }
        }
        let report = AppAnalysis(history, targets: targets, asOf: asOf)
        if let pair = report.releases.pairs.first { collect(AppPages(report, site: site).comparison(pair)) }
    }
}
