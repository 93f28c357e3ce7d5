package import Analysis
package import AppHealth
import Charts

/// All that a page is made from, besides what every page of the site shares.
///
/// What the pages of its app share is not encoded with it: many pages have it in common, and it is large.
package protocol PageInputs: Encodable, Sendable {
    /// What the pages of the app share, as far as the page goes: a function of its last day.
    var facts: AppFacts { get }
}

/// All that the page of a day and its summary are made from, besides what every page of the site shares.
package struct DayInputs: Hashable, PageInputs {
    /// The day.
    package let day: DaySection
    /// Its issues.
    package let issues: DayIssues
    /// Its events, newest first.
    package let events: [EventRecord]
    /// What does not add up in its figures.
    package let conflicts: [TotalConflict]
    /// What the pages of the app share, as far as the day goes.
    package let facts: AppFacts

    private enum CodingKeys: CodingKey { case day, issues, events, conflicts }
}

/// All that the page of an issue is made from, besides what every page of the site shares.
package struct IssueInputs: Hashable, PageInputs {
    /// The issue, without its place among others.
    package let issue: IssueFacts
    /// What happened to it, newest first.
    package let events: [EventRecord]
    /// What it takes from the rest of the app for its days.
    package let surroundings: IssueSurroundings
    /// What the pages of the app share, as far as the issue goes.
    package let facts: AppFacts

    private enum CodingKeys: CodingKey { case issue, events, surroundings }

    /// Its events by day; nil when its source has none.
    var course: CountCourse? { issue.events(on: days, in: surroundings) }

    private var days: [CivilDate] { chartDays(through: issue.window.lastDay) }
}

/// All that the page of a release and its summary are made from, besides what every page of the site shares.
package struct ReleaseInputs: Hashable, PageInputs {
    /// The release.
    package let release: ReleaseFacts
    /// The open alerts on it and on its issues, newest first.
    package let openAlerts: [Event]
    /// The names of each two releases it is compared with another in.
    package let comparisons: [RateDifference.Names]
    /// What they take from the rest of the app.
    package let scope: ReleaseScope
    /// What the pages of the app share, as far as the release goes.
    package let facts: AppFacts

    private enum CodingKeys: CodingKey { case release, openAlerts, comparisons, scope }
}

/// All that the page of two releases is made from, besides what every page of the site shares.
package struct PairInputs: Hashable, PageInputs {
    /// The two releases next to each other.
    package let pair: PairFacts
    /// Each of them, the later first.
    package let releases: [ReleaseFacts]
    /// What it takes from the rest of the app.
    package let scope: ReleaseScope
    /// What the pages of the app share, as far as the two go.
    package let facts: AppFacts

    private enum CodingKeys: CodingKey { case pair, releases, scope }
}

/// All that the page of a week of activity is made from, besides what every page of the site shares.
package struct WeekInputs: Hashable, PageInputs {
    /// The week.
    package let week: CivilWeek
    /// Its days with activity, newest first.
    package let days: [DayActivity]
    /// The week itself and those with activity next to it, newest first.
    package let weeks: [CivilWeek]
    /// What the pages of the app share, as far as the week goes.
    package let facts: AppFacts

    private enum CodingKeys: CodingKey { case week, days, weeks }
}

extension AppPages {
    /// What the page of a day is made from.
    package func inputs(of date: CivilDate) -> DayInputs {
        let day = analysis.day(date)
        return DayInputs(
            day: date < facts.lastDay ? day.ofThePast : day,
            issues: analysis.issues.list(of: day, lastDay: facts.lastDay),
            events: events(on: date).filter { $0.event.kind != .topIssues },
            conflicts: analysis.totalConflicts(on: date, sessionSums),
            facts: past(through: date))
    }

    /// What the page of an issue is made from.
    package func inputs(of known: IssueFacts) -> IssueInputs {
        let issue = known.onPage
        let end = issue.window.lastDay
        let last = (known.events.map(\.occasion.day) + known.muted.map(\.event.occasion.day)).max()
        return IssueInputs(
            issue: issue, events: known.events.map { analysis.record(of: $0) },
            surroundings: surroundings(through: end).ofPage(of: issue, on: chartDays(through: end)),
            facts: past(through: max(end, last ?? end)))
    }

    /// What the page of a release is made from.
    package func inputs(of release: ReleaseFacts) -> ReleaseInputs {
        let openAlerts = release.alerts(among: openIssueAlerts)
        let (release, scope, lastDay) = analysis.scope(of: release)
        return ReleaseInputs(
            release: release, openAlerts: openAlerts,
            comparisons: namesOfPairs(release.label),
            scope: scope,
            facts: past(through: lastDay))
    }

    /// What the page of two releases is made from.
    package func inputs(of pair: PairFacts) -> PairInputs {
        let (pair, releases, scope, lastDay) = analysis.scope(of: pair, placesOfReleases)
        return PairInputs(
            pair: pair, releases: releases, scope: scope, facts: past(through: lastDay))
    }

    /// What the page of a week of activity is made from.
    package func inputs(of week: CivilWeek) -> WeekInputs {
        let place = activeWeeks.firstIndex(of: week) ?? 0
        return WeekInputs(
            week: week, days: analysis.activity(on: daysOfWeeks[week] ?? [], events: events),
            weeks: Array(activeWeeks[max(0, place - 1)..<min(activeWeeks.count, place + 2)]),
            facts: past(through: week.last))
    }
}
