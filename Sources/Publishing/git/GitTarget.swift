import Cryptography
import Diagnostics
import Files
import Platform
import Settings
import Transport

extension TargetDescriptor {
    /// A branch of a remote repository, such as those that code hosts serve as pages.
    package static let git = TargetDescriptor(
        BlockSchema(
            "git", title: "Git",
            summary: "A branch of a remote repository, which a code host serves as pages",
            keys: [
                .required(
                    "remote", .textOrVariable, example: "https://github.com/example/stability.git",
                    "URL of the repository, without a user and a password"),
                .optional("branch", else: "gh-pages", "the branch"),
                .optional(
                    "history", .choice(["single", "keep"]), else: "single",
                    "whether each publication replaces the commit of the one before, or adds one"),
                .optional("cname", example: "stability.example", "host name for the file CNAME"),
                .optional("user", .textOrVariable, else: "git", "user that goes with the token"),
                .optional("token", .secret(.variable), example: "GIT_TOKEN", "password or access token"),
            ] + SSHProgram.keys + [
                .optional(
                    "repository", .path, example: "pages.git",
                    "folder for a copy of the branch (default: .plimsoll-<id>.git)"),
                .optional(
                    "timeLimit", .number(1...86_400), else: "3600", "seconds after which git is ended"),
            ], usesTLS: false),
        needs: "The program git, and the right to write to the branch"
    ) { setup throws(Diagnostic) in
        let remote = try setup.required("remote")
        if let rest = remote.split(separator: "://", maxSplits: 1).dropFirst().first,
            rest.prefix(while: { $0 != "/" }).contains("@"), !remote.hasPrefix("ssh://")
        {
            throw .usage(
                "publish.remote", "'remote' holds a user or a password",
                hints: ["write the URL without them, and add 'token: ${NAME}'"])
        }
        let branch = setup.text("branch") ?? "gh-pages"
        guard !remote.hasPrefix("-"), !branch.hasPrefix("-"), isSafePath(branch),
            !branch.contains(where: { " ~^:?*[\\".contains($0) })
        else {
            throw .usage(
                "publish.branch", "'\(branch)' of '\(remote)' is not a branch", hints: ["use a plain name"])
        }
        return GitTarget(
            remote: remote, branch: branch, keepsHistory: setup.text("history") == "keep",
            hostName: setup.text("cname"),
            access: GitAccess(
                user: setup.text("user") ?? "git", token: setup.secret("token"),
                ssh: SSHProgram(setup)),
            copy: GitCopy(
                path: setup.text("repository") ?? "\(setup.folder)/.plimsoll-\(setup.id).git"),
            folder: setup.folder, environment: setup.environment,
            mostSeconds: setup.number("timeLimit", else: 3600))
    }
}

/// A branch of a remote repository; each publication is one commit, made in a bare copy next to the configuration.
///
/// Commits of others are never dropped: without history, a publication replaces plimsoll's own commits down to the
/// newest one of someone else's, and goes on top of that.
struct GitTarget: Target {
    let remote: String
    let branch: String
    let keepsHistory: Bool
    let hostName: String?
    let access: GitAccess
    let copy: GitCopy
    let folder: String
    let environment: [String: String]
    let mostSeconds: Int
    let log = PublicationRemarks()

    var place: String { "\(remote), branch \(branch)" }

    var remarks: [Diagnostic] { log.all }

    var repository: String { copy.path }
    private var reference: String { "refs/heads/\(branch)" }

    // MARK: What is there

    func lastPublication() async throws(Diagnostic) -> LastPublication? {
        try await inSoundCopy(with: nil) { () async throws(Diagnostic) in try await readLastPublication() }
    }

    private func readLastPublication() async throws(Diagnostic) -> LastPublication? {
        guard let tip = try await tip() else { return nil }
        // Only the newest commit: git compares with it and sends what is new.
        try await fetch(tip, commits: 1)
        guard try await hasManifest(tip) else {
            return LastPublication(
                PublicationManifest(isComplete: false, at: ""), revision: tip)
        }
        let bytes = try await git(["cat-file", "blob", "\(tip):\(PublicationManifest.fileName)"])
        var manifest = try PublicationManifest(bytes, at: place)
        guard let hostName else { return LastPublication(manifest, revision: tip) }
        // The name is none of the site's files; without the key it is one that goes.
        manifest.files[PublishedPath(Self.hostFile)] = nil
        let there = try await git(["ls-tree", "-z", tip, Self.hostFile])
        let wanted = line(try await git(["hash-object", "--stdin"], input: hostBytes(hostName)))
        return LastPublication(
            manifest, revision: tip,
            hasOwnFiles: String(decoding: there, as: UTF8.self).contains(" \(wanted)\t"))
    }

