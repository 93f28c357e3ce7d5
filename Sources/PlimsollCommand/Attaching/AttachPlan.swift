import Analysis
import AppHealth
import Archive
import Attaching
import Configuration
import Diagnostics
import Markup
import Pages

/// What a command wants attached.
struct AttachWishes: Sendable {
    /// Whether nothing is changed.
    var isDryRun = false
    /// Whether what was sent is sent again.
    var again = false
    /// The only app; nil for all.
    var app: Slug?
    /// The day in the place of the newest.
    var day: CivilDate?
    /// The release in the place of the newest.
    var release: String?
    /// The week in the place of the newest.
    var week: CivilWeek?
}

/// The summaries that each target should have, by what the ledger knows of it.
struct AttachPlan {
    /// A summary with what the ledger knows of it at its target.
    struct Step {
        let summary: AttachedSummary
        let last: AttachmentEntry?
    }

    private let project: Project
    private let asOf: Instant
    private let wishes: AttachWishes
    private let writer: SummaryWriter

    init(_ project: Project, asOf: Instant, _ wishes: AttachWishes) throws(Diagnostics) {
        self.project = project
        self.asOf = asOf
        self.wishes = wishes
        writer = try summaryWriter(project)
    }

    /// The steps of each job, in the order of the jobs.
    ///
    /// One app is read at a time, and analyzed once for each audience.
    ///
    /// - Parameter known: what the ledger knows of each target, by its name.
    func steps(
        of jobs: [AttachJob], _ known: [String: [AttachmentEntry]], _ console: Console
    ) throws(Diagnostics) -> [[Step]] {
        var steps: [[Step]] = jobs.map { _ in [] }
        var weeks: [[WeeksOfApp]] = jobs.map { _ in [] }
        for app in project.configuration.apps where wishes.app == nil || wishes.app == app.app.id {
            var pages: [Audience: AppPages] = [:]
            for (place, job) in jobs.enumerated() where job.app == nil || job.app == app.app.id {
                guard let target = try? job.target.get() else { continue }
                let ofApp: AppPages
                if let read = pages[job.audience] {
                    ofApp = read
                } else {
                    ofApp = try read(app.app.id, job.audience, console)
                }
                pages[job.audience] = ofApp
                if takesWeeks(target) {
                    weeks[place].append(ofApp.weeks)
                    continue
                }
                let entries = (known[job.id] ?? []).filter {
                    $0.key.app == app.app.id.text && $0.key.audience == job.audience.reader.rawValue
                }
                steps[place] += ofTarget(target, job, ofApp, entries)
            }
        }
        for (place, job) in jobs.enumerated() where !weeks[place].isEmpty {
            steps[place] += ofWeek(job, weeks[place], known[job.id] ?? [])
        }
        return steps
    }

    /// Whether a target gets the weeks of all its apps together.
    private func takesWeeks(_ target: any AttachTarget) -> Bool {
        guard wishes.week == nil else { return target.schedule != nil }
        return target.schedule == .weekly && wishes.day == nil && wishes.release == nil
    }

    /// The newest week that is over, or the one that is asked for.
    private func ofWeek(_ job: AttachJob, _ apps: [WeeksOfApp], _ entries: [AttachmentEntry]) -> [Step] {
        let known = WeekPage.weeks(of: apps)
        guard let week = wishes.week ?? known.first, known.contains(week) else { return [] }
        var site = project.facts(asOf: asOf)
        site.audience = job.audience
        let inputs = WeekPageInputs(week, apps)
        let summary = WeekSummary(inputs, site: site)
        let model = WeekPage(outward: inputs, site: site)
        let app = apps.count == 1 ? job.app?.text ?? wishes.app?.text ?? "" : ""
        return [
            step(
                AttachedSummary(
                    .week, of: week.description, app: app, reader: job.audience.reader.rawValue,
                    isForTeam: !job.audience.hidesData, asksForAttention: true,
                    gist: model.apps.map { "\($0.name) \($0.verdict.name) \($0.alerts)" }.joined(
                        separator: "\n"),
                    blocks: summary.blocks, page: summary.page
                ) { limit, reason in summary.text(in: .github, limit: limit, because: reason) },
                entries.filter { $0.key.app == app && $0.key.audience == job.audience.reader.rawValue })
        ]
    }

    private func read(
        _ app: Slug, _ audience: Audience, _ console: Console
    ) throws(Diagnostics) -> AppPages {
        let report = try project.report(of: app.text, for: "attach", asOf: asOf, audience: audience, console)
        var site = project.facts(asOf: asOf)
        site.audience = audience
        return AppPages(report, site: site)
    }

