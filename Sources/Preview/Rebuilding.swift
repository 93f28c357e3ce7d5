/// Builds once, and again after each look that finds the sources of a site changed.
///
/// - Parameters:
///   - sources: What the site is made from at this moment, and the folder of the site itself.
///   - build: Builds the site. What changes while it does is found by the next look.
///   - pause: Waits until the next look; false ends it all.
package func keepBuilding(
    from sources: () -> (paths: [String], site: String), build: () async -> Void, pause: () async -> Bool
) async {
    var files = WatchedFiles()
    var isFirst = true
    repeat {
        let (paths, site) = sources()
        let haveChanged = files.haveChanged(paths, without: site)
        if haveChanged || isFirst { await build() }
        isFirst = false
    } while await pause()
}
