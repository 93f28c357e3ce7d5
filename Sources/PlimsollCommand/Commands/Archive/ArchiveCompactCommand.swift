import AppHealth
import Archive
import ArgumentParser
import Diagnostics
import Files
import Formatting

/// An archive without revisions that no one needs any more.
struct ArchiveCompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Remove old revisions that newer ones superseded.",
        discussion: """
            Of each value stay what was first reported, the last two revisions before the given age, all later ones, and \
            each change of an issue's state, fix or newest version it was seen in. Of users, sessions and use stays all \
            of the \(LateCounts.learnedDays) days before that age, too: reports learn from them how much of a day comes \
            late. So every page of today, and of any report time within that age, stays the same; reports 'as of' an \
            earlier time show some values as they were first reported. Removed revisions are gone: make a backup first. The file gets smaller when something was \
            removed, or when a tenth of it is free. That needs room for a copy of the archive next to it, and for \
            another one where SQLite puts temporary files (SQLITE_TMPDIR); where the room is missing, nothing is \
            removed. Exit codes: 0 done; 1 removed, but the file is as large as before; 4 nothing done.
            """)

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption

    @Option(
        help: ArgumentHelp(
            "Days since a revision was superseded: at least \(Archive.leastCompactDays).", valueName: "days"))
    var olderThan: Int

    @Flag(help: "Count what would be removed; change nothing.")
    var dryRun = false

    func validate() throws {
        guard (Archive.leastCompactDays...36_500).contains(olderThan) else {
            throw ValidationError(
                "'--older-than' must be \(Archive.leastCompactDays) to 36500 days, not \(olderThan).")
        }
    }

    func run() throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        let instant = project.now.advanced(bySeconds: -olderThan * 86_400)
        var isWhole = true
        do throws(Diagnostic) {
            if dryRun {
                try count(project, instant, console)
            } else {
                isWhole = try compact(project, instant, console)
            }
        } catch {
            throw console.stop(error)
        }
        if !isWhole { throw ExitStatus.doneWithFailures }
    }

    private func count(_ project: Project, _ instant: Instant, _ console: Console) throws(Diagnostic) {
        do throws(ArchiveError) {
            let archive = try Archive(at: project.archive, for: .reading)
            let revisions = try archive.superseded(before: instant)
            try archive.close()
            console.result("Would remove \(countedText(revisions, "revision")) superseded before \(instant)")
        } catch {
            throw project.diagnostic(error)
        }
    }

    /// Returns whether all was done.
    private func compact(
        _ project: Project, _ instant: Instant, _ console: Console
    ) throws(Diagnostic) -> Bool {
        guard pathKind(project.archive) != .missing else {
            throw project.missingArchive
        }
        let held = try HeldArchive(project, for: "archive compact", waiting: waiting.wait, console)
        do throws(ArchiveError) {
            let before = held.archive.fileSize
            let removed = try held.archive.compact(before: instant)
            let refusal = try shrink(held.archive, removed: removed)
            try held.archive.close()
            let sizes = "\(sizeText(before)) before, \(sizeText(held.archive.fileSize)) now"
            console.result(
                "Removed \(countedText(removed, "revision")) superseded before \(instant); \(sizes)")
            guard let refusal else { return true }
            console.report(refusal)
            return false
        } catch {
            throw error.diagnostic
        }
    }

    /// Gives the space of what was removed back; returns why that cannot be done now.
    ///
    /// - Throws: where nothing was removed, so that nothing was done at all.
    private func shrink(_ archive: Archive, removed: Int) throws(ArchiveError) -> Diagnostic? {
        do throws(ArchiveError) {
            try archive.shrink()
            return nil
        } catch {
            guard removed > 0 else { throw error }
            return .warning(
                "archive.not-shrunk",
                "Revisions are removed, but the archive keeps its size until there is room",
                details: [error.diagnostic.summary], at: .file(path: archive.path),
                hints: ["free some space, then run the same command again"])
        }
    }
}
