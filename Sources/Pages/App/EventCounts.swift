import Analysis
import AppHealth
import Charts
import Formatting
package import Templates

/// The events of an app without rates: of the last 28 days against those before, by day and by release.
package struct EventCounts: TemplateModel {
    package static let modelName = "event-counts"
    package var figures: [Figure]
    package var chart: ChartView?
    package var releases: [EventsOfReleaseRow]
    package var releasesSpan: String
    package var releasesAbsence: String?

    package static let fields: [Field<EventCounts>] = [
        .flag("hasFigures", "True unless numbers of events are hidden") { !$0.figures.isEmpty },
        .list(
            "figures", "Events and new issues of 28 days, and how they changed from the 28 days before",
            \.figures),
        .optional(
            "chart", "The events of each day over 90 days; absent where the crashes by day are the same",
            \.chart),
        .list("releases", "The releases with most events in the 28 days", \.releases),
        .flag("hasReleases", "True when there is at least one") { !$0.releases.isEmpty },
        .text(
            "releasesSpan", "What these are counted over, such as `28 days to Thu, Nov 19, 2026`",
            \.releasesSpan),
        .optionalText(
            "releasesAbsence", "Why there are no events by release; absent when there are, or when hidden",
            \.releasesAbsence),
    ]
}

/// The events of an app in one release.
package struct EventsOfReleaseRow: TemplateModel, Hashable {
    package static let modelName = "events-of-release"
    package var version: String
    package var stem: String?
    package var events: String
    package var issues: String

    package static let fields: [Field<EventsOfReleaseRow>] = [
        .text("version", "The label of the release, such as `4.2.1`", \.version),
        .optionalUrl("stem", "The address of its page without ending; absent when it has none", \.stem),
        .text("events", "Its events, such as `1,204`", \.events),
        .text("issues", "How many issues had events in it", \.issues),
    ]
}

extension EventCounts {
    /// How many releases it shows.
    private static let releaseLimit = 5

    /// The events of an app.
    init(
        _ events: ReportedEvents, _ issues: IssuesSection, _ stability: StabilitySection, in scope: AppScope
    ) {
        self.figures = scope.eventFigures(events, from: issues.source)
        self.chart = events.areCrashes(stability) ? nil : scope.eventsChart(events, issues)
        let isHidden = scope.hidesCounts
        self.releases = (isHidden ? [] : events.releases.prefix(Self.releaseLimit)).map { release in
            EventsOfReleaseRow(
                version: release.label, stem: scope.links.stem(to: .release(release.label, of: scope.app.id)),
                events: countText(release.events), issues: countText(release.issues))
        }
        self.releasesSpan = events.releasesSpanText
        self.releasesAbsence =
            isHidden || !events.releases.isEmpty
            ? nil
            : issues.countsReleases
                ? "No events by release in these days." : "The source doesn't report issues by release."
    }
}

extension AppScope {
    /// Events and new issues of the window, with their change; none where counts are hidden.
    func eventFigures(_ events: ReportedEvents, from source: SourceFacts?) -> [Figure] {
        guard !hidesCounts, let source else { return [] }
        let all = source.measured(
            .issueDays, missing: .noFigures(events.window.upperBound), events.events)
        var total = Figure(
            .windowEvents, count: all, detail: events.spanText,
            how: "events of all reported issues on these days, summed", from: source, in: self)
        total.change = events.events.flatMap { _ in events.change?.text }
        var new = Figure(
            .newIssues,
            count: source.measured(.issues, missing: .noFigures(events.window.lowerBound), events.newIssues),
            detail: events.newIssuesText, how: "issues first seen on these days", from: source, in: self)
        new.change = events.newIssuesBefore.map { "\(countText($0)) in the \(AppFacts.listSpan) days before" }
        return [total, new]
    }

    /// The events of a day, in the place of a rate.
    func eventsFigure(_ events: ReportedEvents, on day: CivilDate, from source: SourceFacts) -> Figure {
        Figure(
            .events, count: events.measured(on: day, from: source),
            detail: "on \(day.compactText)" + events.partText(on: day),
            how: "events of all reported issues, summed", from: source, in: self)
    }

    /// Events by day; of a part of all issues without what is usual.
    func eventsChart(_ events: ReportedEvents, _ issues: IssuesSection) -> ChartView {
        let span = AppFacts.chartSpan
        let days = dates(in: DateDomain(last: facts.lastCompleteDay, count: span))
        return countChart(
            name: "events",
            title: "Events, \(span) days"
                + (events.areWhole ? "" : events.isOfShare ? ofShareText : ", not all issues reported"),
            events.course(on: days, issues))
    }

    /// `63 events`, for an app that has neither a rate nor crashes to show; nil where counts are hidden.
    func eventsText(_ events: ReportedEvents?, on day: CivilDate) -> String? {
        guard !hidesCounts else { return nil }
        return events?[day].map { countedText($0, "event") }
    }

    /// `63 events on Thu, Nov 19, 2026, 30 of 300 issues reported. A source of crashed sessions or affected users …`
    func eventsReason(_ events: ReportedEvents?, on day: CivilDate) -> String? {
        guard let events, events[day] != nil else { return nil }
        let count = eventsText(events, on: day) ?? "Counted by events"
        return "\(count) on \(day.compactText)\(events.partText(on: day)). \(ratesAdvice)"
    }
}

extension ReportedEvents {
    /// The events of a day, with their state.
    func measured(on day: CivilDate, from source: SourceFacts) -> Measured<Int> {
        source.measured(.issueDays, missing: .noFigures(day), self[day])
    }

    /// `26 of 28 days to Thu, Nov 19, 2026, 30 of 300 issues reported`
    fileprivate var spanText: String {
        let length = (days.isWhole ? "" : "\(days.known) of ") + "\(days.all) days"
        return "\(length) to \(window.upperBound.compactText)" + (reported.isComplete ? "" : reportedText)
    }

    /// `28 days to Thu, Nov 19, 2026, 30 of 300 issues reported`: when an issue was first seen needs no count of its days.
    fileprivate var newIssuesText: String {
        "\(days.all) days to \(window.upperBound.compactText)" + (reported.isComplete ? "" : reportedText)
    }

    /// `, 30 of 300 issues reported`; empty for a day of which every issue is.
    fileprivate func partText(on day: CivilDate) -> String { wholeDays.contains(day) ? "" : reportedText }

    private var reportedText: String {
        isOfShare ? ofShareText : ", \(reported.partText ?? "not all issues") reported"
    }

    /// `28 days to Thu, Nov 19, 2026`, with the days that are not whole.
    fileprivate var releasesSpanText: String {
        let span = "\(releaseDays.all) days to \(window.upperBound.compactText)"
        if isOfShare { return span + ofShareText }
        return releaseDays.isWhole
            ? span : "\(span), all issues reported on \(releaseDays.known) of them: counts may be too low"
    }
}

/// What a count is of where a source counts a share of everybody alone, such as those who share their data.
let ofShareText = ", of a share of all users"

extension ReportedEvents.WindowChange {
    /// `+12.0% vs. the 28 days before`, with the days that could be compared where these are not all.
    fileprivate var text: String {
        "\(growthText(growth)) vs. the \(days.all) days before"
            + (days.isWhole ? "" : " (\(days.known) days of each)")
    }
}
