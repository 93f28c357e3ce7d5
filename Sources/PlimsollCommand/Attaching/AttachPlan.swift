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
    /// Whether what may have arrived is sent again; what arrived, too, where it is named.
    var again = false
    /// The only app; nil for all.
    var app: Slug?
    /// The day in the place of the newest.
    var day: CivilDate?
    /// The release in the place of the newest.
    var release: String?
    /// The week in the place of the newest.
    var week: CivilWeek?

    /// Whether it says what is attached.
    var namesSubject: Bool { day != nil || release != nil || week != nil }

    /// What is sent again.
    var resending: AttachOptions.Resending {
        guard again else { return .nothing }
        return namesSubject ? .everything : .uncertain
    }
}

/// What a target is to get.
struct PlannedTarget: Sendable {
    /// The summaries that it should have.
    var summaries: [AttachedSummary] = []
    /// The kinds of summaries that it gets for the first time, by app: none of the past is sent then, nor later.
    var begins: [AttachmentKey] = []
    /// Of which apps it gets nothing, and why.
    var absences: [AttachAbsence] = []
    /// The other summaries of which it is not known whether they arrived there.
    var uncertain: [AttachmentKey] = []
    /// What is there for readers who see more than those of now, cannot be written again, and was not named yet.
    var exposed: [AttachmentEntry] = []
}

/// The summaries that each target should have, by what the ledger knows of it.
struct AttachPlan {
    private let apps: [AppConfiguration]
    let reports: AppReports
    let wishes: AttachWishes
    /// Whether the command is about one app of several.
    private let isOfOneApp: Bool
    let writer: SummaryWriter

    /// What was refused for so long, or is so old, is given up: it is no news to anybody.
    private static let longestWaitSeconds = 28 * 86_400

    init(_ project: Project, _ archive: Archive, asOf: Instant, _ wishes: AttachWishes) throws(Diagnostics) {
        apps = project.configuration.apps.filter { wishes.app == nil || wishes.app == $0.app.id }
        isOfOneApp = apps.count < project.configuration.apps.count
        reports = try AppReports(project, archive, asOf: asOf)
        self.wishes = wishes
        writer = try summaryWriter(project)
    }

    /// The summaries for each job, in the order of the jobs.
    ///
    /// One app is read at a time, and analyzed once for each audience.
    ///
    /// - Parameter known: what is remembered of each target, by its name.
    /// - Throws: that no app of any target has the day, the week or the release that is requested.
    func targets(
        of jobs: [AttachJob], _ known: [String: AttachLedger], _ console: Console
    ) throws(Diagnostics) -> [PlannedTarget] {
        var drafts = jobs.map { TargetDraft(job: $0) }
        var subjects = KnownSubjects()
        for app in apps { try add(app, to: &drafts, known, &subjects, console) }
        for draft in drafts where !draft.weeks.isEmpty {
            subjects.weeks = (subjects.weeks ?? []).union(WeekPage.weeks(of: draft.weeks))
        }
        try subjects.refuseUnknown(wishes, asOf: reports.asOf)
        return drafts.map { finished($0, known) }
    }

    /// Adds the summaries of an app to each target that gets some of it.
    private func add(
        _ app: AppConfiguration, to drafts: inout [TargetDraft], _ known: [String: AttachLedger],
        _ subjects: inout KnownSubjects, _ console: Console
    ) throws(Diagnostics) {
        var pages: [Audience: AppPages] = [:]
        for (place, job) in drafts.map(\.job).enumerated() where job.app == nil || job.app == app.app.id {
            guard let target = try? job.target.get() else { continue }
            let ofApp: AppPages
            if let read = pages[job.audience] {
                ofApp = read
            } else {
                ofApp = try read(app, job.audience, console)
                subjects.add(ofApp)
            }
            pages[job.audience] = ofApp
            let past = past(known, job, target, app: app.app.id.text)
            add(ofApp, to: &drafts[place], target, past)
        }
    }

    /// Adds the summaries of an app to a target.
    private func add(
        _ pages: AppPages, to draft: inout TargetDraft, _ target: any AttachTarget, _ past: PastSummaries
    ) {
        let job = draft.job
        guard !takesWeeks(target) else {
            draft.weeks.append(pages.weeks)
            draft.planned.summaries += rewritten(pages, job, target, past, except: [])
            return
        }
        let summaries = ofTarget(target, job, pages, past)
        draft.planned.summaries += rewritten(pages, job, target, past, except: summaries) + summaries
        if summaries.isEmpty {
            let why = AttachAbsence(of: pages, at: target.schedule, wishes) {
                holdsBackVerdict(of: $0, pages)
            }
            draft.planned.absences.append(why)
        }
        draft.planned.begins += begins(target, job, past)
    }

