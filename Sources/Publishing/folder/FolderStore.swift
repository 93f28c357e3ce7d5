import Cryptography
import Diagnostics
import Files
import Platform

/// A folder that cannot be replaced as a whole, such as a mount point: files come one by one, each under a temporary
/// name first.
struct FolderStore: FileStore {
    let path: String
    /// Whether a file may be a second name of the site's.
    let links: Bool

    var place: String { path }
    var lanes: Int { 1 }

    func readManifest() async throws(Diagnostic) -> (bytes: [UInt8], revision: String?)? {
        try refuseNoFolder(pathKind(path, followsLink: true), path)
        let file = "\(path)/\(PublicationManifest.fileName)"
        guard fileKind(file) != .missing else { return nil }
        let bytes = try readLocalFile(file, limit: PublicationManifest.mostBytes)
        return (bytes, contentHash(bytes))
    }

    func writeManifest(
        _ bytes: [UInt8], over revision: String?
    ) async throws(Diagnostic) -> ManifestOutcome {
        guard try await readManifest()?.revision == revision else { return .overtaken }
        try makePublishedFolder(path)
        try synchronize(listedIn: bytes)
        try replace(PublicationManifest.fileName) { temporary throws(Diagnostic) in
            try createLocalFile(temporary, bytes)
            openToAll(temporary)
            try diagnosed { () throws(FileFailure) in try syncFile(temporary) }
        }
        try diagnosed { () throws(FileFailure) in try syncFolder(path) }
        return .written(revision: contentHash(bytes))
    }

    /// Writes what a manifest lists to the disk: with all of its file system, or, where that is not possible, file by file.
    private func synchronize(listedIn manifest: [UInt8]) throws(Diagnostic) {
        let isDone = try diagnosed { () throws(FileFailure) in try syncFileSystem(of: path) }
        if isDone { return }
        let listed = try PublicationManifest(manifest, at: place).files.keys
        try diagnosed { () throws(FileFailure) in
            for file in listed { try syncOwn("\(path)/\(file)") }
            for folder in Set(listed.flatMap(\.folders)) { try syncOwn("\(path)/\(folder)") }
            try syncFolder(path)
        }
    }

    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles {
        ForeignFiles(try localFiles(in: path, underNamesOf: plan), under: plan)
    }

    func begin(_ plan: PublicationPlan) throws(Diagnostic) -> FolderHold? {
        try refuseNoFolder(pathKind(path, followsLink: true), path)
        try makePublishedFolder(path)
        let hold = try FolderHold(path)
        removeLeft(in: path)
        for folder in folders(of: plan) { removeLeft(in: "\(path)/\(folder)") }
        return hold
    }

    /// The folders of all files that the last publication put there, or that this one puts.
    private func folders(of plan: PublicationPlan) -> Set<PublishedPath> {
        let known = plan.last.map { Array($0.manifest.files.keys) } ?? []
        return Set((known + plan.uploads.map(\.file.path)).compactMap(\.folder))
    }

    /// Removes files that a killed publication was about to give their names.
    private func removeLeft(in folder: String) {
        for name in (try? folderNames(folder)) ?? [] where Self.isTemporary(name) {
            unlink("\(folder)/\(name)")
        }
    }

    func put(_ file: SiteFile, of site: SiteFolder) async throws(Diagnostic) {
        try makePublishedFolder(splitPath("\(path)/\(file.path)").folder)
        try replace(file.path.text) { temporary throws(Diagnostic) in
            try placeFile(file, of: site, at: temporary, links: links)
        }
    }

    func isAsPublished(_ file: PublishedFile) async throws(Diagnostic) -> Bool {
        isUnchanged("\(path)/\(file.path)", file.entry)
    }

    func remove(_ files: [PublishedFile]) async throws(Diagnostic) -> Diagnostic? {
        files.map { remove($0.path) }.compactMap(\.self).first
    }

    private func remove(_ path: PublishedPath) -> Diagnostic? {
        let file = "\(self.path)/\(path)"
        guard unlink(file) == 0 || errno == ENOENT || errno == ENOTDIR else {
            return fileProblem("remove", file)
        }
        var folder = splitPath(file).folder
        while folder.utf8.count > self.path.utf8.count, rmdir(folder) == 0 {
            folder = splitPath(folder).folder
        }
        return nil
    }

    func obstacles() async -> [Diagnostic] {
        access(path, W_OK) == 0 ? [] : [fileProblem("write to", path)]
    }

    private static let (temporaryStart, temporaryEnd) = (".plimsoll-", ".new")

    private static func temporaryName() -> String { temporaryStart + randomName() + temporaryEnd }

    /// Whether a file has a name as `temporaryName` gives it.
    private static func isTemporary(_ name: String) -> Bool {
        guard name.hasPrefix(temporaryStart), name.hasSuffix(temporaryEnd) else { return false }
        let middle = name.utf8.dropFirst(temporaryStart.utf8.count).dropLast(temporaryEnd.utf8.count)
        return middle.count == 32 && middle.allSatisfy(isLowerHexadecimal)
    }

    /// Makes a file under a temporary name, which then takes the real one.
    private func replace(
        _ name: String, _ make: (_ temporary: String) throws(Diagnostic) -> Void
    ) throws(Diagnostic) {
        let file = "\(path)/\(name)"
        let temporary = "\(splitPath(file).folder)/\(Self.temporaryName())"
        // A rename of one name of a file onto another leaves both.
        defer { unlink(temporary) }
        try make(temporary)
        guard rename(temporary, file) == 0 else { throw fileProblem("write", file) }
    }
}
