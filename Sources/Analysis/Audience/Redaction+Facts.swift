package import AppHealth
import Diagnostics

extension Redaction {
    /// Everything of a history, and of the mutes of the site, that the audience must not see.
    package func sensitiveFacts(of history: AppHistory, mutes: [Mute]) -> SensitiveFacts {
        var facts = SensitiveFacts()
        let rules = Set(audience.rules)
        let app = history.app
        var texts: [(RedactionRule, String)] = mutes.flatMap { [(.name, $0.by), (.mute, $0.why)] }
        facts.known = [app.id.text, app.name, app.platform]
        texts += history.notes.flatMap { [(.name, $0.author), (.note, $0.text)] }
        for source in history.sources {
            facts.known.formUnion([source.source.id.text, source.source.provider])
            facts.known.formUnion(source.releases.flatMap { [$0.version.label, $0.version.build] })
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
            ([diagnostic.location.map { "\($0)" }] + diagnostic.details.map { $0 }).compactMap { text in
                text.map { (.diagnostic, $0) }
            }
        }
    }

    private func addCounts(of source: SourceHistory, _ facts: inout SensitiveFacts) {
        for day in source.health {
            for count in [day.sessions, day.crashedSessions, day.users, day.crashedUsers] {
                facts.insert(count)
            }
        }
        for day in source.usage {
            let counts = [
                day.activeUsers, day.weeklyActiveUsers, day.monthlyActiveUsers, day.newUsers, day.sessions,
            ]
            for count in counts { facts.insert(count) }
        }
        for day in source.issueDays {
            facts.insert(day.events)
            facts.insert(day.users)
        }
        for issue in source.issues {
            facts.insert(issue.events)
            facts.insert(issue.users)
        }
        for totals in source.releases.compactMap(\.lifetime) {
            for count in [totals.sessions, totals.crashedSessions, totals.sessionsLastDay] {
                facts.insert(count)
            }
        }
    }
}
