package import AppHealth
import Diagnostics
import Statistics

extension AppAnalysis {
    /// Analyzes a history for an audience: no text, name or link that is hidden from it is in any section.
    package init(
        _ history: AppHistory, targets: Targets, asOf: Instant, control: AlertControl = AlertControl(),
        audience: Audience
    ) {
        self.init(history, targets: targets, asOf: asOf, control: control)
        guard audience.hidesData else { return }
        self = AudienceRedaction(history, for: audience).redacted(self)
    }
}

extension AudienceRedaction {
    /// The sections without the texts, names and links that are skipped, and with coarse rates where counts are hidden.
    ///
    /// Tests hold lists of the fields of all sections, and of those with exact counts, against them, so that none can be
    /// added without a decision.
    package func redacted(_ whole: AppAnalysis) -> AppAnalysis {
        var analysis = whole
        analysis.facts.audience = audience
        analysis.sources = redacted(whole.sources)
        analysis.stability = redacted(whole.stability)
        analysis.usage.stickinessByDay = whole.usage.stickinessByDay.mapValues { redacted($0) }
        analysis.usage.source = whole.usage.source.map(redacted)
        analysis.usage.newUsersSource = whole.usage.newUsersSource.map(redacted)
        analysis.usage.sessionsSource = whole.usage.sessionsSource.map(redacted)
        analysis.usage.nothing = redacted(whole.usage.nothing)
        analysis.issues = redacted(whole.issues)
        analysis.releases = redacted(whole.releases)
        analysis.activity = redacted(whole.activity)
        analysis.days = whole.days.mapValues(redacted)
        analysis.weeks = weeks(of: whole)
        analysis.aliases = names
        return analysis
    }

    // MARK: sources and values

    private func redacted(_ section: SourcesSection) -> SourcesSection {
        var section = section
        section.all = section.all.map(redacted)
        section.users = section.users.map(redacted)
        section.sessions = section.sessions.map(redacted)
        section.releaseHealth = section.releaseHealth.map(redacted)
        section.issues = section.issues.map(redacted)
        return section
    }

    private func redacted(_ source: SourceFacts) -> SourceFacts {
        var source = source
        switch source.lastAttempt?.outcome {
        case .failed(let why): source.lastAttempt?.outcome = .failed(redacted(why))
        case .succeeded(let warnings):
            // What is only worth knowing is so for those who configure the site.
            let shown = isPublic ? warnings.filter { $0.severity > .note } : warnings
            source.lastAttempt?.outcome = .succeeded(warnings: shown.map(redacted))
        case nil: break
        }
        // What to do about it is for those who configure the site.
        if isPublic { (source.unused, source.unmatched) = (nil, nil) }
        return source
    }

    private func redacted(_ source: RateSource) -> RateSource {
        var source = source
        source.facts = source.facts.map { redacted($0) }
        return source
    }

    private func redacted<Value>(_ measured: Measured<Value>) -> Measured<Value> {
        switch measured {
        case .stale(let value, let asOf, let why): .stale(value, asOf: asOf, why: redacted(why))
        case .failed(let why): .failed(why: redacted(why))
        case .loaded, .absent: measured
        }
    }

    /// A share with its state, coarse where counts are hidden.
    private func redacted(_ measured: Measured<Fraction>) -> Measured<Fraction> {
        switch measured {
        case .loaded(let share, let asOf): .loaded(redacted(share), asOf: asOf)
        case .stale(let share, let asOf, let why): .stale(redacted(share), asOf: asOf, why: redacted(why))
        case .failed(let why): .failed(why: redacted(why))
        case .absent: measured
        }
    }

    private func redacted(_ nothing: Nothing) -> Nothing {
        if case .failed(let why) = nothing { .failed(redacted(why)) } else { nothing }
    }

    private func redacted(_ section: StabilitySection) -> StabilitySection {
        var section = section
        section.users = section.users.map(redacted)
        section.sessions = section.sessions.map(redacted)
        section.crashSource = section.crashSource.map(redacted)
        section.nothing = redacted(section.nothing)
        if audience.hidesCounts {
            section.rates = section.rates.mapValues(\.coarse)
            let devices = (section.devices?.devices ?? []).map {
                DeviceCount(
                    device: $0.device, crashes: CoarseCounts.whole($0.crashes), share: redacted($0.share))
            }
            section.devices?.devices = devices
        }
        section.causes = section.causes.compactMapValues(redacted)
        return section
    }

