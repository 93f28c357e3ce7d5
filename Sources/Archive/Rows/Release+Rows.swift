import AppHealth

extension RevisionTable {
    static let releases = RevisionTable(
        "release", key: ["version_id"],
        values: ["released_at", "has_lifetime", "sessions", "crashed_sessions", "sessions_last_day"])
}

extension RevisionWriter {
    mutating func write(_ release: Release) throws -> Bool {
        let totals = release.lifetime
        return try write(
            [
                Field(release.releasedAt?.secondsSinceEpoch), Field(totals == nil ? 0 : 1),
                Field(totals?.sessions), Field(totals?.crashedSessions), Field(totals?.sessionsLastDay),
            ],
            of: [Field(source), Field(try id(of: release.version))], to: .releases)
    }
}

extension RevisionReader {
    /// Releases, newest version first.
    mutating func releases() throws -> [Release] {
        let releases = try rows(of: .releases) { columns in
            let version = try columns.version()
            let releasedAt = try columns.optionalInstant()
            let hasLifetime = try columns.integer() != 0
            let totals = ReleaseTotals(
                sessions: try columns.optionalInteger(), crashedSessions: try columns.optionalInteger(),
                sessionsLastDay: try columns.optionalInteger())
            return Release(version: version, releasedAt: releasedAt, lifetime: hasLifetime ? totals : nil)
        }
        return releases.sorted { $0.version > $1.version }
    }
}
