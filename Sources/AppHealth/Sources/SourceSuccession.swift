/// A day from which on something is known from another source than before.
package struct SourceChange: Hashable, Codable, Sendable {
    /// The first day of the later source.
    package let day: CivilDate
    /// What is known from it.
    package let capability: Capability
    /// The source of the days before.
    package let from: Slug
    /// The source of that day and later ones.
    package let to: Slug

    /// Makes a change.
    package init(day: CivilDate, capability: Capability, from: Slug, to: Slug) {
        (self.day, self.capability, self.from, self.to) = (day, capability, from, to)
    }
}

extension [SourceChange] {
    /// The days from which on something of these kinds is from another source than before.
    package func days(of kinds: Set<Capability>) -> [CivilDate] {
        filter { kinds.contains($0.capability) }.map(\.day)
    }
}

extension [CivilDate] {
    /// Whether two days, the earlier one first, are before and after one of these first days of other sources.
    package func separate(_ first: CivilDate, _ last: CivilDate) -> Bool {
        contains { first < $0 && $0 <= last }
    }
}

/// A time in which no source of an app was replaced by another, with what its sources had.
package struct SourceEra: Sendable {
    /// Its last day; nil for the present.
    package let last: CivilDate?
    /// The sources of the time, with what they have of it and of the days before. No later source is among them.
    package let history: AppHistory
}

extension [SourceEra] {
    /// With the days before the first ones of the sources that are used in them, as they are joined, where no other source
    /// came before: what one counted is no past of the next one.
    fileprivate func filled(from joined: [SourceHistory]) -> [SourceEra] {
        var facts = JoinedFact.allCases.filter(\.isOfDays)
        return map { era in
            facts.removeAll { fact in
                fact.order(of: era.history.sources).first?.source.id
                    != self.first.flatMap { fact.order(of: $0.history.sources).first?.source.id }
            }
            return era.filled(facts, from: joined)
        }
    }
}

extension SourceEra {
    fileprivate func filled(_ facts: [JoinedFact], from joined: [SourceHistory]) -> SourceEra {
        guard last != nil else { return self }
        var history = history
        for fact in facts {
            guard let own = fact.order(of: history.sources).first?.source.id,
                let place = history.sources.firstIndex(where: { $0.source.id == own }),
                let first = history.sources[place].days(with: fact).min(),
                let all = fact.order(of: joined).first,
                let earliest = all.days(with: fact).min(), earliest < first
            else { continue }
            history.sources[place].take(fact, from: all, on: earliest...first.advanced(by: -1))
        }
        return SourceEra(last: last, history: history)
    }
}

