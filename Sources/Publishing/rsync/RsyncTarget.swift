import Diagnostics
import Files
import Platform
import Settings
import Transport

extension TargetDescriptor {
    /// A folder of another machine, by the program rsync.
    package static let rsync = TargetDescriptor(
        BlockSchema(
            "rsync", title: "rsync", summary: "A folder on another machine, by the program rsync",
            keys: [
                .required(
                    "destination", .textOrVariable, example: "report@www.example:/srv/www/stability",
                    "the folder: user@host:/path over ssh, or rsync://user@host/module/path"),
                .optional("port", .number(1...65_535), else: "22", "port of ssh"),
            ] + SSHProgram.keys + [
                .optional(
                    "password", .secret(.variable), example: "RSYNC_PASSWORD", "password of an rsync daemon"),
                .optional(
                    "timeLimit", .number(1...86_400), else: "3600", "seconds after which rsync is ended"),
            ], usesTLS: false),
        needs: "The program rsync here and there, and a login or a module that may write to the folder"
    ) { setup throws(Diagnostic) in
        let destination = try setup.required("destination")
        let place = try RsyncPlace(destination)
        return RsyncTarget(
            location: place,
            access: RsyncAccess(
                ssh: SSHProgram(setup, port: setup.text("port").flatMap { Int($0) }),
                password: setup.secret("password")),
            folder: setup.folder, environment: setup.environment,
            mostSeconds: setup.number("timeLimit", else: 3600))
    }
}

/// A folder of another machine; rsync gives each file its place by a rename, all of one stage at once.
struct RsyncTarget: Target {
    let location: RsyncPlace
    let access: RsyncAccess
    let folder: String
    let environment: [String: String]
    let mostSeconds: Int
    /// What the other machine refuses.
    let refusals = RsyncRefusals()

    init(
        location: RsyncPlace, access: RsyncAccess, folder: String, environment: [String: String],
        mostSeconds: Int
    ) {
        (self.location, self.access, self.folder) = (location, access, folder)
        (self.environment, self.mostSeconds) = (environment, mostSeconds)
    }

    var place: String { location.text }

    // MARK: What is there

    func lastPublication() async throws(Diagnostic) -> LastPublication? {
        guard let bytes = try await readManifest() else { return nil }
        return LastPublication(
            try PublicationManifest(bytes, at: place), revision: contentHash(bytes))
    }

    private func readManifest() async throws(Diagnostic) -> [UInt8]? {
        let scratch = try ScratchFolder()
        let name = PublicationManifest.fileName
        let most = PublicationManifest.mostBytes
        let result = try await rsync(
            ["--times", "--max-size=\(most)", location.text + name, scratch.path + "/"], scratch)
        if result.status == 0 {
            let file = "\(scratch.path)/\(name)"
            // A larger one is skipped, which is no failure of rsync's.
            if fileKind(file) == .missing { throw fileProblem("read", location.text + name, code: EFBIG) }
            return try readLocalFile(file, limit: most)
        }
        // 23 is a partial transfer: of the one file that was requested, none came.
        guard result.status == 23 || result.isOfRrsync, result.errors.contains("No such file or directory")
        else {
            throw failure(result, "read what was published to")
        }
        return nil
    }

    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles {
        let files = Set(plan.uploads.map(\.file.path))
        let emptied = Set(plan.removals.flatMap(\.folders))
        guard !files.isEmpty || !emptied.isEmpty else { return ForeignFiles() }
        let there = try await listing(files.union(files.flatMap(\.folders)).union(emptied))
        var found = Set(there.filter { $0.value != .folder }.keys)
        let folders = there.filter { $0.value == .folder && files.contains($0.key) }.keys
        if !folders.isEmpty {
            found.formUnion(try await listing(folders, isDeep: true).filter { $0.value != .folder }.keys)
        }
        var foreign = ForeignFiles(found, under: plan)
        if refusals.areLinksRefused {
            // A folder would take the place of a link above what is to be removed.
            let links = emptied.filter { there[$0] == .link }
            foreign.blocking = Set(foreign.blocking).union(links).sorted()
        }
        return foreign
    }

    /// What is there of some paths. A link to a folder is a folder where links may be followed.
    ///
    /// - Parameters:
    ///   - isDeep: whether all that is below folders belongs to it.
    ///   - seesLinks: whether a link to a folder is a link none the less.
    private func listing(
        _ paths: some Collection<PublishedPath>, isDeep: Bool = false, seesLinks: Bool = false
    ) async throws(Diagnostic) -> [PublishedPath: PathKind] {
        let result = try await listed(paths, isDeep: isDeep, seesLinks: seesLinks)
        if result.hasNoFolder { return [:] }
        guard result.status == 0 || result.lacksFilesOnly else { throw failure(result, "compare with") }
        return result.listedKinds
    }

