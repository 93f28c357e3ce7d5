import AppHealth

/// A release was judged go, hold or roll back for the first time.
package struct ReleaseVerdictReached: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The verdict with its reason, as of that day.
    package let evaluation: ReleaseEvaluation
}

extension Event {
    /// The release and its verdict that the figures no longer give, when the event reports that.
    package var verdictTakenBack: (label: String, verdict: ReleaseVerdict)? {
        guard case .withdrawn(let alert) = self, alert.entry.rule == ReleaseVerdictRule.id else { return nil }
        return ReleaseVerdictRule.verdict(ofSubject: alert.entry.subject)
    }

    /// The release and the verdict that it got, also as it was raised, when the event reports that.
    package var verdictGiven: (label: String, verdict: ReleaseVerdict)? {
        switch self {
        case .releaseVerdict, .raised: break
        case .stability, .crashes, .velocity, .usage, .topIssues, .newIssue, .newNote, .regressed, .recovery,
            .sourceTrouble, .withdrawn:
            return nil
        }
        guard occasion.rule == ReleaseVerdictRule.id else { return nil }
        return ReleaseVerdictRule.verdict(ofSubject: occasion.subject)
    }

    /// The label of the release whose verdict it is, as it was raised or withdrawn, too; nil for everything else.
    package var releaseOfVerdict: String? {
        switch self {
        case .releaseVerdict(let reached): return reached.evaluation.label
        case .raised, .withdrawn: break
        case .stability, .crashes, .velocity, .usage, .topIssues, .newIssue, .newNote, .regressed, .recovery,
            .sourceTrouble:
            return nil
        }
        guard occasion.rule == ReleaseVerdictRule.id else { return nil }
        return ReleaseVerdictRule.label(ofSubject: occasion.subject)
    }
}

/// Finds the first day on which a release is a go, on hold, or to be rolled back, by judging each day of its
/// life from what was known then.
package struct ReleaseVerdictRule: Rule {
    package static let id = "release-verdict"
    package static let kind = EventKind.releaseVerdict
    package static let needs = RuleNeed.rate

    /// The rule.
    package init() {}

    private static let verdicts: [ReleaseVerdict] = [.go, .hold, .rollBack]

    /// The release and the verdict that an event is about.
    private static func subject(_ label: String, _ verdict: ReleaseVerdict) -> String {
        "\(label) \(verdict.name)"
    }

    /// The label of the release of a subject.
    static func label(ofSubject subject: String) -> String? {
        verdicts.map { Self.subject("", $0) }.first(where: subject.hasSuffix).map {
            String(subject.dropLast($0.count))
        }
    }

    /// The release and the verdict of a subject.
    static func verdict(ofSubject subject: String) -> (label: String, verdict: ReleaseVerdict)? {
        guard let label = label(ofSubject: subject) else { return nil }
        return verdicts.first { Self.subject(label, $0) == subject }.map { (label, $0) }
    }

    /// Those of releases whose first day is known.
    package func judged(in index: HistoryIndex) -> JudgedAlerts {
        let lives = index.releases.lives.filter { $0.start == .known }
        return .about(Set(lives.flatMap { life in Self.verdicts.map { Self.subject(life.label, $0) } }))
    }

    package func events(in index: HistoryIndex) -> [Event] {
        ReleaseEvaluator(index).firsts().map { day, evaluation in
            let occasion = EventIdentity(
                rule: Self.id, subject: Self.subject(evaluation.label, evaluation.verdict), app: index.app,
                day: day, at: index.rates.sources.releases.end(of: day))
            return .releaseVerdict(
                ReleaseVerdictReached(occasion: occasion, evaluation: evaluation.ofItsDay))
        }
    }
}
