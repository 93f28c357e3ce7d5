package import AppHealth
import Cryptography
import Diagnostics
import Statistics

/// What an audience may see of one app: the same sections without what is skipped.
///
/// Everything is counted, found, matched with the ledger and muted before anything is skipped, so every audience is
/// reported of the same numbers and events.
package struct AudienceRedaction: Sendable {
    let audience: Audience
    let names: [String: String]

    /// The redaction of an app for an audience.
    package init(_ history: AppHistory, for audience: Audience) {
        self.audience = audience
        let isPublic = audience.reader == .public
        self.names = isPublic ? anonymousNames(ofIssuesIn: history, audience.key) : [:]
    }

    /// An issue without its place, its address and its own id, and without its title when titles are hidden: `Crash issue
    /// 1a2b3c4d5e6f` is its name for this audience, as the digits are its id.
    func redacted(_ issue: Issue) -> Issue {
        var issue = issue
        let name = anonymous(issue.id)
        if audience.titles == .hidden { issue.title = "\(issue.kind.title) issue \(name)" }
        guard audience.reader == .public else { return issue }
        issue.id = name
        issue.place = nil
        issue.url = nil
        return issue
    }

    /// Why figures are not current: a fetch that failed without where and how. Whatever else it is, is no secret.
    func redacted(_ problem: SourceProblem) -> SourceProblem {
        if case .failed(let why) = problem { .failed(redacted(why)) } else { problem }
    }

    /// What went wrong without where and how.
    func redacted(_ diagnostic: Diagnostic) -> Diagnostic {
        guard audience.reader == .public else { return diagnostic }
        let isError = diagnostic.severity == .error
        return Diagnostic(
            diagnostic.severity, id: diagnostic.id,
            isError ? "Couldn't fetch the source" : "Part of the response was skipped")
    }

    /// The name of an issue that does not report the id its service gave it.
    package func anonymous(_ id: String) -> String { names[id] ?? id }

    /// Whether this is for everybody.
    package var isPublic: Bool { audience.reader == .public }
}

extension Issue.Kind {
    fileprivate var title: String {
        switch self {
        case .crash: "Crash"
        case .hang: "Hang"
        case .error: "Error"
        }
    }
}

/// Twelve hexadecimal digits for each issue, from the key and the ids of the app and of the issue alone, so that
/// addresses stay; of two issues with the same digits, which no one without the key can bring about, the second in the
/// order of ids gets a number.
private func anonymousNames(ofIssuesIn history: AppHistory, _ key: AudienceKey) -> [String: String] {
    var ids: Set<String> = []
    for source in history.withDistinctIssues.sources {
        ids.formUnion(source.issues.map(\.id))
        ids.formUnion(source.issueDays.map(\.issue))
        ids.formUnion(source.issueHours.map(\.issue))
    }
    var taken: Set<String> = []
    var names: [String: String] = [:]
    for id in ids.sorted() {
        names[id] = freeID(anonymousName(of: history.app.id.text + "/" + id, key), &taken)
    }
    return names
}

/// Twelve hexadecimal digits of a text, by HMAC-SHA256 (RFC 2104).
func anonymousName(of text: String, _ key: AudienceKey) -> String {
    hexadecimal(authenticationCode(for: Array(text.utf8), key: key.bytes).prefix(6))
}

extension AudienceRedaction {
    /// The activity without notes, mutes and what was muted.
    package func redacted(_ activity: Activity) -> Activity {
        var activity = activity
        activity.shown = redacted(activity.shown)
        activity.hiddenAlerts = redacted(activity.hiddenAlerts)
        guard isPublic else {
            activity.muted = redacted(activity.muted)
            return activity
        }
        activity.muted = []
        activity.uses = []
        activity.hidden.removeAll { $0.kind == .newNote }
        return activity
    }

    /// Events without notes, in their order.
    package func redacted(_ events: [Event]) -> [Event] { events.compactMap(redacted) }