    private func ofTarget(
        _ target: any AttachTarget, _ job: AttachJob, _ pages: AppPages, _ entries: [AttachmentEntry]
    ) -> [Step] {
        guard let schedule = target.schedule else {
            return wishes.day == nil ? releases(pages, job, entries, most: target.releases) : []
        }
        if wishes.release != nil { return releases(pages, job, entries, most: 1) }
        if wishes.day != nil { return days(pages, job, entries, target, isDaily: false) }
        switch schedule {
        case .daily: return days(pages, job, entries, target, isDaily: true)
        case .attention: return days(pages, job, entries, target, isDaily: false).filter(isWorthAttention)
        case .weekly: return []
        case .verdict:
            // What is replaced shows how far the newest release is; a message needs something new to say.
            return releases(pages, job, entries, most: 1).filter {
                target.repetition == .replaces || $0.summary.asksForAttention
            }
        }
    }

    /// What is known already may have to be corrected.
    private func isWorthAttention(_ step: Step) -> Bool {
        step.summary.asksForAttention || step.last != nil
    }

    // MARK: Releases

    private func releases(
        _ pages: AppPages, _ job: AttachJob, _ entries: [AttachmentEntry], most: Int
    ) -> [Step] {
        let all = pages.allReleases
        let chosen =
            wishes.release.map { label in all.filter { $0.label == label } } ?? Array(all.prefix(most))
        return chosen.map { release in
            step(pages.attached(release, to: job, writer), entries)
        }
    }

    // MARK: Days

    /// The newest day, and those of the two before that were refused, or that may need a correction. A target that is
    /// new does not get the past.
    private func days(
        _ pages: AppPages, _ job: AttachJob, _ entries: [AttachmentEntry], _ target: any AttachTarget,
        isDaily: Bool
    ) -> [Step] {
        let last = wishes.day ?? pages.facts.lastDay
        let known = Dictionary(
            entries.filter { $0.key.kind == .day }.compactMap { entry in
                CivilDate(entry.key.subject).map { ($0, entry.state) }
            }, uniquingKeysWith: { $1 })
        let before =
            wishes.day == nil && target.repetition != .replaces
            ? [2, 1].map { last.advanced(by: -$0) }.filter { known[$0] == .planned || known[$0] == .sent }
            : []
        let missed = isDaily ? missed(pages, known, before: last, sent: before) : []
        return (before + [last]).map { day in
            var summary = pages.attached(day, to: job, writer)
            if day == last { summary.missed = missed.map(\.description) }
            return step(summary, entries)
        }
    }

    /// The days since the last one that was sent.
    private func missed(
        _ pages: AppPages, _ known: [CivilDate: AttachmentEntry.State], before last: CivilDate,
        sent: [CivilDate]
    ) -> [CivilDate] {
        guard let newest = known.filter({ $0.value != .planned && $0.key < last }).keys.max() else {
            return []
        }
        return pages.facts.days.filter { $0 > newest && $0 < last && !sent.contains($0) }
    }

    private func step(_ summary: AttachedSummary, _ entries: [AttachmentEntry]) -> Step {
        Step(
            summary: summary,
            last: entries.last { $0.key.kind == summary.kind && $0.key.subject == summary.subject })
    }
}

extension AppPages {
    /// The summary of a day as it is attached.
    fileprivate func attached(
        _ day: CivilDate, to job: AttachJob, _ writer: SummaryWriter
    ) -> AttachedSummary {
        let signs = attentionSigns(of: day)
        return attached(
            .day, day.description, summary(of: day), to: job, writer, asksForAttention: signs.asks,
            gist: signs.gist)
    }

    /// The summary of a release as it is attached.
    fileprivate func attached(
        _ release: ReleaseFacts, to job: AttachJob, _ writer: SummaryWriter
    ) -> AttachedSummary {
        let verdict = release.evaluation.verdict
        return attached(
            .release, release.label, summary(of: release), to: job, writer,
            asksForAttention: verdict == .go || verdict == .hold || verdict == .rollBack,
            gist: "\(verdict)")
    }

    private func attached(
        _ kind: AttachmentKey.Kind, _ subject: String, _ document: SummaryDocument, to job: AttachJob,
        _ writer: SummaryWriter, asksForAttention: Bool, gist: String
    ) -> AttachedSummary {
        AttachedSummary(
            kind, of: subject, app: facts.app.id.text, reader: job.audience.reader.rawValue,
            isForTeam: !job.audience.hidesData, asksForAttention: asksForAttention, gist: gist,
            blocks: document.blocks, page: document.pageStem.map { $0 + ".html" }
        ) { limit, reason in
            writer.text(of: document, in: .github, limit: limit, because: reason)
        }
    }
}
