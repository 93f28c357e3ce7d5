import AppHealth

/// One release for each label, with its newest build. A release's time is when it was said to be released,
/// otherwise when the service first knew of it, as the service itself orders releases.
func releases(_ items: [SentryReleaseItem]) -> [Release] {
    let named = items.filter { !$0.version.text.isEmpty }
    let known = named.map {
        (version: sentryVersion($0.version.text, info: $0.info?.value), item: $0)
    }
    return Dictionary(grouping: known, by: { $0.version.label }).compactMap { label, builds in
        guard let newest = builds.map(\.version).max() else { return nil }
        let times = builds.compactMap { $0.item.released?.instant ?? $0.item.created?.instant }
        return Release(version: newest, releasedAt: times.min())
    }
    .sorted { $0.version > $1.version }
}
