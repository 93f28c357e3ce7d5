package import AppHealth
package import Statistics

/// An app was used much more or much less than its own past lets one expect.
package struct UsageAnomaly: Hashable, Codable, Sendable {
    /// Its name, app, first day and place in time.
    package internal(set) var occasion: EventIdentity
    /// What was counted.
    package let measure: Measure
    /// What was found on the first day.
    package let finding: UsageFinding
    /// What was found on the day that differed most; nil where that is the first one.
    var worst: UsageFinding?
    /// The last day that was found; three quiet days follow it, unless it is too early to know.
    package let last: CivilDate
    /// The last day on which it may go on, found so far or without figures yet: late data may undo that.
    var mayLastThrough: CivilDate?
    /// The zone of the source's days.
    package let zone: String
    /// The relative standard error of the counts; nil when they are exact.
    package let deviation: Double?
    /// The last of the quiet days that ended it; nil while it may go on.
    package internal(set) var knownOver: CivilDate?
    /// The day with which reports could know that: quiet days are waited for until they are settled.
    package internal(set) var reportedOver: CivilDate?

    /// What use is counted in.
    package enum Measure: String, Codable, Sendable {
        /// Distinct users of a day.
        case activeUsers
        /// Runs of the app.
        case sessions
    }

    /// How much more than expected, relative to it: 0.25 is a quarter more, −1 is nothing at all.
    package var change: Double { finding.change }

    /// How far off what was expected it was on the day that differed most, relative to that: what levels measure, as use
    /// may differ more after the first day.
    package var worstChange: Double { max(abs(change), abs(worst?.change ?? 0)) }

    /// The days from the first to the last one, both counted.
    package var days: Int { occasion.day.days(to: last) + 1 }
}

/// Finds days on which use differs from what the weekday and the weeks before let one expect.
package struct UsageAnomalyRule: Rule {
    package static let id = "usage"
    package static let kind = EventKind.usage
    package static let needs = RuleNeed.use
    /// Finds the days.
    package var detector: UsageAnomalyDetector
    /// How many known days without a finding end an episode.
    package var quietDays: Int
    /// What comes on the same day of so many of the last months is usual.
    package static let (leastMonths, months) = (2, 3)
    /// How many times as large as then it may be.
    static let monthlyMargin = 1.5

    /// The standard detector, or another.
    package init(detector: UsageAnomalyDetector = UsageAnomalyDetector(), quietDays: Int = 3) {
        self.detector = detector
        self.quietDays = quietDays
    }

    package func events(in index: HistoryIndex) -> [Event] {
        guard let use = UsageSeries(index) else { return [] }
        let found = detector.findings(in: use.counts, deviation: use.deviation ?? 0)
        let monthly = MonthlyFindings(found, from: use.first)
        let findings = found.filter { !monthly.haveRepeated($0) }
        // Days without figures are no quiet days.
        let places = use.counts.reduce(into: [Int]()) { $0.append(($0.last ?? 0) + ($1 == nil ? 0 : 1)) }
        let all = episodes(
            of: findings, quietDays: quietDays, day: { places[$0.day] },
            continues: { $0.isRise == $1.isRise })
        return all.compactMap { episode in
            // A drop that late data may undo waits, though it ends a rise: what is reported later changes no alert of now.
            let known = episode.filter { $0.isRise || use.keeps($0) }
            guard let first = known.first, let last = known.last else { return nil }
            let day = use.first.advanced(by: first.day)
            // While a later day of it waits, it may go on.
            let isDecided = episode.last?.day == last.day
            let worst = known.max { abs($0.change) < abs($1.change) }
            let over = isDecided ? end(after: places[last.day], places, use) : nil
            return .usage(
                UsageAnomaly(
                    occasion: EventIdentity(
                        rule: Self.id, app: index.app, day: day, at: use.source.end(of: day)),
                    measure: use.measure, finding: first, worst: worst == first ? nil : worst,
                    last: use.first.advanced(by: last.day),
                    mayLastThrough: use.lastDay(goingOnAfter: episode.last?.day ?? last.day, index),
                    zone: use.source.zone(of: day), deviation: use.deviation,
                    knownOver: over,
                    reportedOver: over.map { Optional(use.source).dayKnown(bySettling: $0) }))
        }
    }
}

