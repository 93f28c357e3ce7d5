import AppHealth

extension Redaction {
    /// The activity without notes, mutes and what was muted.
    package func redacted(_ activity: Activity) -> Activity {
        var activity = activity
        activity.shown = redacted(activity.shown)
        guard isPublic else {
            activity.muted = activity.muted.compactMap { muted in
                redacted(muted.event).map { MutedEvent(event: $0, mute: muted.mute) }
            }
            return activity
        }
        activity.muted = []
        activity.uses = []
        activity.leftOut.removeAll { $0.kind == .newNote }
        return activity
    }

    /// Events without notes, in their order.
    package func redacted(_ events: [Event]) -> [Event] { events.compactMap(redacted) }

    /// The event without what is left out; nil when nothing is left of it.
    func redacted(_ event: Event) -> Event? {
        switch event {
        case .newNote: return isPublic ? nil : event
        case .velocity(let alert):
            return .velocity(
                IssueVelocityAlert(
                    occasion: redacted(alert.occasion), issue: redacted(alert.issue), version: alert.version,
                    share: alert.share, hours: alert.hours, users: alert.users, grounds: alert.grounds))
        case .newIssue(let new):
            return .newIssue(NewIssue(occasion: redacted(new.occasion), issue: redacted(new.issue)))
        case .regressed(let regressed):
            return .regressed(
                RegressedIssue(
                    occasion: redacted(regressed.occasion), issue: redacted(regressed.issue),
                    seenIn: regressed.seenIn, fixedIn: regressed.fixedIn))
        case .topIssues(let summary):
            return .topIssues(redacted(summary))
        case .sourceTrouble(let trouble):
            return .sourceTrouble(
                SourceTrouble(
                    occasion: trouble.occasion, source: trouble.source, provider: trouble.provider,
                    lastGood: trouble.lastGood, why: redacted(trouble.why)))
        case .withdrawn(let alert): return .withdrawn(redacted(alert))
        case .releaseVerdict(let reached):
            return .releaseVerdict(
                ReleaseVerdictReached(occasion: reached.occasion, judgement: redacted(reached.judgement)))
        case .stability, .usage, .recovery: return event
        }
    }

    func redacted(_ judgement: ReleaseEvaluation) -> ReleaseEvaluation {
        guard case .fetchFailed(let why) = judgement.grounds else { return judgement }
        return ReleaseEvaluation(
            label: judgement.label, verdict: judgement.verdict, grounds: .fetchFailed(redacted(why)),
            basis: judgement.basis)
    }

    func redacted(_ summary: TopIssuesSummary) -> TopIssuesSummary {
        TopIssuesSummary(
            occasion: summary.occasion, entries: summary.entries.map(redacted), users: summary.users,
            crashedUsers: summary.crashedUsers, zone: summary.zone)
    }

    private func redacted(_ entry: TopIssuesSummary.Entry) -> TopIssuesSummary.Entry {
        TopIssuesSummary.Entry(
            issue: redacted(entry.issue), users: entry.users, events: entry.events, rank: entry.rank,
            previousRank: entry.previousRank)
    }

    /// What was told then named issues and counts, so of a withdrawn alert only the withdrawal stays.
    private func redacted(_ alert: WithdrawnAlert) -> WithdrawnAlert {
        WithdrawnAlert(occasion: redacted(alert.occasion), entry: alert.entry, tellsFirst: false)
    }

    /// The occasion under an id that names no issue; it is as permanent as the one it stands for.
    private func redacted(_ occasion: EventIdentity) -> EventIdentity {
        guard isPublic, !occasion.subject.isEmpty else { return occasion }
        var plain = EventIdentity(
            rule: occasion.rule, subject: anonymousName(of: occasion.id), app: occasion.app,
            day: occasion.day, at: occasion.at)
        plain.id = "\(occasion.app.id)/\(occasion.rule)/\(occasion.day)/\(anonymousName(of: occasion.id))"
        return plain
    }
}
