package import AppHealth
package import Statistics

/// A fall of the crash-free rate from its first night to its last one.
package struct StabilityEpisode: Hashable, Codable, Sendable {
    /// What the rate is counted in.
    package let basis: Basis
    /// The first night that was found.
    package let first: CivilDate
    /// The day before the rate was back; while it is not, the last night that was found or down.
    package let last: CivilDate
    /// What was found on the first night.
    package let finding: DropFinding
    /// What was found on the night on which the rate had fallen most.
    package let worst: DropFinding
    /// What became of it.
    package let state: State

    /// What became of a fall.
    package enum State: Hashable, Codable, Sendable {
        /// The rate has not come back; so many days have passed since the first night.
        case open(days: Int)
        /// The first day on which the rate was back and stayed so, with its crashed share.
        case recovered(on: CivilDate, share: Fraction)
        /// Before the rate came back it fell again, below what it had become.
        case followed(by: CivilDate)
    }

    /// The days from the first night to the last one, both counted.
    package var nights: Int { first.days(to: last) + 1 }
}

extension StabilityRule {
    /// The episodes of an app on a basis, in order.
    package func episodes(in evidence: HistoryIndex, basis: Basis) -> [StabilityEpisode] {
        let days = evidence.healthDays
        let series = evidence.crashSeries(basis)
        let found = Statistics.episodes(
            of: detector.findings(in: series), quietDays: quietDays, day: { $0.day })
        return found.indices.compactMap { index in
            let nights = found[index]
            guard let first = nights.first, let last = nights.last,
                let worst = nights.max(by: { $0.size < $1.size })
            else { return nil }
            let next = index + 1 < found.count ? found[index + 1].first?.day : nil
            let way = wayBack(nights, worst: worst, end: next ?? series.count, in: series)
            var state = StabilityEpisode.State.open(days: series.count - 1 - first.day)
            if let back = way.back, let day = series[back], let share = day.share {
                state = .recovered(on: days[back], share: share)
            } else if let next {
                state = .followed(by: days[next])
            }
            let end = way.back.map { $0 - 1 } ?? max(last.day, way.last)
            return StabilityEpisode(
                basis: basis, first: days[first.day], last: days[end], finding: first, worst: worst,
                state: state)
        }
    }

    /// The first day from which on the rate is as usual, and the last day on which it was down.
    ///
    /// A day that is down again within the quiet days belongs to the same episode, found by itself or not; a longer
    /// window still finds a fall when its days are over.
    private func wayBack(
        _ nights: [DropFinding], worst: DropFinding, end: Int, in series: [DayCount?]
    ) -> (back: Int?, last: Int) {
        let first = nights[0]
        let found = Set(nights.lazy.filter { $0.window == 1 }.map(\.day))
        let limit = usualLimit(before: first, in: series)
        var (back, last): (Int?, Int) = (nil, first.day)
        for place in (first.day + 1)..<max(end, first.day + 1) {
            guard let day = series[place], isEnough(day, nextTo: first) else { continue }
            let rise = Double(day.crashed) / Double(day.total) - first.expected
            let isUsual = isUsual(day, rise: rise, limit: limit, first: first, worst: worst)
            if found.contains(place) || (!isUsual && rise >= worst.size / 2) {
                (back, last) = (nil, place)
            } else if isUsual, back == nil {
                back = place
            }
            if let back, place >= max(found.max() ?? 0, back + quietDays) { break }
        }
        return (back, last)
    }

    /// Whether a day is like most of those before the fall, or differs from what was expected by no more than
    /// chance and by no more than half of the fall.
    private func isUsual(
        _ day: DayCount, rise: Double, limit: Double, first: DropFinding, worst: DropFinding
    ) -> Bool {
        if Double(day.crashed) <= limit * Double(day.total) { return true }
        guard rise < worst.size / 2,
            let interval = day.share?.interval
        else { return false }
        return interval.lower <= first.expected
    }

    /// The crashed share that `usualPart` of the days before the fall kept to.
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
