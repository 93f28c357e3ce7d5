package import Analysis
import AppHealth
import Formatting
import Statistics

extension Event {
    /// The sentence that reports it.
    package var sentence: String {
        switch self {
        case .stability(let event): event.sentence
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
        }
    }

    /// The sentence with or without counts of users and sessions.
    package func sentence(counts: Audience.Display) -> String {
        switch self {
        case .usage(let event): event.sentence(counts: counts)
        case .topIssues(let event): event.sentence(counts: counts)
        case .releaseVerdict(let event): event.sentence(counts: counts)
        case .stability, .velocity, .newIssue, .newNote, .regressed, .recovery, .sourceTrouble, .withdrawn:
            sentence
        }
    }
}

extension TopIssuesSummary {
    /// `76.3% of your users were affected by 1 issue on Wednesday, Jan 27 UTC.`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the count, which is used where no share is known.
    package func sentence(counts: Audience.Display) -> String {
        let day = "\(occasion.day.weekdayText) \(zone)"
        guard let first = entries.first else { return "No issues on \(day)." }
        if let share {
            return
                "\(PercentFormat.sentence(share: share.value)) of your users were affected by 1 issue on \(day)."
        }
        guard counts == .shown else { return "Some users were affected by 1 issue on \(day)." }
        return "\(countText(first.users)) of your users were affected by 1 issue on \(day)."
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

extension SourceTrouble {
    /// `Couldn't fetch 'files'. Last good data: Thu, Nov 19, 2026.`
    package var sentence: String {
        let age = lastGood.map { "Last good data: \($0.date.compactText)." } ?? "No data yet."
        return "Couldn't fetch '\(source)'. \(age)"
    }
}

extension ReleaseVerdictReached {
    /// `Verdict for 4.3.0: Hold. Crash-free sessions …`.
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without counts of sessions.
    package func sentence(counts: Audience.Display) -> String {
        "Verdict for \(judgement.label): \(judgement.verdict.words.sentenceCased). \(judgement.why(counts: counts))"
    }
}
