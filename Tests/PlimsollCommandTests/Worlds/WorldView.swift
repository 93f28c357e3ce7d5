import AppHealth
import Foundation

/// The world as a service has received it by a moment.
struct WorldView: Sendable {
    let world: World
    let now: Instant
    /// What reached the service by then, by the time at which it happened.
    let occurrences: [World.Occurrence]

    init(_ world: World, at now: Instant) {
        self.world = world
        self.now = now
        occurrences = world.occurrences.filter { $0.arrived <= now }
    }

    /// The problems of which anything arrived, with all that arrived of them.
    var problems: [(problem: World.Problem, seen: [World.Occurrence])] {
        let seen = Dictionary(grouping: occurrences, by: \.problem)
        return world.problems.indices.compactMap { place in
            seen[place].map { (world.problems[place], $0) }
        }
    }

    /// The problem with an id, and all that arrived of it.
    func problem(_ id: String) -> (problem: World.Problem, seen: [World.Occurrence])? {
        problems.first { $0.problem.id == id }
    }

    /// The last day of the world that has begun.
    var today: Int { World.first.days(to: now.date) }

    /// The sessions of a day and a version; of today the quarter that is over.
    func sessions(_ day: Int, _ version: Int) -> Int {
        guard day <= today, world.sessions.indices.contains(day) else { return 0 }
        return day == today ? world.sessions[day][version] / 4 : world.sessions[day][version]
    }

    /// What happened on a day, in UTC.
    func on(_ day: Int) -> [World.Occurrence] {
        let date = World.date(day)
        return occurrences.filter { $0.at.date == date }
    }

    /// JSON of a list or an object.
    static func json(_ value: Any) -> String {
        let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

extension World.Occurrence {
    /// The day on which it happened, in UTC, counted from the world's first.
    var day: Int { World.first.days(to: at.date) }
}
