import Analysis
import AppHealth
import Diagnostics
import Pages
import Providers
import Transport

/// The result of trying one source.
struct SourceDiagnosis: Sendable {
    let app: App
    let source: Source
    let outcome: FetchOutcome
    let observation: Observation
    let permissions: PermissionsReport
    /// The documented limit; nil when none is known.
    let limit: RateLimit?
    /// Why it was not tried, such as a secret that is missing.
    let obstacle: Diagnostic?
    /// When its days arrived in the archive; nil without one.
    let arrivals: SourceArrivals?

    /// Why the newest attempt failed.
    var failure: Diagnostic? { outcome.attempts.last?.failure ?? outcome.failures.last?.why }

    /// Whether nothing needs care; a note says what is worth knowing, and that nothing was lost.
    var isWell: Bool { problems.areNotes }

    /// Everything that is not as it should be, each with its next step.
    var problems: [Diagnostic] {
        let missing = permissions.missing.map { permission in
            Diagnostic.warning(
                "doctor.missing-permission",
                "\(app.id) from \(source.id): the credential lacks \(permission)",
                hints: ["grant '\(permission)' at the service, then run 'plimsoll doctor' again"])
        }
        var earlier = EarlierProblems()
        for snapshot in outcome.snapshots.dropLast() { earlier.add(snapshot.warnings) }
        return missing + outcome.warnings + earlier.list + (outcome.snapshots.last?.warnings ?? [])
            + [failure ?? idleness].compactMap(\.self)
    }

    /// That it responded and brought no newer day of all its figures or of one kind, although it should have.
    private var idleness: Diagnostic? {
        guard let snapshot = outcome.snapshots.last, let arrivals else { return nil }
        let covered = snapshot.coverage.filter(\.coverage.isKnown).map(\.days.upperBound)
        func idleness(_ figure: DailyFigure?, _ arrivals: DayArrivals, _ days: [CivilDate]) -> Diagnostic? {
            guard let last = (days + [arrivals.lastDay].compactMap(\.self)).max() else { return nil }
            let age = Instant(startOf: last.advanced(by: 1)).seconds(to: snapshot.capturedAt)
            guard age > arrivals.patienceHours(source) * 3600 else { return nil }
            let problem = SourceProblem.idle(figure, since: last, fetchedAt: snapshot.capturedAt)
            return problem.diagnostic(for: .team)
        }
        if let all = idleness(nil, arrivals.all, covered + [newestDay].compactMap(\.self)) { return all }
        return DailyFigure.allCases.lazy.compactMap { figure in
            guard let known = arrivals.figures[figure],
                !source.capabilities.isDisjoint(with: figure.capabilities)
            else { return nil }
            return idleness(figure, known, snapshot.days(with: figure))
        }.first
    }

    /// The newest day with data.
    var newestDay: CivilDate? {
        guard let snapshot = outcome.snapshots.last else { return nil }
        let days = snapshot.health.map(\.date) + snapshot.usage.map(\.date) + snapshot.issueDays.map(\.date)
        return days.max()
    }

    /// Whole hours since the newest day ended, by UTC; nil while it lasts.
    func hoursSinceNewestDay(at now: Instant) -> Int? {
        newestDay.flatMap { day in
            let seconds = Instant(startOf: day.advanced(by: 1)).seconds(to: now)
            return seconds < 0 ? nil : seconds / 3600
        }
    }

    /// What the source does not provide; nothing where it was not tried, as that is not known then.
    var unknown: [String] {
        guard obstacle == nil else { return [] }
        let known = outcome.snapshots.last?.source.capabilities ?? source.capabilities
        return Capability.allCases.filter { !known.contains($0) }.map(\.rawValue)
    }

