import AppHealth

// Many tables have the build in the name of a release, `3.7.0 (371)`, as Firebase writes it. Other sources have version and
// build apart: by the version releases of several sources are one, so that the builds of one version are one release.

extension [(version: Version, first: CivilDate?)] {
    /// One for each version: its highest build, and the first day of any; nil where that of one of them is not known.
    ///
    /// A version is not among them where the archive has all of its builds. Where it has some, the day is nil, so that the
    /// stored one stays.
    ///
    /// - Parameter isStored: Whether the archive has a build with such a first day.
    func withBuildsTogether(but isStored: (CivilDate?) -> Bool) -> Self {
        grouped(self) { $0.version.label }.compactMap { builds in
            let stored = builds.count { isStored($0.first) }
            guard stored < builds.count, let newest = builds.map(\.version).max() else { return nil }
            guard stored == 0 else { return (newest, nil) }
            let days = builds.compactMap(\.first)
            return (newest, days.count == builds.count ? days.min() : nil)
        }
    }
}

extension [HealthDay] {
    /// The days of versions: sessions of builds are added up, and users are kept where one build ran, for one of two builds
    /// may be in both. So may be a session: no version has more than the app.
    func withBuildsTogether(of app: [HealthDay]) -> [HealthDay] {
        let totals = Dictionary(app.map { ($0.date, $0) }) { first, _ in first }
        return ofVersions(self, \.date.daysSinceEpoch, \.version) { builds in
            var day = builds[0]
            let total = totals[day.date]
            let ran = builds.filter { ($0.sessions ?? 0) > 0 }
            let only = ran.count == 1 ? ran[0] : nil
            day.sessions = atMost(total?.sessions, checkedSum(builds.map(\.sessions)))
            day.crashedSessions = atMost(
                total?.crashedSessions, checkedSum(builds.map(\.crashedSessions)))
            day.crashes = checkedSum(builds.map(\.crashes))
            (day.users, day.crashedUsers) = (only?.users, only?.crashedUsers)
            day.namedShare = only?.namedShare
            return day
        }
    }
}

extension [IssueDay] {
    /// The days of issues by version: events of builds are added up, and users are kept where one build had events.
    var withBuildsTogether: [IssueDay] {
        ofVersions(self, { "\($0.date) \($0.issue)" }, \.version) { builds in
            var day = builds[0]
            let seen = builds.filter { ($0.events ?? 0) > 0 }
            day.events = checkedSum(builds.map(\.events))
            day.users = seen.count == 1 ? seen[0].users : nil
            day.namedShare = seen.count == 1 ? seen[0].namedShare : nil
            return day
        }
    }
}

/// The rows with versions in place of labels, those of several builds of one version put together. Rows of the same label
/// stay apart: they are no builds.
private func ofVersions<Row, Key: Hashable>(
    _ rows: [Row], _ key: (Row) -> Key, _ label: WritableKeyPath<Row, String?>,
    _ together: ([Row]) -> Row
) -> [Row] {
    let named: [(row: Row, version: String?)] = rows.map { row in
        (row: row, version: row[keyPath: label].map { Version(withBuildIn: $0).label })
    }
    let groups = grouped(named) { VersionRow(key: key($0.row), version: $0.version) }
    return groups.flatMap { group -> [Row] in
        let builds = Set(group.map { $0.row[keyPath: label] })
        let rows = group.map { named -> Row in
            var row = named.row
            row[keyPath: label] = named.version
            return row
        }
        return rows.count > 1 && builds.count == rows.count ? [together(rows)] : rows
    }
}

private struct VersionRow<Key: Hashable>: Hashable {
    var key: Key
    var version: String?
}

/// The rows with the same key, in the order in which each key comes first.
private func grouped<Row, Key: Hashable>(_ rows: [Row], by key: (Row) -> Key) -> [[Row]] {
    var places: [Key: Int] = [:]
    var groups: [[Row]] = []
    for row in rows {
        let place = places[key(row), default: groups.count]
        if place == groups.count { groups.append([]) }
        places[key(row)] = place
        groups[place].append(row)
    }
    return groups
}

private func atMost(_ most: Int?, _ count: Int?) -> Int? {
    guard let most, let count else { return count }
    return min(most, count)
}
