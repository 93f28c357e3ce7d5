import AppHealth

/// What to know of the days on which a source replaced another one, as notes on these days: charts mark them, and lists of
/// notes show them.
func notesOfChanges(_ changes: [SourceChange], of sources: [SourceHistory], asOf: Instant) -> [KeptNote] {
    let steps = Dictionary(grouping: changes) { Step(day: $0.day, from: $0.from, to: $0.to) }
    let ordered = steps.sorted { first, second in
        (first.key.day, first.key.from, first.key.to) < (second.key.day, second.key.from, second.key.to)
    }
    return ordered.compactMap { step, changes in
        let last = step.day.advanced(by: -1)
        let earlier = sources.first { $0.source.id == step.from }
        let at = earlier?.end(of: last) ?? Instant(startOf: step.day)
        guard at <= asOf else { return nil }
        let kinds = Set(changes.map(\.capability)).compactMap(\.changedWords)
        let words = Set(kinds).sorted().joined(separator: ", ")
        let text = """
            From this day on, these data are from '\(step.to)', before from '\(step.from)': \(words). \
            Services count users, sessions and crashes differently, so a step on this day may be theirs. \
            No alert and no verdict compares days before it with days after it.
            """
        let note = Note(
            id: "\(step.from)-\(step.to)", at: at, author: "Plimsoll", text: text, subject: .day(step.day))
        return KeptNote(origin: "source-change", note: note, issue: nil)
    }
}

/// A day on which one source replaced another one.
private struct Step: Hashable {
    let day: CivilDate
    let from: Slug
    let to: Slug
}

extension Capability {
    /// What is known by it, as part of a list.
    fileprivate var changedWords: String? {
        switch self {
        case .sessions: "sessions"
        case .users: "users"
        case .releaseHealth, .releases: "releases"
        case .issues, .issueDays: "issues"
        case .usage: "usage"
        case .hours, .notes: nil
        }
    }
}
