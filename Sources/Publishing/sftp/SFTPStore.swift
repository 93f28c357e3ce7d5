import Diagnostics
import Files
import Transport

/// A folder of a server for files over SSH, as a place for files.
struct SFTPStore: FileStore {
    let client: SFTPClient
    /// What gives a file its name in one step, where that can be done.
    let renames: SFTPRenames
    let account: SFTPAccount
    /// From the root, or from the home of the user; without a slash at its end.
    let path: String
    let retries: RetryPolicy
    let pacing: Pacing

    /// Larger files are read piece by piece while they are sent.
    private static let mostHeldBytes = 1 << 20

    var place: String {
        let port = account.port == 22 ? "" : ":\(account.port)"
        return "sftp://\(account.user)@\(account.host)\(port)\(path.hasPrefix("/") ? "" : "/~/")\(path)"
    }
    var lanes: Int { 4 }
    var removalsAtOnce: Int { 20 }

    // MARK: The manifest

    func readManifest() async throws(Diagnostic) -> (bytes: [UInt8], revision: String?)? {
        let file = full(PublicationManifest.path)
        for name in [file, temporary(file)] {
            let bytes = try await again("read what was published to") { () async throws(SFTPError) in
                try await client.read(name, limit: PublicationManifest.mostBytes)
            }
            guard let bytes else { continue }
            if name == file { return (bytes, contentHash(bytes)) }
            // Cut between the removal of the old manifest and the rename of the new one, which then is whole. In the
            // very first publication there was none to remove, and what is there may be half of one.
            guard (try? PublicationManifest(bytes, at: place)) != nil else { return nil }
            return (bytes, contentHash(bytes))
        }
        return nil
    }

    func writeManifest(
        _ bytes: [UInt8], over revision: String?
    ) async throws(Diagnostic) -> ManifestOutcome {
        guard try await readManifest()?.revision == revision else { return .overtaken }
        try await write(.bytes(bytes), to: full(PublicationManifest.path))
        return .written(revision: contentHash(bytes))
    }

    // MARK: Files

    /// Lists the folders that the new files go to, from the top: below one that is missing there is nothing.
    ///
    /// What is to be replaced is not checked: the server gives no file the name of a folder.
    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles {
        var listed: [PublishedPath?: Set<PublishedPath>] = [:]
        var found: Set<PublishedPath> = []
        let ours = PublishedNames(plan.last?.manifest)
        for path in plan.uploads.filter(\.isNew).map(\.file.path) {
            var (folder, isThere): (PublishedPath?, Bool) = (nil, true)
            for step in path.folders.reversed() + [path] {
                if listed[folder] == nil {
                    let names = try await names(in: folder)
                    // Its name is there: it is a file.
                    if names == nil, let folder { found.insert(folder) }
                    listed[folder] = names ?? []
                }
                isThere = listed[folder]?.contains(step.name) == true
                guard isThere else { break }
                folder = step
            }
            if isThere { found.formUnion(try await foreignFiles(at: path, except: ours)) }
        }
        return ForeignFiles(found, under: plan)
    }

    /// A file, or the files below a folder, without those that were published. Any of them refuses the publication: of a
    /// folder with very many, as one with links that lead back into it, the first are enough, and folders that are not
    /// listed count as files. The published folders are listed, however many they are.
    private func foreignFiles(
        at path: PublishedPath, except ours: PublishedNames
    ) async throws(Diagnostic) -> [PublishedPath] {
        var found: [PublishedPath] = []
        var (ahead, listings) = ([(path: path, depth: 0)], 0)
        while found.count < Self.mostFound, let (next, depth) = ahead.popLast() {
            if ours.files.contains(next) { continue }
            if ours.awaited.contains(next) {
                found.append(next)
                continue
            }
            let isOurs = ours.folders.contains(next)
            guard depth < Self.mostDepth, isOurs || listings < Self.mostListings,
                let names = try await names(in: next)
            else {
                found.append(next)
                continue
            }
            if !isOurs { listings += 1 }
            ahead += names.sorted().reversed().map { (PublishedPath("\(next)/\($0)"), depth + 1) }
        }
        return found
    }

