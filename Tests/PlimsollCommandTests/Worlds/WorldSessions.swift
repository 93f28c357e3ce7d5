import AppHealth

/// One session of a world, as a warehouse has it.
struct WorldSession {
    let id: Int
    /// Nil when the app does not say.
    let user: Int?
    let version: Int
    let at: Instant
}

/// The id of the session that a crash ended, by the place of the crash among all that occurred.
func worldSession(of place: Int) -> Int { 1_000_000 + place }

/// All sessions of a day, none of them known to have crashed: one for each crash, one for each user, and more.
func worldSessions(_ world: World, _ day: Int) -> [WorldSession] {
    let start = Instant(startOf: World.date(day))
    let ofDay = world.occurrences.enumerated().filter { $0.element.day == day }
    var left = Set(world.users[day])
    var sessions: [WorldSession] = []
    var room = world.sessions[day]
    var next = 10_000_000 + day * 10_000
    for (place, seen) in ofDay where world.problems[seen.problem].kind == .crash {
        guard room[seen.version] > 0 else { continue }
        room[seen.version] -= 1
        seen.user.map { _ = left.remove($0) }
        sessions.append(
            WorldSession(id: worldSession(of: place), user: seen.user, version: seen.version, at: seen.at))
    }
    func add(_ user: Int?, _ version: Int) {
        guard room[version] > 0 else { return }
        room[version] -= 1
        next += 1
        user.map { _ = left.remove($0) }
        sessions.append(
            WorldSession(
                id: next, user: user, version: version, at: start.advanced(bySeconds: next * 7919 % 86_400)))
    }
    for (_, seen) in ofDay where world.problems[seen.problem].kind != .crash {
        if let user = seen.user, left.contains(user) { add(user, seen.version) }
    }
    for user in left.sorted() {
        let version = user % world.builds.count
        let most = room.indices.max { room[$0] < room[$1] } ?? 0
        add(user, room[version] > 0 ? version : most)
    }
    for version in room.indices {
        let user = world.users[day].min()
        while room[version] > 0 { add(user, version) }
    }
    return sessions
}
