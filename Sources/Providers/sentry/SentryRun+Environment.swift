import AppHealth
import Diagnostics
import Transport

/// Which environment a source is of. Sessions and events of another one are others: where one environment takes the place
/// of another, the days of an issue that it has no events of would become 0.
extension SentryRun {
    /// Throws where the stored days are of another environment than the configured one.
    func checkEnvironment() throws(ServiceFault) {
        guard let wanted = configuration.environment,
            let reported = stored.source().flatMap(reportedEnvironment), reported != wanted
        else { return }
        let (old, new) = (printable(reported), printable(wanted))
        throw parts.client.fault(
            .reported(
                .error(
                    "sentry.environment-changed",
                    "sentry: this source reported environment '\(old)', not '\(new)'",
                    details: ["nothing was requested; the stored days of '\(old)' stay"],
                    at: .address(configuration.base.description),
                    hints: [
                        "end the source of '\(old)' with 'until', and add one with another 'id' for '\(new)'"
                    ])))
    }

    /// Warns where the newest days have no sessions and usual ones would have many: an app's SDK names the environment, so
    /// that all sessions are in another one from the day on which that name changes.
    mutating func addSilence(_ sessions: [CivilDate: SessionCounts], of scope: SentryScope) async {
        guard let environment = scope.environment, let days = silentDays(sessions) else { return }
        let names = await environments(with: days, of: scope)
        let (detail, hint) = advice(on: names, lastDay: days.first.advanced(by: -1))
        parts.add(
            .warning(
                "sentry.no-sessions",
                "sentry: no sessions in environment '\(printable(environment))' since \(days.first)",
                details: detail.map { [$0] } ?? [], at: .address(configuration.base.description),
                hints: [hint]))
    }

    /// What environments have sessions, and what to do about one that has none since a day.
    private func advice(on names: [String]?, lastDay: CivilDate) -> (detail: String?, hint: String) {
        guard let names else { return (nil, "check whether the environment was renamed in the app's SDK") }
        if names.isEmpty {
            return ("no environment has sessions since then", "check whether the app still sends sessions")
        }
        let hint = """
            if the environment was renamed, end this source with 'until: \(lastDay)', and add one with another 'id' and \
            the new 'environment'
            """
        return ("with sessions since then: \(names.prefix(10).map(printable).joined(separator: ", "))", hint)
    }

    /// The environments that have sessions on some days, those with most first; nil where the service does not say it.
    private mutating func environments(with days: DaySpan, of scope: SentryScope) async -> [String]? {
        var all = scope
        all.environment = nil
        let endpoint = SentryEndpoint.sessions(.environments, days, all)
        guard parts.client.allows(endpoint),
            let (answer, losses) = await parts.value(SentrySessions.self, at: endpoint)
        else { return nil }
        parts.add(losses.warnings)
        var sessions: [String: Int] = [:]
        for group in answer.groups {
            guard let name = group.by?.value?.environment?.nonEmpty else { continue }
            let counts = group.series?.value?.sessions?.values ?? []
            sessions[name] = counts.reduce(sessions[name] ?? 0) { $0.addingCapped($1.value?.value ?? 0) }
        }
        return sessions.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }
}

/// The environment that a source reported, by its description; nil for all together.
func reportedEnvironment(_ source: Source) -> String? {
    let text = source.sessionDefinition
    guard let start = text.firstRange(of: "environment '")?.upperBound,
        let end = text.lastIndex(of: "'"), start < end
    else { return nil }
    return String(text[start..<end])
}

/// The newest days, all without sessions, where the same weekdays before them had at least `leastUsual` together; nil where
/// the newest day has sessions, or too few would be usual.
func silentDays(_ sessions: [CivilDate: SessionCounts]) -> DaySpan? {
    guard let last = sessions.keys.max(),
        let newest = sessions.filter({ $0.value.all > 0 }).keys.max(), newest < last
    else { return nil }
    let days = DaySpan(days: newest.days(to: last), endingOn: last)
    let usual = days.days.reduce(0) { sum, day in
        var before = day.advanced(by: -7)
        while before > newest { before = before.advanced(by: -7) }
        return sum.addingCapped(sessions[before]?.all ?? 0)
    }
    return usual >= leastUsual ? days : nil
}

/// So many sessions would hardly all stay away by chance.
private let leastUsual = 20
