import Analysis
import AppHealth
import Formatting
import Statistics

extension AppReport {
    /// The numbers on a page of the app; nil when the app has no such page.
    package func explanations(at path: SitePath) -> [Explanation]? {
        if path == .app(app.id) { return overviewNumbers }
        if let part = AppPart.allCases.first(where: { path == .part($0, of: app.id) }) {
            return numbers(of: part)
        }
        if let day = evidence.days.first(where: { path == .day($0, of: app.id) }) { return numbers(of: day) }
        if let release = releases.first(where: { path == .release($0.version.label, of: app.id) }) {
            return numbers(of: release)
        }
        if let pair = pairs.first(where: { path == self.path(of: $0) }) { return numbers(of: pair) }
        if let week = activeWeeks.first(where: { path == .activity($0, of: app.id) }) {
            return alertNumbers(on: activeDays.filter { CivilWeek(of: $0) == week })
        }
        let issue = evidence.issuesByID.values.first { path == .issue($0.id, of: app.id) }
        return issue.map(issueNumbers)
    }

    /// The pages of the app that show numbers, for names that are nearly right.
    package var explainedPaths: [SitePath] {
        let releases = releases.map { SitePath.release($0.version.label, of: app.id) }
        let days = evidence.days.map { SitePath.day($0, of: app.id) }
        let issues = rankedIssues.map { SitePath.issue($0.id, of: app.id) }
        let weeks = activeWeeks.map { SitePath.activity($0, of: app.id) }
        return [.app(app.id)] + AppPart.allCases.map { .part($0, of: app.id) } + releases + pairs.map(path)
            + days + weeks + issues
    }

    /// The numbers of the app on the entry page, under the name of the app.
    package var portfolioNumbers: [Explanation] {
        var numbers = [crashFreeFigure(evidence.basis, on: lastDay).explanation]
        numbers += [weekChangeNumber(on: lastDay)].compactMap(\.self)
        numbers += releases.prefix(1).map { adoptionFigure($0.version.label).explanation }
        numbers += [budgetNumber(through: lastDay)].compactMap(\.self)
        return numbers.map { $0.within(app.id.text) }
    }

    private var overviewNumbers: [Explanation] {
        let coverage = summary(of: lastDay).flatMap(coverageNumber)
        return tiles(on: lastDay).map(\.explanation)
            + [weekChangeNumber(on: lastDay), budgetNumber(through: lastDay), coverage].compactMap(\.self)
            + [causeNumber(on: lastDay)].compactMap(\.self)
            + releases.prefix(AppPage.releaseLimit).flatMap(rowNumbers)
    }

    private func numbers(of part: AppPart) -> [Explanation] {
        switch part {
        case .activity: alertNumbers(on: activeDays.prefix(ActivityPage.newestDays))
        case .usage: usageTiles.map(\.explanation)
        case .releases: releases.flatMap(rowNumbers)
        case .issues:
            rankedIssues.flatMap { issue in
                issueNumbers(issue).map { $0.within(Slug(anyText: issue.id).text) }
            }
        }
    }

    private func numbers(of release: Release) -> [Explanation] {
        releaseTiles(release.version.label).map(\.explanation)
    }

    /// The numbers of a release in a list, under its label.
    private func rowNumbers(_ release: Release) -> [Explanation] {
        numbers(of: release).map { $0.within(Slug(anyText: release.version.label).text) }
    }

    private func numbers(of day: CivilDate) -> [Explanation] {
        let rates = Basis.allCases.map { crashFreeFigure($0, on: day).explanation }
        let counts = revisions(of: day).compactMap { revision -> Explanation? in
            guard !rates.contains(where: { $0.label == revision.label }) else { return nil }
            return Explanation(
                id: numberName(revision.label), label: revision.label, value: revision.known,
                window: "on \(day.compactText)",
                quantity: .stated(
                    rows: [
                        Explanation.Row(what: "first reported", count: revision.reported),
                        Explanation.Row(what: "known now", count: revision.known),
                        Explanation.Row(what: "change", count: revision.change),
                    ], formula: "as the source counts it, in its newest snapshot"),
                origin: stabilityOrigin)
        }
        let coverage = summary(of: day).flatMap(coverageNumber)
        let issues = summary(of: day)?.entries.flatMap { numbers(of: $0, on: day) } ?? []
        let marks = [weekChangeNumber(on: day), budgetNumber(through: day), coverage, causeNumber(on: day)]
        return rates + counts + marks.compactMap(\.self) + alertNumbers(index.byDay[day] ?? []) + issues
    }

    private func numbers(of entry: TopIssuesSummary.Entry, on day: CivilDate) -> [Explanation] {
        let counts: [(String, Int?)] = [("Users", entry.users), ("Events", entry.events)]
        return counts.compactMap { label, count in
            count.map {
                Explanation(
                    id: label.lowercased(), label: "\(label) of \(entry.issue.label)", value: countText($0),
                    window: "on \(day.compactText)",
                    quantity: .count($0, what: label.lowercased(), how: "as the source counts them"),
                    origin: issuesOrigin
                ).within(Slug(anyText: entry.issue.id).text)
            }
        }
    }
}
