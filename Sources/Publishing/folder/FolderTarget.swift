import Diagnostics
import Files
import Platform
import Settings

extension TargetDescriptor {
    /// A folder on this machine, such as the root of a web server.
    package static let folder = TargetDescriptor(
        BlockSchema(
            "folder", title: "Folder", summary: "A folder on this machine, such as the root of a web server",
            keys: [
                .output("path", example: "/srv/www/stability", "the folder"),
                .optional(
                    "copies", .flag, else: "false", "copy files in place of giving them a second name"),
                .optional(
                    "fileByFile", .flag, else: "false",
                    "fill the folder file by file, as where a container has it mounted"),
            ], usesTLS: false),
        needs: "Write access to the folder, and to the one above it for a publication in one step"
    ) { setup throws(Diagnostic) in
        let path = withoutSlash(try setup.required("path"))
        guard path != "/" else {
            throw .usage(
                "publish.folder", "The root of the file system cannot be a target",
                hints: ["name a folder below it"])
        }
        return folderTarget(
            path, links: !setup.flag("copies"), isReplaced: !setup.flag("fileByFile"))
    }
}

/// The target for a folder: replaced as a whole where a folder may be renamed, else file by file.
///
/// - Parameter isReplaced: whether another folder may take its place.
func folderTarget(_ path: String, links: Bool, isReplaced: Bool = true) -> any Target {
    let path = targetOfLink(path)
    let (parent, _) = splitPath(path)
    let isReplaceable = fileKind(parent) == .missing || access(parent, W_OK) == 0
    if !isReplaced || isMountPoint(path) || !isReplaceable {
        return StoreTarget(FolderStore(path: path, links: links))
    }
    return FolderTarget(path: path, links: links)
}

/// A folder that is replaced by one rename: readers find the old site or the new one.
///
/// One that no other folder can be like is filled file by file: something is mounted in it, or belongs to a user to whom
/// this process cannot give anything.
struct FolderTarget: Target {
    let path: String
    /// Whether a file may be a second name of the site's.
    let links: Bool
    private let noted = PublicationRemarks()

    init(path: String, links: Bool) { (self.path, self.links) = (path, links) }

    var place: String { path }
    var remarks: [Diagnostic] { noted.all }

    func lastPublication() async throws(Diagnostic) -> LastPublication? {
        try await StoreTarget(FolderStore(path: currentPath, links: links)).lastPublication()
    }

    /// Where the site is: one that was killed between two renames has left the old one under another name.
    private var currentPath: String {
        let (parent, _) = splitPath(path)
        guard fileKind(path) == .missing,
            let old = (try? folderNames(parent))?.first(where: { isLeft($0) && $0.hasSuffix(Self.oldEnding) })
        else { return path }
        return "\(parent)/\(old)"
    }

    /// What the names of folders end in that were moved away.
    private static let oldEnding = ".old"

    /// What the names of its own folders next to the target begin with.
    private var ownStart: String { ".\(splitPath(path).name).publishing-" }

    /// Whether a name next to the target is of what a publication left.
    private func isLeft(_ name: String) -> Bool { name.hasPrefix(ownStart) }

    private var fileByFile: StoreTarget<FolderStore> {
        StoreTarget(FolderStore(path: path, links: links))
    }

    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles {
        let root = currentPath
        var foreign = ForeignFiles(try localFiles(in: root, underNamesOf: plan), under: plan)
        foreign.add(foreign.awaited.filter { !isUnchanged("\(root)/\($0.key)", $0.value) }.keys)
        return foreign
    }

    @discardableResult
    func apply(
        _ plan: PublicationPlan, of site: SiteFolder, at instant: String,
        sent: @escaping @Sendable (PublicationPlan.Upload) -> Void
    ) async throws(Diagnostic) -> [PublishedPath] {
        let (parent, name) = splitPath(path)
        try makePublishedFolder(parent)
        let lock = try lockForPublication("\(parent)/.\(name).publishing.lock")
        defer { withExtendedLifetime(lock) {} }
        for left in try localNames(parent) where isLeft(left) { try putAway("\(parent)/\(left)") }
        // The plan was made before the lock: another publication may have come to its end since.
        guard try await fileByFile.lastPublication()?.revision == plan.last?.revision else {
            throw overtaken(place)
        }
        try refuseNoFolder(fileKind(path), path)
        let old: OldFolder?
        do throws(FileFailure) {
            old = try OldFolder(path)
        } catch {
            guard error.isMounted || error.code == EACCES else { throw error.diagnostic }
            return try await fileByFile.apply(plan, of: site, at: instant, sent: sent)
        }
        let staging = "\(parent)/\(ownStart)\(randomName())"
        // Files of others may be in folders that only some may enter.
        guard mkdir(staging, old == nil ? 0o755 : 0o700) == 0 else {
            throw fileProblem("make the folder", staging)
        }
        if old == nil { openToAll(staging) }
        let (kept, left): ([PublishedPath], String?)
        do throws(Diagnostic) {
            guard let stays = try fill(staging, over: old, plan, site, at: instant, sent) else {
                removeTree(staging)
                return try await fileByFile.apply(plan, of: site, at: instant, sent: sent)
            }
            kept = stays
            try diagnosed { () throws(FileFailure) in try syncTree(staging) }
            if Task.isCancelled { throw interrupted }
            try refuseNoFolder(fileKind(path), path)
            left = try diagnosed { () throws(FileFailure) in
                // The next publication puts the old one back when this one ends between two renames.
                try putInPlace(staging, of: path, movingOldTo: staging + Self.oldEnding)
            }
        } catch {
            removeTree(staging)
            throw error
        }
        if let left {
            let replaced = ReplacedFolder(left, by: path, seen: old?.entries ?? [], files: site.files)
            if let late = try replaced.remove() { noted.add(late) }
        }
        try diagnosed { () throws(FileFailure) in try syncFolder(parent) }
        return kept
    }