    /// The event without what is skipped; nil when nothing is left of it.
    func redacted(_ event: Event) -> Event? {
        switch event {
        case .newNote: return isPublic ? nil : event
        case .velocity(let alert):
            return .velocity(
                IssueVelocityAlert(
                    occasion: redacted(alert.occasion), issue: redacted(alert.issue), version: alert.version,
                    extent: redacted(alert.extent), hours: alert.hours, users: alert.users,
                    grounds: isPublic && alert.grounds == .worseThanMuted ? .hidden : alert.grounds))
        case .newIssue(let new):
            return .newIssue(NewIssue(occasion: redacted(new.occasion), issue: redacted(new.issue)))
        case .regressed(let regressed):
            return .regressed(
                RegressedIssue(
                    occasion: redacted(regressed.occasion), issue: redacted(regressed.issue),
                    seenIn: regressed.seenIn, fixedIn: regressed.fixedIn))
        case .topIssues(let summary):
            return .topIssues(redacted(summary))
        case .sourceTrouble(let failure):
            return .sourceTrouble(
                SourceFailure(
                    occasion: failure.occasion, source: failure.source, provider: failure.provider,
                    lastGood: failure.lastGood, lastDay: failure.lastDay, lastDayOver: failure.lastDayOver,
                    resumed: failure.resumed, end: failure.end, why: redacted(failure.why)))
        case .withdrawn(let alert): return .withdrawn(redacted(alert))
        case .raised(let alert): return .raised(redacted(alert))
        case .releaseVerdict(let reached):
            return .releaseVerdict(
                ReleaseVerdictReached(occasion: reached.occasion, evaluation: redacted(reached.evaluation)))
        case .stability(let alert): return .stability(redacted(alert))
        case .recovery(let recovery): return .recovery(redacted(recovery))
        case .crashes, .usage: return event
        }
    }

    func redacted(_ evaluation: ReleaseEvaluation) -> ReleaseEvaluation {
        var grounds = evaluation.grounds
        if case .fetchFailed(let why) = grounds { grounds = .fetchFailed(redacted(why)) }
        return ReleaseEvaluation(
            label: evaluation.label, verdict: evaluation.verdict, grounds: grounds,
            basis: evaluation.basis.map(redacted), silence: evaluation.silence)
    }

    private func redacted(_ basis: ReleaseEvaluation.Basis) -> ReleaseEvaluation.Basis {
        guard audience.hidesCounts else { return basis }
        var basis = basis
        basis.total = basis.total.coarse
        if let rate = basis.total.share?.complement.value {
            basis.crashFree = Interval(
                lower: CoarseCounts.bound(basis.crashFree.lower, of: rate),
                upper: CoarseCounts.bound(basis.crashFree.upper, of: rate))
        }
        if var comparison = basis.comparison {
            comparison.own = comparison.own.coarse
            comparison.ownAtSessions = comparison.ownAtSessions.coarse
            comparison.earlier = comparison.earlier.coarse
            comparison.peers = comparison.peers.map {
                ReleaseComparison.Peer(
                    label: $0.label, atAge: $0.atAge.coarse, atSessions: $0.atSessions.coarse)
            }
            comparison.sameDays = comparison.sameDays.map { days in
                var days = days
                days.own = days.own.coarse
                days.others = days.others.map { .init(label: $0.label, counts: $0.counts.coarse) }
                return days
            }
            basis.comparison = comparison
        }
        return basis
    }

    /// A share, coarse where counts are hidden.
    func redacted(_ share: Fraction) -> Fraction { share.shown(hidingCounts: audience.hidesCounts) }

    func redacted(_ share: Fraction?) -> Fraction? { share.map { redacted($0) } }

    private func redacted(_ extent: IssueVelocityAlert.Extent) -> IssueVelocityAlert.Extent {
        if case .share(let share) = extent { .share(redacted(share)) } else { extent }
    }

    private func redacted(_ alert: StabilityAlert) -> StabilityAlert {
        guard audience.hidesCounts else { return alert }
        let episode = alert.episode
        var state = episode.state
        if case .recovered(let day, let share) = state { state = .recovered(on: day, share.coarse) }
        return StabilityAlert(
            occasion: alert.occasion,
            episode: StabilityEpisode(
                basis: episode.basis, first: episode.first, last: episode.last,
                finding: episode.finding.coarse, worst: episode.worst.coarse, origin: episode.origin,
                state: state, knownOver: episode.knownOver),
            other: alert.other.map {
                StabilityAlert.OtherBasis(basis: $0.basis, finding: $0.finding?.coarse)
            })
    }

    private func redacted(_ recovery: Recovery) -> Recovery {
        guard case .rate(let basis, let share, let expected) = recovery.level else { return recovery }
        return Recovery(
            occasion: recovery.occasion, level: .rate(basis, redacted(share), expected: expected),
            alertDay: recovery.alertDay, since: recovery.since, known: recovery.known)
    }

    func redacted(_ summary: TopIssuesSummary) -> TopIssuesSummary {
        var summary = summary
        summary.entries = summary.entries.map(redacted)
        summary.crashShare = redacted(summary.crashShare)
        summary.listedShare = redacted(summary.listedShare)
        summary.coverage = redacted(summary.coverage)
        return summary
    }

    private func redacted(_ entry: TopIssuesSummary.Entry) -> TopIssuesSummary.Entry {
        TopIssuesSummary.Entry(
            issue: redacted(entry.issue), users: entry.users, events: entry.events, rank: entry.rank,
            previousRank: entry.previousRank, namedShare: entry.namedShare, share: redacted(entry.share))
    }

