import Diagnostics
import Files
import Foundation
import Platform
import Settings
import Synchronization
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

/// A folder as rsync names it.
struct RsyncPlace: Sendable {
    /// Ends with a slash.
    let text: String
    /// Where files are read from by a list: of a daemon the whole module, as rsync 3.5 finds no file of a list below a
    /// folder of a module.
    let top: String
    /// The folder below `top`; empty, or with a slash at its end.
    let below: String

    /// Whether it may reach the other machine only within rsync's own protocol, as a shell would read it otherwise. Where
    /// it need not, it is on the command line: rrsync lets nothing else pass.
    var needsProtection: Bool {
        text.hasPrefix("rsync://")
            || !text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "@") }
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    init(_ text: String) throws(Diagnostic) {
        func wrong(_ problem: String, _ hint: String) -> Diagnostic {
            .usage("publish.destination", "'destination' \(problem)", hints: [hint])
        }
        guard !text.hasPrefix("-"), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw wrong("is not a folder of another machine", "write it as user@host:/path")
        }
        if text.hasPrefix("rsync://") {
            let host = text.dropFirst(8).prefix { $0 != "/" }
            guard !host.isEmpty, text.dropFirst(9 + host.count).contains(where: { $0 != "/" }) else {
                throw wrong("has no module", "write it as rsync://user@host/module/path")
            }
            if let user = host.split(separator: "@").first, host.contains("@"), user.contains(":") {
                throw wrong("holds a password", "write the user alone, and add 'password: ${NAME}'")
            }
        } else {
            let host = text.prefix { $0 != ":" && $0 != "/" }
            let path = text.dropFirst(host.count)
            guard !host.isEmpty, path.hasPrefix(":") else {
                throw wrong("is on this machine", "use 'to: folder' for a folder on this machine")
            }
            guard !path.hasPrefix("::"), path.count > 1 else {
                throw wrong("has no path", "write user@host:/path, or rsync://user@host/module/path")
            }
        }
        let text = text.hasSuffix("/") ? text : text + "/"
        self.text = text
        guard text.hasPrefix("rsync://"),
            let module = text.dropFirst(8).prefixMatch(of: /[^\/]*\/+[^\/]+\/+/)
        else {
            (top, below) = (text, "")
            return
        }
        (top, below) = ("rsync://" + module.output, String(text.dropFirst(8)[module.range.upperBound...]))
    }
}

/// What proves to the other machine who publishes.
struct RsyncAccess: Sendable {
    let ssh: SSHProgram
    let password: Secret?
}