    /// What a target is to get, when every app is read.
    private func finished(_ draft: TargetDraft, _ known: [String: AttachLedger]) -> PlannedTarget {
        var draft = draft
        let job = draft.job
        guard let target = try? job.target.get() else { return draft.planned }
        if let app = job.app, !apps.contains(where: { $0.app.id == app }) {
            draft.planned.absences = [AttachAbsence(for: app)]
        }
        addWeeks(to: &draft, target, known)
        draft.planned.uncertain = uncertain(job, known, except: draft.planned.summaries)
        draft.planned.exposed = exposed(job, known, except: draft.planned.summaries)
        return draft.planned
    }

    /// Adds the weeks of all apps together, where a target gets weeks.
    private func addWeeks(
        to draft: inout TargetDraft, _ target: any AttachTarget, _ known: [String: AttachLedger]
    ) {
        guard !draft.weeks.isEmpty else { return }
        guard let app = appOfWeeks(draft.job) else {
            draft.planned.absences = [.partOfAWeek]
            return
        }
        let past = past(known, draft.job, target, app: app)
        let summaries = ofWeeks(draft.job, draft.weeks, app: app, past)
        draft.planned.summaries += summaries
        if summaries.isEmpty { draft.planned.absences = [AttachAbsence(ofWeeks: wishes)] }
        draft.planned.begins += begins(target, draft.job, past)
    }

    // MARK: Other readers

    /// What is at a target for readers who see more than those of now, written again for these; a place that has one
    /// summary of the app gets another one anyway.
    private func rewritten(
        _ pages: AppPages, _ job: AttachJob, _ target: any AttachTarget, _ past: PastSummaries,
        except planned: [AttachedSummary]
    ) -> [AttachedSummary] {
        guard !wishes.namesSubject, target.keeps == .all || planned.isEmpty else { return [] }
        let others = past.exposed.filter { key in
            key.app == past.app && !planned.contains { $0.kind == key.kind && $0.subject == key.subject }
        }
        return others.compactMap { key in rewritten(key, pages, job) }.map(\.forNewReader)
    }

    /// The summary of a day or a release; nil where the app has it no more.
    private func rewritten(_ key: AttachmentKey, _ pages: AppPages, _ job: AttachJob) -> AttachedSummary? {
        switch key.kind {
        case .day:
            let day = CivilDate(key.subject).flatMap { pages.facts.listedDays.contains($0) ? $0 : nil }
            return day.map { pages.attached($0, to: job, writer) }
        case .release:
            let release = pages.allReleases.first { $0.label == key.subject }
            return release.map { pages.attached($0, to: job, writer) }
        // With the weeks of all apps.
        case .week: return nil
        }
    }

    /// What is at a target for readers who see more than those of now, and is not written again: it is named once.
    private func exposed(
        _ job: AttachJob, _ known: [String: AttachLedger], except planned: [AttachedSummary]
    ) -> [AttachmentEntry] {
        guard !wishes.namesSubject, wishes.app == nil, let target = try? job.target.get() else { return [] }
        let ledger = known[job.id] ?? AttachLedger()
        let left = ledger.exposed(to: job, at: target).filter { record in
            let key = record.newest.key
            return !planned.contains { summary in
                guard summary.app == key.app, record.isEditable(at: target.repetition) else { return false }
                return target.keeps == .lastOfApp
                    || summary.kind == key.kind && summary.subject == key.subject
            }
        }.compactMap(\.arrived)
        return ledger.hasNamed(left, for: job.audience.reader.rawValue) ? [] : left
    }

    /// The summaries of which it is not known whether they arrived at a target, but for those that are planned.
    private func uncertain(
        _ job: AttachJob, _ known: [String: AttachLedger], except summaries: [AttachedSummary]
    ) -> [AttachmentKey] {
        guard !wishes.namesSubject, let target = try? job.target.get() else { return [] }
        let planned = Set(summaries.map { $0.key(at: job.id).forAnyReader })
        let uncertain = known[job.id]?.uncertain(since: oldest, at: target.repetition) ?? []
        return uncertain.filter { key in
            !planned.contains(key.forAnyReader)
                && (key.app.isEmpty || apps.contains { $0.app.id.text == key.app })
        }
    }