extension UsageAnomalyRule {
    /// The last of the quiet days after an episode; nil while there are fewer, or late data may still make it another one.
    private func end(
        after known: Int, _ places: [Int], _ use: UsageSeries
    ) -> CivilDate? {
        let day = places.firstIndex(of: known + quietDays).map(use.first.advanced(by:))
        return day.flatMap { Optional(use.source).isSettling($0) ? nil : $0 }
    }

    /// From the first day on that has enough of a past, and as of which use was counted as it is now.
    package func judged(in index: HistoryIndex) -> JudgedAlerts {
        let first = UsageSeries(index)?.first.advanced(by: UsageAnomalyDetector.firstDays)
        let other = UsageWays(index).lastDayOfAnother?.advanced(by: 1)
        return JudgedAlerts(from: first.map { max($0, other ?? $0) }, in: index)
    }
}

/// The findings of days by their dates: what comes on the same day of each month, such as payday, is no anomaly.
private struct MonthlyFindings {
    private let first: CivilDate
    private let found: [CivilDate: UsageFinding]

    init(_ findings: [UsageFinding], from first: CivilDate) {
        self.first = first
        found = Dictionary(
            findings.map { (first.advanced(by: $0.day), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether two of the three months before had the like on the same day, about as large.
    func haveRepeated(_ finding: UsageFinding) -> Bool {
        let date = first.advanced(by: finding.day)
        let like = (1...UsageAnomalyRule.months).compactMap { months in
            date.likeDays(before: months).lazy.compactMap { found[$0] }.first { $0.isRise == finding.isRise }
        }.map(\.size)
        return like.count >= UsageAnomalyRule.leastMonths
            && finding.size <= (like.max() ?? 0) * UsageAnomalyRule.monthlyMargin
    }
}

extension CivilDate {
    /// The same day some months ago; of the last day of a month, the last one of that month.
    fileprivate func likeDays(before months: Int) -> [CivilDate] {
        let (year, month, day) = components
        let place = year * 12 + month - 1 - months
        let (otherYear, other) = (place / 12, place % 12 + 1)
        let isLast = advanced(by: 1).components.month != month
        let last =
            isLast
            ? (28...31).reversed().lazy.compactMap { CivilDate(year: otherYear, month: other, day: $0) }.first
            : nil
        return [CivilDate(year: otherYear, month: other, day: day), last].compactMap(\.self)
    }
}

extension UsageFinding {
    /// How much more than expected, relative to it.
    fileprivate var change: Double { Double(count) / max(expected, 0.5) - 1 }

    /// How many times as much as expected it was, or was expected, less one.
    fileprivate var size: Double {
        let ratio = max(Double(count), 0.5) / max(expected, 0.5)
        return max(ratio, 1 / ratio) - 1
    }

    /// Whether use was more than expected.
    fileprivate var isRise: Bool { Double(count) > expected }
}

/// The use of an app by day, from the one source that knows it best.
struct UsageSeries {
    let measure: UsageAnomaly.Measure
    let source: SourceHistory
    /// What is stated of how much of a day is known.
    private let fact: CoveredFact
    /// The day of the first count.
    let first: CivilDate
    let counts: [Int?]
    /// The largest relative standard error of a count; nil when all are exact.
    let deviation: Double?
    /// The days whose count is known.
    var days: [CivilDate] {
        counts.indices.filter { counts[$0] != nil }.map { first.advanced(by: $0) }
    }

    /// The first way to count that the app has lately, without days that are known in part among others; nil when no
    /// source reports any.
    init?(_ index: HistoryIndex) {
        let ways = UsageWays(index)
        guard let newest = ways.newest, let way = ways.chosen(through: newest) else { return nil }
        let source = way.source
        let skipsParts = hasWholeDays(source, way.fact, way.counts.keys)
        let earliest = firstReportDay(until: index.lastDay)
        let known = way.counts.filter { day, _ in
            day >= earliest && Optional(source).isOver(day)
                && !(skipsParts && source.coverage(way.fact, on: day).isPartial)
        }
        // Days without any use before the app came out teach nothing.
        guard let first = known.filter({ $0.value > 0 }).keys.min(), let last = known.keys.max() else {
            return nil
        }
        (self.measure, self.source, self.fact, self.first) = (way.measure, source, way.fact, first)
        let deviation = known.keys.map { source.coverage(way.fact, on: $0).deviation }.max() ?? 0
        self.deviation = deviation > 0 ? deviation : nil
        self.counts = (0...first.days(to: last)).map { known[first.advanced(by: $0)] }
    }
}

extension UsageSeries {
    /// Whether a drop stays one whatever late data add to its day: the day is settled, and neither what it has nor what it may
    /// come to by its last snapshots is within what was expected. How a day grew counts, not its age alone: a source
    /// whose days are there at once has no drop that waits longer.
    func keeps(_ drop: UsageFinding) -> Bool {
        let day = first.advanced(by: drop.day)
        guard !Optional(source).isSettling(day) else { return false }
        let outlook = source.leastOutlooks[fact]?[day] ?? 0
        return outlook <= Double(drop.count) || outlook < drop.range.lower
    }
}

/// How the use of an app may be counted, by day up to the last complete one: the best ways first.
private struct UsageWays {
    /// One way, of one source.
    struct Way {
        let measure: UsageAnomaly.Measure
        let source: SourceHistory
        let fact: CoveredFact
        let counts: [CivilDate: Int]
    }

    private let all: [Way]

    /// Active users where a source counts them; else users of the health figures, else sessions.
    init(_ index: HistoryIndex) {
        func way(
            _ measure: UsageAnomaly.Measure, _ source: SourceHistory?, _ fact: CoveredFact,
            _ counts: some Sequence<(CivilDate, Int?)>
        ) -> Way? {
            guard let source else { return nil }
            let known = counts.lazy.compactMap { day, count in count.map { (day, $0) } }
            let counts = Dictionary(
                known.filter { $0.0 <= index.lastDay }, uniquingKeysWith: { _, newer in newer })
            return counts.isEmpty
                ? nil : Way(measure: measure, source: source, fact: fact, counts: counts)
        }
        let active = index.sources.ofActiveUsers
        let health = index.rates.health.values
        all = [
            way(.activeUsers, active, .usage, (active?.usage ?? []).map { ($0.date, $0.activeUsers) }),
            way(.activeUsers, index.rates.sources.users, .users, health.map { ($0.date, $0.users) }),
            way(.sessions, index.rates.sources.sessions, .sessions, health.map { ($0.date, $0.sessions) }),
        ].compactMap(\.self)
    }

    /// The newest day with any count.
    var newest: CivilDate? { all.compactMap { $0.counts.keys.max() }.max() }

    /// The way that the app has as of a day.
    func chosen(through day: CivilDate) -> Way? {
        all.first { way in
            day.hasLately({ way.counts[$0] != nil }, among: { day in all.contains { $0.counts[day] != nil } })
        } ?? all.first
    }

    /// The last day as of which another way than that of now was chosen; nil when there is none.
    var lastDayOfAnother: CivilDate? {
        guard all.count > 1, let newest, let first = all.compactMap({ $0.counts.keys.min() }).min(),
            let now = chosen(through: newest)?.fact
        else { return nil }
        return (0...min(first.days(to: newest), HistoryIndex.longestSpan)).lazy
            .map { newest.advanced(by: -$0) }.first { chosen(through: $0)?.fact != now }
    }
}

/// Whether a source reports some days whole, so that those it reports in part are not like them.
private func hasWholeDays(
    _ source: SourceHistory, _ fact: CoveredFact, _ days: some Sequence<CivilDate>
) -> Bool {
    days.contains { !source.coverage(fact, on: $0).isPartial }
}