/// The histories of sources that followed each other.
package struct SourceSuccession: Sendable {
    /// Each kind of data from one source, with the days of the ended ones before it.
    package let joined: AppHistory
    /// The times between the changes, the present last; empty where no source ended.
    package let eras: [SourceEra]
    /// The changes, by day.
    package let changes: [SourceChange]
    /// The last day of the source of each issue that only an ended one knows.
    package let lastDaysOfIssues: [String: CivilDate]
    /// The first day of the source of each issue that only a later one knows.
    package let firstDaysOfIssues: [String: CivilDate]

    /// Orders the sources of an app as of an instant: the days of each kind of data as `SourceOrder` says, none of them from
    /// two sources. A source that is about to end goes on until its last day is over, or until its next day is later than
    /// usual and another source has newer ones.
    package init(_ history: AppHistory, asOf instant: Instant) {
        guard history.sources.contains(where: { $0.source.until != nil }) else {
            (joined, eras, changes) = (history, [], [])
            (lastDaysOfIssues, firstDaysOfIssues) = ([:], [:])
            return
        }
        let history = history.withDistinctIssues
        let parts = SourceParts(of: history, asOf: instant)
        var joining = JoinedSources(parts, asOf: instant)
        for fact in JoinedFact.inOrder { joining.join(fact) }
        joining.addSessionsOfUse()
        let chain = joining.chain
        var joined = history
        joined.sources = chain.map { source in
            var source = source
            // It goes on as the configuration says.
            if let own = parts.stopped.first(where: { $0.source.id == source.source.id }) {
                source.source.until = own.source.until
            }
            return source
        }
        self.joined = joined
        changes = joining.changes.sorted {
            ($0.day, $0.capability, $0.from.text) < ($1.day, $1.capability, $1.from.text)
        }
        eras = Self.eras(history, parts, joining).filled(from: chain)
        let ofIssues = changes.filter { $0.capability == .issueDays }
        (lastDaysOfIssues, firstDaysOfIssues) = Self.spansOfIssues(parts.live + parts.ended, ofIssues)
    }

    private static func eras(
        _ history: AppHistory, _ parts: SourceParts, _ joining: JoinedSources
    ) -> [SourceEra] {
        func era(_ sources: [SourceHistory], through last: CivilDate?) -> SourceEra {
            var history = history
            history.sources = sources.map { source in
                var source = last.map(source.through) ?? source
                source.source.until = nil
                return source
            }
            return SourceEra(last: last, history: history)
        }
        let lasts = joining.ends.sorted()
        let past = lasts.map { last in
            let there = parts.configured.filter { joining.isShown($0, since: last) }
                .map { joining.speaking($0, on: last) }
            // What took days from one that is listed before it comes before that.
            return era(
                there.filter { joining.first.contains($0.source.id) }
                    + there.filter { !joining.first.contains($0.source.id) }, through: last)
        }
        return lasts.isEmpty ? [] : past + [era(parts.live, through: nil)]
    }

    /// The last and first days on which issues of sources that were replaced may be known, by id.
    private static func spansOfIssues(
        _ sources: [SourceHistory], _ changes: some Sequence<SourceChange>
    ) -> (last: [String: CivilDate], first: [String: CivilDate]) {
        let (lastDays, firstDays) = (
            Dictionary(changes.map { ($0.from, $0.day.advanced(by: -1)) }, uniquingKeysWith: max),
            Dictionary(changes.map { ($0.to, $0.day) }, uniquingKeysWith: min)
        )
        // One that came back goes on, and it had days before.
        let ends = lastDays.filter { source, last in
            !changes.contains { $0.to == source && $0.day > last }
        }
        let starts = firstDays.filter { source, first in
            !changes.contains { $0.from == source && $0.day <= first }
        }
        var (last, first): ([String: CivilDate], [String: CivilDate]) = ([:], [:])
        var names: [String: Int] = [:]
        for source in sources where ends[source.source.id] != nil || starts[source.source.id] != nil {
            for issue in source.issues {
                names[issue.id, default: 0] += 1
                last[issue.id] = ends[source.source.id]
                first[issue.id] = starts[source.source.id]
            }
        }
        // One that two of them know goes on.
        return (
            last.filter { names[$0.key] == 1 }, first.filter { names[$0.key] == 1 }
        )
    }
}

/// The order of sources by their last days.
func endsEarlier(_ first: SourceHistory, _ second: SourceHistory) -> Bool {
    switch (first.source.until, second.source.until) {
    case (let first?, let second?): first < second
    case (.some, nil): true
    case (nil, _): false
    }
}

extension AppHistory {
    /// With other names for the issues of sources that have a last day, where another source calls another issue the same:
    /// two services may. What has the same title as well is one issue.
    package var withDistinctIssues: AppHistory {
        let ending = sources.filter { $0.source.until != nil }.sorted(by: endsEarlier)
        guard !ending.isEmpty else { return self }
        var titles: [String: String] = [:]
        for issue in sources.lazy.filter({ $0.source.until == nil }).flatMap(\.issues) {
            titles[issue.id] = issue.title
        }
        var history = self
        // The newest names stay as they are.
        for source in ending.reversed() {
            guard let place = history.sources.firstIndex(where: { $0.source.id == source.source.id }) else {
                continue
            }
            let taken = source.issues.filter { issue in titles[issue.id].map { $0 != issue.title } ?? false }
            history.sources[place].renameIssues(Set(taken.map(\.id)))
            for issue in source.issues where titles[issue.id] == nil { titles[issue.id] = issue.title }
        }
        return history
    }
}

extension SourceHistory {
    /// Gives issues the name of the source before their own.
    fileprivate mutating func renameIssues(_ names: Set<String>) {
        guard !names.isEmpty else { return }
        let prefix = source.id.text + "/"
        func renamed(_ id: String) -> String { names.contains(id) ? prefix + id : id }
        for place in issues.indices { issues[place].id = renamed(issues[place].id) }
        issues.sort { $0.id < $1.id }
        for place in issueDays.indices { issueDays[place].issue = renamed(issueDays[place].issue) }
        for place in issueHours.indices { issueHours[place].issue = renamed(issueHours[place].issue) }
        issueStates = Dictionary(
            issueStates.map { (renamed($0), $1) }, uniquingKeysWith: { first, _ in first })
        issueVersions = Dictionary(
            issueVersions.map { (renamed($0), $1) }, uniquingKeysWith: { first, _ in first })
        for place in notes.indices {
            guard case .issue(let id) = notes[place].subject else { continue }
            notes[place].subject = .issue(renamed(id))
        }
        captures.renameIssues(renamed)
    }
}
