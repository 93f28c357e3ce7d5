package import AppHealth
package import Diagnostics

/// A source that counts sessions by version, of which none is a release of the source that lists these, as both write
/// versions in their own way.
package struct UnmatchedVersions: Hashable, Codable, Sendable {
    /// The source that counts.
    package let id: Slug
    /// The source that lists the releases.
    package let lister: Slug
    /// A version as the first one writes it, the one with most sessions or users.
    package let counted: String
    /// The same version as the other one has it.
    package let listed: String

    /// Of an app as it was counted in the last weeks; nil where any version is a release, or none looks like one.
    package init?(_ index: HistoryIndex) {
        let first = index.lastDay.advanced(by: -HistoryIndex.latelySpan)
        var sessions: [String: Int] = [:]
        for (key, day) in index.releaseHealth where key.date > first {
            sessions[key.version, default: 0] &+= max(0, day.sessions ?? day.users ?? 0)
        }
        let used = sessions.filter { $0.value > 0 }
        guard let source = index.rates.releases?.source.id, !used.isEmpty else { return nil }
        let releases = index.sources.flatMap(\.releases)
        guard !releases.contains(where: { used[$0.version.label] != nil }) else { return nil }
        let listers = index.sources.filter { $0.source.id != source }
        for (label, _) in used.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            let version = Version(label).withoutBuild
            for lister in listers {
                let same = lister.releases.first { $0.version.withoutBuild == version }
                guard let same else { continue }
                (id, self.lister) = (source, lister.source.id)
                (counted, listed) = (label, same.version.label)
                return
            }
        }
        return nil
    }

    /// What to report of it.
    package func problem(of app: Slug) -> Diagnostic {
        .warning(
            "source.versions",
            "\(app): no version that '\(id)' counts is a release of '\(lister)'",
            details: ["the same version is '\(counted)' in one and '\(listed)' in the other"],
            hints: [
                "write versions the same way in both, so that releases get their sessions, rates and verdicts"
            ])
    }
}