    /// What a killed publication left: a half-made site, or, where two renames were needed, the old one, which then is the
    /// only one.
    private func putAway(_ left: String) throws(Diagnostic) {
        guard left.hasSuffix(Self.oldEnding), fileKind(path) == .missing else {
            return try removeUnlessMounted(left)
        }
        guard rename(left, path) == 0 else { throw fileProblem("move the old site back to", path) }
    }

    /// Makes the new site: files of the site, and what stays of the old folder.
    ///
    /// - Returns: what the site has dropped and stays; nil when the new folder cannot be like the old one.
    private func fill(
        _ staging: String, over old: OldFolder?, _ plan: PublicationPlan, _ site: SiteFolder,
        at instant: String, _ sent: @Sendable (PublicationPlan.Upload) -> Void
    ) throws(Diagnostic) -> [PublishedPath]? {
        let folder: OpenFolder
        var kept: [PublishedPath] = []
        do throws(FileFailure) {
            folder = try OpenFolder(staging)
            if let old {
                guard let stays = try old.carryOver(to: folder, plan, site) else { return nil }
                kept = stays
            }
        } catch {
            throw error.diagnostic
        }
        try fill(staging, plan, site, at: instant, sent)
        if let old, !folder.giveRights(of: old.root, from: path) { return nil }
        return kept
    }

    private func fill(
        _ staging: String, _ plan: PublicationPlan, _ site: SiteFolder, at instant: String,
        _ sent: @Sendable (PublicationPlan.Upload) -> Void
    ) throws(Diagnostic) {
        var folders = FolderMaker(root: staging)
        let uploads = Dictionary(
            plan.uploads.map { ($0.file.path, $0) }, uniquingKeysWith: { first, _ in first })
        for file in site.files {
            try folders.make(above: file.path)
            let target = "\(staging)/\(file.path)"
            let upload = uploads[file.path]
            let there = "\(path)/\(file.path)"
            if upload == nil, links, isOpenToAll(there), link(there, target) == 0 { continue }
            try placeFile(file, of: site, at: target, links: links)
            if let upload { sent(upload) }
        }
        let manifest = PublicationManifest(after: plan, at: instant)
        let name = "\(staging)/\(PublicationManifest.fileName)"
        try createLocalFile(name, manifest.bytes)
        openToAll(name)
    }
}

/// Refuses a target under whose name there is something else than a folder: that is somebody's.
func refuseNoFolder(_ kind: PathKind, _ path: String) throws(Diagnostic) {
    switch kind {
    case .missing, .folder: return
    case .file, .link, .other:
        throw .error(
            "publish.folder", "'\(path)' is not a folder; nothing was published", at: .file(path: path),
            hints: ["let 'path' name a folder, or move away what has its name"])
    }
}

/// Makes folders, each once.
private struct FolderMaker {
    let root: String
    private var made: Set<PublishedPath> = []

    init(root: String) { self.root = root }

    mutating func make(above file: PublishedPath) throws(Diagnostic) {
        guard let folder = file.folder else { return }
        if made.insert(folder).inserted { try makePublishedFolder("\(root)/\(folder)") }
    }
}

/// What a folder holds under the names of files to send, of the folders above them and below them.
func localFiles(
    in root: String, underNamesOf plan: PublicationPlan
) throws(Diagnostic) -> Set<PublishedPath> {
    let files = Set(plan.uploads.map(\.file.path))
    var found: Set<PublishedPath> = []
    for path in files {
        switch fileKind("\(root)/\(path)") {
        case .missing: break
        case .folder:
            found.formUnion(try localFilesBelow("\(root)/\(path)").map { PublishedPath("\(path)/\($0)") })
        case .file, .link, .other: found.insert(path)
        }
    }
    for folder in Set(files.flatMap(\.folders)) {
        // A link to a folder is as good as a folder.
        switch pathKind("\(root)/\(folder)", followsLink: true) {
        case .missing, .folder: break
        case .file, .link, .other: found.insert(folder)
        }
    }
    return found
}

/// Makes a file of the site at a path, which everybody may read: a second name of the same file where that is possible,
/// else a copy.
///
/// A build never writes to a file in its place, so a second name keeps what it was given.
func placeFile(
    _ file: SiteFile, of site: SiteFolder, at target: String, links: Bool
) throws(Diagnostic) {
    if links, try site.giveSecondName(target, to: file) { return }
    try site.copy(file, to: target)
    openToAll(target)
}

/// Whether everybody may read a file.
func isOpenToAll(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & 0o444 == 0o444
}

/// Whether a file holds what the manifest names; a missing one does too: there is nothing to keep.
func isUnchanged(_ path: String, _ entry: PublicationManifest.Entry?) -> Bool {
    switch fileKind(path) {
    case .missing: return true
    case .file:
        guard let entry else { return false }
        guard entry.isComparable else { return true }
        guard let now = try? LocalDigest(of: path) else { return false }
        return entry.isOf(now.sha256)
    case .folder, .link, .other: return false
    }
}

private func withoutSlash(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? withoutSlash(String(path.dropLast())) : path
}