/// A folder of another machine; rsync gives each file its place by a rename, all of one stage at once.
struct RsyncTarget: Target {
    let location: RsyncPlace
    let access: RsyncAccess
    let folder: String
    let environment: [String: String]
    let mostSeconds: Int
    /// What the other machine refuses.
    private let refusals = RsyncRefusals()

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
        let result = try await rsync(["--times", location.text + name, scratch.path + "/"], scratch)
        if result.status == 0 {
            return try readLocalFile("\(scratch.path)/\(name)", limit: PublicationManifest.mostBytes)
        }
        // 23 is a partial transfer: of the one file that was asked for, none came.
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
        try await write(manifest.merged(into: other, after: plan))
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
        var batch: [PublishedPath: PublicationManifest.Entry] = [:]
        var bytes = 0
        for path in paths {
            guard let entry = plan.last?.manifest.files[path] else { continue }
            if bytes + entry.size > Self.mostComparedBytes {
                removable += try await unchanged(batch)
                (batch, bytes) = ([:], 0)
            }
            batch[path] = entry
            bytes += entry.size
        }
        return removable + (try await unchanged(batch))
    }

    /// More than that is compared in several steps, as it is on this machine meanwhile.
    private static let mostComparedBytes = 256 << 20

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

    // MARK: The program

    /// Runs it, and keeps the files in a folder until its end; once more without options that follow links to folders
    /// where the other machine refuses them.
    private func rsync(
        _ arguments: [String], _ scratch: ScratchFolder, input: [UInt8] = []
    ) async throws(Diagnostic) -> ChildProcess.Result {
        defer { withExtendedLifetime(scratch) {} }
        let result = try await run(refusals.admitted(arguments), input)
        guard result.refusesLinks, !refusals.areLinksRefused else { return result }
        refusals.refuseLinks()
        return try await run(refusals.admitted(arguments), input)
    }

    private func run(
        _ arguments: [String], _ input: [UInt8]
    ) async throws(Diagnostic) -> ChildProcess.Result {
        let scratch = try ScratchFolder()
        defer { withExtendedLifetime(scratch) {} }
        // What the user's environment would add or send on.
        var variables = environment.filter { !$0.key.hasPrefix("RSYNC_") }
        variables["LC_ALL"] = "C"
        let program = try scratch.program("ssh", "exec \(access.ssh.command) \"$@\"")
        variables["RSYNC_RSH"] = "'" + program.replacing("'", with: "''") + "'"
        var own = ["--timeout=60"] + (location.needsProtection ? ["-s"] : [])
        if let password = access.password {
            let file = try scratch.file("password", password.signingBytes + [UInt8(ascii: "\n")])
            own.append("--password-file=\(file)")
        }
        return try await ChildProcess(
            program: "rsync", arguments: own + arguments, environment: variables, folder: folder,
            input: input, mostSeconds: mostSeconds
        ).run()
    }

    private func failure(_ result: ChildProcess.Result, _ action: String) -> Diagnostic {
        let redaction = Redaction([access.password].compactMap(\.self))
        let lines = result.lastLines.map(redaction.masked)
        return .error(
            "publish.rsync", "Cannot \(action) \(place)",
            details: ["rsync ended with status \(result.status)"] + lines,
            hints: [SSHProgram.nextStep(lines) ?? nextStep(result.status, lines)])
    }

    /// By the exit codes that rsync's manual lists.
    private func nextStep(_ status: Int32, _ lines: [String]) -> String {
        let text = lines.joined(separator: "\n")
        if text.contains("No space left") || text.contains("quota exceeded") {
            return "free some space on the other machine, and publish again"
        }
        if text.contains("option -s has been disabled") {
            return "use a 'destination' of letters, digits and /._- alone, which rrsync lets pass"
        }
        if text.contains("rrsync error: ") { return "let rrsync name a folder that may be read and written" }
        if text.contains("module is read only") { return "set 'read only = no' for the module" }
        switch status {
        case 5: return "check the module, the user and 'password'"
        case 10, 255: return "check the host and the port, and that the server is up"
        case 12, 30, 35: return "publish again; the next publication sends only what is missing"
        case 127: return "install rsync on the other machine"
        case 11, 23:
            return "check that the folder exists, that the user may write to it, and that there is space"
        default: return "read what rsync said above"
        }
    }
}

/// What the other machine refuses. rrsync, which shuts a login in to a folder, lets no link lead out of it.
private final class RsyncRefusals: Sendable {
    private let links = Mutex(false)

    /// Whether links to folders may not be followed.
    var areLinksRefused: Bool { links.withLock { $0 } }

    func refuseLinks() { links.withLock { $0 = true } }

    /// Those of some arguments that are not refused.
    func admitted(_ arguments: [String]) -> [String] {
        guard areLinksRefused else { return arguments }
        return arguments.filter { !["--keep-dirlinks", "--copy-dirlinks"].contains($0) }
    }
}

extension ChildProcess.Result {
    /// Whether rrsync answered in place of rsync.
    fileprivate var isOfRrsync: Bool { status == 12 && errors.contains("rrsync error: ") }

    /// Whether rrsync refuses to follow links to folders.
    fileprivate var refusesLinks: Bool {
        isOfRrsync && ["-K", "-k"].contains { errors.contains("option \($0) has been disabled") }
    }

    /// What a list names, by path.
    fileprivate var listedKinds: [PublishedPath: PathKind] {
        var found: [PublishedPath: PathKind] = [:]
        for line in output.split(separator: UInt8(ascii: "\n")) {
            // Rights, size, day and time, and the name, which may have spaces.
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
            guard words.count == 5, let kind = words[0].first else { continue }
            // A backslash before '#' and three digits is the only thing that is printed otherwise.
            let name = String(decoding: words[4], as: UTF8.self).replacing("\\#134", with: "\\")
            found[PublishedPath(name)] =
                kind == UInt8(ascii: "d") ? .folder : kind == UInt8(ascii: "l") ? .link : .file
        }
        return found
    }

    /// Whether the other machine has no such folder.
    fileprivate var hasNoFolder: Bool {
        status != 0
            && errors.split(separator: "\n").contains {
                $0.contains("change_dir") && $0.contains("No such file or directory")
            }
    }

    /// Whether nothing went wrong but that a folder above some file is a file.
    fileprivate var lacksFilesOnly: Bool {
        status == 23
            && errors.split(separator: "\n").filter { $0.hasPrefix("rsync: ") }.allSatisfy { line in
                let causes = ["Not a directory", "Too many levels of symbolic links"]
                return line.contains("link_stat") && causes.contains { line.contains($0) }
            }
    }
}
