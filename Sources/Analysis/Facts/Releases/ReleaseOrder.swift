import AppHealth

extension ReleaseIndex {
    /// The first day with a share of sessions of each release that was not in use before data began, by its label.
    var firstDays: [String: CivilDate] {
        Dictionary(
            lives.filter { $0.start == .known }.map { ($0.label, $0.firstDay) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The source whose list of releases is used: the first that lists any.
    var lister: SourceHistory? {
        let listers = sources.filter { $0.capturedAt != nil && $0.source.capabilities.contains(.releases) }
        return listers.first { !$0.releases.isEmpty } ?? listers.first
    }

    /// The releases of the source that lists them, and those that are counted and not in its list, the one that came out
    /// last first; of two builds of one label the newer.
    ///
    /// Of those that came out on one day the higher number comes first, whatever the hour: two lines are often released
    /// together.
    var newestFirst: [Release] {
        let listed = newestBuilds(of: lister?.releases ?? [])
        let counted = countedReleases(without: Set(listed.map(\.version.label)))
        let builds = counted.isEmpty ? listed : (listed + counted).sorted { $0.version > $1.version }
        let days = daysOfComingOut(builds)
        let order = builds.indices.sorted { first, second in
            days[first] != days[second] ? days[first] > days[second] : first < second
        }
        return order.map { builds[$0] }
    }

    /// The releases that are counted and not among those with some labels, in any order: as the source that counts them
    /// lists them, with the day of any other source that lists them where it says none.
    private func countedReleases(without listed: Set<String>) -> [Release] {
        guard let counter = counts.source, counter.source.capabilities.contains(.releaseHealth) else {
            return []
        }
        let labels = Set(counts.health.keys.lazy.map(\.version)).subtracting(listed)
        guard !labels.isEmpty else { return [] }
        let own = releasesByLabel(newestBuilds(of: counter.releases))
        let dated = releasesByLabel(
            sources.flatMap { newestBuilds(of: $0.releases) }.filter { $0.releaseDay != nil })
        return labels.map { label in
            var release = own[label] ?? Release(version: Version(label), releasedAt: nil)
            if release.releaseDay == nil, let other = dated[label] {
                (release.releasedAt, release.releasedOn) = (other.releasedAt, other.releasedOn)
            }
            return release
        }
    }

    /// The listed releases that another source counts under other names: those that are the version of one that is counted,
    /// and all of a list of which it counts none.
    ///
    /// - Parameter counted: the labels of the releases of which anything was counted.
    func countedOtherwise(counted: Set<String>) -> Set<String> {
        guard let lister = lister, let counter = counts.source, !counted.isEmpty,
            lister.source.id != counter.source.id
        else { return [] }
        let labels = lister.releases.map(\.version.label)
        let uncounted = Set(labels).subtracting(counted)
        if uncounted.count == Set(labels).count { return uncounted }
        let versions = Set(counted.lazy.map { Version($0).withoutBuild })
        return uncounted.filter { versions.contains(Version($0).withoutBuild) }
    }

    /// On which day each of some releases came out, these in the order of their numbers, the highest first: on that which
    /// the source says, unless it is still to come, else on the first one with a share of sessions.
    ///
    /// Where neither is known, as of a release of which a few sessions alone are, it is held to have followed the one with
    /// the number before it; not after its own first session, nor after the one with the number that follows.
    private func daysOfComingOut(_ releases: [Release]) -> [CivilDate] {
        let lives = Dictionary(
            lives.map { ($0.label, $0) }, uniquingKeysWith: { first, _ in first })
        let begins = firstDays
        var latest = CivilDate(daysSinceEpoch: .max)
        let bounded = releases.map { release -> (known: CivilDate?, latest: CivilDate) in
            let label = release.version.label
            let known = withoutDayToCome(release).releaseDay ?? begins[label]
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

/// The first of those that share a label, with the earliest day of them all: a version came out with its first build, and
/// a build that follows makes it no new release.
private func newestBuilds(of releases: [Release]) -> [Release] {
    var places: [String: Int] = [:]
    var newest: [Release] = []
    for release in releases {
        guard let place = places[release.version.label] else {
            places[release.version.label] = newest.count
            newest.append(release)
            continue
        }
        guard let day = release.releasedAt, newest[place].releasedAt.map({ day < $0 }) ?? true else {
            continue
        }
        (newest[place].releasedAt, newest[place].releasedOn) = (day, release.releasedOn)
    }
    return newest
}

private func releasesByLabel(_ releases: [Release]) -> [String: Release] {
    Dictionary(releases.map { ($0.version.label, $0) }, uniquingKeysWith: { first, _ in first })
}
