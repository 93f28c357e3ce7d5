import Analysis
package import AppHealth

/// Two releases that have a page beside each other.
package struct ComparedReleases: Hashable, Sendable {
    /// The one that came out later.
    package let later: Release
    /// The one that came out earlier.
    package let earlier: Release

    /// Whether a release is one of the two.
    func holds(_ label: String) -> Bool {
        later.version.label == label || earlier.version.label == label
    }
}

/// The pairs of releases that have a page: each release with the one that came out before it, and with those that
/// its verdict compares it with.
///
/// So there are at most four pages for a release. Only releases of which something was ever counted take part, and
/// they are ordered by when they came out, so that a pair stays one as long as both releases are in the report: a
/// later release or a later day takes no pair away.
func comparedReleases(
    _ releases: [Release], _ judgements: [String: ReleaseEvaluation], sessions: [String: [CivilDate: Int]],
    _ seen: SeenIssues
) -> [ComparedReleases] {
    let counted = releases.filter { release in
        let label = release.version.label
        return sessions[label]?.values.contains { $0 > 0 } == true || (release.lifetime?.sessions ?? 0) > 0
            || !seen.issues(in: label).isEmpty
    }
    let ordered = counted.sorted { first, second in
        let days = [first, second].map { cameOut($0, sessions) ?? CivilDate(daysSinceEpoch: 0) }
        return days[0] != days[1] ? days[0] < days[1] : first.version < second.version
    }
    let places = Dictionary(
        ordered.enumerated().map { ($1.version.label, $0) }, uniquingKeysWith: { first, _ in first })
    let pairs = ordered.indices.flatMap { place -> [PlacePair] in
        let peers = judgements[ordered[place].version.label]?.basis?.comparison?.peers ?? []
        let others = peers.compactMap { places[$0.label] } + [place - 1]
        return others.filter { $0 >= 0 && $0 != place }.map { PlacePair(place, $0) }
    }
    return Set(pairs).sorted().map {
        ComparedReleases(later: ordered[$0.later], earlier: ordered[$0.earlier])
    }
}

/// Two places in the order of releases; pairs of the newest come first, with the nearest before the others.
private struct PlacePair: Hashable, Comparable {
    let later: Int
    let earlier: Int

    init(_ one: Int, _ other: Int) {
        later = max(one, other)
        earlier = min(one, other)
    }

    static func < (left: PlacePair, right: PlacePair) -> Bool {
        (left.later, left.earlier) > (right.later, right.earlier)
    }
}

/// The day on which a release came out, or the first of which sessions of it are known.
private func cameOut(_ release: Release, _ sessions: [String: [CivilDate: Int]]) -> CivilDate? {
    release.releasedAt?.date ?? sessions[release.version.label]?.keys.min()
}

extension AppReport {
    /// The pair of a release and the one that came out before it; nil for the first.
    func pairBefore(_ label: String) -> ComparedReleases? {
        pairs.first { $0.later.version.label == label }
    }

    /// The address of the page of a pair.
    package func path(of pair: ComparedReleases) -> SitePath {
        .compare(pair.earlier.version.label, with: pair.later.version.label, of: app.id)
    }
}