    private func hostBytes(_ hostName: String) -> [UInt8] { Array("\(hostName)\n".utf8) }

    private static let hostFile = "CNAME"

    /// A branch that plimsoll never published to may be one that people work on.
    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles {
        try await inSoundCopy(with: plan.last?.revision) { () async throws(Diagnostic) in
            try await readForeignFiles(under: plan)
        }
    }

    private func readForeignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles {
        guard let tip = plan.last?.revision else { return ForeignFiles() }
        let there = try await files(of: tip)
        var foreign = ForeignFiles(there.keys, under: plan)
        if there[PublicationManifest.path] == nil {
            // What a code host writes by itself; a host name of one's own would replace its.
            let ofHost = [".nojekyll"] + (hostName == nil ? [Self.hostFile] : [])
            foreign.others = there.keys.filter { !ofHost.contains($0.text) }.sorted()
        }
        return foreign
    }

    /// The newest commit of the branch; nil when there is no branch yet.
    private func tip() async throws(Diagnostic) -> String? {
        try await makeCopy()
        let answer = try await git(["ls-remote", remote, reference], asks: true)
        let id = String(decoding: answer.prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self)
        return id.utf8.count >= 40 && id.utf8.allSatisfy(isLowerHexadecimal) ? id : nil
    }

    private func makeCopy() async throws(Diagnostic) {
        try copy.refuseOwn()
        guard fileKind("\(repository)/HEAD") == .missing else { return }
        try await git(["init", "--quiet", "--bare", repository], isIn: false)
    }

    /// Works in the copy. When that fails and the copy is damaged, as a power cut leaves it, it is made again and the work
    /// is done once more.
    ///
    /// - Parameter tip: the commit that the work needs in the copy; nil when it fetches that itself.
    private func inSoundCopy<Work>(
        with tip: String?, _ work: () async throws(Diagnostic) -> Work
    ) async throws(Diagnostic) -> Work {
        let lock = try copy.lock()
        defer { withExtendedLifetime(lock) {} }
        do throws(Diagnostic) {
            return try await work()
        } catch {
            guard await isDamaged(), copy.remove() else { throw error }
        }
        try await makeCopy()
        if let tip { try await fetch(tip, commits: 1) }
        let result = try await work()
        log.add(
            .warning(
                "publish.git-copy", "The copy of \(place) on this machine was damaged and was made again",
                at: .file(path: repository), hints: ["nothing to do: the branch is whole"]))
        return result
    }

    /// Whether the copy is damaged; false when that cannot be found out.
    private func isDamaged() async -> Bool {
        if copy.hasLeftLock { return true }
        let check = ["fsck", "--full", "--no-dangling", "--no-progress"] + copy.heads
        return ((try? await run(check).status) ?? 0) != 0
    }

    private func fetch(_ tip: String, commits: Int) async throws(Diagnostic) {
        try await git(["fetch", "--quiet", "--depth=\(commits)", "--no-tags", remote, tip], asks: true)
    }

    private func hasManifest(_ commit: String) async throws(Diagnostic) -> Bool {
        try await !git(["ls-tree", "-z", commit, PublicationManifest.fileName]).isEmpty
    }

    /// The files of a commit with the ids of their contents.
    private func files(of commit: String) async throws(Diagnostic) -> [PublishedPath: String] {
        var files: [PublishedPath: String] = [:]
        for line in try await git(["ls-tree", "-r", "-z", commit]).split(separator: 0) {
            // `100644 blob <id>`, a tab and the path.
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            let words = String(decoding: parts[0], as: UTF8.self).split(separator: " ")
            guard parts.count == 2, words.count == 3 else { continue }
            files[PublishedPath(String(decoding: parts[1], as: UTF8.self))] = String(words[2])
        }
        return files
    }

    // MARK: A commit

    func apply(
        _ plan: PublicationPlan, of site: SiteFolder, at instant: String,
        sent: @escaping @Sendable (PublicationPlan.Upload) -> Void
    ) async throws(Diagnostic) -> [PublishedPath] {
        let kept = try await inSoundCopy(with: plan.last?.revision) { () async throws(Diagnostic) in
            try await push(plan, site, at: instant)
        }
        plan.uploads.forEach(sent)
        return kept
    }

    private func push(
        _ plan: PublicationPlan, _ site: SiteFolder, at instant: String
    ) async throws(Diagnostic) -> [PublishedPath] {
        if let kept = try await push(plan, site, over: plan.last?.revision, at: instant) { return kept }
        // Someone else's commit may go below this one; another publication may not.
        guard let now = try await readLastPublication(), now.manifest == plan.last?.manifest,
            try await hasRoom(PublicationPlan(site.files, over: now), before: plan),
            let kept = try await push(plan, site, over: now.revision, at: instant)
        else { throw overtaken(place) }
        return kept
    }

