import Diagnostics
import Files
import Foundation
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

/// A folder as rsync names it.
struct RsyncPlace: Sendable {
    /// Ends with a slash.
    let text: String

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
        self.text = text.hasSuffix("/") ? text : text + "/"
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
        guard result.status == 23, result.errors.contains("No such file or directory") else {
            throw failure(result, "read what was published to")
        }
        return nil
    }

    /// A dry run that would send only what is not there tells what is.
    func occupied(_ plan: PublicationPlan, of site: SiteFolder) async throws(Diagnostic) -> [String] {
        let new = plan.uploads.filter(\.isNew).map(\.file.path)
        guard !new.isEmpty else { return [] }
        let scratch = try ScratchFolder()
        let result = try await rsync(
            ["--dry-run", "--ignore-existing", "--out-format=%n", "-8"] + list + [
                site.path + "/", location.text,
            ], scratch, input: paths(new))
        guard result.status == 0 else { throw failure(result, "compare with") }
        let missing = Set(
            result.output.split(separator: UInt8(ascii: "\n")).map {
                // A backslash before '#' and three digits is the only thing that is printed otherwise.
                String(decoding: $0, as: UTF8.self).replacing("\\#134", with: "\\")
            })
        return new.filter { !missing.contains($0) }
    }

    // MARK: Publishing

    func apply(
        _ plan: PublicationPlan, of site: SiteFolder, at instant: String,
        sent: @escaping @Sendable (PublicationPlan.Upload) -> Void
    ) async throws(Diagnostic) {
        let now = try await readManifest()
        guard now.map({ contentHash($0) }) == plan.last?.revision else { throw overtaken(place) }
        var manifest = PublicationManifest(beginning: plan, at: instant)
        if plan.last?.manifest.isComplete == false { try await clean(after: manifest) }
        try await write(manifest)
        for batch in plan.batches {
            for upload in batch { try site.check(upload.file) }
            try await send(batch.map(\.file.path), from: site)
            for upload in batch {
                manifest.note(upload)
                sent(upload)
            }
        }
        try await remove(plan.removals)
        manifest.finish(plan)
        try await write(manifest)
    }

    /// Removes what rsync keeps of files that did not arrive: on a full disk there would be no room for anything else.
    private func clean(after manifest: PublicationManifest) async throws(Diagnostic) {
        let folders = Set(manifest.files.keys.map { splitPath($0).folder })
        try await remove(folders.sorted().map { $0 == "." ? ".~tmp~" : "\($0)/.~tmp~" })
    }

    /// Sends files of one stage: under other names first, which then are all changed at once.
    private func send(_ files: [String], from site: SiteFolder) async throws(Diagnostic) {
        let scratch = try ScratchFolder()
        let result = try await rsync(
            [
                "--times", "--checksum", "--delay-updates", "--chmod=D755,F644", "--keep-dirlinks",
            ] + list + [site.path + "/", location.text], scratch, input: paths(files))
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

    /// Removes files by name: those that are named and are not in the empty folder that is sent.
    private func remove(_ files: [String]) async throws(Diagnostic) {
        guard !files.isEmpty else { return }
        let scratch = try ScratchFolder()
        let empty = "\(scratch.path)/empty"
        try makeLocalFolder(empty)
        // A folder that is missing, too, would count as a file that vanished.
        for folder in Set(files.map { splitPath($0).folder }) where folder != "." {
            try makeLocalFolder("\(empty)/\(folder)")
        }
        let result = try await rsync(
            ["--delete-missing-args", "--force", "--keep-dirlinks"] + list + [
                empty + "/", location.text,
            ],
            scratch,
            input: paths(files))
        guard result.status == 0 else { throw failure(result, "remove files from") }
    }

    private var list: [String] { ["--files-from=-", "--from0"] }

    /// With a step before it a path that begins with '#' is none the less a path.
    private func paths(_ files: [String]) -> [UInt8] { files.flatMap { Array("./\($0)\0".utf8) } }

    // MARK: The program

    private func rsync(
        _ arguments: [String], _ scratch: ScratchFolder, input: [UInt8] = []
    ) async throws(Diagnostic) -> ChildProcess.Result {
        // What the user's environment would add or send on.
        var variables = environment.filter { !$0.key.hasPrefix("RSYNC_") }
        variables["LC_ALL"] = "C"
        let program = try scratch.program("ssh", "exec \(access.ssh.command) \"$@\"")
        variables["RSYNC_RSH"] = "'" + program.replacing("'", with: "''") + "'"
        var own = ["-s", "--timeout=60"]
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
