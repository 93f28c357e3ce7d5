package import AppHealth
package import Statistics

/// Finds days with more crashes than an app's own past lets one expect, where no rate is known: neither users nor
/// sessions that crashed.
///
/// How much the app was used is not known either, so more crashes may mean more use: the alert says that it is one on
/// counts. Days whose total is not whole neither raise nor close one.
package struct CrashCountRule: Rule {
    package static let id = "crash-count"
    package static let kind = EventKind.stability
    package static let needs = RuleNeed.crashes
    /// Finds the days.
    package var detector: CrashCountDetector
    /// How many known days as before end an episode.
    package var quietDays: Int
    /// The part of the days before a rise, in 0…1, whose worst one a day must not exceed to be as before.
    package var usualPart: Double

    /// The standard detector, or another.
    package init(
        detector: CrashCountDetector = CrashCountDetector(), quietDays: Int = 3, usualPart: Double = 0.8
    ) {
        self.detector = detector
        self.quietDays = quietDays
        self.usualPart = usualPart
    }

    package func events(in index: HistoryIndex) -> [Event] {
        episodes(in: index).map { episode in
            let occasion = EventIdentity(
                rule: Self.id, app: index.app, day: episode.first,
                at: index.crashes.judgedSource.end(of: episode.first))
            return .crashes(
                CrashCountAlert(
                    occasion: occasion, episode: episode, isOfShare: index.crashes.areShared))
        }
    }

    /// From the first day on that has enough of a past.
    package func judged(in index: HistoryIndex) -> JudgedAlerts {
        let isKnown = index.crashCounts.map { $0 != nil }
        guard let first = CrashRateDropDetector.firstNight(counted: isKnown) else { return .none }
        let judged = zip(index.days, index.daysByCrashes).dropFirst(first).first { $1 }
        return JudgedAlerts(from: judged?.0, in: index)
    }

    /// The rises of an app, in order.
    package func episodes(in index: HistoryIndex) -> [CrashCountEpisode] {
        let (days, isByCrashes) = (index.days, index.daysByCrashes)
        let series = series(in: index)
        guard series.contains(where: { $0 != nil }) else { return [] }
        let settled = days.map { !index.crashes.judgedSource.isSettling($0) }
        let found = Analysis.episodes(
            of: detector.findings(in: series), in: series.map { $0 != nil }, quietDays: quietDays,
            EpisodeMeasure(
                sign: { before in
                    let limit = usualLimit(before: before, in: series)
                    return {
                        sign(of: series[$0], isSettled: settled[$0], before: before, depth: $1, limit: limit)
                    }
                },
                finds: detector.finds, growth: StabilityRule.leastGrowth))
        return found.filter { isByCrashes[$0.first.day] }.map { episode in
            var state: EpisodeState<Int> = .open(days: series.count - 1 - episode.first.day)
            var (knownOver, reportedOver): (CivilDate?, CivilDate?)
            switch episode.end {
            case .open: break
            case .over(let back, let known):
                if let crashes = series[back] { state = .recovered(on: days[back], crashes) }
                knownOver = days[known]
                reportedOver = index.crashes.judgedSource.dayKnown(bySettling: days[known])
            case .followed(let next):
                state = .followed(by: days[next])
                (knownOver, reportedOver) = (days[next], days[next])
            }
            return CrashCountEpisode(
                first: days[episode.first.day], last: days[episode.last], finding: episode.first,
                worst: episode.worst,
                origin: CrashCountEpisode.Origin(
                    first: days[episode.origin.day], expected: episode.origin.expectedPerDay),
                state: state, knownOver: knownOver, reportedOver: reportedOver)
        }
    }

    /// The crashes by which days are judged.
    private func series(in index: HistoryIndex) -> [Int?] {
        // Days with a rate are of the past that counts are held against, and have no alert of their own.
        guard let last = index.daysByCrashes.lastIndex(of: true) else { return [] }
        return zip(index.crashCounts, index.days.indices).map { $1 <= last ? $0 : nil }
    }

    /// What was to be expected of each day from one on by itself: the forecast that its alert goes by, with a range as wide as
    /// that of issues.
    func expected(in index: HistoryIndex, since first: CivilDate) -> [CivilDate: ExpectedCount] {
        let days = index.days
        let place = max(0, days.first.map { $0.days(to: first) } ?? 0)
        let found = detector.forecasts(in: series(in: index), from: place, holding: ExpectedCount.held)
        return Dictionary(
            uniqueKeysWithValues: found.map { place, forecast in
                let (mean, range) = (forecast.expected, forecast.range)
                let expected = ExpectedCount(
                    lower: min(Double(range.lowerBound), mean), mean: mean,
                    upper: max(Double(range.upperBound), mean))
                return (days[place], expected)
            })
    }

    /// How a day compares with those before a rise: as a day of a rate does.
    ///
    /// A day to which late data may still add is no sign of a return.
    private func sign(
        of day: Int?, isSettled: Bool, before: CrashCountFinding, depth: Double, limit: Double
    ) -> DaySign {
        guard let day else { return .unknown }
        if Double(day) >= before.expectedPerDay + depth / 2 { return .down }
        guard Double(day) <= limit else { return isSettled ? .between : .betweenSoFar }
        return isSettled ? .usual : .usualSoFar
    }

    /// The crashes that `usualPart` of the days before a rise kept to, or that chance explains where these are more.
    private func usualLimit(before first: CrashCountFinding, in series: [Int?]) -> Double {
        let start = max(0, first.day - first.window + 1)
        let past = series[max(0, start - CrashRateDropDetector.baselineDays)..<start]
            .compactMap { $0 }.sorted()
        let usual = past.isEmpty ? 0 : past[min(past.count - 1, Int(usualPart * Double(past.count)))]
        return max(Double(usual), first.mostPerDay)
    }
}

