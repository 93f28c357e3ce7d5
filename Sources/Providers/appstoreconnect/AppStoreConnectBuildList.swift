import AppHealth

/// A build that was processed, with the platform that it is of.
struct AppStoreConnectBuild: Sendable {
    var release: Release
    /// As the service names it: `IOS`; nil where it does not say.
    var platform: String?
}

/// The builds of one app. A universal purchase has those of several platforms under one Apple ID: a version of each, with
/// the same numbers or others.
struct AppStoreConnectBuildList {
    /// The builds of the app's platforms; all of them where these are not known, or have none.
    let own: [AppStoreConnectBuild]
    /// The versions that other platforms alone have.
    let foreign: Set<String>
    /// The platforms that builds are of, by the service's names.
    let platforms: [String]
    /// The platforms of the app; empty where it names none.
    private let wanted: Set<String>

    /// - Parameter wanted: The platforms of the app.
    init(_ all: [AppStoreConnectBuild], of wanted: Set<String>) {
        self.wanted = wanted
        platforms = Set(all.compactMap(\.platform)).sorted()
        let found = all.filter { build in build.platform.map(wanted.contains) ?? true }
        own = found.isEmpty || wanted.isEmpty ? all : found
        let labels = Set(own.map(\.release.version.label))
        foreign = Set(all.map(\.release.version.label)).subtracting(labels)
    }

    /// Whether builds are of several platforms, and which of them are the app's is not known.
    var isMixed: Bool { wanted.isEmpty && platforms.count > 1 }

    /// Whether the app's platforms have no build, and others have.
    var isOfOthers: Bool {
        !wanted.isEmpty && !platforms.isEmpty && wanted.isDisjoint(with: platforms)
            && own.allSatisfy { $0.platform != nil }
    }

    /// One release for each version that was built: the build that was uploaded last. Where builds of two platforms have one
    /// version, neither is its build.
    var releases: [Release] {
        Dictionary(grouping: own, by: \.release.version.label).map { label, builds in
            guard Set(builds.compactMap(\.platform)).count < 2,
                let last = builds.map(\.release).max(by: { isEarlier($0, $1) })
            else { return Release(version: Version(label), releasedAt: nil) }
            return last
        }
    }
}

/// The service's names of the platforms that a text names, such as `ios`; none where it names none.
func appStoreConnectPlatforms(namedIn text: String) -> Set<String> {
    Set(text.lowercased().split { !$0.isLetter }.compactMap { platformNames[String($0)] })
}

private let platformNames = [
    "ios": "IOS", "iphone": "IOS", "iphoneos": "IOS", "ipad": "IOS", "ipados": "IOS", "watchos": "IOS",
    "mac": "MAC_OS", "macos": "MAC_OS", "osx": "MAC_OS", "catalyst": "MAC_OS", "maccatalyst": "MAC_OS",
    "tv": "TV_OS", "tvos": "TV_OS", "vision": "VISION_OS", "visionos": "VISION_OS",
]

private func isEarlier(_ first: Release, _ second: Release) -> Bool {
    func time(_ release: Release) -> Instant {
        release.releasedAt ?? Instant(secondsSinceEpoch: .min)
    }
    return (time(first), first.version) < (time(second), second.version)
}
