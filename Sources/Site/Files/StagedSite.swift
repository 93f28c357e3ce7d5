import Configuration
package import Diagnostics
import Files
import Platform
import Synchronization

/// A site being written next to the one that visitors see; it takes its place by one rename.
///
/// Killed at any moment, the old site is whole: everything is written to a folder next to it that has a random
/// name and a lock of its own, and is on the disk before it takes the place. What a killed build left is removed
/// by a later one, once its lock can be taken.
package final class StagedSite: Sendable {
    /// The folder of the site.
    package var output: String { place.output }
    /// The folder that is written to.
    var staging: String { stagingFolder.path }
    /// What is worth reporting before the old site goes.
    package let notices: [Diagnostic]

    let place: SitePlace
    let policy: OutputPolicy
    /// What the build before left, as far as it is known.
    let kept: KeptBuild?
    /// Whether a file with the bytes of the old site's is that file.
    private let keepsEqual: Bool
    /// What was in the folder when the build began.
    let old: OldSite
    /// The staging folder itself: writing through it fails when it is gone, whatever has its name.
    private var folder: OpenFolder { stagingFolder.folder }
    private let stagingFolder: StagingFolder
    private let outputLock: FileLock
    private let written = Mutex(WrittenFiles())
    /// The files of the old site in the branches that are written.
    private let oldFiles = Mutex<[SiteBranch: [String: OldSite.File]]>([:])
    /// The paths of files of the old site that are files of the new one too.
    private let reused = Mutex<Set<String>>([])

    /// Makes an empty staging folder next to the site.
    ///
    /// - Throws: a `Diagnostic` when the place holds what the policy does not let go, when another build writes the
    ///   same site, or when nothing can be written there.
    package convenience init(output: String, _ policy: OutputPolicy = OutputPolicy()) throws(Diagnostic) {
        try self.init(try HeldSite(output: output, policy), keepsEqual: false)
    }

    /// The same.
    ///
    /// - Parameter keepsEqual: whether a file with the bytes of the old site's is that file, with its times, rather than
    ///   a new one.
    init(_ held: HeldSite, keepsEqual: Bool) throws(Diagnostic) {
        (place, policy, kept, outputLock) = (held.place, held.policy, held.kept, held.lock)
        self.keepsEqual = keepsEqual
        old = OldSite(held.look)
        let (folder, late) = try diagnosed { () throws(FileFailure) in
            try StagingFolder.make(for: held, fromSpare: keepsEqual)
        }
        stagingFolder = folder
        notices = held.notices + [late].compactMap(\.self)
    }

    /// Writes a file of the site; folders are made as needed. No file takes the place of another: two pages with one
    /// address are a failure, not the page that came last.
    func write(_ path: String, _ bytes: some Collection<UInt8>) throws(FileFailure) {
        try write(path, bytes, SiteManifest.File(bytes))
    }

    /// The same of a file of which size and digest are known.
    func write(
        _ path: String, _ bytes: some Collection<UInt8>, _ file: SiteManifest.File
    ) throws(FileFailure) {
        let branch = SiteBranch(of: path)
        let known = keepsEqual ? (try? oldFiles(of: branch))?[path] : nil
        let equal = known.flatMap { $0.file == file ? $0 : nil }
        try claim(path, in: branch, file, equal)
        if stagingFolder.isCurrent {
            if equal == nil { try folder.replace(path, bytes) }
        } else if let equal, (try? folder.link(equal.entry, from: output)) != nil {
            noteOtherName(of: path)
        } else {
            try folder.write(path, bytes)
        }
    }

    /// - Parameter old: the file of the old site that this is.
    private func claim(
        _ path: String, in branch: SiteBranch, _ file: SiteManifest.File, _ old: OldSite.File?
    ) throws(FileFailure) {
        // Elsewhere a second name may be a copy, and gives the file another time.
        let entry = stagingFolder.isCurrent ? old?.entry : nil
        guard written.withLock({ $0.add(path, in: branch, file, entry) }) else { throw twice(path) }
    }

    private func twice(_ path: String) -> FileFailure {
        FileFailure("write a second file at", path, code: EEXIST)
    }

    /// What a build made of a branch of the old site, and no one changed since, by its paths.
    func oldFiles(of branch: SiteBranch) throws(FileFailure) -> [String: OldSite.File] {
        let result = oldFiles.withLock { known in
            Result { () throws(FileFailure) in
                if let files = known[branch] { return files }
                let files = try old.files(of: branch)
                known[branch] = files
                return files
            }
        }
        return try result.get()
    }

    /// A digest of some files that were written in a branch that is not done; nil where one was not.
    func digest(of paths: [String], in branch: SiteBranch) -> String? {
        written.withLock { written in Site.digest(of: paths) { written.digest(of: $0, in: branch) } }
    }

    /// Ends a branch: nothing is written there any more, and it takes no memory.
    ///
    /// - Returns: a digest of the files below the folders of an app.
    @discardableResult
    func end(_ branch: SiteBranch) throws(FileFailure) -> String {
        if stagingFolder.isCurrent { try removeLeft(in: branch) }
        oldFiles.withLock { $0[branch] = nil }
        let result = written.withLock { written in
            Result { () throws(FileFailure) in try written.end(branch, in: staging).digest }
        }
        return try result.get()
    }

    /// Ends every branch: no file is written any more, and none is there that was not written.
    func endAll() throws(FileFailure) {
        for branch in written.withLock(\.openBranches) where branch != .rest { try end(branch) }
        if stagingFolder.isCurrent, case .known(let listing) = old.look {
            for branch in listing.all where branch != .rest { try removeLeft(in: branch) }
        }
        try end(.rest)
    }

    /// Removes the files of the old site that were not written again, in a branch that is not done.
    private func removeLeft(in branch: SiteBranch) throws(FileFailure) {
        if written.withLock({ $0.isDone(branch) }) { return }
        let paths = try oldFiles(of: branch).keys
        let left = written.withLock { written in paths.filter { !written.has($0, in: branch) } }
        for path in left { folder.removeWithFolders(path) }
    }

    /// Why the new site must not take the place of the old one: most pages of its apps would be gone. That is how a clock
    /// that was set back, an archive that was lost, a renamed source or the misspelled id of an app looks.
    ///
    /// - Parameter apps: the apps of the new site.
    /// - Parameter isPart: whether other apps are in other folders, so that what the old site had of them says nothing.
    func refusal(ofLossOf apps: Set<SiteBranch>, isPart: Bool = false) -> Diagnostic? {
        let counted = isPart ? apps : apps.union(old.apps)
        let (was, willBe) = (old.pages(of: counted), written.withLock { $0.pages(of: counted) })
        guard !policy.loses, was >= Self.leastPages, willBe * 2 < was else { return nil }
        let gone = counted.subtracting(apps).compactMap(\.app).sorted().map { "'\($0)'" }
        let unnamed =
            gone.isEmpty ? "" : ", as no app is \(gone.prefix(3).joined(separator: ", or ")) any more"
        var refusal = Diagnostic.error(
            "site.loss",
            "Of \(was) pages of apps in the site, \(willBe) would be left\(unnamed); the previous site is unchanged",
            at: .file(path: output),
            hints: [
                "check this machine's clock, the archive and the names of apps and sources",
                "if this is meant, build with '--force'",
            ])
        refusal.gravity = .nothingDone
        return refusal
    }

    /// A site with fewer pages of apps is not worth asking for.
    private static let leastPages = 20

    /// Lets a file of the old site be one of the new one, under a second name where the file system has them. The old
    /// site keeps its own: nothing that visitors see is touched.
    func reuse(_ old: OldSite.File) throws(FileFailure) {
        let path = old.entry.path
        try claim(path, in: SiteBranch(of: path), old.file, old)
        if stagingFolder.isCurrent { return }
        try folder.link(old.entry, from: output)
        noteOtherName(of: path)
    }

    /// Lets all files below the folders of an app be those of the old site, and some in its own folder.
    func reuseFolders(of branch: SiteBranch, with plain: Set<String>) throws(FileFailure) -> Tally {
        guard stagingFolder.isCurrent, case .known(let listing) = old.look else {
            return try reuse(try oldFiles(of: branch)) { branch.isBelowFolder($0) || plain.contains($0) }
        }
        guard let known = listing.listing(of: branch) else { throw KeptListing.damage }
        var tally = Tally()
        let isWhole = known.forEach { record in
            if record.isFolder || !branch.isBelowFolder(record.path) { return true }
            tally.files += 1
            tally.bytes += Int(record.stamp.size)
            return true
        }
        guard isWhole else { throw KeptListing.damage }
        let (top, digest) = (try old.topFiles(of: branch), old.digest(of: branch))
        oldFiles.withLock { $0[branch] = top }
        guard written.withLock({ $0.keepFolders(of: branch, known, digest) }) else {
            throw twice(branch.prefix)
        }
        return try tally + reuse(top, where: plain.contains)
    }

    private func reuse(
        _ known: [String: OldSite.File], where isKept: (String) -> Bool
    ) throws(FileFailure) -> Tally {
        var tally = Tally()
        for (path, old) in known where isKept(path) {
            try reuse(old)
            tally.files += 1
            tally.bytes += old.file.size
        }
        return tally
    }

    /// A look that does not see other names needs no note of them.
    private func noteOtherName(of path: String) {
        if case .seen = old.look { _ = reused.withLock { $0.insert(path) } }
    }

    /// Puts the new site, with what is kept of the old one, in the place of the old one by one rename, when all of
    /// it is on the disk; then removes of the old one what it is known to have held.
    ///
    /// - Returns: the file of the manifest, what the site is like, and what is worth reporting.
    @discardableResult
    func swapIn() throws(Diagnostic) -> (
        manifest: SiteManifest.File, listing: NewListing?, warnings: [Diagnostic]
    ) {
        try refuseFile(output)
        let reused = reused.withLock(\.self)
        let now = try diagnosed { () throws(FileFailure) in try lookAgain(reused) }
        if case .seen(let found) = now, !policy.adopts, let refusal = found.refusal(of: output) {
            throw refusal
        }
        return try diagnosed { () throws(FileFailure) in
            let carried = try keptEntries(now)
            let (file, listing) = try record(without: try carryOver(carried), policy.names(of: carried))
            try syncTree(staging, descriptor: folder.descriptor)
            if policy.swap == .link {
                try takePlaceByLink()
                return (file, listing, keepPlace() + removeOlder() + removeSpare())
            }
            // Where it takes two renames, the next start of any command puts the old site back when this one ends between
            // them.
            let old = try putInPlace(staging, of: output, movingOldTo: staging + ".old")
            let problems = keepPlace() + (old.map { leave($0, now, reused, carried) } ?? [])
            return (file, listing, problems + removeFormer())
        }
    }

    /// Makes the new site outlive a power loss. It is in its place, so nothing ends the build any more.
    private func keepPlace() -> [Diagnostic] {
        do throws(FileFailure) {
            try syncFolder(place.parent)
            return []
        } catch {
            return [
                .warning(
                    "site.not-synced", "The new site is in place, but a power loss can undo that",
                    details: [error.diagnostic.summary], at: .file(path: output),
                    hints: ["check the disk and the file system that hold it"])
            ]
        }
    }

    /// Keeps the old site for the next build, or removes it. One that has more than what builds made is not kept.
    private func leave(
        _ old: String, _ look: SiteLook, _ reused: Set<String>, _ carried: [FolderEntry]
    ) -> [Diagnostic] {
        func remove() -> [Diagnostic] {
            [removeSite(at: old, look, of: output, linked: reused, carried: carried)].compactMap(\.self)
        }
        guard case .known(let listing) = look, carried.isEmpty, let folder = try? OpenFolder(old),
            listing.isStill(in: folder, foldersAlone: true)
        else {
            // The other has names of the same files: each that goes would be a change of them.
            return remove() + removeSpare()
        }
        let late = removeSpare()
        return kept?.keepSpare(old) == true ? late : late + remove()
    }

    /// Removes what is kept of an older site, but nothing that came to it.
    private func removeSpare() -> [Diagnostic] {
        [kept?.spare.flatMap { $0.remove(policy, of: output) }].compactMap(\.self)
    }

    /// What is in the folder of the old site by now.
    ///
    /// Where the old site stays, no file is looked up again: one that was written to meanwhile is in the new site or
    /// in the kept one, and the next build finds it there.
    private func lookAgain(_ reused: Set<String>) throws(FileFailure) -> SiteLook {
        switch old.look {
        case .known(let listing):
            if listing.isStill(output, policy, foldersAlone: stagingFolder.isCurrent) { return old.look }
            return .seen(try SiteInspection(output, policy, known: listing.stamps))
        case .seen(let before):
            return .seen(try SiteInspection(output, policy, after: before, linked: reused))
        }
    }

    /// Writes the manifest, and puts down what the site is like for the next build; every file has to be there.
    ///
    /// - Parameters:
    ///   - overruled: the files in whose place there is something that is kept.
    ///   - stays: what is kept, by the paths under which the policy has it.
    private func record(
        without overruled: Set<String>, _ stays: [String]
    ) throws(FileFailure) -> (SiteManifest.File, NewListing?) {
        guard folder.isStill(staging) else { throw FileFailure("find", staging, code: ENOENT) }
        try endAll()
        let fileMode = outputLock.file.rights.mode
        let result = written.withLock { written in
            Result { () throws(FileFailure) in
                let listing = kept?.newListing(keeping: stays, fileMode: fileMode)
                return try SiteRecord(folder, staging, overruled).write(
                    written.branches, of: written, listing)
            }
        }
        return try result.get()
    }

    /// Removes what was written; the previous site is unchanged.
    ///
    /// - Returns: where files are that somebody put into the folder of an older site, in which it was written.
    @discardableResult
    func abandon() -> [Diagnostic] { [stagingFolder.remove(of: output, kept)].compactMap(\.self) }

    /// Why the build failed, when its staging folder was taken from it; nil while the folder is there.
    var loss: Diagnostic? {
        if folder.isStill(staging) { return nil }
        return .error(
            "site.staging-lost",
            "The folder of the new site has vanished; the previous site is unchanged",
            at: .file(path: staging),
            hints: ["find out what removes files next to the site, then run it again"])
    }
}

// MARK: - Taking the place

extension StagedSite {
    /// What stays of the old site, each folder before what is in it.
    private func keptEntries(_ look: SiteLook) throws(FileFailure) -> [FolderEntry] {
        switch look {
        case .known: try folderEntries(output, named: policy.keptPaths(in: output))
        case .seen(let old): old.entries.filter { policy.keeps($0.path) }
        }
    }

    /// Puts what stays of the old site into the new one, by hard links where the file system has them; it wins
    /// over what was built under the same path.
    ///
    /// - Returns: the paths of files that it wins over.
    private func carryOver(_ entries: [FolderEntry]) throws(FileFailure) -> Set<String> {
        var overruled: Set<String> = []
        var folders: [FolderEntry] = []
        for entry in entries {
            if entry.kind == .folder {
                try folder.makeClosedFolder(entry.path)
                folders.append(entry)
            } else {
                if unlinkat(folder.descriptor, entry.path, 0) == 0 { overruled.insert(entry.path) }
                try folder.link(entry, from: output)
            }
        }
        for entry in folders.reversed() { folder.giveRights(of: entry, from: output) }
        return overruled
    }
}
