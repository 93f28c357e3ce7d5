import Analysis
import AppHealth
import Attaching
import Pages

/// Which summaries a target gets now, by what it has had.
extension AttachPlan {
    // MARK: Weeks

    /// The newest week that is over and those before that were refused, that no run tried, or that may need a correction,
    /// or the one that is requested.
    func ofWeeks(
        _ job: AttachJob, _ apps: [WeeksOfApp], app: String, _ past: PastSummaries
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

    // MARK: Releases

    /// The newest releases or the one that is requested, oldest first: what is made last is the newest at its place.
    ///
    /// - Parameter slot: what sets the place of a summary apart; of several with one, as of builds of one version, the newest
    ///   is there.
    func releases(
        _ pages: AppPages, _ job: AttachJob, most: Int, slot: (AttachedSummary) -> String? = { _ in nil }
    ) -> [AttachedSummary] {
        if let name = wishes.release {
            return pages.release(named: name).map { [pages.attached($0, to: job, writer)] } ?? []
        }
        guard most > 1 else {
            return pages.latestRelease.map { [pages.attached($0, to: job, writer)] } ?? []
        }
        var (chosen, slots) = ([AttachedSummary](), Set<String>())
        for release in pages.releasesOut where chosen.count < most {
            let summary = pages.attached(release, to: job, writer)
            guard slot(summary).map({ slots.insert($0).inserted }) ?? true else { continue }
            chosen.append(summary)
        }
        return chosen.reversed()
    }

    /// The newest release. What is replaced shows how far it is; a message needs a verdict that no mute or setting holds
    /// back, or one that was sent and is taken back. Those of other releases that were refused, are news, or may need a
    /// correction go before it.
    func verdicts(_ pages: AppPages, _ job: AttachJob, _ past: PastSummaries) -> [AttachedSummary] {
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
            if release.evaluation.verdict.isWorthSending { return true }
            // That a verdict is not known for a while takes back nothing.
            return release.evaluation.verdict != .unknown && records[release.label]?.arrived != nil
        }
        let latest = pages.latestRelease
        let due = pages.allReleases.filter { $0.label != latest?.label && isDue($0.label) && isSaid($0) }
        let newest = [latest].compactMap(\.self).filter { replaces || isSaid($0) }
        return (due.reversed() + newest).compactMap { release in
            let summary = pages.attached(release, to: job, writer)
            // What is there already stays up to date, and what is not so is corrected.
            let isHeld =
                !replaces && holdsBackVerdict(of: release, pages)
                && records[release.label]?.isNews(summary.gist) != false
            return isHeld ? nil : summary
        }
    }

    /// Whether a mute or a setting holds back the verdict that a release has.
    func holdsBackVerdict(of release: ReleaseFacts, _ pages: AppPages) -> Bool {
        pages.holdsBackVerdict(of: release, isOff: reports.turnsVerdictsOff(of: pages.facts.app.id))
    }

    // MARK: Days

    /// The newest day, those before that were refused, that came late, that may need a correction or, on request, that
    /// may have arrived, and the day for which a source failed. A target that is new does not get the past.
    func days(_ pages: AppPages, _ job: AttachJob, _ past: PastSummaries) -> [AttachedSummary] {
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
    func daysOfAttention(_ pages: AppPages, _ job: AttachJob, _ past: PastSummaries) -> [AttachedSummary] {
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
            // Later than the last, it is no past even of a target that is new.
            guard let record = known[day] else { return firstNews.map { day >= $0 } ?? (day > last) }
            return past.isWaiting(record) || !replaces && isCorrectable(record, day, from: last)
        }
        var worthIt = days.sorted().filter { day in
            if pages.attentionSigns(of: day).asks { return true }
            // What is known already may have to be corrected, unless the archive has nothing of that day any more.
            return day <= last && known[day].map { $0.arrived != nil || $0.newest.state != .planned } == true
        }
        // A target that had nothing yet gets what is open; what was refused is not there.
        let hasNothing = known.values.allSatisfy { $0.arrived == nil && $0.newest.state == .planned }
        if worthIt.isEmpty, hasNothing, pages.hasLastingAlert(on: last) { worthIt = [last] }
        return (past.holdsNewestOnly ? worthIt.suffix(1) : worthIt).map {
            pages.attached($0, to: job, writer)
        }
    }

    private func byDay(_ past: PastSummaries) -> [CivilDate: AttachRecord] {
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