    /// Whether someone else's commit put nothing more in the way than was there, and was adopted, before it.
    private func hasRoom(
        _ plan: PublicationPlan, before: PublicationPlan
    ) async throws(Diagnostic) -> Bool {
        let foreign = try await readForeignFiles(under: plan)
        let adopted = try await readForeignFiles(under: before).replaced
        return foreign.blocking.isEmpty && Set(foreign.replaced).isSubset(of: adopted)
    }

    /// Makes a commit and puts the branch on it.
    ///
    /// - Returns: what the site has dropped and stays, as others changed it; nil when the branch is no longer where it
    ///   was.
    private func push(
        _ plan: PublicationPlan, _ site: SiteFolder, over tip: String?, at instant: String
    ) async throws(Diagnostic) -> [PublishedPath]? {
        let kept = try await keptFiles(plan, at: tip)
        try refuse(kept, inTheWayOf: plan)
        let changes = try await changes(plan, site, without: kept, at: instant)
        let index = "\(repository)/\(GitCopy.indexPrefix)\(randomName())"
        defer { unlink(index) }
        if let tip { try await git(["read-tree", tip], index: index) }
        try await git(["update-index", "-z", "--index-info"], input: changes, index: index)
        let tree = line(try await git(["write-tree"], index: index))
        let parents = try await parent(over: tip).map { ["-p", $0] } ?? []
        let commit = line(
            try await git(
                ["commit-tree", tree] + parents, input: Array("Publish the site as of \(instant)\n".utf8),
                at: instant))
        try copy.complete(commit)
        // What is replaced must be what was read: never a blind force.
        let lease = "--force-with-lease=\(reference):\(tip ?? "")"
        let arguments = ["push", "--quiet", lease, remote, "\(commit):\(reference)"]
        let result = try await run(arguments, asks: true)
        if result.status == 0 { return kept }
        // The second is what a branch says that is being written at the same moment.
        let isStale = ["stale info", "cannot lock ref"].contains { result.errors.contains($0) }
        if isStale { return nil }
        throw failure(result, arguments)
    }

    /// Refuses what others changed where the site needs a folder, or a file: the index would drop it.
    private func refuse(
        _ kept: [PublishedPath], inTheWayOf plan: PublicationPlan
    ) throws(Diagnostic) {
        let displaced = Set(plan.batches.flatMap { plan.displaced(by: $0) })
        let blocking = kept.filter(displaced.contains)
        if !blocking.isEmpty { throw inTheWay(blocking, at: place) }
    }

    /// The commit that the next one goes on top of: the newest one, or, where history is not kept, the newest one of
    /// someone else's; nil when there is none.
    private func parent(over tip: String?) async throws(Diagnostic) -> String? {
        guard let tip, !keepsHistory else { return tip }
        var (commit, passed, fetched) = (tip, 0, 1)
        while let parents = try await parentsOfOwn(commit) {
            guard let parent = parents.first else { return nil }
            passed += 1
            if passed == fetched {
                fetched *= 2
                try await fetch(tip, commits: fetched)
            }
            commit = parent
        }
        return commit
    }

    /// What a commit of plimsoll's own follows; nil when it is someone else's, or someone else changed it.
    private func parentsOfOwn(_ commit: String) async throws(Diagnostic) -> [String]? {
        let text = String(decoding: try await git(["cat-file", "commit", commit]), as: UTF8.self)
        let head = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        let parents = head.filter { $0.hasPrefix("parent ") }.map { String($0.dropFirst(7)) }
        let isOwn = ["author", "committer"].allSatisfy { role in
            head.contains { $0.hasPrefix("\(role) \(Self.name) <\(Self.mail)> ") }
        }
        guard isOwn, parents.count <= 1, try await hasManifest(commit) else { return nil }
        return parents
    }

    static let name = "plimsoll"
    static let mail = "plimsoll@localhost"

