import AppHealth

/// The version inside the name of a release as Sentry's SDKs write it, `package@version+build`, whose package or build may
/// be absent; a name of another form is the label as it is. Nil when it is empty.
func version(ofRelease name: String) -> Version? {
    guard !name.isEmpty else { return nil }
    let whole = name.lastIndex(of: "@").map { name[name.index(after: $0)...] } ?? name[...]
    guard !whole.isEmpty else { return Version(name) }
    guard let plus = whole.lastIndex(of: "+"), plus != whole.startIndex else {
        return Version(String(whole))
    }
    let build = whole[whole.index(after: plus)...]
    return build.isEmpty ? Version(String(whole)) : Version(String(whole[..<plus]), build: String(build))
}

/// One release for each label, with its newest build and the date of its first one, newest first.
func releases(of builds: [(version: Version, date: Instant?)]) -> [Release] {
    Dictionary(grouping: builds, by: \.version.label).values.compactMap { builds in
        builds.map(\.version).max().map {
            Release(version: $0, releasedAt: builds.compactMap(\.date).min())
        }
    }
    .sorted { $0.version > $1.version }
}
