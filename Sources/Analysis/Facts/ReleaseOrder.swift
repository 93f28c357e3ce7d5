import AppHealth

extension HistoryIndex {
    /// The first day with a share of sessions of each release that was not in use before data began, by its label.
    var firstDaysOfReleases: [String: CivilDate] {
        Dictionary(
            releaseLives.filter { $0.start == .known }.map { ($0.label, $0.firstDay) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The releases of the first source that lists any, the one that came out last first; of two builds of one label the
    /// newer.
    ///
    /// Of those that came out on one day the higher number comes first, whatever the hour: two lines are often released
    /// together.
    var releasesNewestFirst: [Release] {
        let source = sources.first { $0.capturedAt != nil && $0.source.capabilities.contains(.releases) }
        var seen: Set<String> = []
        let builds = (source?.releases ?? []).filter { seen.insert($0.version.label).inserted }
        let days = daysOfComingOut(builds)
        let order = builds.indices.sorted { first, second in
            days[first] != days[second] ? days[first] > days[second] : first < second
        }
        return order.map { builds[$0] }
    }

    /// On which day each of some releases came out, these in the order of their numbers, the highest first: on that which
    /// the source says, else on the first one with a share of sessions.
    ///
    /// Where neither is known, as of a release of which a few sessions alone are, it is held to have followed the one with
    /// the number before it; not after its own first session, nor after the one with the number that follows.
    private func daysOfComingOut(_ releases: [Release]) -> [CivilDate] {
        let lives = Dictionary(
            releaseLives.map { ($0.label, $0) }, uniquingKeysWith: { first, _ in first })
        let begins = firstDaysOfReleases
        var latest = CivilDate(daysSinceEpoch: .max)
        let bounded = releases.map { release -> (known: CivilDate?, latest: CivilDate) in
            let label = release.version.label
            let known = release.releaseDay ?? begins[label]
            let bound = min(latest, lives[label]?.firstDay ?? latest)
            latest = known ?? latest
            return (known, bound)
        }
        var day = CivilDate(daysSinceEpoch: 0)
        let oldestFirst = bounded.reversed().map { release in
            day = release.known ?? min(day, release.latest)
            return day
        }
        return oldestFirst.reversed()
    }
}
