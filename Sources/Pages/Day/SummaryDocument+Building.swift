import Analysis
package import AppHealth
import Formatting
import Statistics

extension SummaryDocument {
    /// The Top Issues Summary of a day.
    package init(day: CivilDate, _ report: AppReport, _ links: Links, isDemo: Bool) {
        let summary = report.summary(of: day)
        let zone = report.evidence.stability?.source.zone ?? "UTC"
        self.title = "\(report.app.name) — \(day.compactText) (\(zone))"
        self.verdict = report.verdict(on: day)
        self.isDemo = isDemo
        self.sentences = report.firstLines(of: day, summary)
        self.issuesHeading = "Top issues of the day"
        self.shareHeading = "Share"
        self.issues = summary.map { report.issueRows(of: $0, links, limit: 10) } ?? []
        self.folded = report.foldedGroups(of: day, links)
        self.muted = (report.index.mutedByDay[day] ?? []).map { report.mutedEntry($0, links) }
        let titles = folded.map { "\($0.title) (\($0.issues.count))" }
        self.foldedTitle = (titles + (muted.isEmpty ? [] : ["Muted events (\(muted.count))"]))
            .joined(separator: " · ")
        self.notes = report.notes(links) { $0 == .day(day) }
        let isEarlier = day != report.lastDay && report.isProvisional(day)
        self.freshness = report.freshness + (isEarlier ? " \(day.weekdayName) is provisional." : "")
        self.pageStem = links.stem(to: .day(day, of: report.app.id))
        self.methodsStem = links.stem(to: .methods)
    }

    /// The summary of a release, for its notes.
    package init(release: Release, _ report: AppReport, _ links: Links, isDemo: Bool) {
        let label = release.version.label
        let released = release.releasedAt.map { ", released \($0.date.compactText)" } ?? ""
        self.title = "\(report.app.name) \(release.version)\(released)"
        self.verdict = report.releaseVerdict(label)
        self.isDemo = isDemo
        self.sentences = report.firstLines(of: release)
        self.issuesHeading = "Top issues of \(label)"
        self.shareHeading = "Share of \(label)"
        self.issues = report.issueRows(inRelease: label, onlyNew: false, links, limit: 10)
        let new = report.issueRows(inRelease: label, onlyNew: true, links, limit: 10)
        self.folded = new.isEmpty ? [] : [FoldedGroup(title: "New in \(label)", issues: new)]
        self.muted = []
        self.foldedTitle = folded.map { "\($0.title) (\($0.issues.count))" }.joined(separator: " · ")
        self.notes = report.notes(links) { $0 == .release(label) }
        self.freshness = report.freshness
        self.pageStem = links.stem(to: .release(label, of: report.app.id))
        self.methodsStem = links.stem(to: .methods)
    }
}

extension AppReport {
    fileprivate func firstLines(of day: CivilDate, _ summary: TopIssuesSummary?) -> [String] {
        var lines = [verdict(on: day).why]
        if let change = weekChange(on: day) { lines[0] += " Change: \(change)." }
        if let quiet = quietLine(on: day) { lines.append(quiet) }
        lines += (index.byDay[day] ?? []).filter { $0.kind == .stability || $0.kind == .recovery }.map {
            $0.sentence(counts: audience.counts)
        }
        if let causes = evidence.openDrop(on: day, events: falls) {
            lines.append(causes.sentence(counts: audience.counts))
        }
        if let summary {
            lines.append(
                [summary.sentence(counts: audience.counts), coverage(of: summary)].compactMap { $0 }.joined(
                    separator: " "))
        }
        if let covering = covering(on: day) { lines.append(covering) }
        if let budget = StabilityBudget(evidence, through: day) {
            lines.append("Error budget, \(budget.verdict.words): " + budget.sentence(counts: audience.counts))
        }
        if let why = why(no: .issueDays) { lines.append(why) }
        return lines
    }

    fileprivate func firstLines(of release: Release) -> [String] {
        let label = release.version.label
        let judgement = judgement(on: release)
        var lines = [
            releaseVerdict(label).why,
            "Roll-out: \(judgement.verdict.words). \(judgement.why(counts: audience.counts))",
        ]
        if let adoption = adoption(label).value {
            lines.append("Session adoption \(shareText(adoption)) on \(lastDay.compactText).")
        }
        if let stage = stages[label], let share = stageText(label) {
            lines.append("Stage: \(stage.words), \(share).")
        }
        if evidence.issueReleaseDays.isEmpty { lines.append("The source does not count issues by release.") }
        return lines
    }

    /// Issues of the day by what happened to them.
    fileprivate func foldedGroups(of day: CivilDate, _ links: Links) -> [FoldedGroup] {
        var groups: [(String, [Issue])] = [("Regressed", []), ("New", []), ("Velocity", []), ("Muted", [])]
        groups[3].1 = summary(of: day)?.entries.map(\.issue).filter { $0.state == .muted } ?? []
        for event in index.byDay[day] ?? [] {
            switch event {
            case .regressed(let regressed): groups[0].1.append(regressed.issue)
            case .newIssue(let new): groups[1].1.append(new.issue)
            case .velocity(let alert): groups[2].1.append(alert.issue)
            default: continue
            }
        }
        return groups.compactMap { title, issues in
            // An issue may spread in several releases on one day.
            var seen: Set<String> = []
            let rows = issues.filter { seen.insert($0.id).inserted }.map { dayRow(of: $0, on: day, links) }
            return rows.isEmpty ? nil : FoldedGroup(title: title, issues: rows)
        }
    }
}
