import Files
import Platform

/// Builds once, and again after each look that finds the sources of a site changed, or the site gone that was there.
///
/// A build that failed is tried again when the site in its folder is another one, and else after some looks, each time
/// after twice as many up to `mostLooks`: a full disk, a folder in the way or a lock are gone without a change of a source.
///
/// - Parameters:
///   - sources: What the site is made from at this moment, and the folder of the site itself.
///   - build: Builds the site; false when that failed. What changes while it does is found by the next look.
///   - pause: Waits until the next look; false ends it all.
package func keepBuilding(
    from sources: () -> (paths: [String], site: String), build: () async -> Bool, pause: () async -> Bool
) async {
    var files = WatchedFiles()
    var isFirst = true
    // After a build that made no site the next change is waited for.
    var before = SiteState()
    var retry: Retry?
    repeat {
        let (paths, site) = sources()
        let haveChanged = files.haveChanged(paths, without: site)
        let state = SiteState(of: site)
        let isGone = before.isThere && !state.isThere
        let isDue = retry?.isDue(afterChange: state != before) ?? false
        if haveChanged || isFirst || isGone || isDue {
            let isBuilt = await build()
            before = SiteState(of: sources().site)
            retry = isBuilt ? nil : haveChanged ? Retry() : retry ?? Retry()
            retry?.addFailure()
        }
        isFirst = false
    } while await pause()
}

/// When a build that failed is tried again.
private struct Retry {
    /// The most looks between two attempts.
    private static let mostLooks = 64
    private var wait = 0
    private var looks = 0

    /// Counts a look; whether it is time.
    ///
    /// - Parameter hasChanged: whether the site is another one than after the failure.
    mutating func isDue(afterChange hasChanged: Bool) -> Bool {
        looks += 1
        return hasChanged || looks >= wait
    }

    /// Waits for the next look after the first failure, and twice as long after each further one.
    mutating func addFailure() {
        wait = min(max(wait * 2, 1), Self.mostLooks)
        looks = 0
    }
}

/// What is in the folder of a site, as far as a look at the folder itself shows it.
private struct SiteState: Equatable {
    /// Whether a site is in it.
    private(set) var isThere = false
    private var node: UInt?
    private var changed: [Int] = []

    init() {}

    init(of site: String) {
        isThere = pathKind(site + "/index.html") == .file
        var status = stat()
        guard stat(site, &status) == 0 else { return }
        node = UInt(status.st_ino)
        changed = [status.written.tv_sec, status.written.tv_nsec]
    }
}
