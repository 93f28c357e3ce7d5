import AppHealth
import Foundation

/// All that happened to one app, made from a seed: the truth that services show parts of.
///
/// Nothing here knows how a service counts or what this program makes of it.
struct World: Sendable {
    /// A problem of the app, seen from its first to its last day.
    struct Problem: Sendable {
        let id: String
        let title: String
        let kind: Issue.Kind
        let days: ClosedRange<Int>
    }

    /// One time that a problem happened.
    struct Occurrence: Sendable {
        var problem: Int
        /// When it happened on the device.
        let at: Instant
        /// When it reached the service; never before it happened.
        let arrived: Instant
        /// Affected users; nil when the app does not say.
        let user: Int?
        let version: Int
    }

    /// A version of the app and the day on which it came out.
    struct Build: Sendable {
        let name: String
        let build: String
        let day: Int
    }

    /// The first of the days.
    static let first = CivilDate(daysSinceEpoch: 20_727)
    /// How many days it lasts.
    static let dayCount = 52

    let seed: UInt64
    let builds: [Build]
    private(set) var problems: [Problem]
    /// By the time at which they happened.
    private(set) var occurrences: [Occurrence]
    /// Sessions by day, then by version.
    let sessions: [[Int]]
    /// Those who used the app, by day.
    let users: [Set<Int>]

    init(seed: UInt64) {
        var dice = Dice(seed: seed)
        let builds =
            [Build(name: "2.0.0", build: "200", day: 0)]
            + (1...dice.below(3) + 1).map {
                Build(name: "2.\($0).0", build: "\(200 + $0)", day: 12 * $0 + dice.below(9))
            }
        let problems = (0..<(8 + dice.below(40))).map { Problem($0, &dice) }
        var occurrences: [Occurrence] = []
        var sessions: [[Int]] = []
        var users: [Set<Int>] = []
        for day in 0..<Self.dayCount {
            let shares = builds.map { $0.day <= day ? min(day - $0.day + 1, 8) * ($0.day + 4) : 0 }
            let whole = 600 + dice.below(300)
            sessions.append(shares.map { whole * $0 / shares.reduce(0, +) })
            var met = Set((0..<(150 + dice.below(60))).map { _ in dice.below(700) })
            for (place, problem) in problems.enumerated() where problem.days.contains(day) {
                let mean = 14.0 / Double(place + 1) + 0.25
                for _ in 0..<dice.poisson(mean) {
                    let new = Occurrence(place, day, dice.pick(shares), &dice)
                    new.user.map { _ = met.insert($0) }
                    occurrences.append(new)
                }
            }
            users.append(met)
        }
        self.seed = seed
        self.builds = builds
        self.problems = problems
        self.occurrences = occurrences.sorted { $0.at < $1.at }
        self.sessions = sessions
        self.users = users
    }

    /// The same with its events grouped into other problems; what belongs to none of them is dropped.
    func grouped(as problems: [Problem], _ place: (Occurrence) -> Int?) -> World {
        var world = self
        world.problems = problems
        world.occurrences = occurrences.compactMap { seen in
            place(seen).map { place in
                var seen = seen
                seen.problem = place
                return seen
            }
        }
        return world
    }

    /// A day of the world.
    static func date(_ day: Int) -> CivilDate { first.advanced(by: day) }

    /// Six in the morning of a day, when reports are made.
    static func morning(of day: Int) -> Instant { Instant(startOf: date(day)).advanced(bySeconds: 6 * 3600) }
}

extension World.Problem {
    /// One that is there from the beginning, begins later, or ends before the last day.
    fileprivate init(_ place: Int, _ dice: inout Dice) {
        let last = World.dayCount - 1
        let begin = dice.below(3) == 0 ? dice.below(last) : 0
        let end = dice.below(4) == 0 ? min(last, begin + 3 + dice.below(30)) : last
        let kinds: [Issue.Kind] = [.crash, .crash, .crash, .error, .hang]
        id = "\(4000 + place)"
        title = "Fault \(place) in Deck"
        kind = kinds[dice.below(kinds.count)]
        days = begin...end
    }
}

extension World.Occurrence {
    fileprivate init(_ problem: Int, _ day: Int, _ version: Int, _ dice: inout Dice) {
        at = Instant(startOf: World.date(day)).advanced(bySeconds: dice.below(86_400))
        // One in ten comes late, when the device is next connected.
        let delay = dice.below(10) == 0 ? dice.below(30 * 3600) : 0
        arrived = at.advanced(bySeconds: delay)
        user = dice.below(12) == 0 ? nil : dice.below(dice.below(4) == 0 ? 20 : 700)
        (self.problem, self.version) = (problem, version)
    }
}

/// Numbers that look like chance and are the same for the same seed (SplitMix64).
struct Dice {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
        // Neighboring seeds would begin at neighboring places of one sequence.
        state = next() ^ (seed << 32)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// One of 0..<bound.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

    /// A number in 0..<1.
    mutating func share() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// A place, as likely as its weight.
    mutating func pick(_ weights: [Int]) -> Int {
        var left = below(weights.reduce(0, +))
        for (place, weight) in weights.enumerated() {
            if left < weight { return place }
            left -= weight
        }
        return 0
    }

    /// A count with this mean: as many as fit before products of shares fall below e^-mean.
    mutating func poisson(_ mean: Double) -> Int {
        var (count, product, least) = (0, share(), exp(-mean))
        while product > least { (count, product) = (count + 1, product * share()) }
        return count
    }
}
