import AppHealth
import Archive
import ArgumentParser
import Diagnostics
import Files

/// What keeps the archive.
struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Check, back up, restore, merge and compact the archive; rename apps.",
        subcommands: [
            ArchiveCheckCommand.self, ArchiveBackupCommand.self, ArchiveRestoreCommand.self,
            ArchiveMergeCommand.self, ArchiveStatsCommand.self, ArchiveCompactCommand.self,
            ArchiveRenameAppCommand.self,
        ])
}

/// Whether the archive is sound.
struct ArchiveCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the archive, or a backup of it. Changes nothing.",
        discussion: """
            Checks the structure of the file, the references between its tables, and reads every row. Of an archive of \
            an older version the rows are not read. Exit codes: 0 sound; 1 damaged; 4 no such file, or one that cannot \
            be checked now.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Argument(
        help: ArgumentHelp("Archive or backup to check (default: the archive).", valueName: "file"),
        completion: .file())
    var file: String?

    func run() throws {
        let console = Console()
        let path: String
        let project: Project?
        if let file {
            path = try existingFile(file, console)
            project = nil
        } else {
            let loaded = try loadProject(configuration.file, console)
            path = loaded.archive
            if isMissing(path) { throw console.stop(loaded.missingArchive) }
            project = loaded
        }
        let found = ArchiveFindings(path, of: project)
        for problem in found.problems { console.report(problem) }
        let note = found.isOlder ? ", of an older version; the next fetch updates it" : ""
        console.result(found.problems.isEmpty ? "✓ \(path)\(note)" : "✗ \(path)")
        if found.isDamaged { throw ExitStatus.doneWithFailures }
        if !found.problems.isEmpty { throw ExitStatus.nothingDone }
    }
}

/// A copy of the archive.
struct ArchiveBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the archive to a file, also while it is written.",
        discussion:
            "The file is whole and checked, or is not made. A file that exists is replaced with '--replace'.")

    @OptionGroup var configuration: ConfigurationOption

    @Flag(help: "Replace the file if it exists.")
    var replace = false

    @Argument(help: ArgumentHelp("Where to write the backup.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        let place = absolutePath(file)
        // In the site it would be published.
        if let problem = project.fileProblem(
            place, configuration.file, others: [project.site], hint: "name another file")
        {
            throw console.stop(problem)
        }
        guard pathKind(place) != .other else {
            throw console.stop(
                .usage(
                    "archive.backup-place", "Not a file but a pipe, a socket or a device",
                    at: .file(path: place),
                    hints: ["name a file"]))
        }
        guard replace || pathKind(place) == .missing else {
            throw console.stop(
                .usage(
                    "archive.backup-exists", "There is a file already", at: .file(path: place),
                    hints: ["name another file, or add '--replace'"]))
        }
        do throws(ArchiveError) {
            let archive = try Archive(at: project.archive, for: .copying)
            try archive.backUp(to: place)
            try archive.close()
        } catch {
            throw console.stop(project.diagnostic(error))
        }
        PublicationLedger(nextTo: project.archive).replace(nextTo: place, console)
        console.result("Backup: \(place)")
    }
}

/// A backup in the place of the archive.
struct ArchiveRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in the place of the archive.",
        discussion: """
            The backup is checked first. The archive that was there stays next to it, with the ending \
            '.before-restore', or '.before-restore-2' and so on where there is one already. Without a file the newest backup that 'keepBackups' kept is taken. What that archive wrote down since the backup \
            is taken over: what was attached, which alerts were raised, and which fetches failed.
            """)

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption

    @Argument(
        help: ArgumentHelp("Backup to restore (default: the newest one kept).", valueName: "file"),
        completion: .file())
    var file: String?

    func run() throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        let kept = project.keptBackups
        let named = try file.map { try existingFile($0, console) }
        let (newest, ahead): (String?, [String])
        do throws(FileFailure) {
            newest = named == nil ? try kept.newest(at: project.now) : nil
            ahead = named == nil ? try kept.ahead(of: project.now) : []
        } catch {
            throw console.stop(error.diagnostic)
        }
        guard let backup = named ?? newest else {
            throw console.stop(
                .usage(
                    "archive.no-backup", "There is no backup",
                    details: ahead.map { "'\($0)' is ahead of the clock, \(project.now)" },
                    at: .file(path: project.backups),
                    hints: ["name a file, or set 'keepBackups' before the next fetch"]))
        }
        do throws(ArchiveError) {
            let lock = try ArchiveLock.acquire(
                forArchive: project.archive, command: "archive restore", now: project.now,
                waiting: waiting.wait)
            var unread: ArchiveError?
            let old = try Archive.restore(project.archive, from: backup, now: project.now) { unread = $0 }
            PublicationLedger(nextTo: backup).add(to: project.archive, console)
            if let unread { reportUnread(unread, of: old ?? project.archive, console) }
            _ = consume lock
            console.result("Restored \(project.archive) from \(backup)")
            if let old { console.result("The archive before is \(old)") }
        } catch {
            throw console.stop(error.diagnostic)
        }
    }
}

/// Reports that what the archive before wrote down cannot be read, or that none is there.
private func reportUnread(_ why: ArchiveError, of old: String, _ console: Console) {
    console.report(
        .warning(
            "archive.attached-unknown", "What was attached since the backup is unknown",
            details: [
                wasMissing(why) ? "there was no archive to take it from" : why.diagnostic.summary,
                "alerts that were raised since can get other ids",
            ], at: .file(path: old),
            hints: ["see what would be sent again: plimsoll attach --dry-run"]))
}

/// Whether something could not be read as there was no file.
private func wasMissing(_ why: ArchiveError) -> Bool {
    if case .missing = why { true } else { false }
}

/// The path of an archive that the command line names; the command ends when nothing is there.
func existingFile(_ file: String, _ console: Console) throws(ExitStatus) -> String {
    let path = absolutePath(file)
    guard isMissing(path) else { return path }
    throw console.stop(
        .error("archive.missing", "File does not exist", at: .file(path: path), hints: ["check the path"]))
}

/// Whether there is nothing for certain; what a disk does not say is said by what reads it.
func isMissing(_ path: String) -> Bool { (try? knownKind(path)) == .missing }

/// What a check of an archive found.
struct ArchiveFindings {
    /// What is wrong with it, or why that cannot be found out.
    private(set) var problems: [Diagnostic] = []
    /// Whether what it holds is wrong.
    private(set) var isDamaged = false
    /// Whether an older version wrote it.
    private(set) var isOlder = false

    /// Checks an archive.
    ///
    /// - Parameter project: the one whose archive it is; nil of a backup, and of that of another one.
    init(_ path: String, of project: Project? = nil) {
        do throws(ArchiveError) {
            let archive = try Archive(at: path, for: .copying)
            isOlder = archive.isOlder
            let faults = try archive.faults()
            try archive.close()
            if faults.isEmpty { return }
            isDamaged = true
            problems = [
                .error(
                    "archive.damaged", "Archive is damaged", details: faults, at: .file(path: path),
                    hints: [
                        "restore it from a backup: plimsoll archive restore",
                        "save what can be read with: sqlite3 FILE .recover",
                    ])
            ]
        } catch {
            isDamaged = error.isDamage
            problems = [project?.diagnostic(error) ?? error.diagnostic]
        }
    }
}
