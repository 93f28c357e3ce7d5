package import AppHealth

/// A source that counts sessions by version, of which none is a release of the source that lists these, as both write
/// versions in their own way.
package struct UnmatchedVersions: Hashable, Codable, Sendable {
    /// The source that counts.
    package let id: Slug
    /// The source that lists the releases.
    package let lister: Slug
    /// A version as the first one writes it: one that the other has in another way, else that with most sessions or users.
    package let counted: String
    /// The same version as the other one has it; nil where none of its releases looks like one that is counted.
    package let listed: String?

    /// Of an app as it was counted in the last weeks; nil where any version is a release of the source that lists them, and
    /// where that is the one that counts.
    package init?(_ index: HistoryIndex) {
        let first = index.lastDay.advanced(by: -HistoryIndex.latelySpan)
        var sessions: [String: Int] = [:]
        for (key, day) in index.releases.counts.health where key.date > first {
            sessions[key.version, default: 0] &+= max(0, day.sessions ?? day.users ?? 0)
        }
        let used = sessions.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(
            \.key)
        guard let source = index.rates.sources.releases?.source.id, let lister = index.releases.lister,
            let most = used.first, lister.source.id != source, !lister.releases.isEmpty
        else { return nil }
        let labels = Set(lister.releases.map(\.version.label))
        guard labels.isDisjoint(with: used) else { return nil }
        let alike = used.lazy.compactMap { label in
            let version = Version(label).withoutBuild
            return lister.releases.first { $0.version.withoutBuild == version }.map {
                (label, $0.version.label)
            }
        }.first
        (id, self.lister) = (source, lister.source.id)
        (counted, listed) = (alike?.0 ?? most, alike?.1)
    }
}
