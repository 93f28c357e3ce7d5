import AppHealth
package import Statistics

/// Finds falls of the crash-free rate that the app's own past does not explain.
package struct StabilityRule: Rule {
    package static let id = "stability"
    package static let kind = EventKind.stability
    /// Finds the nights.
    package var detector: CrashRateDropDetector
    /// How many days without a finding end an episode.
    package var quietDays: Int
    /// The part of the days before a fall, in 0…1, whose worst one the rate must reach to count as back.
    package var usualPart: Double

    /// The standard detector, or another.
    package init(
        detector: CrashRateDropDetector = CrashRateDropDetector(), quietDays: Int = 3, usualPart: Double = 0.8
    ) {
        self.detector = detector
        self.quietDays = quietDays
        self.usualPart = usualPart
    }

    package func events(in evidence: HistoryIndex) -> [Event] {
        alerts(in: evidence).map(Event.stability)
    }

    /// The alerts in the order of their days: one for each episode of the app's basis.
    package func alerts(in evidence: HistoryIndex) -> [StabilityAlert] {
        let episodes = episodes(in: evidence, basis: evidence.basis)
        guard !episodes.isEmpty else { return [] }
        let other = evidence.basis.other
        let otherSeries = evidence.crashSeries(other)
        let findings = detector.findings(in: otherSeries)
        let isKnown = otherSeries.contains { $0 != nil }
        let days = evidence.days
        return episodes.map { episode in
            let during = findings.filter { episode.first <= days[$0.day] && days[$0.day] <= episode.last }
            let occasion = EventIdentity(
                rule: Self.id, app: evidence.app, day: episode.first, at: evidence.end(of: episode.first))
            return StabilityAlert(
                occasion: occasion, episode: episode,
                other: isKnown
                    ? StabilityAlert.OtherBasis(basis: other, finding: during.first) : nil)
        }
    }
}
