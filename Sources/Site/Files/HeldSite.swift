import Configuration
import Diagnostics
import Files

/// The right to write a site, with what is in its folder before a build replaces it.
struct HeldSite: Sendable {
    let place: SitePlace
    let policy: OutputPolicy
    /// What is worth reporting before the old site goes.
    let notices: [Diagnostic]
    /// What the build before left, as far as it is known.
    let kept: KeptBuild?
    let lock: FileLock
    /// What a look at the folder showed.
    let look: SiteLook

    /// Takes the right, removes what killed builds left, and looks at the folder.
    ///
    /// - Parameter kept: what the build before left, as far as it is known.
    /// - Throws: a `Diagnostic` when the place holds what the policy does not let go, or when another build writes the
    ///   same site.
    init(output path: String, _ policy: OutputPolicy, _ kept: KeptBuild? = nil) throws(Diagnostic) {
        let place = SitePlace(path, policy.swap)
        let output = place.output
        (self.place, self.policy, self.kept) = (place, policy, kept)
        try refuseFile(output)
        if isMountPoint(output) {
            throw .error(
                "site.mount-point", "The site folder is a mount point, which cannot be replaced as a whole",
                details: ["nothing was built; what is in it is unchanged"], at: .file(path: output),
                hints: ["let 'output' name a folder in it, such as \(output)/site"])
        }
        try diagnosed { () throws(FileFailure) in try makeFolder(place.parent) }
        lock = try lockSite(output, waiting: policy.waitSeconds)
        let late = removeLeftovers(of: place, kept)
        let change = policy.swap == .link ? StagedSite.becomesLink(place) : nil
        let (known, mode) = (kept?.listing, lock.file.rights.mode)
        if let known, known.fileMode == mode, known.isStill(output, policy) {
            look = .known(known)
            notices = late + [change].compactMap(\.self)
            return
        }
        let seen = try diagnosed { () throws(FileFailure) in
            try SiteInspection(output, policy, known: known?.stamps ?? [:], fileMode: mode)
        }
        if !policy.adopts, let refusal = seen.refusal(of: output) { throw refusal }
        look = .seen(seen)
        notices = late + [seen.takeover(of: output), change].compactMap(\.self)
    }

    /// A digest of the manifest of the site, when it is just as its build left it; nil otherwise.
    var digest: String? {
        switch look {
        case .known(let listing): listing.manifest
        case .seen(let inspection): inspection.digest
        }
    }
}
