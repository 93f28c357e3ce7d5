package import AppHealth
import GRDB

extension Archive {
    /// Stores the levels by which an app is judged at an instant, where they are others than those before it; true when they
    /// were. What is known of later instants stays: a report on the past changes nothing of what was used since.
    @discardableResult
    package func record(
        _ targets: Targets, of app: Slug, at instant: Instant
    ) throws(ArchiveError) -> Bool {
        try write { database in
            try database.execute(
                sql: insertion,
                arguments: [app.text, instant.secondsSinceEpoch, targets.target, targets.critical])
            guard database.changesCount > 0 else { return false }
            try markChange(of: app, in: database)
            return true
        }
    }

    /// The levels by which an app was judged up to an instant, oldest first, and how many rows cannot be understood.
    func targetChanges(
        of app: Slug, asOf instant: Instant, in database: Database
    ) throws -> (changes: [TargetChange], unreadable: Int) {
        let cursor = try database.cursor(reading, [app.text, instant.secondsSinceEpoch])
        var (changes, unreadable): ([TargetChange], Int) = ([], 0)
        while let row = try cursor.next() {
            var columns = ColumnReader(row: row)
            guard let at = try? columns.instant(), let target = try? columns.optionalNumber(),
                let critical = try? columns.optionalNumber(),
                let targets = Targets(target: target, critical: critical)
            else {
                unreadable += 1
                continue
            }
            changes.append(TargetChange(at: at, targets: targets))
        }
        return (changes, unreadable)
    }
}

private let insertion = """
    INSERT INTO app_target (app, recorded_at, target, critical)
    SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM app_target WHERE app = ?1 AND recorded_at >= ?2)
        AND NOT EXISTS (
            SELECT 1 FROM (
                SELECT target, critical FROM app_target WHERE app = ?1 ORDER BY recorded_at DESC LIMIT 1
            ) WHERE target = ?3 AND critical = ?4)
    """

private let reading = """
    SELECT recorded_at, target, critical FROM app_target WHERE app = ?1 AND recorded_at <= ?2 ORDER BY recorded_at
    """
