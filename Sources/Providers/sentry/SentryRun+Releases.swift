import AppHealth
import Diagnostics

/// Reads one response about releases: what it reports by release and day, or nil when it cannot be used.
private typealias Reader<Counts> = (SentrySessions, [Int: CivilDate], inout SkippedValues) -> [String:
    [CivilDate:
    Counts]]?

extension SentryRun {
    /// Adds the days of each release. Users come first: their response reports how many releases ran, from which
    /// the question about statuses is planned.
    mutating func addReleaseHealth(
        of scope: SentryScope, known items: [SentryReleaseItem], to snapshot: inout Snapshot
    ) async {
        let totals = Dictionary(
            snapshot.health.compactMap { day in day.sessions.map { (day.date, $0) } },
            uniquingKeysWith: { first, _ in first })
        guard totals.values.contains(where: { $0 > 0 }) else { return }
        // Sessions of no release are a group of their own.
        let listed = Set(items.map(\.version.text)).count + 1
        let users: [String: [CivilDate: UserCounts]] = await counts(
            .users(byRelease: true), of: scope, groups: listed, totals: totals, sessions: { $0.sessions },
            read: { userCounts(of: $0, on: $1, losses: &$2) })
        let ran = users.values.count { $0.values.contains { ($0.sessions ?? 0) > 0 } }
        let sessions: [String: [CivilDate: SessionCounts]] = await counts(
            .statuses(byRelease: true), of: scope,
            groups: (ran > 0 ? ran : listed) * SessionPlan.statuses,
            totals: totals, sessions: { $0.all }, read: { sessionCounts(of: $0, on: $1, losses: &$2) })
        let infos = Dictionary(
            items.map { ($0.version.text, $0.info?.value) }, uniquingKeysWith: { first, _ in first })
        snapshot.coverage += coverage(ofReleases: sessions, users: users, totals: totals, cut: daysOfCuts)
        snapshot.health += healthDays(byRelease: sessions, users: users) { name in
            sentryVersion(name, info: infos[name] ?? nil)
        }
    }

    /// Queries span by span as planned. A response that lacks sessions which the app had is requested again in
    /// halves, down to single days; what is skipped even then is said.
    private mutating func counts<Counts: Sendable>(
        _ question: SessionQuestion, of scope: SentryScope, groups: Int, totals: [CivilDate: Int],
        sessions: (Counts) -> Int?, read: Reader<Counts>
    ) async -> [String: [CivilDate: Counts]] {
        var result: [String: [CivilDate: Counts]] = [:]
        let plan = SessionPlan(days: days, groups: groups, points: configuration.mostPoints)
        var waiting = Array(plan.spans.reversed())
        var cuts: [TruncationCheck] = []
        var refusal: ServiceFault?
        while let span = waiting.popLast() {
            let endpoint = SentryEndpoint.sessions(question, span, scope)
            guard parts.client.allows(endpoint), sessionRequests < configuration.mostSessionRequests
            else {
                refusal = parts.client.refusal(of: endpoint)
                waiting.append(span)
                break
            }
            let answer: SentrySessions
            let counts: [String: [CivilDate: Counts]]
            do throws(ServiceFault) {
                (answer, counts) = try await self.answer(at: endpoint, read: read)
            } catch {
                parts.addMissing(part(of: endpoint), error)
                // What is refused for one span is refused for every other.
                guard let status = error.status, (400..<500).contains(status) else { continue }
                refusal =
                    parts.client.refusal(of: endpoint)
                    ?? parts.client.fault(.halted("after status \(status)", status: status))
                break
            }
            let cut = TruncationCheck(
                answer, span, counts.values.map { $0.compactMapValues(sessions) }, of: totals,
                points: configuration.mostPoints)
            if cut.isLikely, span.count > 1, sessionRequests + 2 <= configuration.mostSessionRequests {
                waiting += span.parts(ofAtMost: (span.count + 1) / 2).reversed()
                continue
            }
            if cut.isLikely {
                cuts.append(cut)
                daysOfCuts.formUnion(span.days)
            }
            for (release, days) in counts {
                result[release, default: [:]].merge(days) { first, _ in first }
            }
        }
        report(cuts, plan, of: SentryEndpoint.sessions(question, days, scope))
        report(notRequested: waiting, of: SentryEndpoint.sessions(question, days, scope), because: refusal)
        return result
    }