    private func redacted(_ covering: TopCrashIssues) -> TopCrashIssues {
        audience.hidesCounts ? covering.coarse : covering
    }

    private func redacted(_ exact: DropBreakdown) -> DropBreakdown? {
        guard var breakdown = audience.hidesCounts ? exact.coarse : exact else { return nil }
        breakdown.issues = breakdown.issues.map { rise in
            var rise = rise
            rise.issue = redacted(rise.issue)
            return rise
        }
        return breakdown
    }

    // MARK: issues

    private func redacted(_ section: IssuesSection) -> IssuesSection {
        var section = section
        section.all = section.all.map(redacted)
        section.rename(anonymous)
        section.source = section.source.map(redacted)
        section.lack = section.lack.map(redacted)
        section.lackOfDays = section.lackOfDays.map(redacted)
        section.covering = section.covering.map(redacted)
        section.summaries = section.summaries.mapValues(redacted)
        return section
    }

    private func redacted(_ facts: IssueFacts) -> IssueFacts {
        var facts = facts
        facts.issue = redacted(facts.issue)
        facts.window = redacted(facts.window)
        facts.pageWindow = facts.pageWindow.map(redacted)
        facts.days = facts.days.map { $0.map(redacted) }
        facts.releaseDays = facts.releaseDays.map(redacted)
        facts.events = redacted(facts.events)
        facts.muted = redacted(facts.muted)
        if isPublic {
            // A mute is hidden, and so is what it marks.
            facts.signals.removeAll { $0 == .muted }
            facts.notes = []
        }
        return facts
    }

    private func redacted(_ window: IssueWindow) -> IssueWindow {
        var window = window
        window.share = redacted(window.share)
        window.releases = window.releases.map { release in
            var release = release
            release.share = redacted(release.share)
            return release
        }
        return window
    }

    private func redacted(_ day: IssueDay) -> IssueDay {
        var day = day
        day.issue = anonymous(day.issue)
        return day
    }

    /// Muted events and what explains them; the public sees none.
    func redacted(_ muted: [MutedEvent]) -> [MutedEvent] {
        guard !isPublic else { return [] }
        return muted.compactMap { muted in
            redacted(muted.event).map {
                MutedEvent(event: $0, mute: muted.mute, cause: muted.cause.flatMap(redacted))
            }
        }
    }

    // MARK: releases

    private func redacted(_ section: ReleasesSection) -> ReleasesSection {
        var section = section
        section.all = section.all.map(redacted)
        section.pairs = section.pairs.map(redacted)
        section.source = section.source.map(redacted)
        section.lack = section.lack.map(redacted)
        return section
    }

    private func redacted(_ facts: ReleaseFacts) -> ReleaseFacts {
        func renamed(_ issues: [ReleaseIssue]) -> [ReleaseIssue] {
            issues.map { issue in
                var issue = issue
                issue.id = anonymous(issue.id)
                issue.share = redacted(issue.share)
                return issue
            }
        }
        var facts = facts
        facts.source = facts.source.map(redacted)
        facts.crashed = redacted(facts.crashed)
        facts.crashedUserDays = facts.crashedUserDays.map(redacted)
        facts.adoption = redacted(facts.adoption)
        if let stage = facts.stage { facts.stage?.share = redacted(stage.share) }
        if audience.hidesCounts { facts.days = facts.days.map(\.coarse) }
        facts.evaluation = redacted(facts.evaluation)
        facts.topIssues = renamed(facts.topIssues)
        facts.newIssues = renamed(facts.newIssues)
        facts.regressedIssues = renamed(facts.regressedIssues)
        facts.issues = renamed(facts.issues)
        if isPublic { facts.notes = [] }
        return facts
    }

