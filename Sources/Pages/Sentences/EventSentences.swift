package import Analysis
import AppHealth
import Estimates
import Formatting

extension Event {
    /// The sentence that reports it.
    package var sentence: String {
        switch self {
        case .stability(let event): event.sentence
        case .crashes(let event): event.sentence
        case .velocity(let event): event.sentence
        case .usage(let event): event.sentence
        case .topIssues(let event): event.sentence
        case .newIssue(let event): event.sentence
        case .newNote(let event): event.sentence
        case .regressed(let event): event.sentence
        case .recovery(let event): event.sentence
        case .sourceTrouble(let event): event.sentence
        case .releaseVerdict(let event): event.sentence
        case .withdrawn(let event): event.sentence
        case .raised(let event): event.sentence
        }
    }

    /// The sentence with or without counts of users and sessions.
    package func sentence(counts: Audience.Display) -> String {
        switch self {
        case .crashes(let event): event.sentence(counts: counts)
        case .velocity(let event): event.sentence(counts: counts)
        case .recovery(let event): event.sentence(counts: counts)
        case .usage(let event): event.sentence(counts: counts)
        case .topIssues(let event): event.sentence(counts: counts)
        case .releaseVerdict(let event): event.sentence(counts: counts)
        case .stability, .newIssue, .newNote, .regressed, .sourceTrouble, .withdrawn, .raised: sentence
        }
    }
}

extension TopIssuesSummary {
    /// `76.3% of your users were affected by 1 issue on Wednesday, Jan 27 UTC.`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the count, which is used where no share is known.
    package func sentence(counts: Audience.Display) -> String {
        let day = "\(occasion.day.weekdayText) \(zone)"
        guard ranking == .users else { return crashSentence(day, counts) }
        if let share {
            let about = areUsersEstimated ? "About " : ""
            let part = PercentFormat.sentence(share: share.value)
            return "\(about)\(part) of your users were affected by 1 issue on \(day)."
        }
        guard counts == .shown else { return "Some users were affected by 1 issue on \(day)." }
        let users = entries.first?.users ?? 0
        let were = users == 1 ? "was" : "were"
        return "\(countText(users)) of your users \(were) affected by 1 issue on \(day)."
    }

    /// `34 crashes on Thursday, Nov 19 UTC; 41% came from 1 issue.` Without a total, of a list that may be cut off:
    /// `20 crashes came from 1 of the reported issues on Thursday, Nov 19 UTC.` Of a share of all users no issue is missing:
    /// `20 crashes came from 1 issue on Thursday, Nov 19 UTC, of a share of all users.`
    private func crashSentence(_ day: String, _ counts: Audience.Display) -> String {
        guard let first = entries.first else {
            if reported.isComplete { return "No issues on \(day)." }
            guard let crashTotal else { return "Issues on \(day) are unknown." }
            guard crashTotal.count > 0 else { return "No crashes on \(day)." }
            let whole = counts == .shown ? crashTotal.text : crashTotal.words
            return "\(whole.sentenceCased) on \(day); their issues are unknown."
        }
        if let crashTotal, let crashShare {
            let part = PercentFormat.share(crashShare).rate
            guard counts == .shown else {
                return "\(part) of \(crashTotal.words) came from 1 issue on \(day)."
            }
            return "\(crashTotal.text.sentenceCased) on \(day); \(part) came from 1 issue."
        }
        let (what, whats) = topCrash == nil ? ("event", "events") : ("crash", "crashes")
        let none = crashes == 0 ? "No crashes on \(day); " : ""
        let when = none.isEmpty ? " on \(day)" : ""
        let isOne = reported.isComplete || isOfShare
        let share = isOfShare ? ofShareText : ""
        let origin = "came from 1 \(isOne ? "issue" : "of the reported issues")\(when)\(share)."
        guard counts == .shown, let events = (topCrash ?? first).events else {
            return "\(none)\(none.isEmpty ? "Some" : "some") \(whats) \(origin)"
        }
        return "\(none)\(countedText(events, what, whats)) \(origin)"
    }
}

/// `24,118 users`, `1 user`: of a unit that only an `s` makes many.
func unitText(_ count: Int, _ units: String) -> String {
    countedText(count, String(units.dropLast()), units)
}

extension Coverage {
    /// How much of the issues is reported: `30 of 145 issues`; nil when all are, or nothing is stated.
    var partText: String? {
        guard case .partial(let counted, let whole, _) = self else { return nil }
        if let counted, let whole { return "\(countText(counted)) of \(countText(whole)) issues" }
        return counted.map { "\(countedText($0, "issue")), not all" } ?? "not all issues"
    }
}

extension NewIssue {
    /// `New issue detected in Atomic.swift line 54.`
    package var sentence: String { "New issue detected in \(issue.label)." }
}

extension RegressedIssue {
    /// `An issue in Atomic.swift line 54 regressed: fixed in 4.2.2 (376), seen in 4.3.0 (391).`
    package var sentence: String {
        "An issue in \(issue.label) regressed: fixed in \(fixedIn), seen in \(seenIn)."
    }
}

extension NewNote {
    /// `Josh added a note to an issue in Atomic.swift line 54.`
    package var sentence: String {
        let author = note.author.isEmpty ? "Somebody" : note.author
        switch note.subject {
        case .app: return "\(author) added a note to \(occasion.app.name)."
        case .release(let label): return "\(author) added a note to release \(label)."
        case .day(let date): return "\(author) added a note to \(date.compactText)."
        case .issue(let id):
            guard let issue else { return "\(author) added a note to issue \(id)." }
            return "\(author) added a note to an issue in \(issue.label)."
        }
    }
}

extension SourceFailure {
    /// `Couldn't fetch 'files'. Last good data: Thu, Nov 19, 2026.` or `No new data from 'files' since Thu, Nov 19, 2026.`; when
    /// it is over, from when until when.
    package var sentence: String {
        if case .idle(let figure, let day, _) = why {
            let what = "No new \(figure.map { "data on \($0.words)" } ?? "data") from '\(source)'"
            guard let end else { return "\(what) since \(day.compactText)." }
            return "\(what) from \(occasion.at.proseText) until \(end.proseText)."
        }
        if let end {
            return "Couldn't fetch '\(source)' from \(occasion.at.proseText) until \(end.proseText)."
        }
        let age = lastGood.map { "Last good data: \((lastDay ?? $0.date).compactText)." } ?? "No data yet."
        return "Couldn't fetch '\(source)'. \(age)"
    }
}

extension ReleaseVerdictReached {
    /// `Verdict for 4.3.0: Hold. Crash-free sessions …`.
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without counts of sessions.
    package func sentence(counts: Audience.Display) -> String {
        "Verdict for \(evaluation.label): \(evaluation.verdict.words.sentenceCased). \(evaluation.why(counts: counts))"
    }
}
