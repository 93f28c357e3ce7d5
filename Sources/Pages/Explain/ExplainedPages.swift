package import Analysis
import AppHealth
import Estimates
import Formatting

/// The numbers of the pages of an app, for `explain`.
package struct ExplainedPages: Sendable {
    let analysis: AppAnalysis
    let scope: AppScope
    private var app: Slug { analysis.facts.app.id }
    var origin: SourceFacts? { analysis.stability.source }
    private var sessions: SourceFacts? { analysis.stability.sessions?.facts }

    /// The numbers of an app.
    package init(_ analysis: AppAnalysis, labels: FigureLabels = .standard) {
        self.analysis = analysis
        self.scope = AppScope(analysis.facts, .absent, labels: labels)
    }

    /// The pages that show numbers, for names that are nearly right.
    package var paths: [SitePath] {
        let releases = analysis.releases.all.map { SitePath.release($0.label, of: app) }
        let pairs = analysis.releases.pairs.map { $0.path(of: app) }
        let days = analysis.facts.days.map { SitePath.day($0, of: app) }
        let issues = analysis.issues.all.map { SitePath.issue($0.issue.id, of: app) }
        let weeks = analysis.activity.weeks.map { SitePath.activity($0, of: app) }
        return [.app(app)] + AppPart.allCases.map { .part($0, of: app) } + releases + pairs + days + weeks
            + issues
    }

    /// The numbers on a page of the app; nil when the app has no such page.
    package func numbers(at path: SitePath) -> [Explanation]? {
        if path == .app(app) { return overview }
        if let part = AppPart.allCases.first(where: { path == .part($0, of: app) }) {
            return numbers(of: part)
        }
        if let day = analysis.facts.days.first(where: { path == .day($0, of: app) }) {
            let day = analysis.day(day)
            return numbers(of: day).captured(by: day.capturedAt)
        }
        let (releases, activity) = (analysis.releases, analysis.activity)
        if let release = releases.all.first(where: { path == .release($0.label, of: app) }) {
            return scope.tiles(of: release).map(\.explanation).captured(by: release.capturedAt)
        }
        if let pair = releases.pairs.first(where: { path == $0.path(of: app) }) {
            return numbers(of: pair).captured(by: pair.capturedAt)
        }
        if let week = activity.weeks.first(where: { path == .activity($0, of: app) }) {
            let days = activity.days.filter { CivilWeek(of: $0) == week }
            let capture = days.compactMap { analysis.day($0).capturedAt }.max()
            return alertNumbers(on: days).captured(by: capture)
        }
        let issue = analysis.issues.all.first { path == .issue($0.issue.id, of: app) }
        return issue.map(\.onPage).map { issue in
            scope.issueNumbers(issue, source: analysis.issues.source).captured(by: issue.capturedAt)
        }
    }

    /// The numbers of the app on the entry page, under the name of the app.
    package var portfolio: [Explanation] {
        let last = analysis.lastDay
        var numbers = [
            scope.crashFree(analysis.facts.basis, of: last, from: origin)
                .of(last.date, from: origin).explanation
        ]
        numbers += [scope.changeNumber(last, from: origin)].compactMap(\.self)
        numbers += [analysis.releases.latest].compactMap(\.self).map { scope.adoptionFigure($0).explanation }
        numbers += [scope.budgetNumber(last.budget, from: origin)].compactMap(\.self)
        return numbers.map { $0.within(app.text) }
    }

    private var overview: [Explanation] {
        let last = analysis.lastDay
        let events = analysis.reportedEvents
        let tiles =
            scope.overviewTiles(analysis.stability, analysis.usage, events, analysis.issues, last)
            + (events.map { scope.eventFigures($0, from: analysis.issues.source) } ?? [])
        return tiles.map(\.explanation) + marks(of: last)
            + analysis.releases.inUse(atMost: AppPage.releaseLimit).flatMap(rowNumbers)
    }

    /// Change, budget, coverage and cause of a day.
    private func marks(of day: DaySection) -> [Explanation] {
        [
            scope.changeNumber(day, from: origin), scope.budgetNumber(day.budget, from: origin),
            scope.coverageNumber(day.summary, from: analysis.issues.source),
            day.breakdown.map { scope.causeNumber($0, sessions.map(Explanation.Origin.init)) },
        ].compactMap(\.self)
    }

    /// The numbers of events, each under the event's anchor.
    private func alertNumbers(_ events: [Event]) -> [Explanation] {
        let origins = AlertOrigins(
            stability: origin.map(Explanation.Origin.init),
            sessions: sessions.map(Explanation.Origin.init),
            crashes: (analysis.stability.crashSource ?? analysis.issues.source).map(
                Explanation.Origin.init),
            issues: analysis.issues.source.map(Explanation.Origin.init),
            usage: analysis.usage.source.map(Explanation.Origin.init))
        return scope.alertNumbers(events.map(analysis.record), from: origins)
    }

    /// The numbers of what happened on some days.
    private func alertNumbers(on days: some Sequence<CivilDate>) -> [Explanation] {
        let days = Set(days)
        return alertNumbers(analysis.activity.events.filter { days.contains($0.occasion.day) })
    }

    private func numbers(of part: AppPart) -> [Explanation] {
        switch part {
        case .activity:
            alertNumbers(on: analysis.activity.days.prefix(ActivityPage.newestDays))
        case .usage: scope.usageTiles(analysis.usage).map(\.explanation)
        case .releases: analysis.releases.all.flatMap(rowNumbers)
        case .issues:
            analysis.issues.all.flatMap { known in
                scope.issueNumbers(known, source: analysis.issues.source).map {
                    $0.within(Slug(anyText: known.issue.id).text)
                }
            }
        }
    }

    /// The numbers of a release in a list, under its label.
    private func rowNumbers(_ release: ReleaseFacts) -> [Explanation] {
        scope.tiles(of: release).map { $0.explanation.within(Slug(anyText: release.label).text) }
    }

    private func numbers(of pair: PairFacts) -> [Explanation] {
        pair.rates.flatMap { ComparedRateRow($0, of: pair.names, in: scope).figures }.map(\.explanation)
    }

    private func numbers(of day: DaySection) -> [Explanation] {
        let rates = [Basis.users, .sessions].map {
            scope.crashFree($0, of: day, from: analysis.stability.source(of: $0)?.facts).explanation
        }
        let counts = RevisionRow.rows(day, in: scope).filter { row in
            !rates.contains { $0.id == row.id.rawValue }
        }.map { revision in
            Explanation(
                id: revision.id.rawValue, label: revision.label, value: revision.known,
                window: "on \(day.date.compactText)",
                quantity: .stated(
                    rows: [
                        Explanation.Row(what: "first reported", count: revision.reported),
                        Explanation.Row(what: "current", count: revision.known),
                        Explanation.Row(what: "change", count: revision.change),
                    ], formula: "as the source counts it, in its latest snapshot"),
                origin: origin(of: revision.id).map(Explanation.Origin.init))
        }
        let issues = (day.summary?.entries ?? []).flatMap { numbers(of: $0, on: day.date) }
        return rates + counts + marks(of: day) + alertNumbers(day.events) + issues
    }

    /// The source of a count of a day.
    private func origin(of count: FigureID) -> SourceFacts? {
        switch count {
        case .users, .crashedUsers: analysis.stability.users?.facts
        case .sessions, .crashedSessions: sessions
        default: origin
        }
    }

    private func numbers(of entry: TopIssuesSummary.Entry, on day: CivilDate) -> [Explanation] {
        let counts: [(FigureID, Int?)] = [(.users, entry.users), (.events, entry.events)]
        return (scope.hidesCounts ? [] : counts).compactMap { id, count in
            count.map {
                let label = scope.labels[id]
                return Explanation(
                    id: id.rawValue, label: "\(label) of \(entry.issue.label)",
                    value: scope.countText($0), window: "on \(day.compactText)",
                    quantity: .count($0, what: label.lowercased(), how: "as the source counts them"),
                    origin: analysis.issues.source.map(Explanation.Origin.init)
                ).within(Slug(anyText: entry.issue.id).text)
            }
        }
    }
}
