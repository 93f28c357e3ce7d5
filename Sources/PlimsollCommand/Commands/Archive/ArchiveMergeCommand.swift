import AppHealth
import Archive
import ArgumentParser
import Diagnostics
import Files
import Foundation

/// Archives that several machines fetched, in one.
struct ArchiveMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Add what other archives hold to the archive.",
        discussion: """
            For archives that machines filled with 'plimsoll fetch --shard'. Each is checked first, added \
            whole or not at all, and stays as it is. Merging one twice adds nothing the second time. Of a value that \
            differs for the very same instant the one in the archive stays. An archive that is not there is made.
            """)

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption

    @Argument(help: ArgumentHelp("Archives to add.", valueName: "file"), completion: .file())
    var files: [String]

    func run() throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        let others = try files.map { try existingFile($0, console) }
        if let own = others.first(where: { isSameFile($0, project.archive) }) {
            throw console.stop(
                .usage(
                    "archive.merge-itself", "An archive cannot be merged into itself", at: .file(path: own),
                    hints: ["name archives of other machines"]))
        }
        do throws(Diagnostic) {
            try add(others, to: project, console)
        } catch {
            throw console.stop(error)
        }
    }

    private func add(_ others: [String], to project: Project, _ console: Console) throws(Diagnostic) {
        // Where one of them cannot be used no archive is made: a site of what is missing would look like one of no data.
        if isMissing(project.archive) {
            for other in others { if let problem = ArchiveFindings(other).problems.first { throw problem } }
        }
        let held = try HeldArchive(
            project, for: "archive merge", waiting: waiting.wait, isJoined: true, console)
        var witnesses: [PassageWitness] = []
        do throws(ArchiveError) {
            for other in others {
                let summary = try held.archive.merge(other, now: project.now)
                witnesses.append(summary.witness)
                PublicationLedger(nextTo: other).add(to: project.archive, console)
                for warning in summary.warnings(about: other) { console.report(warning) }
                console.result(
                    "✓ \(other): \(counted(summary.apps, "app")), \(summary.values) new values")
            }
            try updatePassages(of: project, in: held.archive, witnesses: witnesses)
            try held.archive.close()
        } catch {
            throw error.diagnostic
        }
    }
}

private func isSameFile(_ one: String, _ other: String) -> Bool {
    func place(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
    return place(one) == place(other)
}

extension MergeSummary {
    fileprivate func warnings(about file: String) -> [Diagnostic] {
        var warnings: [Diagnostic] = []
        if conflicts > 0 {
            warnings.append(
                .warning(
                    "archive.merge-conflict",
                    "\(counted(conflicts, "value differs", plural: "values differ")) from stored ones of the same instant; stored values kept",
                    at: .file(path: file), hints: ["fetch each source on one machine only"]))
        }
        if ahead > 0 {
            warnings.append(
                .warning(
                    "archive.merge-ahead",
                    "\(counted(ahead, "value is", plural: "values are")) ahead of the clock and skipped",
                    at: .file(path: file), hints: ["check the clock of the machine that fetched them"]))
        }
        return warnings
    }
}
