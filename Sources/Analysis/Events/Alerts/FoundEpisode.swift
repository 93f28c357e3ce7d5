import Statistics

/// What of a finding matters where findings become episodes.
protocol EpisodeFinding {
    /// The place of its last day in the series.
    var day: Int { get }
    /// The days that were put together.
    var window: Int { get }
    /// What a day of it was, and what was expected of it: the higher, the worse.
    var level: Double { get }
    var expectedLevel: Double { get }
}

extension EpisodeFinding {
    /// By how much a day of it was worse than expected.
    var excess: Double { level - expectedLevel }
}

extension DropFinding: EpisodeFinding {
    var level: Double { share }
    var expectedLevel: Double { expected }
}

extension CrashCountFinding: EpisodeFinding {
    var level: Double { crashesPerDay }
    var expectedLevel: Double { expectedPerDay }
}

/// What a rule says of days and findings for episodes of them.
struct EpisodeMeasure<Finding: EpisodeFinding> {
    /// How a day compares with those before a finding, given by how much an episode got worse than these.
    let sign: (_ before: Finding) -> (_ place: Int, _ depth: Double) -> DaySign
    /// Whether a finding would be one as well if a level had been expected of it.
    let finds: (Finding, _ expecting: Double) -> Bool
    /// How many times as deep as was reported an episode must have become to be reported again while it goes on.
    let growth: Double
    /// A finding as it is expected to be once late data came, where that makes it less deep.
    var whenComplete: (Finding) -> Finding = { $0 }
}

/// How a day compares with those before an episode.
enum DaySign {
    /// As before the episode.
    case usual
    /// As before so far: late data may change it.
    case usualSoFar
    /// Worse than before, but nearer to it than to the episode.
    case between
    /// Nearer to those before so far: late data may change it.
    case betweenSoFar
    /// A day of the episode.
    case down
    /// Not known, or with hardly any use.
    case unknown
}

/// Findings that belong together, from the first one until it is over. Days are places in the series.
struct FoundEpisode<Finding: EpisodeFinding> {
    /// What was found on its first day.
    let first: Finding
    /// What was found on the first day of the first of episodes that follow each other: what a return is measured by, as
    /// what is expected later has learned from them.
    let origin: Finding
    /// What was found on its worst day.
    private(set) var worst: Finding
    /// The last day that was found or not as before.
    private(set) var last: Int
    /// What became of it.
    private(set) var end = End.open

    /// What became of an episode.
    enum End: Equatable {
        case open
        /// The first of the days that ended it, and the last one.
        case over(from: Int, known: Int)
        /// The day of the first finding of the next one.
        case followed(by: Int)
    }

    /// How deep the deepest first finding was of the episodes that follow each other up to this one: what was reported.
    private let reported: Double
    private var lastFound: Int
    private var lastDown: Int
    /// The worst level that was found, and the worst one since it was last down.
    private var level: Double, levelSince: Double?
    private var way = WayBack()
    private let sign: (_ place: Int, _ depth: Double) -> DaySign

    /// - Parameter before: The episode that it follows.
    fileprivate init(_ first: Finding, after before: Self? = nil, _ measure: EpisodeMeasure<Finding>) {
        self.first = first
        origin = before?.origin ?? first
        reported = max(before?.reported ?? first.excess, first.excess)
        sign = measure.sign(self.origin)
        (worst, level) = (first, first.level)
        (last, lastFound, lastDown) = (first.day, first.day, first.day)
    }

    /// By how much it was worse on its worst day than before the first of those that follow each other.
    private var depth: Double { worst.excess + max(0, first.expectedLevel - origin.expectedLevel) }

    /// The episode that begins with a finding while this one is not known to be over; nil where the finding is a part of
    /// this one, as one that goes on is found again and again.
    fileprivate func next(
        with finding: Finding, among places: [Int], quietDays: Int, _ measure: EpisodeMeasure<Finding>
    ) -> Self? {
        let own = Self(finding, measure)
        if way.days >= quietDays, finding.window == 1 || own.isDown(on: finding.day) { return own }
        func isLongAgo(_ day: Int) -> Bool { places[finding.day] - places[day] > quietDays }
        if hasGrown(to: finding, measure) { return Self(finding, after: self, measure) }
        guard isLongAgo(lastFound) else { return nil }
        if let level = isLongAgo(lastDown) ? levelSince : level, !measure.finds(finding, level) { return nil }
        return Self(finding, after: self, measure)
    }

