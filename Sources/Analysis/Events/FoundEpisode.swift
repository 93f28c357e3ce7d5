import Statistics

/// What of a finding matters where findings become episodes.
protocol EpisodeFinding {
    /// The place of its last day in the series.
    var day: Int { get }
    /// The days that were put together.
    var window: Int { get }
    /// By how much a day of it was worse than expected.
    var excess: Double { get }
}

extension DropFinding: EpisodeFinding {
    var excess: Double { size }
}

extension CrashCountFinding: EpisodeFinding {
    var excess: Double { excessPerDay }
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
    /// What was found on its worst day.
    private(set) var worst: Finding
    /// The last day that was found or down.
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

    private var lastFound: Int
    private var way = WayBack()
    private let sign: (_ place: Int, _ worst: Finding) -> DaySign

    init(_ first: Finding, _ sign: @escaping (_ place: Int, _ worst: Finding) -> DaySign) {
        self.first = first
        self.sign = sign
        (worst, last, lastFound) = (first, first.day, first.day)
    }

    /// Whether a finding begins the episode after this one, which is not known to be over.
    fileprivate func ends(before finding: Finding, _ distance: Int, quietDays: Int, isDown: Bool) -> Bool {
        distance > quietDays || (way.days >= quietDays && isDown)
    }

    /// Whether a finding after this episode shows nothing but its days once more: a longer window holds them for some
    /// days.
    fileprivate func isShownAgain(by finding: Finding) -> Bool {
        guard case .over = end, finding.window > 1, finding.day - finding.window + 1 <= last else {
            return false
        }
        if case .down = sign(finding.day, worst) { return false }
        return true
    }

    fileprivate mutating func add(_ finding: Finding) {
        if finding.excess > worst.excess { worst = finding }
        (last, lastFound) = (finding.day, finding.day)
    }

    /// Takes in the next day, found by itself or not; whether the episode is over.
    fileprivate mutating func takesIn(_ place: Int, isFound: Bool, quietDays: Int) -> Bool {
        way.add(isFound ? .down : sign(place, worst), at: place)
        if way.isDown { last = max(last, place) }
        guard way.days >= quietDays, way.isCertain, let first = way.first else { return false }
        (last, end) = (first - 1, .over(from: first, known: place))
        return true
    }

    fileprivate mutating func isFollowed(by place: Int) { end = .followed(by: place) }

    /// How many known days a later one is after the last finding.
    fileprivate func distance(to place: Int, among places: [Int]) -> Int { places[place] - places[lastFound] }
}

/// The days in a row, from one that was as before on, of which none was down.
private struct WayBack {
    private(set) var first: Int?
    private(set) var days = 0
    private(set) var isCertain = true
    private(set) var isDown = false

    mutating func add(_ sign: DaySign, at place: Int) {
        isDown = false
        switch sign {
        case .unknown: break
        case .usual, .usualSoFar: first = first ?? place
        case .between, .betweenSoFar: break
        case .down:
            self = WayBack()
            isDown = true
        }
        guard first != nil, !isDown else { return }
        switch sign {
        case .usual, .between: days += 1
        case .usualSoFar, .betweenSoFar: (days, isCertain) = (days + 1, false)
        case .unknown, .down: break
        }
    }
}

/// Puts findings together into episodes, day by day: what comes later changes nothing of an episode that is over.
///
/// An episode is over, for good, once so many days are not down, from one on that is as before it. While it is not, a
/// finding after more days than that without one begins another.
///
/// - Parameters:
///   - isKnown: Whether a day of the series has figures: others are no days without a finding.
///   - sign: How a day compares with those before an episode that begins with a finding.
func episodes<Finding: EpisodeFinding>(
    of findings: [Finding], in isKnown: [Bool], quietDays: Int,
    sign: (Finding) -> (_ place: Int, _ worst: Finding) -> DaySign
) -> [FoundEpisode<Finding>] {
    let byDay = Dictionary(findings.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
    guard let begin = findings.first?.day else { return [] }
    let places = isKnown.reduce(into: [Int]()) { $0.append(($0.last ?? 0) + ($1 ? 1 : 0)) }
    var (over, current): ([FoundEpisode<Finding>], FoundEpisode<Finding>?) = ([], nil)
    for place in begin..<max(isKnown.count, begin + 1) {
        let finding = byDay[place]
        if let finding {
            let next = FoundEpisode(finding, sign(finding))
            let isDown = finding.window == 1 || next.isDown(on: place)
            if var episode = current {
                let distance = episode.distance(to: place, among: places)
                if episode.ends(before: finding, distance, quietDays: quietDays, isDown: isDown) {
                    episode.isFollowed(by: place)
                    over.append(episode)
                    current = next
                    continue
                }
                current?.add(finding)
            } else {
                if over.last?.isShownAgain(by: finding) != true { current = next }
                continue
            }
        }
        if current?.takesIn(place, isFound: finding?.window == 1, quietDays: quietDays) == true {
            current.map { over.append($0) }
            current = nil
        }
    }
    return over + (current.map { [$0] } ?? [])
}

extension FoundEpisode {
    /// Whether a day is one of it by what is found on its first day.
    fileprivate func isDown(on place: Int) -> Bool {
        if case .down = sign(place, first) { true } else { false }
    }
}