    /// What was reported then named issues and counts, so of a withdrawn alert only the withdrawal stays.
    private func redacted(_ alert: WithdrawnAlert) -> WithdrawnAlert {
        WithdrawnAlert(occasion: redacted(alert.occasion), entry: alert.entry, includesOriginal: false)
    }

    /// The same of an alert as it was raised.
    private func redacted(_ alert: RaisedAlert) -> RaisedAlert {
        var alert = alert
        alert.occasion = redacted(alert.occasion)
        alert.issue = alert.issue.map { redacted($0) }
        alert.includesOriginal = false
        return alert
    }

    /// The occasion under an id that names no issue; it is as permanent as the one it is for.
    private func redacted(_ occasion: EventIdentity) -> EventIdentity {
        // Versions are public.
        guard isPublic, !occasion.subject.isEmpty, occasion.rule != ReleaseVerdictRule.id else {
            return occasion
        }
        var plain = EventIdentity(
            rule: occasion.rule, subject: anonymousName(of: occasion.id, audience.key), app: occasion.app,
            day: occasion.day, at: occasion.at)
        // Notes and failures are named by their day in UTC, here by that of the app.
        let hasOwnTime = [NewNoteRule.id, SourceFailureRule.id, SourceIdleRule.id].contains(occasion.rule)
        let day = hasOwnTime ? occasion.day : occasion.namedDay ?? occasion.day
        // That of the app may be another one by now.
        let app = occasion.id.prefix { $0 != "/" }
        plain.id = "\(app)/\(occasion.rule)/\(day)/\(plain.subject)"
        plain.published = occasion.published
        return plain
    }
}

extension AudienceRedaction {
    /// Everything of a history, and of the mutes of the site, that the audience must not see.
    package func sensitiveFacts(of history: AppHistory, mutes: [Mute]) -> SensitiveFacts {
        var facts = SensitiveFacts()
        let rules = Set(audience.rules)
        let app = history.app
        var texts: [(RedactionRule, String)] = mutes.flatMap { [(.name, $0.by), (.mute, $0.why)] }
        facts.known = [app.id.text, app.name, app.platform]
        if let group = app.group { facts.known.formUnion([group, App.slug(ofGroup: group).text]) }
        texts += history.notes.flatMap { [(.name, $0.author), (.note, $0.text)] }
        for source in history.withSumsOfReleases.sources {
            facts.known.formUnion([source.source.id.text, source.source.provider])
            facts.known.formUnion(source.releases.flatMap { [$0.version.label, $0.version.build] })
            facts.known.formUnion(source.deviceDays.map(\.device))
            texts += source.issues.flatMap(texts(of:))
            texts += source.notes.flatMap { [(.name, $0.author), (.note, $0.text)] }
            texts += source.lastAttempt.map(texts(of:)) ?? []
            if audience.hidesCounts { addCounts(of: source, &facts) }
        }
        if audience.titles == .shown {
            facts.known.formUnion(history.sources.flatMap(\.issues).map(\.title))
        }
        facts.texts = Set(
            texts.filter { rules.contains($0.0) && !$0.1.isEmpty }.map {
                SensitiveText($0.0, $0.1, app: app.id.text)
            })
        // What everybody may read is no count of a reader's either, such as a build number.
        facts.counts.subtract(facts.known.compactMap { Int($0) })
        return facts
    }

    private func texts(of issue: Issue) -> [(RedactionRule, String)] {
        var texts: [(RedactionRule, String)] = [(.issueID, issue.id), (.title, issue.title)]
        if let place = issue.place { texts += [(.codePlace, place.file), (.codePlace, place.fileName)] }
        if let url = issue.url { texts.append((.link, url)) }
        return texts
    }

    private func texts(of attempt: FetchAttempt) -> [(RedactionRule, String)] {
        let diagnostics: [Diagnostic] =
            switch attempt.outcome {
            case .failed(let why): [why]
            case .succeeded(let warnings): warnings
            }
        return diagnostics.flatMap { diagnostic in
            ([diagnostic.location.map { "\($0)" }] + (diagnostic.quotes + diagnostic.details).map { $0 })
                .compactMap { text in
                    text.map { (.diagnostic, $0) }
                }
        }
    }

    private func addCounts(of source: SourceHistory, _ facts: inout SensitiveFacts) {
        let counts: [[Int?]] =
            source.health.map(\.counts) + source.healthHours.map(\.counts) + source.usage.map(\.counts)
            + source.issues.map(\.counts) + source.issueDays.map(\.counts) + source.issueHours.map(\.counts)
            + source.deviceDays.map(\.counts) + source.releases.compactMap(\.lifetime?.counts)
        for count in counts.joined() { facts.insert(count) }
    }
}
