import Files
import Platform
import Synchronization

private let slash = UInt8(ascii: "/")

/// What a site was like when a build had written it, without what stays in it whatever is built.
///
/// It is in a file of which one branch is read at a time: of a large site all of it takes more memory than a build.
struct KeptListing: Sendable {
    /// A digest of the site's manifest.
    let manifest: String
    /// The rights of the files that its build wrote.
    let fileMode: mode_t
    /// What stayed in the site then, by the paths under which the policy had it.
    private let kept: [String]
    private let branches: [SiteBranch: Branch]
    private let file: StoredFile
    private let threads: Int
    private let checked = CheckedBranches()

    /// The branches whose bytes were found to be as they were written: they are read several times in a build.
    private final class CheckedBranches: Sendable {
        private let branches = Mutex<Set<SiteBranch>>([])

        func has(_ branch: SiteBranch) -> Bool { branches.withLock { $0.contains(branch) } }
        func add(_ branch: SiteBranch) { branches.withLock { _ = $0.insert(branch) } }
    }

    /// Where in the file a branch is, and what is known of it.
    struct Branch: Codable, Sendable {
        let branch: SiteBranch
        let begin: Int
        let end: Int
        /// A digest of these bytes.
        let hash: String
        /// A digest of the files below the folders of an app.
        let files: String
        /// How many pages of an app it has.
        let pages: Int
    }

    /// What is known of all branches, at the end of the file.
    struct Index: Codable, Sendable {
        let manifest: String
        let fileMode: UInt32
        let kept: [String]
        let branches: [Branch]
    }

    /// What the file begins with.
    static let magic = Array("plimsoll-listing 2\n".utf8)
    /// The bytes after the index: its length, and the digits of a digest of it.
    static let endBytes = 8 + 64

    /// Reads what is known of all branches; nil for what is damaged or of another version.
    ///
    /// - Parameter threads: how many branches are looked up at once.
    init?(at path: String, threads: Int = 1) {
        guard let file = try? StoredFile(path), file.size >= Self.magic.count + Self.endBytes,
            (try? file.bytes(at: 0..<Self.magic.count)) == Self.magic,
            let end = try? file.bytes(at: file.size - Self.endBytes..<file.size)
        else { return nil }
        let length = end.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let last = file.size - Self.endBytes
        guard length <= UInt64(last - Self.magic.count),
            let bytes = try? file.bytes(at: last - Int(length)..<last),
            contentHash(bytes).utf8.elementsEqual(end.dropFirst(8)),
            let index = try? ValueDecoder.value(Index.self, from: bytes)
        else { return nil }
        (self.file, self.threads) = (file, threads)
        (manifest, fileMode, kept) = (index.manifest, mode_t(index.fileMode), index.kept)
        branches = Dictionary(index.branches.map { ($0.branch, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether a folder still is that site, besides what stays in it whatever is built. What stayed then and would not now is
    /// no file of a build: the times of the folders do not show it, as they are those with it.
    ///
    /// - Parameter foldersAlone: whether no file is looked up; see `FolderListing`.
    func isStill(_ folder: String, _ policy: OutputPolicy, foldersAlone: Bool = false) -> Bool {
        guard kept.allSatisfy(policy.keeps), isApart(from: policy.keptPaths(in: folder)),
            let open = try? OpenFolder(folder, followsLink: true)
        else { return false }
        return isStill(in: open, foldersAlone: foldersAlone)
    }

    /// Whether all that stays is at the top of the site, and nothing of it is listed: then the time of the folder of the
    /// site shows whether anything else came. In a folder that has nothing else it would not be seen.
    private func isApart(from kept: [String]) -> Bool {
        if kept.isEmpty { return true }
        guard !kept.contains(where: { $0.utf8.contains(slash) }), let rest = listing(of: .rest) else {
            return false
        }
        let names = Set(kept.map { Array($0.utf8) })
        return rest.forEach { record in !names.contains(Array(record.path.prefix { $0 != slash })) }
    }

    /// Whether an open folder still has the same files, and nothing else.
    ///
    /// - Parameter foldersAlone: whether no file is looked up; see `FolderListing`.
    func isStill(in folder: OpenFolder, foldersAlone: Bool = false) -> Bool {
        guard let rest = listing(of: .rest), rest.hasRoot,
            rest.isStill(in: folder, foldersAlone: foldersAlone)
        else { return false }
        let apps = branches.keys.filter { $0 != .rest }
        return allSatisfy(below: apps.count, threads: threads) {
            listing(of: apps[$0])?.isStill(in: folder, foldersAlone: foldersAlone) == true
        }
    }

    /// The branches, that of no app last: each folder is in the branch of what is in it, or in this one.
    var all: [SiteBranch] { branches.keys.filter { $0 != .rest } + [.rest] }

    /// The files and folders of a branch.
    ///
    /// - Throws: when they cannot be read as they were written.
    func items(of branch: SiteBranch) throws(FileFailure) -> [FolderListing.Item] {
        guard branches[branch] != nil else { return [] }
        guard let items = listing(of: branch)?.items else { throw Self.damage }
        return items
    }

    /// What is thrown where it cannot be read as it was written.
    static let damage = FileFailure("read as it was", "what the build before left", code: ESTALE)

    /// Whether every branch can be read.
    var isWhole: Bool { branches.keys.allSatisfy { listing(of: $0) != nil } }

    /// Whether anything is in a branch.
    func has(_ branch: SiteBranch) -> Bool { branches[branch] != nil }

    /// A digest of the files below the folders of an app; nil when it has none.
    func digest(of branch: SiteBranch) -> String? { branches[branch]?.files }

    /// How many pages some apps have.
    func pages(of apps: Set<SiteBranch>) -> Int { apps.reduce(0) { $0 + (branches[$1]?.pages ?? 0) } }

    /// What each file was like.
    var stamps: [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for branch in all {
            for item in (try? items(of: branch)) ?? [] where item.entry.kind == .file {
                stamps[item.entry.path] = item.entry.stamp
            }
        }
        return stamps
    }

    /// What the files and folders of a branch were like; nil for what is damaged.
    func listing(of branch: SiteBranch) -> FolderListing? {
        guard let known = branches[branch] else { return FolderListing() }
        guard known.begin <= known.end,
            let bytes = try? file.bytes(at: known.begin..<known.end),
            checked.has(branch) || contentHash(bytes) == known.hash
        else { return nil }
        checked.add(branch)
        return FolderListing(bytes: bytes)
    }
}