extension CrashCountFinding {
    /// The upper end of where 95 of 100 of its days were to be expected.
    fileprivate var mostPerDay: Double {
        expectedPerDay + (Double(range.upperBound) - expected) / Double(max(known, 1)).squareRoot()
    }
}

/// A rise of crashes from its first day to its last one.
package struct CrashCountEpisode: Hashable, Codable, Sendable {
    /// The first day that was found.
    package let first: CivilDate
    /// The day before crashes were back; while they are not, the last day that was found or above those
    /// before.
    package let last: CivilDate
    /// What was found on the first day.
    package let finding: CrashCountFinding
    /// What was found on the day with the most crashes beyond those expected.
    package let worst: CrashCountFinding
    /// From when and from what crashes rose: of rises that follow each other before they were back, as of the first.
    package let origin: Origin
    /// What became of it.
    package let state: EpisodeState<Int>
    /// The last of the days that ended it, or the first one of the next rise; nil while it is open.
    package internal(set) var knownOver: CivilDate?
    /// The day with which reports could know that: days that end a rise are waited for until they are settled.
    package internal(set) var reportedOver: CivilDate?

    /// Where rises that follow each other began.
    package struct Origin: Hashable, Codable, Sendable {
        /// The first day that was found of the first of them.
        package let first: CivilDate
        /// How many crashes a day were expected of it.
        package let expected: Double
    }
}

/// More crashes than an app's own past lets one expect, of an app whose rate is not known.
package struct CrashCountAlert: Hashable, Codable, Sendable {
    /// Its name, app, day (the first one) and place in time.
    package internal(set) var occasion: EventIdentity
    /// The rise from its first day to its last one.
    package let episode: CrashCountEpisode
    /// Whether the crashes are those of a steady share of everybody, as no others are known.
    package internal(set) var isOfShare = false

    /// How many more crashes than expected, relative to these: 0.5 is half as many more.
    package var change: Double { episode.finding.ratio - 1 }

    /// The same relative to those that were expected before crashes rose: of rises that follow each other, before the
    /// first.
    package var rise: Double { rise(of: episode.finding) }

    /// The same of its worst day: what levels measure, as crashes may rise further after the first one.
    package var worstRise: Double { max(rise, rise(of: episode.worst)) }

    private func rise(of finding: CrashCountFinding) -> Double {
        let (change, origin) = (finding.ratio - 1, episode.origin.expected)
        guard origin < finding.expectedPerDay else { return change }
        return max(change, finding.crashesPerDay / max(origin, 0.5) - 1)
    }
}
