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
    private let project: Project
    private let asOf: Instant
    private let wishes: AttachWishes
    private let writer: SummaryWriter

    /// What was refused for so long is given up: it is no news to anybody, and each run reported that it failed.
    private static let longestWaitSeconds = 28 * 86_400

    init(_ project: Project, asOf: Instant, _ wishes: AttachWishes) throws(Diagnostics) {
        self.project = project
        self.asOf = asOf
        self.wishes = wishes
        writer = try summaryWriter(project)
    }

    /// The summaries for each job, in the order of the jobs.
    ///
    /// One app is read at a time, and analyzed once for each audience.
    ///
    /// - Parameter known: what is remembered of each target, by its name.
    func summaries(
        of jobs: [AttachJob], _ known: [String: AttachLedger], _ console: Console
    ) throws(Diagnostics) -> [[AttachedSummary]] {
        var summaries: [[AttachedSummary]] = jobs.map { _ in [] }
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
                } else {
                    let past = past(known, job, target, app: app.app.id.text)
                    summaries[place] += ofTarget(target, job, ofApp, past)
                }
            }
        }
        for (place, job) in jobs.enumerated() where !weeks[place].isEmpty {
            guard let target = try? job.target.get() else { continue }
            let app = weeks[place].count == 1 ? job.app?.text ?? wishes.app?.text ?? "" : ""
            summaries[place] += ofWeeks(job, weeks[place], app: app, past(known, job, target, app: app))
        }
        return summaries
    }

    /// What is remembered of the summaries of an app at a target.
    private struct Past {
        let ledger: AttachLedger
        let app: String
        let audience: String
        let repetition: Repetition
        let oldest: Instant

        func records(_ kind: AttachmentKey.Kind) -> [String: AttachRecord] {
            ledger.records(kind, app: app, audience: audience)
        }

        /// Whether a summary was refused, and is to be sent by a later run.
        func isWaiting(_ record: AttachRecord?) -> Bool {
            record?.isWaiting(since: oldest, at: repetition) == true
        }
    }

    private func past(
        _ known: [String: AttachLedger], _ job: AttachJob, _ target: any AttachTarget, app: String
    ) -> Past {
        Past(
            ledger: known[job.id] ?? AttachLedger(), app: app, audience: job.audience.reader.rawValue,
            repetition: target.repetition, oldest: asOf.advanced(bySeconds: -Self.longestWaitSeconds))
    }

    /// Whether a target gets the weeks of all its apps together.
    private func takesWeeks(_ target: any AttachTarget) -> Bool {
        guard wishes.week == nil else { return target.schedule != nil }
        return target.schedule == .weekly && wishes.day == nil && wishes.release == nil
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
        _ target: any AttachTarget, _ job: AttachJob, _ pages: AppPages, _ past: Past
    ) -> [AttachedSummary] {
        guard let schedule = target.schedule else {
            return wishes.day == nil ? releases(pages, job, most: target.releases) : []
        }
        if wishes.release != nil { return releases(pages, job, most: 1) }
        if let day = wishes.day { return [pages.attached(day, to: job, writer)] }
        switch schedule {
        case .daily: return days(pages, job, past)
        case .attention: return daysOfAttention(pages, job, past)
        case .weekly: return []
        case .verdict: return verdicts(pages, job, past)
        }
    }

    // MARK: Weeks

    /// The newest week that is over and those before that were refused, or the one that is asked for.
    private func ofWeeks(
        _ job: AttachJob, _ apps: [WeeksOfApp], app: String, _ past: Past
    ) -> [AttachedSummary] {
        let known = WeekPage.weeks(of: apps)
        if let week = wishes.week {
            return known.contains(week) ? [ofWeek(week, job, apps, app: app)] : []
        }
        guard let newest = known.first else { return [] }
        let records = past.records(.week)
        let refused =
            past.repetition == .replaces
            ? [] : known.dropFirst().filter { past.isWaiting(records[$0.description]) }.reversed()
        return (refused + [newest]).map { ofWeek($0, job, apps, app: app) }
    }

    private func ofWeek(
        _ week: CivilWeek, _ job: AttachJob, _ apps: [WeeksOfApp], app: String
    ) -> AttachedSummary {
        var site = project.facts(asOf: asOf)
        site.audience = job.audience
        let inputs = WeekPageInputs(week, apps)
        let summary = WeekSummary(inputs, site: site)
        let model = WeekPage(outward: inputs, site: site)
        return AttachedSummary(
            .week, of: week.description, app: app, reader: job.audience.reader.rawValue,
            isForTeam: !job.audience.hidesData, asksForAttention: true,
            gist: model.apps.map { "\($0.name) \($0.verdict.name) \($0.alerts)" }.joined(separator: "\n"),
            blocks: summary.blocks, page: summary.page
        ) { limit, reason in summary.text(in: .github, limit: limit, because: reason) }
    }

    // MARK: Releases

    private func releases(_ pages: AppPages, _ job: AttachJob, most: Int) -> [AttachedSummary] {
        let all = pages.allReleases
        let chosen =
            wishes.release.map { label in all.filter { $0.label == label } } ?? Array(all.prefix(most))
        return chosen.map { pages.attached($0, to: job, writer) }
    }

    /// The newest release. What is replaced shows how far it is; a message needs a verdict, and those that were refused
    /// go before it.
    private func verdicts(_ pages: AppPages, _ job: AttachJob, _ past: Past) -> [AttachedSummary] {
        guard past.repetition != .replaces else { return releases(pages, job, most: 1) }
        let records = past.records(.release)
        let refused = pages.allReleases.dropFirst().filter { past.isWaiting(records[$0.label]) }
        return (refused.reversed() + pages.allReleases.prefix(1)).map { pages.attached($0, to: job, writer) }
            .filter(\.asksForAttention)
    }

    // MARK: Days

    /// The newest day, and those of the two before that were refused, or that may need a correction. A target that is
    /// new does not get the past.
    private func days(_ pages: AppPages, _ job: AttachJob, _ past: Past) -> [AttachedSummary] {
        let last = pages.facts.lastDay
        let known = byDay(past)
        let before = past.repetition == .replaces ? [] : correctable(before: last, known)
        let missed = missed(pages, known, before: last, sent: before)
        return (before + [last]).map { day in
            var summary = pages.attached(day, to: job, writer)
            if day == last { summary.missed = missed.map(\.description) }
            return summary
        }
    }

    /// The days that ask for attention: the newest, those that were refused, and those that may need a correction. What
    /// is replaced has room for the newest of them.
    private func daysOfAttention(_ pages: AppPages, _ job: AttachJob, _ past: Past) -> [AttachedSummary] {
        let last = pages.facts.lastDay
        let known = byDay(past)
        let replaces = past.repetition == .replaces
        let shown = replaces ? known.filter { $0.value.arrived != nil }.keys.max() : nil
        let refused = pages.facts.days.filter { day in
            day < last && past.isWaiting(known[day]) && shown.map { day > $0 } != false
        }
        let days = Set(refused + (replaces ? [] : correctable(before: last, known)) + [last])
        let worthIt = days.sorted().map { ($0, pages.attached($0, to: job, writer)) }.filter { day, summary in
            // What is known already may have to be corrected.
            summary.asksForAttention
                || known[day].map { $0.arrived != nil || $0.newest.state != .planned } == true
        }.map(\.1)
        return replaces ? worthIt.suffix(1) : worthIt
    }

    private func byDay(_ past: Past) -> [CivilDate: AttachRecord] {
        Dictionary(
            past.records(.day).compactMap { subject, record in CivilDate(subject).map { ($0, record) } },
            uniquingKeysWith: { $1 })
    }

    /// The two days before one, as far as they were refused or sent.
    private func correctable(before last: CivilDate, _ known: [CivilDate: AttachRecord]) -> [CivilDate] {
        [2, 1].map { last.advanced(by: -$0) }.filter { day in
            known[day].map { $0.newest.state == .planned || $0.newest.state == .sent } == true
        }
    }

    /// The days since the last one that was sent.
    private func missed(
        _ pages: AppPages, _ known: [CivilDate: AttachRecord], before last: CivilDate, sent: [CivilDate]
    ) -> [CivilDate] {
        let some = known.filter { day, record in
            day < last && (record.arrived != nil || record.newest.state != .planned)
        }
        guard let newest = some.keys.max() else { return [] }
        return pages.facts.days.filter { $0 > newest && $0 < last && !sent.contains($0) }
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
