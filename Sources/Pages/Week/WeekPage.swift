package import Analysis
package import AppHealth
import Estimates
import Formatting
package import Templates

/// The weeks of one app with what their rows are written with.
package struct WeeksOfApp: Sendable {
    /// What the pages of the app share.
    let facts: AppFacts
    /// The newest first.
    package let all: [WeekFacts]

    /// The weeks of an app.
    package init(_ facts: AppFacts, _ weeks: [WeekFacts]) {
        self.facts = facts
        all = weeks
    }

    /// The week with these days.
    func facts(of week: CivilWeek) -> WeekFacts? { all.first { $0.week == week } }
}

/// One week of all apps: verdicts, changes, releases, alerts and budgets.
package struct WeekPage: TemplateModel, FramedPage {
    package static let modelName = "week"
    package var frame: Frame
    package var week: String
    package var span: String
    package var sentence: String
    package var apps: [WeekRow]
    package var previousStem: String?
    package var nextStem: String?
    package var summaryStem: String
    package var parts: [LinkItem]

    package static let fields: [Field<WeekPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("week", "The week, such as `Week 47 of 2026`", \.week),
        .text("span", "Its days, such as `Nov 16–22, 2026`", \.span),
        .text("sentence", "One sentence on the week", \.sentence),
        .list(
            "apps", "The apps, those first that need attention most; of more than 40 apps those of a part",
            \.apps),
        .list("parts", "The pages of the week, where many apps are on several", \.parts),
        .flag("hasParts", "True when they are on several") { !$0.parts.isEmpty },
        .optionalUrl("previousStem", "The address of the week before, without ending", \.previousStem),
        .optionalUrl("nextStem", "The address of the week after, without ending", \.nextStem),
        .url("summaryStem", "The address of the week's summary, without ending", \.summaryStem),
    ]
}

/// An app in a week, as one row.
package struct WeekRow: TemplateModel {
    package static let modelName = "week-row"
    package var name: String
    package var stem: String?
    package var verdict: VerdictView
    package var rate: String
    package var days: String?
    package var change: String?
    package var mover: String?
    package var moverStem: String?
    package var moverChange: String?
    package var releases: [LinkItem]
    package var alerts: String
    package var activityStem: String?
    package var budget: String?

    package static let fields: [Field<WeekRow>] = [
        .text("name", "The app's name", \.name),
        .optionalUrl("stem", "The address of its page without ending", \.stem),
        .model("verdict", "The verdict on the week", \.verdict),
        .text("rate", "The crash-free rate of the week with its interval; `No data` without one", \.rate),
        .optionalText("days", "On how many days there is data, when not on all: `5 of 7 days`", \.days),
        .optionalText(
            "change",
            "The change against the week before, such as `−0.21 pp (−0.34 to −0.08)`, `… vs. 3 of 7 days`",
            \.change),
        .optionalText(
            "mover", "The issue whose events changed most; absent where not all issues are known", \.mover),
        .optionalUrl("moverStem", "The address of that issue without ending", \.moverStem),
        .optionalText("moverChange", "How its events changed, such as `412, before 96`", \.moverChange),
        .list("releases", "The releases that came out or got a verdict, such as `4.3.0: Hold`", \.releases),
        .flag("hasReleases", "True when there is at least one") { !$0.releases.isEmpty },
        .text("alerts", "Alerts that opened and closed, such as `2 opened, 1 closed`", \.alerts),
        .optionalUrl(
            "activityStem", "The address of its activity in the week; absent when there was none",
            \.activityStem),
        .optionalText("budget", "What is left of its error budget, such as `37% remaining`", \.budget),
    ]
}

extension WeekPage {
    /// The weeks that any of the apps has and that are over in the zones of all of them, the newest first.
    package static func weeks(of apps: [WeeksOfApp]) -> [CivilWeek] {
        let weeks = Set(apps.flatMap { $0.all.map(\.week) })
        guard let over = lastDay(of: apps) else { return [] }
        return weeks.filter { $0.last <= over }.sorted(by: >)
    }

    /// The last day that is over in the zones of all of these apps; nil without apps.
    package static func lastDay(of apps: [WeeksOfApp]) -> CivilDate? {
        apps.map(\.facts.lastCompleteDay).min()
    }

