package import AppHealth
package import Diagnostics

/// The last complete day of the fixture histories: Wednesday, January 27, 2016.
package let lastDay = CivilDate(daysSinceEpoch: 16_827)
/// The instant of the fixture reports: 06:30 on the day after.
package let reportTime = Instant(startOf: lastDay).advanced(bySeconds: 86_400 + 6 * 3600 + 1800)
/// Why the fixture fetches fail.
package let timeout = Diagnostic.error("transport.timeout", "No answer within 30 seconds")

extension CivilDate {
    /// The day so many days before the last one.
    package static func back(_ days: Int) -> CivilDate { lastDay.advanced(by: -days) }
}

extension Instant {
    /// Noon of the day so many days before the last one.
    package static func noon(back days: Int) -> Instant {
        Instant(startOf: .back(days)).advanced(bySeconds: 43_200)
    }
}

extension Set<Capability> {
    /// All that a source may know.
    package static var all: Self { Set(Capability.allCases) }
}

extension HealthDay {
    /// Health so many days before the last day.
    package static func make(
        _ back: Int = 0, of version: String? = nil, sessions: Int? = nil, crashed: Int? = nil,
        users: Int? = nil,
        crashedUsers: Int? = nil
    ) -> HealthDay {
        HealthDay(
            date: .back(back), version: version, sessions: sessions, crashedSessions: crashed, users: users,
            crashedUsers: crashedUsers)
    }
}

extension [HealthDay] {
    /// Days alike before those of a story, back to so many before the last one: alerts of a drop need weeks of
    /// past.
    package static func quietPast(
        before back: Int, from oldest: Int = 60, sessions: Int? = nil, crashed: Int? = nil,
        users: Int? = nil, crashedUsers: Int? = nil
    ) -> [HealthDay] {
        ((back + 1)...oldest).map {
            .make($0, sessions: sessions, crashed: crashed, users: users, crashedUsers: crashedUsers)
        }
    }
}

extension IssueDay {
    /// Counts of an issue so many days before the last day.
    package static func make(
        _ issue: String, _ back: Int = 0, of version: String? = nil, events: Int? = 1, users: Int? = 1
    ) -> IssueDay {
        IssueDay(issue: issue, date: .back(back), version: version, events: events, users: users)
    }
}

extension Source {
    /// A source of figures in UTC.
    package static func make(_ name: String = "files", knows capabilities: Set<Capability> = .all) -> Source {
        Source(
            id: Slug(anyText: name), provider: name, sessionDefinition: "one run",
            userDefinition: "one install",
            zone: "UTC", delay: "one day", capabilities: capabilities)
    }
}

extension SourceHistory {
    /// What a source reported; fetched with success just before the report unless said otherwise, with the same
    /// figures as a day before.
    package static func make(
        _ name: String = "files", knows capabilities: Set<Capability> = .all,
        capturedAt: Instant? = reportTime, failure: Diagnostic? = nil, warnings: [Diagnostic] = [],
        health: [HealthDay] = [], asReported: [HealthDay] = [], usage: [UsageDay] = [],
        releases: [Release] = [],
        issues: [Issue] = [], issueDays: [IssueDay] = [], notes: [Note] = [],
        coverage: [CoverageSpan]? = nil
    ) -> SourceHistory {
        let outcome = failure.map(FetchAttempt.Outcome.failed) ?? .succeeded(warnings: warnings)
        var history = SourceHistory(
            source: .make(name, knows: capabilities), capturedAt: capturedAt,
            lastAttempt: FetchAttempt(at: reportTime, outcome: outcome))
        history.health = health
        for day in asReported { history.healthAsReported[day.date] = day }
        history.usage = usage
        if let capturedAt {
            history.healthSettlement = settlement(
                health.filter { $0.version == nil }.map {
                    ($0.date, DayObservation($0, capturedAt: capturedAt))
                })
            history.usageSettlement = settlement(
                usage.map { ($0.date, DayObservation($0, capturedAt: capturedAt)) })
        }
        history.releases = releases
        history.issues = issues
        history.issueDays = issueDays
        history.notes = notes
        history.coverage = CoverageHistory(coverage ?? history.everyDay)
        if let capturedAt { history.note(capturedAt) }
        return history
    }

    /// Writes down that all of its facts were captured at an instant.
    package mutating func note(_ capture: Instant) {
        captures = FactCaptures()
        for day in health { captures.add(capture, day: day.date, release: day.version) }
        for day in usage { captures.add(capture, day: day.date) }
        for day in issueDays {
            captures.add(capture, day: day.date, issue: day.issue, release: day.version)
        }
        for release in releases { captures.add(capture, release: release.version.label) }
        for issue in issues {
            captures.add(capture, issue: issue.id)
            issueStates[issue.id] = [
                IssueStateChange(capturedAt: capture, state: issue.state, fixedIn: issue.fixedIn)
            ]
            issueVersions[issue.id] = issue.lastVersion.map {
                [IssueVersionChange(capturedAt: capture, version: $0)]
            }
        }
    }
}

extension SourceHistory {
    /// The days of its facts, stated to be complete: those that it lists, or without health all days from the first
    /// one to the last one before its capture.
    package var everyDay: [CoverageSpan] {
        guard health.isEmpty else {
            let dates = Set(health.map(\.date) + usage.map(\.date) + issueDays.map(\.date))
            return CoveredFact.allCases.flatMap { fact in dates.map { CoverageSpan(fact, $0...$0) } }
        }
        let dates = usage.map(\.date) + issueDays.map(\.date)
        guard let capturedAt, let first = dates.min() else { return [] }
        let last = max(first, min(lastDay, capturedAt.date.advanced(by: -1)))
        return CoveredFact.allCases.map { CoverageSpan($0, first...last) }
    }
}

extension AppHistory {
    /// The history of an app with these sources.
    package static func make(_ sources: SourceHistory..., named name: String = "Sketchbook") -> AppHistory {
        AppHistory(
            app: App(id: Slug(anyText: name.lowercased()), name: name, platform: "ios"), sources: sources)
    }
}

private func settlement(_ looks: [(CivilDate, DayObservation)]) -> [CivilDate: DayFinality] {
    Dictionary(
        looks.map { date, look in
            let previous = look.repeated(at: look.capturedAt.advanced(bySeconds: -86_400))
            return (date, DayFinality(of: date, latest: look, previous: previous, age: .standard))
        }, uniquingKeysWith: { $1 })
}
