import AppHealth

/// On which day each release came out, as its first row says unless the clock of a device was behind.
struct ReleaseDays {
    let begin: DataBegin
    let window: WarehouseWindow
    let earlier: StoredWarehouse
    /// The sessions of each version by day, by its label.
    let sessions: [String: [CivilDate: Int]]
    /// Whether first days are those of rows, each of its release: not what a query of one's own says, nor one day for all.
    let areOfRows: Bool

    /// The day of the first row of a release, or where no more than a clock says it, the first day on which it was in use.
    func first(of version: Version, _ first: CivilDate) -> CivilDate? {
        guard let begin = begin.day else { return first }
        if first < begin {
            return areOfRows ? firstUse(of: version, since: begin).flatMap { $0 > begin ? $0 : nil } : nil
        }
        let start = window.days.lowerBound
        guard areOfRows, first < start else { return first }
        let use: CivilDate?
        if window.isFirst {
            // One that many use since a day within the history did not come out before it.
            let run = FirstRun(sessions[version.label] ?? [:])?.day
            use = run.flatMap { start.advanced(by: FirstRun.pause) < $0 ? $0 : nil }
        } else if earlier.hasReleases, !earlier.has(version) {
            // Had it been there before the window, an earlier fetch would have stored it.
            use = firstUse(of: version, since: start).flatMap { $0 > start ? $0 : nil }
        } else {
            use = nil
        }
        return use ?? first
    }

    /// Whether no more than the clock of a device says that a release is there: no earlier fetch saw it, nor has it a session
    /// on the days that are read.
    func isOfClock(_ version: Version, _ first: CivilDate?) -> Bool {
        guard areOfRows, !window.isFirst, earlier.hasReleases, !earlier.has(version), !sessions.isEmpty,
            let first
        else { return false }
        let uses = sessions[version.label] ?? [:]
        return first < window.days.lowerBound && uses.allSatisfy { $0.value == 0 }
    }

    /// The first day of all data, given those of its releases.
    func firstOfAll(_ firsts: [CivilDate]) -> CivilDate? { begin.isShown ? begin.day : firsts.min() }

    /// The day on which a release came out; nil for one that was there on the first day of all data.
    ///
    /// What is stored moves to an earlier day only where that is one of those that were requested.
    func day(of version: Version, first: CivilDate?, firstOfAll: CivilDate?) -> CivilDate? {
        let isOld = earlier.has(version) && first.map { $0 < window.days.lowerBound } ?? false
        return earlier.releaseDay(of: version, first: isOld || first == firstOfAll ? nil : first)
    }

    private func firstUse(of version: Version, since day: CivilDate) -> CivilDate? {
        let rows = (sessions[version.label] ?? [:]).filter { $0.key >= day && $0.value > 0 }
        return FirstRun(rows)?.day ?? rows.keys.min()
    }
}
