package import AppHealth
package import Statistics

/// A drop of the crash-free rate from its first night to its last one.
package struct StabilityEpisode: Hashable, Codable, Sendable {
    /// What the rate is counted in.
    package let basis: Basis
    /// The first night that was found.
    package let first: CivilDate
    /// The day before the rate was back; while it is not, the last night that was found or not as before.
    package let last: CivilDate
    /// What was found on the first night.
    package let finding: DropFinding
    /// What was found on the night on which the rate had dropped most.
    package let worst: DropFinding
    /// From when and from what the rate dropped: of drops that follow each other before it was back, as of the first.
    package let origin: Origin
    /// What became of it.
    package let state: EpisodeState<Fraction>
    /// The day from which on it was known to be over: the last of those that ended it, or the first one of the next
    /// drop; nil while it is open.
    package internal(set) var knownOver: CivilDate?

    /// Where drops that follow each other began.
    package struct Origin: Hashable, Codable, Sendable {
        /// The first night that was found of the first of them.
        package let first: CivilDate
        /// The crashed share that was expected of it, in 0…1.
        package let expected: Double
    }
}

extension StabilityRule {
    /// The episodes of an app on a basis, in order.
    package func episodes(in index: HistoryIndex, basis: Basis) -> [StabilityEpisode] {
        let days = index.rates.days
        let series = index.rates.judgedCrashSeries(basis)
        let nights = nights(in: series, of: index, basis)
        let found = Analysis.episodes(
            of: nights.findings,
            in: series.map { $0 != nil }, quietDays: quietDays,
            EpisodeMeasure(
                sign: { before in
                    let limit = usualLimit(before: before, in: series)
                    return { sign(of: series[$0], before: before, depth: $1, limit: limit) }
                },
                finds: detector.finds, growth: Self.leastGrowth,
                whenComplete: { nights.complete[$0.day] ?? $0 }))
        return found.map { episode in
            var state: EpisodeState<Fraction> = .open(days: series.count - 1 - episode.first.day)
            var knownOver: CivilDate?
            switch episode.end {
            case .open: break
            case .over(let back, let known):
                if let share = series[back]?.share { state = .recovered(on: days[back], share) }
                knownOver = days[known]
            case .followed(let next):
                state = .followed(by: days[next])
                knownOver = days[next]
            }
            return StabilityEpisode(
                basis: basis, first: days[episode.first.day], last: days[episode.last],
                finding: episode.first, worst: episode.worst,
                origin: StabilityEpisode.Origin(
                    first: days[episode.origin.day], expected: episode.origin.expected),
                state: state, knownOver: knownOver)
        }
    }

    /// How a day compares with those before a drop.
    ///
    /// It is as usual when it lost less than half of what the drop took and is like most of those before, or differs
    /// from what was expected by no more than chance.
    private func sign(of day: DayCount?, before: DropFinding, depth: Double, limit: Double) -> DaySign {
        guard let day, isEnough(day, nextTo: before) else { return .unknown }
        let share = Double(day.crashed) / Double(day.total)
        if share - before.expected >= depth / 2 { return .down }
        if share <= limit { return .usual }
        guard let interval = day.share?.interval else { return .between }
        return interval.lower <= before.expected ? .usual : .between
    }

    /// The crashed share that `usualPart` of the days before the drop kept to.
    private func usualLimit(before first: DropFinding, in series: [DayCount?]) -> Double {
        let start = first.day - first.window + 1
        let shares = series[max(0, start - CrashRateDropDetector.baselineDays)..<max(0, start)]
            .compactMap { $0 }.filter { isEnough($0, nextTo: first) }
            .map { Double($0.crashed) / Double($0.total) }.sorted()
        guard !shares.isEmpty else { return first.expected }
        return shares[min(shares.count - 1, Int(usualPart * Double(shares.count)))]
    }

    /// A day with hardly anybody says nothing about a return.
    private func isEnough(_ day: DayCount, nextTo finding: DropFinding) -> Bool {
        day.total > 0 && Double(day.total) * 10 * Double(finding.window) >= Double(finding.total)
    }
}

extension DropFinding {
    /// The first of its days.
    fileprivate var start: Int { day - window + 1 }
}