    /// The changes of the index: files of the site, files for the host, and what is gone.
    private func changes(
        _ plan: PublicationPlan, _ site: SiteFolder, without kept: [PublishedPath], at instant: String
    ) async throws(Diagnostic) -> [UInt8] {
        let paths = plan.uploads.map(\.file.path.text)
        let ids = try await site.lend(plan.uploads.map(\.file)) { (site) async throws(Diagnostic) in
            try await contentIDs(of: paths.map { "\(site)/\($0)" })
        }
        var entries = zip(ids, paths).map { "100644 \($0)\t\($1)\0" }
        var manifest = PublicationManifest(after: plan, at: instant)
        var own: [(String, [UInt8])] = []
        // The host would otherwise leave out files whose names begin with '_' or '.'.
        if !paths.contains(".nojekyll") { own.append((".nojekyll", [])) }
        if let hostName {
            let bytes = hostBytes(hostName)
            own.append((Self.hostFile, bytes))
            manifest.files[PublishedPath(Self.hostFile)] = .init(
                size: bytes.count, sha256: contentHash(bytes))
        }
        own.append((PublicationManifest.fileName, manifest.bytes))
        for (path, bytes) in own {
            let id = line(try await git(["hash-object", "-w", "--stdin"], input: bytes))
            entries.append("100644 \(id)\t\(path)\0")
        }
        let zero = String(repeating: "0", count: 40)
        let staying = Set(kept)
        entries += plan.removals.filter { !staying.contains($0) }.map { "0 \(zero)\t\($0)\0" }
        return Array(entries.joined().utf8)
    }

    /// Takes contents of files of this machine into the copy.
    ///
    /// - Returns: their ids.
    private func contentIDs(of paths: [String]) async throws(Diagnostic) -> [String] {
        let output = try await git(
            ["hash-object", "-w", "--no-filters", "--stdin-paths"],
            input: Array(paths.map { gitLine($0) + "\n" }.joined().utf8))
        let ids = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        guard ids.count == paths.count else {
            throw .error("publish.git", "git did not take every file", hints: ["publish again"])
        }
        return ids
    }

    /// What the site has dropped and is not what a publication put there.
    private func keptFiles(
        _ plan: PublicationPlan, at tip: String?
    ) async throws(Diagnostic) -> [PublishedPath] {
        guard let tip, !plan.removals.isEmpty else { return [] }
        let there = try await files(of: tip)
        let sizes = try await contentSizes(of: plan.removals.compactMap { there[$0] })
        var kept: [PublishedPath] = []
        for step in plan.comparisons(of: plan.removals) {
            // What has another size was changed, and is not read.
            let ids = step.compactMap { path, entry in
                there[path].flatMap { sizes[$0] == entry.size && entry.size <= Self.mostReadBytes ? $0 : nil }
            }
            let hashes = try await contentHashes(of: ids)
            kept += step.keys.filter { path in
                guard let id = there[path], let entry = step[path], entry.isComparable else { return false }
                return hashes[id].map(entry.isOf) != true
            }
        }
        return kept.sorted()
    }

    /// A larger file is not read, and stays: git prints it with its id and its size.
    private static let mostReadBytes = ChildProcess.mostOutputBytes - 1024

    /// The sizes of contents by their ids.
    private func contentSizes(of ids: [String]) async throws(Diagnostic) -> [String: Int] {
        let list = Set(ids).map { $0 + "\n" }.joined()
        let output = try await git(["cat-file", "--batch-check"], input: Array(list.utf8))
        var sizes: [String: Int] = [:]
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            // `<id> blob <size>`; the id of a commit of another repository is said to be missing.
            let words = line.split(separator: " ")
            guard words.count == 3, let size = Int(words[2]) else { continue }
            sizes[String(words[0])] = size
        }
        return sizes
    }

    /// The SHA-256 of contents by their ids.
    private func contentHashes(of ids: [String]) async throws(Diagnostic) -> [String: String] {
        guard !ids.isEmpty else { return [:] }
        let list = Set(ids).map { $0 + "\n" }.joined()
        var rest = try await git(["cat-file", "--batch"], input: Array(list.utf8))[...]
        var hashes: [String: String] = [:]
        // `<id> blob <size>`, the end of a line, the content, and the end of a line.
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            rest = rest[(end + 1)...]
            guard words.count == 3, let size = Int(words[2]), size <= rest.count else { continue }
            hashes[String(words[0])] = contentHash(Array(rest.prefix(size)))
            rest = rest.dropFirst(size + 1)
        }
        return hashes
    }

    private func line(_ output: [UInt8]) -> String {
        String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// A path as a line of what git reads: one that would be more than a line, or that git takes for quoted, is quoted.
private func gitLine(_ path: String) -> String {
    guard path.hasPrefix("\"") || path.utf8.contains(UInt8(ascii: "\n")) else { return path }
    let escaped = path.utf8.map { byte -> String in
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\\(Character(UnicodeScalar(byte)))"
        case 0x20..<0x7F: String(Character(UnicodeScalar(byte)))
        default: "\\" + [byte >> 6, byte >> 3 & 7, byte & 7].map { "\($0)" }.joined()
        }
    }
    return "\"\(escaped.joined())\""
}