    private func redacted(_ pair: PairFacts) -> PairFacts {
        func renamed(_ issues: [PairIssue]) -> [PairIssue] {
            issues.map { issue in
                var issue = issue
                issue.id = anonymous(issue.id)
                (issue.later, issue.earlier) = (issue.later.map(redacted), issue.earlier.map(redacted))
                return issue
            }
        }
        var pair = pair
        pair.rates = pair.rates.map { rate in
            var rate = rate
            rate.later = redacted(rate.later)
            rate.earlier = redacted(rate.earlier)
            rate.source = rate.source.map(redacted)
            return rate
        }
        pair.onlyLater = renamed(pair.onlyLater)
        pair.both = renamed(pair.both)
        pair.onlyEarlier = renamed(pair.onlyEarlier)
        return pair
    }

    private func redacted(_ count: PairIssue.Count) -> PairIssue.Count {
        var count = count
        count.share = redacted(count.share)
        return count
    }

    // MARK: activity, weeks and days

    private func weeks(of whole: AppAnalysis) -> [WeekFacts] {
        let weeks = audience.hidesCounts ? whole.weeks(hidingCounts: true) : whole.weeks
        return weeks.map { exact in
            var week = exact
            if let mover = exact.mover {
                guard let issue = whole.issues[mover.id]?.issue else {
                    week.mover = nil
                    return week
                }
                let shown = redacted(issue)
                week.mover?.id = shown.id
                week.mover?.title = shown.title
            }
            return week
        }
    }

    private func redacted(_ section: ActivitySection) -> ActivitySection {
        var section = section
        func renamed(_ times: [String: Instant]) -> [String: Instant] {
            Dictionary(
                section.activity.shown.compactMap { event in
                    redacted(event).flatMap { shown in
                        times[event.occasion.id].map { (shown.occasion.id, $0) }
                    }
                }, uniquingKeysWith: { first, _ in first })
        }
        (section.changed, section.known) = (renamed(section.changed), renamed(section.known))
        section.ownIDs = ownIDs(of: section.events + section.withheld)
        section.silenced = redacted(section.silenced)
        section.activity = redacted(section.activity)
        section.byDay = section.byDay.mapValues { redacted($0) }
        section.mutedByDay = isPublic ? [:] : section.mutedByDay.mapValues { redacted($0) }
        section.hiddenByDay = Dictionary(grouping: section.activity.hidden, by: \.day)
        section.days = activeDays(section.activity)
        if isPublic { (section.notes, section.mutedAlerts) = ([], nil) }
        // What the issues hold already.
        (section.byIssue, section.mutedByIssue, section.signals) = ([:], [:], [:])
        return section
    }

    /// The ids of events before they are hidden, by those that they get.
    private func ownIDs(of events: [Event]) -> [String: String] {
        Dictionary(
            events.compactMap { event in
                guard let shown = redacted(event), shown.occasion.id != event.occasion.id else { return nil }
                return (shown.occasion.id, event.occasion.id)
            }, uniquingKeysWith: { first, _ in first })
    }

    private func redacted(_ day: DaySection) -> DaySection {
        var day = day
        if audience.hidesCounts {
            day.health = day.health?.coarse
            day.reported = day.reported?.coarse
            day.shares = day.shares.map { share in
                var share = share
                if let exact = share?.share { share?.share = exact.coarse }
                return share
            }
            day.budget = day.budget?.coarse
            day.quiet = day.quiet?.withoutCounts
            if let change = day.change {
                day.change = WeekChange(
                    now: change.now.coarse, then: change.then.coarse, before: change.before)
            }
        }
        day.users = redacted(day.users)
        day.sessions = redacted(day.sessions)
        day.breakdown = day.breakdown.flatMap(redacted)
        day.summary = day.summary.map(redacted)
        day.covering = day.covering.map(redacted)
        day.groups = day.groups.map { group in
            var group = group
            group.issues = group.issues.map { entry in
                var entry = entry
                entry.id = anonymous(entry.id)
                return entry
            }
            return group
        }
        day.events = redacted(day.events)
        day.muted = redacted(day.muted)
        if isPublic {
            day.cut.removeAll { $0.kind == .newNote }
            day.notes = []
        }
        return day
    }
}
