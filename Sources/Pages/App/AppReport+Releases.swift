import Analysis
import AppHealth
import Formatting
import Statistics

extension AppReport {
    /// Sessions of a release over its life; sessions may be added up over days, users may not.
    func releaseTotals(_ label: String) -> (sessions: Int?, crashed: Int?) {
        let days = evidence.releaseHealth.filter { $0.key.version == label }.map(\.value)
        if !days.isEmpty {
            let (sessions, crashed) = (days.compactMap(\.sessions), days.compactMap(\.crashedSessions))
            return (
                sessions.isEmpty ? nil : sessions.reduce(0, &+),
                crashed.count == sessions.count && !crashed.isEmpty ? crashed.reduce(0, &+) : nil
            )
        }
        let lifetime = releases.first { $0.version.label == label }?.lifetime
        return (lifetime?.sessions, lifetime?.crashedSessions)
    }

    private func isCountedByDay(_ label: String) -> Bool {
        evidence.releaseHealth.keys.contains { $0.version == label }
    }

    /// The source of the sessions of a release.
    func releaseOrigin(_ label: String) -> Explanation.Origin? {
        (isCountedByDay(label) ? evidence.stability : source(knowing: .releases)).map(Explanation.Origin.init)
    }

    /// The crashed share of the sessions of a release over its life, with its state.
    func releaseCrashed(_ label: String) -> DataState<Fraction> {
        let totals = releaseTotals(label)
        let isCounted = isCountedByDay(label)
        let capability = isCounted ? Capability.releaseHealth : .releases
        guard let source = isCounted ? evidence.stability : source(knowing: .releases) else {
            return .unavailable(why: "no source lists releases")
        }
        guard let sessions = totals.sessions else {
            let knows = source.source.capabilities.contains(.releaseHealth)
            return .unavailable(
                why: knows
                    ? "no sessions of \(label)" : "\(source.source.provider) cannot know this for releases")
        }
        return source.reading(
            capability, missing: sessions == 0 ? "no sessions of \(label)" : "no crash counts"
        ) { _ in
            totals.crashed.flatMap { Fraction($0, of: sessions) }
        }
    }

    /// The share of a release of all sessions of the last day, with its state.
    func adoption(_ label: String) -> DataState<Fraction> {
        let missing = "no sessions of \(label) on \(lastDay.compactText)"
        if let source = evidence.stability, source.source.capabilities.contains(.releaseHealth) {
            return source.reading(.releaseHealth, missing: missing) { _ in
                // A day that tells some release leaves out those without sessions.
                let isTold = releases.contains {
                    evidence.releaseHealth[.init(date: lastDay, version: $0.version.label)] != nil
                }
                guard isTold, let all = evidence.health[lastDay]?.sessions else { return nil }
                let part = evidence.releaseHealth[.init(date: lastDay, version: label)]?.sessions ?? 0
                return Fraction(part, of: all)
            }
        }
        guard let source = source(knowing: .releases) else {
            return .unavailable(why: "no source lists releases")
        }
        return source.reading(.releases, missing: "\(source.source.provider) cannot know this") { _ in
            let lastDays = releases.compactMap { $0.lifetime?.sessionsLastDay }
            let own = releases.first { $0.version.label == label }?.lifetime?.sessionsLastDay
            return own.flatMap { Fraction($0, of: lastDays.reduce(0, &+)) }
        }
    }

    /// The releases as rows, newest first.
    func releaseRows(_ links: Links, limit: Int = .max) -> [ReleaseRow] {
        releases.prefix(limit).map { releaseRow($0, links) }
    }

    /// A release as a row.
    func releaseRow(_ release: Release, _ links: Links) -> ReleaseRow {
        let label = release.version.label
        let crashed = releaseCrashed(label)
        return ReleaseRow(
            version: "\(release.version)", stem: links.stem(to: .release(label, of: app.id)), beside: nil,
            released: release.releasedAt?.date.description ?? "–",
            crashFree: Figure(
                "Crash-free sessions", crashed: crashed, of: "sessions", "over its life",
                isEmpty: releaseTotals(label).sessions == 0, from: releaseOrigin(label), for: audience),
            adoption: adoption(label).value.map(shareText) ?? "–",
            stage: stages[label]?.words, stageShare: stageText(label),
            rollout: VerdictView(judgement(on: release), counts: audience.counts),
            sessions: countOrDash(releaseTotals(label).sessions), verdict: releaseVerdict(label))
    }

    /// The verdict on a release over its life.
    func releaseVerdict(_ label: String) -> VerdictView {
        let crashed = releaseCrashed(label)
        let verdict = Verdict(on: crashed.value, against: targets)
        return VerdictView(
            verdict, why: verdictReason(verdict, crashed, of: "sessions", when: "over the life of \(label)"))
    }
}
