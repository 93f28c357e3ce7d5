import Diagnostics
import Files
import Synchronization
import Transport

// The program rsync: how it is run for a target, and what its responses mean.

/// What proves to the other machine who publishes.
struct RsyncAccess: Sendable {
    let ssh: SSHProgram
    let password: Secret?
}

extension RsyncTarget {
    /// Runs it, and keeps the files in a folder until its end; once more without options that follow links to folders
    /// where the other machine refuses them.
    func rsync(
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

    func failure(_ result: ChildProcess.Result, _ action: String) -> Diagnostic {
        let redaction = Redaction([access.password].compactMap(\.self))
        let lines = result.lastLines(redaction)
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
final class RsyncRefusals: Sendable {
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
    var isOfRrsync: Bool { status == 12 && errors.contains("rrsync error: ") }

    /// Whether rrsync refuses to follow links to folders.
    var refusesLinks: Bool {
        isOfRrsync && ["-K", "-k"].contains { errors.contains("option \($0) has been disabled") }
    }

    /// What a list names, by path.
    var listedKinds: [PublishedPath: PathKind] {
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
    var hasNoFolder: Bool {
        status != 0
            && errors.split(separator: "\n").contains {
                $0.contains("change_dir") && $0.contains("No such file or directory")
            }
    }

    /// Whether nothing went wrong but that a folder above some file is a file.
    var lacksFilesOnly: Bool {
        let lines = errors.split(separator: "\n").filter { $0.hasPrefix("rsync: ") }
        // Without a line it is not known what went wrong.
        return status == 23 && !lines.isEmpty
            && lines.allSatisfy { line in
                let causes = ["Not a directory", "Too many levels of symbolic links"]
                return line.contains("link_stat") && causes.contains { line.contains($0) }
            }
    }
}