    /// The lines for a person; ages are counted at the instant.
    func lines(at now: Instant) -> [String] {
        let places = observation.origins.joined(separator: ", ")
        let isReached = observation.answers > 0
        let name = "\(isWell ? "✓" : "✗") \(app.id) from \(source.id) (\(source.provider))"
        if let obstacle { return [name, "    not tried: \(obstacle.summary)"] }
        var lines = [
            name,
            "    connection: " + (isReached ? "\(places), \(outcome.milliseconds) ms" : "no response"),
        ]
        if isReached { lines.append("    authorized: \(authorized)") }
        if isReached, let line = permissions.line(refusals: observation.refusals) {
            lines.append("    permissions: \(line)")
        }
        lines.append("    freshness: " + freshness(at: now))
        if let ahead = observation.clockAhead {
            lines.append("    clock: \(ServiceClock.text(ahead: ahead))")
        }
        if let line = rateLimit { lines.append("    rate limit: \(line)") }
        if !unknown.isEmpty {
            lines.append("    not provided: \(unknown.map(missing).joined(separator: ", "))")
        }
        return lines
    }

    /// What is missing: a source that counts the sessions of use has none of which it is known whether they crashed.
    private func missing(_ capability: String) -> String {
        let countsUse = outcome.snapshots.last?.usage.contains { $0.sessions != nil } == true
        return capability == Capability.sessions.rawValue && countsUse ? "crashed sessions" : capability
    }

    private var authorized: String {
        switch observation.refusals {
        case 0: "yes"
        case 1: "refused once"
        default: "refused \(observation.refusals) times"
        }
    }

    private var rateLimit: String? {
        let documented = limit.map { "documented limit \($0)" }
        guard let left = observation.requestsLeft else {
            return documented.map { "the service does not report what remains; \($0)" }
        }
        return (["\(left) requests remaining"] + [documented].compactMap(\.self)).joined(separator: "; ")
    }

    private func freshness(at now: Instant) -> String {
        guard let snapshot = outcome.snapshots.last else { return "no data" }
        let ended =
            hoursSinceNewestDay(at: now).map { " (ended \(ageText(hours: $0)) ago)" } ?? " (not over yet)"
        let last = newestDay.map { "data through \($0)\(ended)" } ?? "no data by day"
        let hours = max(0, snapshot.capturedAt.seconds(to: now)) / 3600
        return "\(last), captured \(snapshot.capturedAt) (\(ageText(hours: hours)) ago)"
    }
}

/// So many hours, in days where they are many.
private func ageText(hours: Int) -> String { hours < 48 ? "\(hours) h" : "\(hours / 24) days" }

/// What a source needs to be allowed, and what of it is missing as far as the service says.
struct PermissionsReport: Sendable {
    /// What is needed, by the service's names.
    var needed: [String] = []
    /// What the credential has; nil when the service does not say.
    var granted: [String]?
    /// What is missing beyond doubt.
    var missing: [String] = []

    /// Nothing is needed.
    init() {}

    /// Compares what is needed with what the service says, or reads it from what it refused.
    init(_ terms: ServiceTerms, granted: [String]?, refused: [Response], by provider: any Provider) {
        needed = terms.permissions
        self.granted = granted
        if let granted {
            missing = missingPermissions(needed: needed, granted: granted)
        } else {
            for permission in refused.flatMap(provider.missingPermissions) where !missing.contains(permission)
            {
                missing.append(permission)
            }
        }
    }

    /// The line for a person; nil when nothing is needed.
    func line(refusals: Int) -> String? {
        guard !needed.isEmpty || !missing.isEmpty else { return nil }
        let has = granted.map { "; the token has \($0.isEmpty ? "none" : $0.joined(separator: ", "))" } ?? ""
        if !missing.isEmpty { return "missing \(missing.joined(separator: ", "))\(has)" }
        if granted != nil { return "\(needed.joined(separator: ", ")): OK" }
        let names = needed.joined(separator: ", ")
        return refusals == 0
            ? "nothing refused (needed: \(names))" : "not reported by the service; needed: \(names)"
    }
}
