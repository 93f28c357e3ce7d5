import ArgumentParser
import Configuration
import Diagnostics
import Files
import Foundation
import Providers
import Settings

/// A commented configuration.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a commented plimsoll.yml, and files for the night's run.",
        discussion: """
            With --schedule, files for cron, systemd, GitHub Actions or GitLab CI are written too; a plimsoll.yml that \
            exists is left alone then. No file is ever replaced.
            """)

    @Argument(help: "Folder to write into.", completion: .directory)
    var folder = "."

    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp("Provider to configure, repeatable (default: files).", valueName: "name"))
    var providers: [ProviderName] = []

    @Option(
        name: .customLong("publish"),
        help: ArgumentHelp("Publish target to configure, repeatable (default: none).", valueName: "name"))
    var targets: [TargetName] = []

    @Option(
        name: .customLong("attach"),
        help: ArgumentHelp("Attach target to configure, repeatable (default: none).", valueName: "name"))
    var attachments: [AttachName] = []

    @Option(
        name: .customLong("schedule"),
        help: ArgumentHelp(
            "Schedule to write files for, repeatable: cron, systemd, github-actions or gitlab-ci.",
            valueName: "name"))
    var schedules: [Schedule] = []

    @Option(help: "Path of the program in these files (default: that of this program).", completion: .file())
    var program: String?

    func validate() throws {
        // From the root of the file system it would be a path.
        if folder.isEmpty {
            throw ValidationError("The folder has no name; for the working folder write '.'.")
        }
    }

    func run() throws {
        let console = Console()
        let file = folder + "/plimsoll.yml"
        let hasConfiguration = pathKind(file) != .missing
        let files = distinctFiles(try hasConfiguration ? places(of: file, console) : SchedulePlaces())
        let known = files.filter { pathKind(path(of: $0)) != .missing }
        let kept = known.filter(isWritten)
        let other = known.first { !kept.contains($0) }
        if let first = other.map(path) ?? (schedules.isEmpty && hasConfiguration ? file : nil) {
            console.report(
                .usage(
                    "init.exists", "'\(first)' already exists; nothing was written", at: .file(path: first),
                    hints: ["choose another folder, or remove the file first"]))
            throw ExitStatus.usage
        }
        if !hasConfiguration { try writeConfiguration(file, console) }
        try write(files.filter { !kept.contains($0) }, console)
        for file in kept { console.result("Kept \(path(of: file))") }
        for schedule in schedules { console.result("Next: \(schedule.nextStep(in: folder))") }
    }

    private func path(of file: Schedule.File) -> String { "\(folder)/\(file.path)" }

    /// Whether a file is there as it would be written, such as by an earlier `init` for another schedule.
    private func isWritten(_ file: Schedule.File) -> Bool {
        let bytes = Array(file.text.utf8)
        return (try? readFile(path(of: file), limit: bytes.count)) == bytes
    }

    /// Where a configuration that exists has the archive and the site, if the files name them.
    private func places(of file: String, _ console: Console) throws -> SchedulePlaces {
        guard schedules.contains(where: \.namesPlaces) else { return SchedulePlaces() }
        let configuration = try readProjectConfiguration(file, console)
        return SchedulePlaces(archive: configuration.archive, site: configuration.output)
    }

    /// Two schedules may share a file.
    private func distinctFiles(_ places: SchedulePlaces) -> [Schedule.File] {
        let named = program ?? Bundle.main.executablePath ?? "plimsoll"
        // A name alone is looked for where programs are.
        let program =
            named.contains("/") ? URL(fileURLWithPath: absolutePath(named)).standardized.path : named
        return schedules.flatMap { $0.files(folder: absolutePath(folder), program: program, places) }
            .uniqued()
    }

    private func write(_ files: [Schedule.File], _ console: Console) throws {
        do throws(FileFailure) {
            for file in files {
                let path = path(of: file)
                try makeFolder(splitPath(path).folder)
                try writeFile(path, Array(file.text.utf8))
                console.result("Wrote \(path)")
            }
        } catch {
            console.report(error.diagnostic)
            throw ExitStatus.nothingDone
        }
    }

    private func writeConfiguration(_ file: String, _ console: Console) throws {
        let schemas = providers.isEmpty ? ProviderList.all.prefix(1).map(\.schema) : providers.map(\.schema)
        let (index, mutes) = (folder + "/Content/index.md", folder + "/Content/mutes.yml")
        let (hasIndex, hasMutes) = (pathKind(index) != .missing, pathKind(mutes) != .missing)
        do throws(FileFailure) {
            try makeFolder(folder + "/Content")
            let text = configurationText(
                schemas, targets: targets.map(\.schema), attachments: attachments.map(\.schema))
            try writeFile(file, Array(text.utf8))
            if !hasIndex { try writeFile(index, Array(firstPageText.utf8)) }
            if !hasMutes { try writeFile(mutes, Array(mutesExample.utf8)) }
        } catch {
            console.report(error.diagnostic)
            throw ExitStatus.nothingDone
        }
        console.result(hasIndex ? "Wrote \(file)\nKept \(index)" : "Wrote \(file) and \(index)")
        console.result(hasMutes ? "Kept \(mutes)" : "Examples of mutes: \(mutes)")
        let command = "plimsoll run --config \(shellWord(file))"
        console.result(
            "Next: fill in your values, then " + (file == shellWord(file) ? "'\(command)'" : command))
    }
}