    /// How many files of others below one folder are found at most.
    private static let mostFound = 1000
    /// How many of their folders are listed for that at most.
    private static let mostListings = 200
    /// How deep a folder is listed at most. Through more than 40 links servers list nothing.
    private static let mostDepth = 32

    /// The names in a folder, or in that of the site; nil when there is none.
    private func names(in folder: PublishedPath?) async throws(Diagnostic) -> Set<PublishedPath>? {
        let path = folder.map(full) ?? path
        return try await again("list") { () async throws(SFTPError) in
            try await client.names(in: path)
        }.map { Set($0.map(PublishedPath.init(_:))) }
    }

    func put(_ file: SiteFile, of site: SiteFolder) async throws(Diagnostic) {
        guard file.size > Self.mostHeldBytes else {
            return try await write(.bytes(try site.bytes(of: file)), to: full(file.path))
        }
        try await site.lend([file]) { (site) async throws(Diagnostic) in
            try await write(.file("\(site)/\(file.path)", size: file.size), to: full(file.path))
        }
    }

    /// Reads it, no further than what was published is long.
    func isAsPublished(_ file: PublishedFile) async throws(Diagnostic) -> Bool {
        guard file.entry.isComparable else { return true }
        guard file.entry.size <= PublicationManifest.mostBytes else { return false }
        let name = full(file.path)
        return try await again("compare '\(file.path)' at") { () async throws(SFTPError) -> Bool in
            do throws(SFTPError) {
                return try await client.read(name, limit: file.entry.size).map {
                    file.entry.isOf(contentHash($0))
                } ?? true
            } catch {
                // A longer file, one that the user may not read, or a folder, of which reading breaks the connection.
                if error.kind == .tooLarge || error.kind == .refused { return false }
                if error.kind == .lost, try await client.names(in: name) != nil { return false }
                throw error
            }
        }
    }

    func remove(_ files: [PublishedFile]) async throws(Diagnostic) -> Diagnostic? {
        let paths = files.map { full($0.path) }
        // From the innermost on: a folder goes when it is empty.
        let folders = Set(files.flatMap(\.path.folders)).sorted {
            ($0.text.utf8.count, $0) > ($1.text.utf8.count, $1)
        }.map(full)
        let action = "remove '\(files.first?.path.text ?? "")' from"
        let areGone = try await again(action) { () async throws(SFTPError) -> Bool in
            do throws(SFTPError) {
                try await client.remove(paths, leftovers: paths.map(temporary), folders: folders)
                return true
            } catch {
                guard error.kind == .refused else { throw error }
                return false
            }
        }
        guard !areGone else { return nil }
        try await again(action) { () async throws(SFTPError) in
            try await client.removeWhatGoes(paths + paths.map(temporary), folders: folders)
        }
        return try await refusal(of: files)
    }

    /// Why one of some files is still there, in the server's words; nil when none is. The refusal before may have been of
    /// a file that was gone already.
    private func refusal(of files: [PublishedFile]) async throws(Diagnostic) -> Diagnostic? {
        var listed: [PublishedPath?: Set<PublishedPath>] = [:]
        for path in files.map(\.path) {
            let folder = path.folder
            if listed[folder] == nil { listed[folder] = try await names(in: folder) ?? [] }
            guard listed[folder]?.contains(path.name) == true else { continue }
            do throws(Diagnostic) {
                try await again("remove '\(path)' from") { () async throws(SFTPError) in
                    try await client.remove([full(path)])
                }
            } catch {
                // A folder of this name is not the file that was published.
                if (try? await names(in: path)) != nil { continue }
                return error
            }
        }
        return nil
    }

