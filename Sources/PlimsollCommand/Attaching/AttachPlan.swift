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
    private let reports: AppReports
    private let wishes: AttachWishes
    /// Whether the command is about one app of several.
    private let isOfOneApp: Bool
    private let writer: SummaryWriter

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
    /// - Throws: that no app of any target has the day, the week or the release that is asked for.
    func targets(
        of jobs: [AttachJob], _ known: [String: AttachLedger], _ console: Console
    ) throws(Diagnostics) -> [PlannedTarget] {
        var planned = jobs.map { _ in PlannedTarget() }
        var weeks: [[WeeksOfApp]] = jobs.map { _ in [] }
        var subjects = KnownSubjects()
        for app in apps {
            var pages: [Audience: AppPages] = [:]
            for (place, job) in jobs.enumerated() where job.app == nil || job.app == app.app.id {
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
                if takesWeeks(target) {
                    weeks[place].append(ofApp.weeks)
                    planned[place].summaries += rewritten(ofApp, job, target, past, except: [])
                } else {
                    let summaries = ofTarget(target, job, ofApp, past)
                    planned[place].summaries += rewritten(ofApp, job, target, past, except: summaries)
                    planned[place].summaries += summaries
                    if summaries.isEmpty {
                        planned[place].absences.append(AttachAbsence(of: ofApp, at: target.schedule, wishes))
                    }
                    planned[place].begins += begins(target, job, past)
                }
            }
        }
        for ofTarget in weeks where !ofTarget.isEmpty {
            subjects.weeks = (subjects.weeks ?? []).union(WeekPage.weeks(of: ofTarget))
        }
        try subjects.refuseUnknown(wishes, asOf: reports.asOf)
        for (place, job) in jobs.enumerated() {
            guard let target = try? job.target.get() else { continue }
            if let app = job.app, !apps.contains(where: { $0.app.id == app }) {
                planned[place].absences = [AttachAbsence(for: app)]
            }
            guard !weeks[place].isEmpty else { continue }
            guard let app = appOfWeeks(job) else {
                planned[place].absences = [.partOfAWeek]
                continue
            }
            let past = past(known, job, target, app: app)
            let summaries = ofWeeks(job, weeks[place], app: app, past)
            planned[place].summaries += summaries
            if summaries.isEmpty {
                planned[place].absences = [AttachAbsence(ofWeeks: wishes)]
            }
            planned[place].begins += begins(target, job, past)
        }
        for (place, job) in jobs.enumerated() {
            planned[place].uncertain = uncertain(job, known, except: planned[place].summaries)
            planned[place].exposed = exposed(job, known, except: planned[place].summaries)
        }
        return planned
    }

    // MARK: Other readers

    /// What is at a target for readers who see more than those of now, written again for these; a place that has one
    /// summary of the app gets another one anyway.
    private func rewritten(
        _ pages: AppPages, _ job: AttachJob, _ target: any AttachTarget, _ past: Past,
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
    private func begins(_ target: any AttachTarget, _ job: AttachJob, _ past: Past) -> [AttachmentKey] {
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

    /// What is remembered of the summaries of an app at a target.
    private struct Past {
        let ledger: AttachLedger
        let app: String
        let audience: String
        let repetition: Repetition
        let holdsNewestOnly: Bool
        let oldest: Instant
        /// What is there for readers who see more than those of now, and can be written again for these.
        let exposed: [AttachmentKey]
        /// Whether what may have arrived is sent again.
        let again: Bool

        func records(_ kind: AttachmentKey.Kind) -> [String: AttachRecord] {
            ledger.records(kind, app: app)
        }

        /// Whether a summary is there for readers who see more than those of now.
        func isExposed(_ key: AttachmentKey) -> Bool { exposed.contains(key.forAnyReader) }

        func begun(_ kind: AttachmentKey.Kind) -> Instant? {
            ledger.begun(kind, app: app)
        }

        /// The first day that is news: it is not too old, and was not the past already when the target was new. Nil for
        /// a target that is.
        func firstNews(_ kind: AttachmentKey.Kind) -> CivilDate? {
            begun(kind).map { max($0.date.advanced(by: -1), oldest.date) }
        }

        /// Whether a summary was refused, and is to be sent by a later run, or may have arrived, and is sent again.
        func isWaiting(_ record: AttachRecord?) -> Bool {
            guard let record else { return false }
            return record.isWaiting(since: oldest, at: repetition) || isResent(record)
        }

        /// Whether a summary may have arrived, and is sent again.
        func isResent(_ record: AttachRecord) -> Bool {
            again && record.isUncertain(since: oldest, at: repetition)
        }
    }

    private func past(
        _ known: [String: AttachLedger], _ job: AttachJob, _ target: any AttachTarget, app: String
    ) -> Past {
        let ledger = known[job.id] ?? AttachLedger()
        let exposed = ledger.exposed(to: job, at: target).filter { $0.isEditable(at: target.repetition) }
        return Past(
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
        _ target: any AttachTarget, _ job: AttachJob, _ pages: AppPages, _ past: Past
    ) -> [AttachedSummary] {
        guard let schedule = target.schedule else {
            return wishes.day == nil && wishes.week == nil
                ? releases(pages, job, most: target.releases) : []
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

    // MARK: Weeks

    /// The newest week that is over and those before that were refused, that no run tried, or that may need a correction,
    /// or the one that is asked for.
    private func ofWeeks(
        _ job: AttachJob, _ apps: [WeeksOfApp], app: String, _ past: Past
    ) -> [AttachedSummary] {
        let known = WeekPage.weeks(of: apps)
        if let week = wishes.week {
            return known.contains(week) ? [ofWeek(week, job, apps, app: app)] : []
        }
        guard let newest = known.first else { return [] }
        let records = past.records(.week)
        let firstNews = past.firstNews(.week)
        func isDue(_ week: CivilWeek) -> Bool {
            guard let record = records[week.description] else {
                return firstNews.map { week.last >= $0 } == true
            }
            if past.isExposed(record.newest.key) { return true }
            return past.isWaiting(record) || past.repetition != .replaces && isCorrectable(record, week, apps)
        }
        let due = past.holdsNewestOnly ? [] : known.dropFirst().filter(isDue).reversed()
        return due.map { week in
            let summary = ofWeek(week, job, apps, app: app)
            return past.isExposed(summary.key(at: job.id)) ? summary.forNewReader : summary
        } + [ofWeek(newest, job, apps, app: app)]
    }

    /// Whether late data may still change a week that was sent.
    private func isCorrectable(_ record: AttachRecord, _ week: CivilWeek, _ apps: [WeeksOfApp]) -> Bool {
        guard record.newest.state == .sent, let last = WeekPage.lastDay(of: apps) else { return false }
        return week.last >= last.advanced(by: -Self.revisedDays)
    }

    private func ofWeek(
        _ week: CivilWeek, _ job: AttachJob, _ apps: [WeeksOfApp], app: String
    ) -> AttachedSummary {
        let site = reports.site(for: job.audience)
        let inputs = WeekPageInputs(week, apps)
        let summary = WeekSummary(inputs, site: site)
        let model = WeekPage(outward: inputs, site: site)
        return AttachedSummary(
            .week, of: week.description, app: app, reader: job.audience.reader.rawValue,
            isForTeam: !job.audience.hidesData, asksForAttention: true,
            gist: Gist(inputs.signs(model)),
            blocks: summary.blocks, page: summary.page
        ) { limit, reason in summary.text(in: .github, limit: limit, because: reason) }
    }

    // MARK: Releases

    /// The newest releases or the one that is asked for, oldest first: what is made last is the newest at its place.
    private func releases(_ pages: AppPages, _ job: AttachJob, most: Int) -> [AttachedSummary] {
        let all = pages.allReleases
        let newest = most == 1 ? [pages.latestRelease].compactMap(\.self) : Array(all.prefix(most))
        let chosen = wishes.release.map { label in all.filter { $0.label == label } } ?? newest
        return chosen.reversed().map { pages.attached($0, to: job, writer) }
    }

    /// The newest release. What is replaced shows how far it is; a message needs a verdict, or one that was sent and is
    /// taken back. Those of other releases that were refused, are news, or may need a correction go before it.
    private func verdicts(_ pages: AppPages, _ job: AttachJob, _ past: Past) -> [AttachedSummary] {
        guard !past.holdsNewestOnly else { return releases(pages, job, most: 1) }
        let replaces = past.repetition == .replaces
        let records = past.records(.release)
        let (firstNews, reached) = (past.firstNews(.release), pages.verdictDays)
        func isDue(_ label: String) -> Bool {
            guard let record = records[label] else {
                guard let firstNews, let day = reached[label] else { return false }
                return day >= firstNews
            }
            if past.isWaiting(record) { return true }
            return !replaces && record.newest.state == .sent && record.newest.at >= past.oldest
        }
        func isSaid(_ release: ReleaseFacts) -> Bool {
            if release.evaluation.verdict.asksForAttention { return true }
            // That a verdict is not known for a while takes back nothing.
            return release.evaluation.verdict != .unknown && records[release.label]?.arrived != nil
        }
        let latest = pages.latestRelease
        let due = pages.allReleases.filter { $0.label != latest?.label && isDue($0.label) && isSaid($0) }
        let newest = [latest].compactMap(\.self).filter { replaces || isSaid($0) }
        return (due.reversed() + newest).map {
            pages.attached($0, to: job, writer)
        }
    }

    // MARK: Days

    /// The newest day, those before that were refused, that came late, that may need a correction or, on request, that
    /// may have arrived, and the day for which a source failed. A target that is new does not get the past.
    private func days(_ pages: AppPages, _ job: AttachJob, _ past: Past) -> [AttachedSummary] {
        let last = pages.facts.lastDay
        let known = byDay(past)
        let replaces = past.repetition == .replaces
        let before = replaces ? [] : correctable(before: last, known)
        let missed = missed(pages, known, before: last, sent: before)
        let late = replaces || missed.count > Self.mostLate ? [] : missed
        let lost = known.filter { day, record in
            day < last && past.isResent(record) && pages.facts.listedDays.contains(day)
        }.map(\.key)
        let failed =
            replaces ? [] : pages.facts.days.filter { $0 > last && pages.attentionSigns(of: $0).asks }
        return ((before + late + lost + [last]).sorted() + failed).map { day in
            var summary = pages.attached(day, to: job, writer)
            if day == last, late.isEmpty { summary.missed = missed.map(\.description) }
            return summary
        }
    }

    /// How many days that came late are sent one by one.
    private static let mostLate = 2

    /// The days that ask for attention: the newest, those that were refused or that no run tried, and those that may need
    /// a correction. What is replaced has room for the newest of them, which it keeps, corrected, until there is a newer
    /// one.
    private func daysOfAttention(_ pages: AppPages, _ job: AttachJob, _ past: Past) -> [AttachedSummary] {
        let last = pages.facts.lastDay
        let (known, firstNews) = (byDay(past), past.firstNews(.day))
        let replaces = past.repetition == .replaces
        let shown =
            past.holdsNewestOnly
            ? known.filter { $0.value.arrived != nil && pages.hasDay($0.key) }.keys.max() : nil
        // A source that failed may ask for attention on a day without figures, which is later than the last.
        let days = Set(pages.facts.days + [last, shown].compactMap(\.self)).filter { day in
            if let shown, day <= shown { return day == shown }
            if day == last { return true }
            guard let record = known[day] else { return firstNews.map { day >= $0 } == true }
            return past.isWaiting(record) || !replaces && isCorrectable(record, day, from: last)
        }
        let worthIt = days.sorted().filter { day in
            if pages.attentionSigns(of: day).asks { return true }
            // What is known already may have to be corrected, unless the archive has nothing of that day any more.
            return day <= last && known[day].map { $0.arrived != nil || $0.newest.state != .planned } == true
        }
        return (past.holdsNewestOnly ? worthIt.suffix(1) : worthIt).map {
            pages.attached($0, to: job, writer)
        }
    }

    private func byDay(_ past: Past) -> [CivilDate: AttachRecord] {
        Dictionary(
            past.records(.day).compactMap { subject, record in CivilDate(subject).map { ($0, record) } },
            uniquingKeysWith: { $1 })
    }

    /// The days before one that were sent and may still change, and the last two that were refused, oldest first.
    private func correctable(before last: CivilDate, _ known: [CivilDate: AttachRecord]) -> [CivilDate] {
        (1...Self.revisedDays).reversed().map { last.advanced(by: -$0) }.filter { day in
            known[day].map { isCorrectable($0, day, from: last) } == true
        }
    }

    /// Whether a day may need a correction: it was sent, and late data may still change it; or it was refused, and is at
    /// most two days before another.
    private func isCorrectable(_ record: AttachRecord, _ day: CivilDate, from last: CivilDate) -> Bool {
        switch record.newest.state {
        case .sent: day >= last.advanced(by: -Self.revisedDays)
        case .planned: day >= last.advanced(by: -Self.mostLate)
        default: false
        }
    }

    /// For how many days sources revise what they reported of a day, as stores and analytics do.
    private static let revisedDays = 14

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

/// The days, weeks and releases of the apps that targets get summaries of.
private struct KnownSubjects {
    private var hasApps = false
    private var listed: [DaySet] = []
    private var days: [CivilDate] = []
    private var releases: [String] = []
    /// The weeks of the targets that take some; nil without such a target.
    var weeks: Set<CivilWeek>?

    mutating func add(_ pages: AppPages) {
        hasApps = true
        listed.append(pages.facts.listedDays)
        days += pages.facts.daySpan
        releases += pages.allReleases.map(\.label).filter { !releases.contains($0) }
    }

    /// Ends the command for what no app has; where no target works, there is nothing to ask.
    func refuseUnknown(_ wishes: AttachWishes, asOf: Instant) throws(Diagnostics) {
        guard hasApps else { return }
        if let day = wishes.day, !listed.contains(where: { $0.contains(day) }) {
            throw unknownDay("attach", day, among: days)
        }
        if let release = wishes.release, !releases.contains(release) {
            throw unknownName("attach", "release", release, among: releases)
        }
        if let week = wishes.week, let weeks, !weeks.contains(week) {
            throw unknownWeek("attach", week, among: Array(weeks), asOf: asOf)
        }
    }
}

extension AppPages {
    /// Whether there is something to say of a day: figures, or a source that failed then.
    fileprivate func hasDay(_ day: CivilDate) -> Bool {
        facts.listedDays.contains(day) && day <= facts.lastDay || attentionSigns(of: day).asks
    }

    /// The summary of a day as it is attached.
    fileprivate func attached(
        _ day: CivilDate, to job: AttachJob, _ writer: SummaryWriter
    ) -> AttachedSummary {
        let signs = attentionSigns(of: day)
        return attached(
            .day, day.description, sentSummary(of: day), to: job, writer, asksForAttention: signs.asks,
            gist: Gist(signs.all, same: [signs.shown], former: signs.former))
    }

    /// The summary of a release as it is attached.
    fileprivate func attached(
        _ release: ReleaseFacts, to job: AttachJob, _ writer: SummaryWriter
    ) -> AttachedSummary {
        let verdict = release.evaluation.verdict
        var made = attached(
            .release, release.label, summary(of: release), to: job, writer,
            asksForAttention: verdict.asksForAttention,
            gist: Gist(
                verdict: verdict.gist, through: lastDay(of: release),
                takenBack: Set((verdictsTakenBack[release.label] ?? []).map(\.gist))))
        made.release = traits(of: release)
        return made
    }

    /// The last day of the figures that the verdict on a release is made from.
    private func lastDay(of release: ReleaseFacts) -> CivilDate {
        release.evaluation.basis.map { $0.life.day(ofAge: $0.age) } ?? release.lastDay
    }

    private func traits(of release: ReleaseFacts) -> ReleaseTraits {
        let latest = allReleases.map(\.release.version).filter { !$0.isPrerelease }.max()
        let version = release.release.version
        return ReleaseTraits(
            isPrerelease: version.isPrerelease, isLatest: version == latest, cameOut: release.cameOut)
    }

    private func attached(
        _ kind: AttachmentKey.Kind, _ subject: String, _ document: SummaryDocument, to job: AttachJob,
        _ writer: SummaryWriter, asksForAttention: Bool, gist: Gist
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

extension Gist {
    /// That of the apps of a week.
    fileprivate init(_ signs: [WeekSigns]) {
        let parts = signs.map { ($0.app.text, Part($0.all, same: [$0.shown], former: [$0.withMuted])) }
        self.init(
            apps: Dictionary(parts, uniquingKeysWith: { first, _ in first }),
            former: signs.map(\.former).joined(separator: "\n"))
    }
}

extension ReleaseVerdict {
    /// Whether it is one to act on.
    fileprivate var asksForAttention: Bool { self == .go || self == .hold || self == .rollBack }

    /// What two verdicts have in common that say the same, however many sessions are needed.
    fileprivate var gist: String {
        if case .notEnoughData = self { "notEnoughData" } else { "\(self)" }
    }
}
