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
    /// How many known days without a finding end an episode.
    package var quietDays: Int

    /// The standard detector, or another.
    package init(detector: CrashCountDetector = CrashCountDetector(), quietDays: Int = 3) {
        self.detector = detector
        self.quietDays = quietDays
    }

    package func events(in evidence: HistoryIndex) -> [Event] {
        episodes(in: evidence).map { episode in
            let occasion = EventIdentity(
                rule: Self.id, app: evidence.app, day: episode.first,
                at: evidence.end(of: episode.first, for: evidence.crashSource))
            return .crashes(CrashCountAlert(occasion: occasion, episode: episode))
        }
    }

    /// The rises of an app, in order.
    package func episodes(in evidence: HistoryIndex) -> [CrashCountEpisode] {
        let (days, series) = (evidence.days, evidence.crashSeries)
        guard series.contains(where: { $0 != nil }) else { return [] }
        // The place of each day among those that are known: others are no quiet days.
        var places: [Int] = []
        for count in series { places.append((places.last ?? 0) + (count == nil ? 0 : 1)) }
        let found = Statistics.episodes(
            of: detector.findings(in: series), quietDays: quietDays, day: { places[$0.day] })
        let settled = days.map { !evidence.isSettling($0, for: evidence.crashSource) }
        return found.indices.compactMap { index in
            let rise = found[index]
            guard let first = rise.first, let last = rise.last,
                let worst = rise.max(by: { $0.excessPerDay < $1.excessPerDay })
            else { return nil }
            let next = index + 1 < found.count ? found[index + 1].first?.day : nil
            let way = wayBack(rise, worst: worst, end: next ?? series.count, in: series, settled)
            var state = CrashCountEpisode.State.open(days: series.count - 1 - first.day)
            if let back = way.back, let crashes = series[back] {
                state = .recovered(on: days[back], crashes: crashes)
            } else if let next {
                state = .followed(by: days[next])
            }
            let end = way.back.map { $0 - 1 } ?? max(last.day, way.last)
            return CrashCountEpisode(
                first: days[first.day], last: days[end], finding: first, worst: worst, state: state)
        }
    }

    /// The first of the known days in a row on which crashes were as before, and the last day on which they were not.
    ///
    /// A day to which late data may still add is no sign of a return.
    private func wayBack(
        _ rise: [CrashCountFinding], worst: CrashCountFinding, end: Int, in series: [Int?], _ settled: [Bool]
    ) -> (back: Int?, last: Int) {
        let first = rise[0]
        let found = Set(rise.lazy.filter { $0.window == 1 }.map(\.day))
        let limit = first.expectedPerDay + worst.excessPerDay / 2
        var (back, last, quiet): (Int?, Int, Int) = (nil, first.day, 0)
        for place in (first.day + 1)..<max(end, first.day + 1) {
            guard let crashes = series[place] else { continue }
            if found.contains(place) || Double(crashes) > limit {
                (back, last, quiet) = (nil, place, 0)
            } else if settled[place] {
                back = back ?? place
                quiet += 1
                if quiet == quietDays { return (back, last) }
            }
        }
        return (nil, last)
    }
}

/// A rise of crashes from its first day to its last one.
package struct CrashCountEpisode: Hashable, Codable, Sendable {
    /// The first day that was found.
    package let first: CivilDate
    /// The day before crashes were back; while they are not, the last day that was found or above.
    package let last: CivilDate
    /// What was found on the first day.
    package let finding: CrashCountFinding
    /// What was found on the day with the most crashes beyond those expected.
    package let worst: CrashCountFinding
    /// What became of it.
    package let state: State

    /// What became of a rise.
    package enum State: Hashable, Codable, Sendable {
        /// Crashes have not come back; so many days have passed since the first one.
        case open(days: Int)
        /// The first day on which crashes were back and stayed so, and how many they were.
        case recovered(on: CivilDate, crashes: Int)
        /// Before they came back they rose again.
        case followed(by: CivilDate)
    }

    /// Whether it lasts.
    package var isOpen: Bool { if case .open = state { true } else { false } }
}

/// More crashes than an app's own past lets one expect, of an app whose rate is not known.
package struct CrashCountAlert: Hashable, Codable, Sendable {
    /// Its name, app, day (the first one) and place in time.
    package internal(set) var occasion: EventIdentity
    /// The rise from its first day to its last one.
    package let episode: CrashCountEpisode

    /// How many more crashes than expected, relative to these: 0.5 is half as many more.
    package var change: Double { episode.finding.ratio - 1 }
}