    /// Sends a file under a temporary name, which then takes the real one. What arrived of one that failed goes, as it
    /// may be what fills the disk; not when all of it arrived, as it may be all that is left of the file.
    private func write(_ source: SFTPClient.Source, to file: String) async throws(Diagnostic) {
        let temporary = temporary(file)
        var isWhole = false
        do throws(Diagnostic) {
            try await again("write '\(file)' to") { () async throws(SFTPError) in
                isWhole = false
                try await client.write(source, to: temporary)
                isWhole = true
                if try await !renames.rename(temporary, to: file) {
                    try await client.replace(file, by: temporary)
                }
            }
        } catch {
            if !isWhole { try? await client.removeWhatGoes([temporary]) }
            throw error
        }
    }

    private func full(_ name: PublishedPath) -> String { "\(path)/\(name)" }

    /// The name of a file until all of it is there. It is always the same, so that the next publication replaces what a
    /// broken one left. A name for which that is too long, of 255 bytes at most, is replaced by its digest.
    private func temporary(_ file: String) -> String {
        let ending = ".plimsoll-new"
        let (folder, name) = splitPath(file)
        guard name.utf8.count + ending.utf8.count > 255 else { return file + ending }
        return "\(folder)/.\(contentHash(Array(name.utf8)))\(ending)"
    }

    // MARK: Attempts

    /// Does a step, and does it again when the connection was lost; every step may be done twice.
    private func again<Value>(
        _ action: String, _ step: () async throws(SFTPError) -> Value
    ) async throws(Diagnostic) -> Value {
        var attempt = 1
        while true {
            do throws(SFTPError) {
                return try await step()
            } catch {
                guard error.mayPass, attempt < retries.attempts, !Task.isCancelled else {
                    throw await diagnostic(error, action)
                }
                let wait = retries.wait(afterAttempt: attempt, serverSeconds: nil, random: pacing.random())
                if (try? await pacing.sleep(wait)) == nil { throw interrupted }
                attempt += 1
            }
        }
    }

    private func diagnostic(_ error: SFTPError, _ action: String) async -> Diagnostic {
        if error.kind == .canceled { return interrupted }
        let lock = error.kind == .login ? await lockHint() : nil
        let hint =
            switch error.kind {
            case .unreachable: "check 'host' and 'port', and that the server is up"
            case .hostKey:
                "check that the host's key is the right one; then write it into 'knownHosts' (ssh-keyscan prints it), or change 'fingerprint'"
            case .login: lock ?? loginHint
            case .refused: "check that the user may write to the folder and that there is space"
            case .lost:
                "check the connection, and that the server has space; then publish again, which completes it"
            case .source: "publish again when no build is under way"
            case .tooLarge: "look at what is in the folder"
            case .canceled, .failed: "read what the SSH library said above"
            }
        return .error(
            "publish.sftp", "Cannot \(action) \(place)", details: [printable(error.text)], hints: [hint])
    }

    /// What to do where the key does not open; nil where it does, or that is not known.
    private func lockHint() async -> String? {
        guard case .key(let file, let passphrase) = account.proof,
            await SSHKeyOpening(key: file, passphrase: passphrase, environment: renames.environment)
                .isRefused()
        else { return nil }
        return passphrase == nil
            ? "add 'passphrase': the private key in 'sshKey' has one"
            : "correct 'passphrase': it does not open the private key in 'sshKey'"
    }

    private var loginHint: String {
        switch account.proof {
        case .password: "check 'user' and 'password', and that the server takes passwords"
        case .key:
            "check 'user', and that the server knows the public key; older SSH libraries need an Ed25519 key"
        case .agent:
            "check 'user', and that the server knows a key of the ssh agent; or add 'sshKey' or 'password'"
        }
    }
}

/// The files that the last publication left, and the folders above them.
private struct PublishedNames {
    let files: Set<PublishedPath>
    /// What a broken publication was about to send: it is compared with what is there.
    let awaited: Set<PublishedPath>
    let folders: Set<PublishedPath>

    init(_ manifest: PublicationManifest?) {
        let entries = manifest?.files ?? [:]
        awaited = Set(entries.filter { $0.value.isAwaited && $0.value.isComparable }.keys)
        files = Set(entries.keys).subtracting(awaited)
        folders = Set(entries.keys.flatMap(\.folders))
    }
}