    private func listed(
        _ paths: some Collection<PublishedPath>, isDeep: Bool, seesLinks: Bool
    ) async throws(Diagnostic) -> ChildProcess.Result {
        let scratch = try ScratchFolder()
        let links = seesLinks ? ["--links"] : ["--copy-dirlinks"]
        return try await rsync(
            ["--list-only", "--ignore-missing-args", "-8"] + links + (isDeep ? ["-r"] : []) + list
                + [location.top, scratch.path + "/"], scratch,
            input: self.paths(paths.sorted(), isRead: true))
    }

    // MARK: Publishing

    func apply(
        _ plan: PublicationPlan, of site: SiteFolder, at instant: String,
        sent: @escaping @Sendable (PublicationPlan.Upload) -> Void
    ) async throws(Diagnostic) -> [PublishedPath] {
        let now = try await readManifest()
        guard now.map({ contentHash($0) }) == plan.last?.revision else { throw overtaken(place) }
        var manifest = PublicationManifest(beginning: plan, at: instant)
        manifest.run = PublicationRun(of: site)
        let beginning = manifest.bytes
        if plan.last?.manifest.isComplete == false { try await clean(after: manifest) }
        try await write(manifest)
        // Two that both found the list of before have replaced one list by the other; nothing has been sent yet.
        guard try await readManifest() == beginning else { throw overtaken(place) }
        var removed: Set<PublishedPath> = []
        for batch in plan.batches {
            removed.formUnion(try await makeRoom(for: batch, plan))
            try await site.lend(batch.map(\.file)) { (site) async throws(Diagnostic) in
                try await send(batch.map(\.file.path), from: site)
            }
            for upload in batch {
                manifest.note(upload)
                sent(upload)
            }
        }
        removed.formUnion(try await remove(try await removable(plan.laterRemovals, plan)))
        let found = try await readManifest()
        guard found == beginning else {
            try await keepListed(manifest, in: found, after: plan)
            throw overtaken(place)
        }
        let kept = try await there(plan.removals.filter { !removed.contains($0) })
        await removeEmptied(by: plan)
        manifest.finish(plan)
        try await write(manifest)
        return kept
    }

    /// Those of some paths that still have files; all of them where the other machine does not list each, as behind a link.
    private func there(_ paths: [PublishedPath]) async throws(Diagnostic) -> [PublishedPath] {
        if paths.isEmpty { return [] }
        let result = try await listed(paths, isDeep: false, seesLinks: false)
        if result.hasNoFolder { return [] }
        guard result.status == 0 || result.lacksFilesOnly else {
            // 23: some are not listed.
            if result.status == 23 { return paths }
            throw failure(result, "compare with")
        }
        let found = result.listedKinds
        return paths.filter { ![nil, .folder].contains(found[$0]) }
    }

    /// Adds what this publication did to the list of the one that overtook it, so that no file is in no list. Where both
    /// publish the same site, that list has all of it.
    private func keepListed(
        _ manifest: PublicationManifest, in found: [UInt8]?, after plan: PublicationPlan
    ) async throws(Diagnostic) {
        let other = found.flatMap { try? PublicationManifest($0, at: place) }
        if let run = other?.run, run.site == manifest.run?.site { return }
        try await write(
            manifest.merged(into: other, sent: plan.uploads.map(\.file), removed: plan.removals))
    }

    /// Removes what rsync keeps of files that did not arrive: on a full disk there would be no room for anything else.
    private func clean(after manifest: PublicationManifest) async throws(Diagnostic) {
        let folders = Set(manifest.files.keys.map(\.folder))
        let left = folders.map { PublishedPath($0.map { "\($0)/.~tmp~" } ?? ".~tmp~") }
        try await remove(left.sorted(), withContents: true)
    }

    /// Sends files of one stage: under other names first, which then are all changed at once.
    private func send(_ files: [PublishedPath], from site: String) async throws(Diagnostic) {
        let scratch = try ScratchFolder()
        let result = try await rsync(
            [
                "--times", "--checksum", "--delay-updates", "--chmod=D755,F644", "--keep-dirlinks",
            ] + list + [site + "/", location.text], scratch, input: paths(files))
        guard result.status == 0 else { throw failure(result, "publish to") }
    }

    private func write(_ manifest: PublicationManifest) async throws(Diagnostic) {
        let scratch = try ScratchFolder()
        let file = try scratch.file(PublicationManifest.fileName, manifest.bytes)
        let result = try await rsync(
            [
                "--checksum", "--chmod=F644", file, location.text,
            ], scratch)
        guard result.status == 0 else { throw failure(result, "publish to") }
    }

