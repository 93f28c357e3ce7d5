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
            each change of an issue's state, fix or newest version it was seen in. So every page of today, and of any \
            report time within that age, stays the same; reports 'as of' an earlier time show some values as they were \
            first reported. Removed revisions are gone: make a backup first. The file system needs room for a copy of \
            the archive meanwhile.
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
        do throws(Diagnostic) {
            try dryRun ? count(project, instant, console) : compact(project, instant, console)
        } catch {
            throw console.stop(error)
        }
    }

    private func count(_ project: Project, _ instant: Instant, _ console: Console) throws(Diagnostic) {
        do throws(ArchiveError) {
            let archive = try Archive(at: project.archive, for: .reading)
            let revisions = try archive.superseded(before: instant)
            try archive.close()
            console.result("Would remove \(revisionsText(revisions)) superseded before \(instant)")
        } catch {
            throw error.diagnostic
        }
    }

    private func compact(_ project: Project, _ instant: Instant, _ console: Console) throws(Diagnostic) {
        guard pathKind(project.archive) != .missing else {
            throw ArchiveError.missing(path: project.archive).diagnostic
        }
        let held = try HeldArchive(project, for: "archive compact", waiting: waiting.wait, console)
        do throws(ArchiveError) {
            let before = held.archive.fileSize
            let removed = try held.archive.compact(before: instant)
            try held.archive.close()
            let sizes = "\(sizeText(before)) before, \(sizeText(held.archive.fileSize)) now"
            console.result("Removed \(revisionsText(removed)) superseded before \(instant); \(sizes)")
        } catch {
            throw error.diagnostic
        }
    }

    private func revisionsText(_ count: Int) -> String {
        count == 1 ? "1 revision" : "\(countText(count)) revisions"
    }
}
