extension AppHistory {
    /// With the versions that a source counts as its releases, where no source lists any: an analytics service knows the
    /// users of each version, and has no list of them. Of such a release it is not known when it came out.
    package var withCountedReleases: AppHistory {
        guard !sources.contains(where: { $0.capturedAt != nil && $0.source.capabilities.contains(.releases) })
        else { return self }
        var history = self
        history.sources = sources.map(\.withCountedReleases)
        return history
    }
}

extension SourceHistory {
    fileprivate var withCountedReleases: SourceHistory {
        guard source.capabilities.contains(.releaseHealth) else { return self }
        let labels = Set(health.compactMap(\.version))
        guard !labels.isEmpty else { return self }
        var history = self
        history.source.capabilities.insert(.releases)
        history.releases = labels.map { Release(version: Version($0), releasedAt: nil) }
            .sorted { $0.version > $1.version }
        return history
    }
}
