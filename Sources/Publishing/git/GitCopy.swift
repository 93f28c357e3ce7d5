import Diagnostics
import Files
import Platform

/// The bare repository on this machine in which commits are made. Everything in it comes from the remote or from the site,
/// so it may be removed and made again.
struct GitCopy {
    let path: String

    /// Acquires the right to work in it.
    ///
    /// - Throws: when another publication has it.
    func lock() throws(Diagnostic) -> FileLock {
        try makeLocalFolder(splitPath(path).folder)
        return try lockForPublication("\(path).lock")
    }

    /// Whether a git that was killed left a lock in it; only for who holds `lock()`.
    var hasLeftLock: Bool {
        ((try? localNames(path)) ?? []).contains { $0.hasSuffix(".lock") && !Self.isIndex($0) }
    }

    /// What the last fetch brought, from which everything is to be there.
    var heads: [String] { fileKind("\(path)/FETCH_HEAD") == .file ? ["FETCH_HEAD"] : [] }

    /// Takes a new commit for a whole one, whose parents are all in the copy.
    ///
    /// A fetch of the newest commits puts down each as one whose parents may be missing. Of the same site with the same
    /// date git makes the same commit once more, and no remote takes one that is put down so and that it does not have.
    func complete(_ commit: String) throws(Diagnostic) {
        let file = "\(path)/shallow"
        guard fileKind(file) == .file else { return }
        let lines = try readLocalFile(file, limit: 1 << 20).split(separator: UInt8(ascii: "\n"))
        let others = lines.filter { !$0.elementsEqual(commit.utf8) }
        guard others.count < lines.count else { return }
        // For git an empty list is one, too.
        if others.isEmpty {
            unlink(file)
        } else {
            try replaceLocalFile(file, others.flatMap { $0 + [UInt8(ascii: "\n")] })
        }
    }

    /// Removes it, unless it may be more than a copy.
    ///
    /// - Returns: false when it holds a branch, a tag or something that no git puts into a bare repository: then it is
    ///   somebody's own.
    func remove() -> Bool {
        guard let names = try? localNames(path), names.allSatisfy(Self.isOfGit), !hasReferences else {
            return false
        }
        removeTree(path)
        return fileKind(path) == .missing
    }

    /// Refuses a folder that is somebody's own: git would put its files next to theirs, and would cut the history of a
    /// repository at what is fetched.
    func refuseOwn() throws(Diagnostic) {
        let names = (try? localNames(path)) ?? []
        let has: String? =
            if fileKind("\(path)/HEAD") == .missing {
                names.contains { !Self.isOfGit($0) } ? "files" : hasReferences ? "branches or tags" : nil
            } else if names.contains("index") {
                "a working tree"
            } else {
                hasReferences ? "branches or tags" : nil
            }
        guard let has else { return }
        throw .usage(
            "publish.repository",
            "'\(path)' has \(has) of its own and is no copy of the branch; nothing was published",
            at: .file(path: path),
            hints: ["name a folder that does not exist as 'repository', or remove the key"])
    }

    /// Whether it has a branch or a tag, of which a fetch makes none.
    private var hasReferences: Bool {
        if fileKind("\(path)/refs") != .missing, (try? localFilesBelow("\(path)/refs").isEmpty) != true {
            return true
        }
        guard fileKind("\(path)/packed-refs") == .file else { return false }
        guard let packed = try? readFile("\(path)/packed-refs", limit: 1 << 20) else { return true }
        // After a power cut a file may hold nothing but zeros.
        return packed.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == 0 })
            .contains { $0.first != UInt8(ascii: "#") }
    }

    private static func isOfGit(_ name: String) -> Bool {
        own.contains(name) || isIndex(name) || name.hasSuffix(".lock")
    }

    private static func isIndex(_ name: String) -> Bool { name.hasPrefix(indexPrefix) }

    /// How the index of a publication is named.
    static let indexPrefix = "plimsoll-index-"

    /// The last three come when git tidies up by itself.
    private static let own: Set = [
        "FETCH_HEAD", "HEAD", "branches", "config", "description", "hooks", "info", "objects", "refs",
        "shallow", "packed-refs", "gc.log", "gc.pid",
    ]
}