    /// Whether a finding is so many times as deep as all that was reported, and a finding next to that, too: it is
    /// reported again then, as the small episode says nothing of what it has become.
    private func hasGrown(to finding: Finding, _ measure: EpisodeMeasure<Finding>) -> Bool {
        let complete = measure.whenComplete(finding)
        return min(finding.excess, complete.excess) >= measure.growth * reported
            && measure.finds(complete, complete.expectedLevel + reported)
    }

    /// Whether a day is one of it.
    private func isDown(on place: Int) -> Bool {
        if case .down = sign(place, depth) { true } else { false }
    }

    /// Whether a finding after this episode shows nothing but its days once more: a longer window holds them for some
    /// days.
    fileprivate func isShownAgain(by finding: Finding) -> Bool {
        guard case .over = end, finding.window > 1, finding.day - finding.window + 1 <= last else {
            return false
        }
        return !isDown(on: finding.day)
    }

    fileprivate mutating func add(_ finding: Finding) {
        if finding.excess > worst.excess { worst = finding }
        level = max(level, finding.level)
        // A longer window holds days that were down.
        if finding.day - finding.window >= lastDown {
            levelSince = max(levelSince ?? finding.level, finding.level)
        }
        (last, lastFound) = (finding.day, finding.day)
    }

    /// Takes in the next day, found by itself or not; whether the episode is over.
    fileprivate mutating func takesIn(_ place: Int, isFound: Bool, quietDays: Int) -> Bool {
        way.add(isFound ? .down : sign(place, depth), at: place)
        if way.isAway { last = max(last, place) }
        if isDown(on: place) { (lastDown, levelSince) = (place, nil) }
        guard way.days >= quietDays, way.isCertain, let first = way.first else { return false }
        (last, end) = (first - 1, .over(from: first, known: place))
        return true
    }

    fileprivate mutating func isFollowed(by place: Int) { end = .followed(by: place) }
}

/// The days in a row, from one that was as before on, of which none was down.
private struct WayBack {
    private(set) var first: Int?
    private(set) var days = 0
    private(set) var isCertain = true
    /// Whether the newest day was known, and none from the last one that was down on was as before.
    private(set) var isAway = false

    mutating func add(_ sign: DaySign, at place: Int) {
        isAway = false
        switch sign {
        case .unknown: break
        case .usual, .usualSoFar: first = first ?? place
        case .between, .betweenSoFar: isAway = first == nil
        case .down:
            self = WayBack()
            isAway = true
        }
        guard first != nil, !isAway else { return }
        switch sign {
        case .usual, .between: days += 1
        case .usualSoFar, .betweenSoFar: (days, isCertain) = (days + 1, false)
        case .unknown, .down: break
        }
    }
}

/// Puts findings together into episodes, day by day: what comes later changes nothing of an episode that is over.
///
/// An episode is over, for good, once so many days are not down, from one on that is as before it. While it is not, and
/// more days than that brought no finding, one that is worse than all that was found begins another; where more days than
/// that were not down, one that is worse than what was found on these. One that is several times as deep as what began it
/// begins another at once.
///
/// - Parameter isKnown: Whether a day of the series has figures: others are no days without a finding.
func episodes<Finding: EpisodeFinding>(
    of findings: [Finding], in isKnown: [Bool], quietDays: Int, _ measure: EpisodeMeasure<Finding>
) -> [FoundEpisode<Finding>] {
    let byDay = Dictionary(findings.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
    guard let begin = findings.first?.day else { return [] }
    let places = isKnown.reduce(into: [Int]()) { $0.append(($0.last ?? 0) + ($1 ? 1 : 0)) }
    var (over, current): ([FoundEpisode<Finding>], FoundEpisode<Finding>?) = ([], nil)
    for place in begin..<max(isKnown.count, begin + 1) {
        let finding = byDay[place]
        if let finding {
            guard var episode = current else {
                if over.last?.isShownAgain(by: finding) != true { current = FoundEpisode(finding, measure) }
                continue
            }
            if let next = episode.next(with: finding, among: places, quietDays: quietDays, measure) {
                episode.isFollowed(by: place)
                over.append(episode)
                current = next
                continue
            }
            current?.add(finding)
        }
        if current?.takesIn(place, isFound: finding?.window == 1, quietDays: quietDays) == true {
            current.map { over.append($0) }
            current = nil
        }
    }
    return over + (current.map { [$0] } ?? [])
}