    /// The kind of summaries that a target gets only when there is something to say: where it never got one, it is to
    /// be remembered that it is there.
    private func begins(_ target: any AttachTarget, _ job: AttachJob, _ past: PastSummaries)
        -> [AttachmentKey]
    {
        guard !wishes.namesSubject else { return [] }
        let kind: AttachmentKey.Kind
        switch target.schedule {
        case .attention: kind = .day
        case .weekly: kind = .week
        case .verdict: kind = .release
        case .daily, nil: return []
        }
        guard past.begun(kind) == nil else { return [] }
        return [
            AttachmentKey(
                target: job.id, kind: kind, app: past.app, subject: AttachmentKey.anySubject,
                audience: past.audience)
        ]
    }

    private func past(
        _ known: [String: AttachLedger], _ job: AttachJob, _ target: any AttachTarget, app: String
    ) -> PastSummaries {
        let ledger = known[job.id] ?? AttachLedger()
        let exposed = ledger.exposed(to: job, at: target).filter { $0.isEditable(at: target.repetition) }
        return PastSummaries(
            ledger: ledger, app: app, audience: job.audience.reader.rawValue,
            repetition: target.repetition, holdsNewestOnly: target.holdsNewestOnly, oldest: oldest,
            exposed: exposed.map(\.newest.key.forAnyReader), again: wishes.resending == .uncertain)
    }

    /// Since when what did not arrive for certain is not given up.
    private var oldest: Instant { reports.asOf.advanced(bySeconds: -Self.longestWaitSeconds) }

    /// Whether a target gets the weeks of all its apps together.
    private func takesWeeks(_ target: any AttachTarget) -> Bool {
        guard wishes.week == nil else { return target.schedule != nil }
        return target.schedule == .weekly && wishes.day == nil && wishes.release == nil
    }

    /// The app whose weeks a target gets, empty for those of all apps together; nil where the command is about one of them
    /// and names no week: a part of a week is no news to those who get the whole of it.
    private func appOfWeeks(_ job: AttachJob) -> String? {
        if let app = job.app { return app.text }
        guard isOfOneApp else { return "" }
        return wishes.week == nil ? nil : wishes.app?.text
    }

    private func read(
        _ app: AppConfiguration, _ audience: Audience, _ console: Console
    ) throws(Diagnostics) -> AppPages {
        AppPages(try reports.report(of: app, for: audience, console), site: reports.site(for: audience))
    }

    private func ofTarget(
        _ target: any AttachTarget, _ job: AttachJob, _ pages: AppPages, _ past: PastSummaries
    ) -> [AttachedSummary] {
        guard let schedule = target.schedule else {
            return wishes.day == nil && wishes.week == nil
                ? releases(pages, job, most: target.releases, slot: target.slot(of:)) : []
        }
        if wishes.release != nil { return releases(pages, job, most: 1) }
        if let day = wishes.day {
            return pages.facts.listedDays.contains(day) ? [pages.attached(day, to: job, writer)] : []
        }
        switch schedule {
        case .daily: return days(pages, job, past)
        case .attention: return daysOfAttention(pages, job, past)
        case .weekly: return []
        case .verdict: return verdicts(pages, job, past)
        }
    }
}

/// What is planned for the target of a job, while the apps are read.
private struct TargetDraft {
    let job: AttachJob
    var planned = PlannedTarget()
    /// Of each app whose weeks the target gets.
    var weeks: [WeeksOfApp] = []
}

/// The days, weeks and releases of the apps that targets get summaries of.
private struct KnownSubjects {
    private var hasApps = false
    private var listed: [DaySet] = []
    private var days: [CivilDate] = []
    private var releases: [[Version]] = []
    /// The weeks of the targets that take some; nil without such a target.
    var weeks: Set<CivilWeek>?

    mutating func add(_ pages: AppPages) {
        hasApps = true
        listed.append(pages.facts.listedDays)
        days += pages.facts.daySpan
        releases.append(pages.allReleases.map(\.release.version))
    }

    /// Ends the command for what no app has; where no target works, there is nothing to ask.
    func refuseUnknown(_ wishes: AttachWishes, asOf: Instant) throws(Diagnostics) {
        guard hasApps else { return }
        if let day = wishes.day, !listed.contains(where: { $0.contains(day) }) {
            throw unknownDay("attach", day, among: days)
        }
        if let release = wishes.release, !releases.contains(where: { $0.one(named: release) != nil }) {
            let several = releases.flatMap { $0.named(release) }.map(\.label).uniqued()
            if !several.isEmpty { throw Diagnostics([ambiguousRelease("attach", release, several)]) }
            throw unknownName("attach", "release", release, among: releases.joined().map(\.label).uniqued())
        }
        if let week = wishes.week, let weeks, !weeks.contains(week) {
            throw unknownWeek("attach", week, among: Array(weeks), asOf: asOf)
        }
    }
}