    /// A part of the apps of a week.
    package init(_ inputs: WeekPageInputs, site: SiteFacts) {
        let path = SitePath.week(inputs.week, part: inputs.part)
        self.init(inputs, inputs.rows, site.links(from: path), site)
    }

    /// All apps of a week, for text that leaves the site.
    package init(outward inputs: WeekPageInputs, site: SiteFacts) {
        self.init(inputs, inputs.apps[...], site.outwardLinks, site)
    }

    private init(
        _ inputs: WeekPageInputs, _ rows: ArraySlice<AppWeek>, _ links: Links, _ site: SiteFacts
    ) {
        let (week, part) = (inputs.week, inputs.part)
        self.week = "Week \(week.number) of \(week.year)"
        span = spanText(week.first, week.last)
        sentence = inputs.sentence
        frame = Frame(
            .week(week, part: part), title: self.week + inputs.parts.suffix(of: part), summary: sentence,
            freshness: captureSentence(inputs.capturedAt),
            crumbs: [("Apps", .portfolio)] + (part == 1 ? [] : [(self.week, .week(week))]),
            hasData: part == 1, tables: part == 1 ? ["weekReleases"] : [], site: site)
        apps = rows.map { WeekRow($0.week, in: AppScope($0.facts, links, labels: site.labels)) }
        parts = inputs.parts.links(from: part, links) { .week(week, part: $0) }
        (previousStem, nextStem) = (
            inputs.previous.flatMap { links.stem(to: .week($0)) },
            inputs.next.flatMap { links.stem(to: .week($0)) }
        )
        summaryStem = part == 1 ? "summary" : "../summary"
    }
}

extension WeekRow {
    fileprivate init(_ week: WeekFacts, in scope: AppScope) {
        name = scope.app.name
        stem = scope.links.stem(to: .app(scope.app.id))
        let text = scope.shownRate(of: week)?.text
        rate = text ?? "No data"
        verdict = VerdictView(week.verdict, why: weekReason(week, text, in: scope))
        days = week.countedDays == 7 || text == nil ? nil : "\(week.countedDays) of 7 days"
        change = week.change.map {
            let display = PercentFormat(interval: $0.interval)
            let days = $0.daysBefore == 7 ? "" : " vs. \($0.daysBefore) of 7 days"
            return "\(display.changeText($0.value)) (\(display.changeBounds($0.interval)))\(days)"
        }
        mover = week.mover.map { Issue.headline(of: $0.title) }
        moverStem = week.mover.flatMap { scope.stem(toIssue: $0.id) }
        moverChange = week.mover.map { mover in
            scope.hidesCounts
                ? mover.events > mover.eventsBefore ? "more events" : "fewer events"
                : "\(unitText(mover.events, "events")), before \(countText(mover.eventsBefore))"
        }
        releases = week.releases.map { release in
            let verdict = release.verdict.map { ": \($0.words.sentenceCased)" } ?? ": no verdict"
            return LinkItem(
                title: release.label + (release.isNew ? " (new)" : "") + verdict,
                stem: scope.stem(toRelease: release.label), isCurrent: false)
        }
        alerts =
            week.opened + week.closed == 0
            ? "None" : "\(countText(week.opened)) opened, \(countText(week.closed)) closed"
        activityStem =
            week.opened + week.closed == 0
            ? nil : scope.links.stem(to: .activity(week.alertsWeek, of: scope.app.id))
        budget = week.budget?.text(counts: scope.audience.counts)
    }
}

private func weekReason(_ week: WeekFacts, _ rate: String?, in scope: AppScope) -> String {
    let silent =
        week.silentDays == 0 ? nil : "No crashes reported on \(week.silentDays) of 7 days."
    guard let rate else { return silent ?? "No rate." }
    let level = PercentFormat.levelText(scope.facts.targets.target)
    let whom = scope.facts.basis == .users ? "user-days" : scope.facts.basis.rawValue
    return ["Crash-free \(whom) \(rate) in the week; target \(level).", silent].compactMap(\.self)
        .joined(separator: " ")
}
