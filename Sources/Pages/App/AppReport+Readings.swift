package import Analysis
package import AppHealth
import Diagnostics
import Formatting
import Statistics

extension AppReport {
    /// The crashed share of a day on a basis, with its state.
    package func crashed(on day: CivilDate, _ basis: Basis) -> DataState<Fraction> {
        reading(basis == .users ? .users : .sessions, on: day, of: "\(basis.rawValue)") {
            basis.crashedShare(of: $0)
        }
    }

    /// A count of a day's health, with its state.
    func count(_ label: String, _ capability: Capability, on day: CivilDate, _ get: (HealthDay) -> Int?)
        -> DataState<Int>
    {
        reading(capability, on: day, of: label, get)
    }

    /// A count of a day's use, with its state.
    func usage(on day: CivilDate, _ get: (UsageDay) -> Int?) -> DataState<Int> {
        guard let source = usageSource else { return unavailable(.usage) }
        return source.reading(.usage, missing: "no figure for \(day.compactText)") { history in
            history.usage.last { $0.date == day }.flatMap(get)
        }
    }

    /// The first source that knows active users.
    var usageSource: SourceHistory? { source(knowing: .usage) }

    /// The first source that knows something, preferring one that ever answered.
    func source(knowing capability: Capability) -> SourceHistory? {
        sources.first { $0.capturedAt != nil && $0.source.capabilities.contains(capability) }
    }

    /// The verdict on a day, on the app's basis.
    func verdict(on day: CivilDate) -> VerdictView {
        let reading = crashed(on: day, evidence.basis)
        let verdict = Verdict(on: reading.value, against: targets)
        return VerdictView(
            verdict,
            why: verdictReason(verdict, reading, of: evidence.basis.rawValue, when: "on \(day.compactText)"))
    }

    /// The sentence behind a verdict: the rate, its interval, the level, and what is missing.
    func verdictReason(
        _ verdict: Verdict, _ reading: DataState<Fraction>, of whom: String, when: String
    ) -> String {
        guard let crashed = reading.value else {
            if case .failed(let why) = reading { return "There is no rate: \(why.summary)." }
            if case .unavailable(let why) = reading { return "There is no rate: \(why)." }
            return "There is no rate."
        }
        let level = "target \(PercentFormat.levelText(targets.target))"
        let rate = "Crash-free \(whom) \(PercentFormat.crashFree(crashed).text) \(when), \(level)."
        guard case .notEnoughData(let needed) = verdict else { return rate }
        if targets.target == 1 { return rate + " No number of \(whom) can prove it." }
        if hidesCounts { return rate + " More \(whom) are needed for a verdict." }
        return rate + " About \(estimateText(needed)) more \(whom) are needed for a verdict."
    }

    private func reading<Value: Sendable>(
        _ capability: Capability, on day: CivilDate, of label: String, _ get: (HealthDay) -> Value?
    ) -> DataState<Value> {
        guard let source = evidence.stability else { return unavailable(capability) }
        let health = evidence.health[day]
        let isZero = (capability == .users ? health?.users : health?.sessions) == 0
        let what = health == nil ? "no figures for" : isZero ? "no \(label) on" : "no figure for \(label) on"
        let why = "\(what) \(day.compactText)"
        return source.reading(capability, missing: why) { _ in health.flatMap(get) }
    }

    private func unavailable<Value: Sendable>(_ capability: Capability) -> DataState<Value> {
        if let failed = sources.first(where: { $0.capturedAt == nil && $0.lastAttempt?.failure != nil }),
            let why = failed.lastAttempt?.failure
        {
            return .failed(why: why)
        }
        guard !sources.isEmpty else { return .unavailable(why: "no source is configured") }
        let names = fetchedProviders
        return .unavailable(why: names.isEmpty ? "never fetched" : "\(names) cannot know this")
    }

    /// The providers that ever answered: what the others know is not known yet.
    var fetchedProviders: String {
        sources.filter { $0.capturedAt != nil }.map(\.source.provider).joined(separator: ", ")
    }
}
