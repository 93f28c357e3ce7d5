import AppHealth

/// The right numbers of a world, counted by the time at which things happened or at which they arrived.
struct WorldTruth: Sendable {
    private let view: WorldView
    /// By problem, then by day.
    private let byDay: [Int: [Int: [World.Occurrence]]]
    private let all: [Int: [World.Occurrence]]

    /// Counts what had arrived and what the service counts at all, on the day that it counts it for: that on which it
    /// happened, unless said otherwise.
    init(
        _ view: WorldView, by day: (World.Occurrence) -> Int = \.day,
        where isCounted: (World.Occurrence) -> Bool = { _ in true }
    ) {
        self.view = view
        let seen = view.occurrences.filter(isCounted)
        all = Dictionary(grouping: seen, by: day)
        byDay = Dictionary(grouping: seen, by: \.problem).mapValues { Dictionary(grouping: $0, by: day) }
    }

    /// The problem with an id, which may be written as an address; nil when unknown.
    func problem(_ id: String) -> Int? {
        view.world.problems.firstIndex { $0.id == id || Slug(anyText: $0.id).text == id }
    }

    /// The first day of a problem; nil when nothing of it is counted.
    func first(_ problem: Int) -> Int? { byDay[problem]?.keys.min() }

    /// Events of a problem on a day.
    func events(_ problem: Int, _ day: Int) -> Int { byDay[problem]?[day]?.count ?? 0 }

    /// Users of a problem on a day.
    func users(ofProblem problem: Int, _ day: Int) -> Int {
        Set((byDay[problem]?[day] ?? []).compactMap(\.user)).count
    }

    /// The part of the events of a problem on a day that name a user.
    func namedShare(ofProblem problem: Int, _ day: Int) -> Double {
        let events = byDay[problem]?[day] ?? []
        return Double(events.count { $0.user != nil }) / Double(max(1, events.count))
    }

    /// Events of all problems, or of crashes alone, on a day.
    func events(on day: Int, of kinds: Set<Issue.Kind> = Set(Issue.Kind.allCases)) -> Int {
        (all[day] ?? []).count { kinds.contains(view.world.problems[$0.problem].kind) }
    }

    /// The most events that one of these problems had on a day.
    func most(on day: Int, of kinds: Set<Issue.Kind>) -> Int {
        view.world.problems.indices.filter { kinds.contains(view.world.problems[$0].kind) }
            .map { events($0, day) }.max() ?? 0
    }

    func sessions(_ day: Int, _ version: Int?) -> Int {
        let versions = version.map { [$0] } ?? Array(view.world.builds.indices)
        return versions.map { view.sessions(day, $0) }.reduce(0, +)
    }

    private func crashes(_ day: Int, _ version: Int?) -> [World.Occurrence] {
        (all[day] ?? []).filter {
            view.world.problems[$0.problem].kind == .crash && (version == nil || $0.version == version)
        }
    }

    /// Crashes of a day on one kind of device, by the kind that each user has.
    func crashes(_ day: Int, by device: (Int) -> String, _ name: String) -> Int {
        crashes(day, nil).count { device($0.user ?? 0) == name }
    }

    /// Each crash ends a session of its own.
    func crashedSessions(_ day: Int, _ version: Int?) -> Int {
        min(crashes(day, version).count, sessions(day, version))
    }

    func users(_ day: Int, _ version: Int?) -> Set<Int> {
        guard day <= view.today, view.world.users.indices.contains(day) else { return [] }
        guard let version else { return view.world.users[day] }
        let met = Set((all[day] ?? []).filter { $0.version == version }.compactMap(\.user))
        let builds = view.world.builds.count
        return met.union(
            view.world.users[day].filter { $0 % builds == version && sessions(day, version) > 0 })
    }

    func crashedUsers(_ day: Int, _ version: Int?) -> Set<Int> {
        Set(crashes(day, version).compactMap(\.user))
    }
}
