import Analysis
package import AppHealth
import Formatting
import Statistics

extension DayPage {
    /// One day of an app.
    package init(_ day: CivilDate, _ report: AppReport, site: SiteFacts) {
        let path = SitePath.day(day, of: report.app.id)
        let links = site.links(from: path)
        let verdict = report.verdict(on: day)
        let summary = report.summary(of: day)
        self.frame = Frame(
            path, title: "\(report.app.name): \(day.compactText)", summary: verdict.why,
            freshness: report.freshness,
            crumbs: [("Apps", .portfolio), (report.app.name, .app(report.app.id))], hasData: true,
            tables: ["health", "healthAsReported"], site: site)
        self.app = report.app.name
        self.date = day.description
        self.dateText = day.compactText
        self.isProvisional = report.isProvisional(day)
        self.provisional = report.provisional(day)
        self.verdict = verdict
        self.causes = report.dropCauses(on: day, links)
        self.sentence = summary?.sentence(counts: report.audience.counts) ?? verdict.why
        self.coverage = summary.flatMap(report.coverage)
        self.covering = report.covering(on: day)
        self.quiet = report.quietLine(on: day)
        self.issues = summary.map { report.issueRows(of: $0, links) } ?? []
        self.issuesUnavailable = report.why(no: .issueDays)
        self.events = report.entries(report.index.byDay[day] ?? [], links)
        self.muted = report.fold(report.index.mutedByDay[day] ?? [], links)
        self.leftOut = report.cutLines(of: day)
        self.notes = report.notes(links) { $0 == .day(day) }
        self.revisions = report.revisions(of: day)
        let days = report.evidence.days
        self.previousStem =
            days.first.map { day > $0 } == true
            ? links.stem(to: .day(day.advanced(by: -1), of: report.app.id)) : nil
        self.nextStem =
            days.last.map { day < $0 } == true
            ? links.stem(to: .day(day.advanced(by: 1), of: report.app.id)) : nil
        self.summaryStem = "summary"
        self.parts = partLinks(of: report.app, from: path, links)
    }
}

extension AppReport {
    /// The figures of a day as first reported and as known now.
    func revisions(of day: CivilDate) -> [RevisionRow] {
        let known = evidence.health[day]
        let reported = evidence.stability?.healthAsReported[day]
        let counts: [(String, KeyPath<HealthDay, Int?>)] = [
            ("Sessions", \.sessions), ("Crashed sessions", \.crashedSessions), ("Users", \.users),
            ("Users who met a crash", \.crashedUsers),
        ]
        let rows = (hidesCounts ? [] : counts).map { label, path in
            countRevision(label, reported?[keyPath: path], known?[keyPath: path])
        }
        return rows + [
            rateRevision("Crash-free users", reported?.crashedUserShare, known?.crashedUserShare),
            rateRevision("Crash-free sessions", reported?.crashedSessionShare, known?.crashedSessionShare),
        ]
    }

    private func countRevision(_ label: String, _ reported: Int?, _ known: Int?) -> RevisionRow {
        let change: String
        if let reported, let known {
            let difference = known.subtractingReportingOverflow(reported).partialValue
            change = difference == 0 ? "=" : (difference > 0 ? "+" : "") + countText(difference)
        } else {
            change = "–"
        }
        return RevisionRow(
            label: label, reported: countOrDash(reported), known: countOrDash(known), change: change)
    }

    private func rateRevision(_ label: String, _ reported: Fraction?, _ known: Fraction?) -> RevisionRow {
        let (before, now) = (reported.map(PercentFormat.crashFree), known.map(PercentFormat.crashFree))
        var change = "–"
        if let reported, let known, let now {
            let difference = known.complement.value - reported.complement.value
            change = reported == known ? "=" : now.display.changeText(difference)
        }
        return RevisionRow(
            label: label, reported: before?.brief ?? "–",
            known: now?.text ?? "–",
            change: change)
    }
}