    private mutating func answer<Counts: Sendable>(
        at endpoint: SentryEndpoint, read: Reader<Counts>
    ) async throws(ServiceFault) -> (answer: SentrySessions, counts: [String: [CivilDate: Counts]]) {
        let before = parts.client.count
        defer { sessionRequests += parts.client.count - before }
        var (answer, losses) = try await parts.client.value(SentrySessions.self, at: endpoint)
        let days = wholeDays(of: answer, at: now, losses: &losses)
        let counts = read(answer, days, &losses)
        parts.add(losses.warnings)
        guard let counts else {
            throw parts.client.fault(.decoding(losses.unusable(sentryStatusGroups)))
        }
        return (answer, counts)
    }

    private func part(of endpoint: SentryEndpoint) -> String {
        guard case .sessions(_, let span, _) = endpoint, span != days else { return endpoint.part }
        return "\(endpoint.part) of \(span)"
    }

    private mutating func report(
        _ cuts: [TruncationCheck], _ plan: SessionPlan, of endpoint: SentryEndpoint
    ) {
        guard !cuts.isEmpty else { return }
        let listed = cuts.prefix(10).map(\.description)
        let more = cuts.count > 10 ? ["and on \(cuts.count - 10) more spans"] : []
        let places =
            plan.skippedGroups > 0
            ? ["\(plan.skippedGroups) groups do not fit into a response for one day"] : []
        parts.add(
            .warning(
                "sentry.releases-cut", "sentry: skipped \(endpoint.part) with the fewest sessions",
                details: listed + more + places, at: .address(endpoint.text(below: configuration.base)),
                hints: ["the service returns at most \(configuration.mostPoints) points at once"]))
    }

    private mutating func report(
        notRequested spans: [DaySpan], of endpoint: SentryEndpoint, because refusal: ServiceFault?
    ) {
        guard !spans.isEmpty else { return }
        let days = spans.reduce(0) { $0 + $1.count }
        let listed = "days: \(spans.reversed().prefix(10).map(\.description).joined(separator: ", "))"
        let made =
            "\(sessionRequests) of at most \(configuration.mostSessionRequests) requests for releases were made"
        let reason = refusal.flatMap { $0.isOfBudget ? nil : $0.diagnostic }
        parts.add(
            .warning(
                reason?.id ?? "sentry.budget",
                "sentry: skipped \(endpoint.part) on \(days) \(days == 1 ? "day" : "days")",
                details: [listed] + (reason.map { [$0.summary] + $0.details } ?? [made]),
                hints: reason?.hints ?? [parts.client.profile.budgetHint]))
    }
}

/// What the days of releases cover: all of a day when its releases make up the sessions of the app, otherwise a part.
/// Of a day that no response reported nothing is stated.
private func coverage(
    ofReleases sessions: [String: [CivilDate: SessionCounts]], users: [String: [CivilDate: UserCounts]],
    totals: [CivilDate: Int], cut: Set<CivilDate>
) -> [CoverageSpan] {
    var days: [CivilDate: Coverage] = [:]
    for (day, total) in totals {
        let known =
            sessions.values.compactMap { $0[day]?.all } + users.values.compactMap { $0[day]?.sessions }
        guard !known.isEmpty || total == 0 else { continue }
        let bySession = sessions.values.reduce(0) { $0.addingCapped($1[day]?.all ?? 0) }
        let byUser = users.values.reduce(0) { $0.addingCapped($1[day]?.sessions ?? 0) }
        // Fewer than one in a thousand come and go between two responses.
        let isWhole =
            !cut.contains(day) && total - bySession <= total / 1000 && total - byUser <= total / 1000
        days[day] = isWhole ? .complete : .partial(counted: nil, of: nil)
    }
    return coverageSpans(.releaseHealth, days)
}