    /// Removes what cannot be next to the files of a batch, then the folders in whose places they come.
    ///
    /// - Returns: the files that were removed.
    private func makeRoom(
        for batch: [PublicationPlan.Upload], _ plan: PublicationPlan
    ) async throws(Diagnostic) -> [PublishedPath] {
        let displaced = plan.displaced(by: batch)
        guard !displaced.isEmpty else { return [] }
        let removed = try await remove(try await removable(displaced, plan))
        let files = Set(batch.map(\.file.path))
        let folders = Set(
            displaced.flatMap(\.folders).filter { folder in
                files.contains(folder) || folder.folders.contains(where: files.contains)
            })
        try await removeFolders(folders)
        return removed
    }

    /// Removes the folders above removed files that are empty now. A link has nothing in it either, so what is no real
    /// folder stays. They are in no one's way: where it fails, they stay.
    private func removeEmptied(by plan: PublicationPlan) async {
        let folders = plan.emptiedFolders
        guard !folders.isEmpty else { return }
        do throws(Diagnostic) {
            let there = try await listing(folders, seesLinks: true)
            try await removeFolders(folders.filter { there[$0] == .folder })
        } catch {}
    }

    /// Removes those of some folders that are empty, from the innermost on: rsync removes no folder that has anything left
    /// in it.
    private func removeFolders(_ folders: some Sequence<PublishedPath>) async throws(Diagnostic) {
        let byDepth = Dictionary(grouping: folders) { $0.text.utf8.count { $0 == UInt8(ascii: "/") } }
        for (_, folders) in byDepth.sorted(by: { $0.key > $1.key }) {
            try await remove(folders.sorted())
        }
    }

    /// What is to be removed and is what a publication put there, for which it is read: only its own machine has the
    /// bytes of a file that the site has dropped.
    private func removable(
        _ paths: [PublishedPath], _ plan: PublicationPlan
    ) async throws(Diagnostic) -> [PublishedPath] {
        var removable: [PublishedPath] = []
        for step in plan.comparisons(of: paths) { removable += try await unchanged(step) }
        return removable
    }

    private func unchanged(
        _ files: [PublishedPath: PublicationManifest.Entry]
    ) async throws(Diagnostic) -> [PublishedPath] {
        guard let most = files.values.map(\.size).max() else { return [] }
        let scratch = try ScratchFolder()
        let copy = "\(scratch.path)/copy"
        try makeLocalFolder(copy)
        let result = try await rsync(
            [
                "--ignore-missing-args", "--copy-dirlinks", "--no-implied-dirs", "--max-size=\(most)",
                "--chmod=D700,F600",
            ] + list + [location.top, copy + "/"], scratch,
            input: paths(files.keys.sorted(), isRead: true))
        // 23 and 24: some files do not come, which then stay.
        guard [0, 23, 24].contains(result.status) else { throw failure(result, "compare with") }
        return files.filter { path, entry in
            fileKind("\(copy)/\(path)") == .file && isUnchanged("\(copy)/\(path)", entry)
        }.keys.sorted()
    }

    /// Removes files by name: those that are named and are not in the empty folder that is sent.
    ///
    /// - Parameter withContents: whether what is named may be a folder, which goes with all that is in it.
    /// - Returns: all of them.
    @discardableResult
    private func remove(
        _ files: [PublishedPath], withContents: Bool = false
    ) async throws(Diagnostic) -> [PublishedPath] {
        guard !files.isEmpty else { return [] }
        let scratch = try ScratchFolder()
        let empty = "\(scratch.path)/empty"
        try makeLocalFolder(empty)
        // A folder that is missing, too, would count as a file that vanished.
        for folder in Set(files.compactMap(\.folder)) {
            try makeLocalFolder("\(empty)/\(folder)")
        }
        let result = try await rsync(
            ["--delete-missing-args", "--keep-dirlinks"] + (withContents ? ["--force"] : []) + list + [
                empty + "/", location.text,
            ], scratch, input: paths(files))
        guard result.status == 0 else { throw failure(result, "remove files from") }
        return files
    }

    private var list: [String] { ["--files-from=-", "--from0"] }

    /// With a step before it a path that begins with '#' is none the less a path.
    ///
    /// - Parameter isRead: whether they are read from the top of a module.
    private func paths(_ files: [PublishedPath], isRead: Bool = false) -> [UInt8] {
        let start = isRead ? location.below : ""
        return files.flatMap { Array("\(start)./\($0)\0".utf8) }
    }
}
