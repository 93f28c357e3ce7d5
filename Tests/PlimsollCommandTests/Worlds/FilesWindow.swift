import AppHealth

/// The world as a table of days that a team exports itself: the last ten whole days, with what was known that morning.
enum FilesWindow {
    static func table(_ view: WorldView) -> (path: String, text: String) {
        let truth = WorldTruth(view)
        let rows = (max(0, view.today - 10)..<view.today).map { day in
            "\(World.date(day)),\(truth.sessions(day, nil)),\(truth.crashedSessions(day, nil)),"
                + "\(truth.users(day, nil).count),\(truth.crashedUsers(day, nil).count)"
        }
        let text =
            "date,sessions,crashed_sessions,users,crashed_users\n" + rows.joined(separator: "\n") + "\n"
        return ("tables/deck-\(view.now.date).csv", text)
    }
}
