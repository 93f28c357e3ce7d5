import AppHealth
import Archive
import ArgumentParser
import Attaching
import Configuration
import Diagnostics
import Files

/// An app with another id and all of its history.
struct ArchiveRenameAppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename-app", abstract: "Give an app another id and keep its history.",
        discussion: """
            All that the archive has of the app moves at once, or nothing does: data, alerts, levels and what was \
            attached. Alerts keep their own ids. Set 'id' in plimsoll.yml next, before the next fetch. An id of which \
            the archive has something already is refused. Make a backup first. Exit codes: 0 done; 2 unknown app, or an \
            id that cannot be used; 4 nothing done.
            """)

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption

    @Argument(help: ArgumentHelp("Id of the app in the archive.", valueName: "old"))
    var old: String

    @Argument(
        help: ArgumentHelp("New id: lowercase letters, digits, '.', '_' and '-'.", valueName: "new"))
    var new: String

    func run() throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        do throws(Diagnostic) {
            let id = try newID(in: project)
            let rows = try rename(in: project, to: id, console)
            report(rows, console)
        } catch {
            throw console.stop(error)
        }
    }

    /// The new id, which no other app of the project has.
    private func newID(in project: Project) throws(Diagnostic) -> Slug {
        guard let id = Slug(new) else {
            throw .usage(
                "archive.bad-id", "'\(new)' is not a valid id",
                hints: [
                    "use up to 80 lowercase letters, digits, '.', '_' and '-', for example '\(Slug(anyText: Slug.safeCharacters(of: new)))'"
                ])
        }
        guard new != old else {
            throw .usage(
                "archive.same-id", "App has the id '\(new)' already", hints: ["name another id"])
        }
        let apps = project.configuration.apps.map(\.app.id.text)
        guard !apps.contains(old) || !apps.contains(new) else {
            throw .usage(
                "archive.app-configured", "'\(configuration.file)' has an app '\(new)' already",
                details: ["'\(old)' and '\(new)' are two apps there"], hints: ["name another id"])
        }
        return id
    }

    private func rename(
        in project: Project, to id: Slug, _ console: Console
    ) throws(Diagnostic) -> RenamedRows {
        guard pathKind(project.archive) != .missing else {
            throw project.missingArchive
        }
        let held = try HeldArchive(project, for: "archive rename-app", waiting: waiting.wait, console)
        let result: AppRenaming
        do throws(ArchiveError) {
            result = try held.archive.renameApp(old, to: id) { Gist.kept($0, renaming: old, to: new) }
            // The newest backup has the new id, as it remembers what is attached from now on.
            if case .renamed = result { project.keepBackup(of: held.archive, console) }
            try held.archive.close()
        } catch {
            throw error.diagnostic
        }
        return try rows(of: result, in: project).get()
    }

    private func rows(of result: AppRenaming, in project: Project) -> Result<RenamedRows, Diagnostic> {
        switch result {
        case .renamed(let rows): .success(rows)
        case .unknown(let apps):
            .failure(
                .usage(
                    "archive.unknown-app", "Unknown app '\(old)'", at: .file(path: project.archive),
                    hints: [nameHint(for: old, among: apps)]))
        case .taken:
            .failure(
                .usage(
                    "archive.app-exists", "Archive has an app '\(new)' already; nothing was renamed",
                    at: .file(path: project.archive),
                    hints: [
                        "name another id",
                        "if a fetch made it after 'id' was changed, move the archive away, as restoring over it brings that back, and restore the backup from before: plimsoll archive restore FILE",
                    ]))
        }
    }

    private func report(_ rows: RenamedRows, _ console: Console) {
        let parts = [
            counted(rows.sources, "source"), counted(rows.alerts, "alert"),
            counted(rows.summaries, "attached summary", plural: "attached summaries"),
        ]
        console.result("✓ '\(old)' is '\(new)' now: \(parts.joined(separator: ", "))")
        console.result(
            "Next: set 'id: \(new)' in \(configuration.file), and in attach targets, notes, mutes and pages that name '\(old)'"
        )
        console.result(
            "Then: plimsoll build --force, and plimsoll publish --allow-removals, as its pages have other URLs"
        )
        guard rows.summaries > 0 else { return }
        console.result(
            "In release notes, comments and files of yours, write 'app=\(new)' in place of 'app=\(old)' in the first mark of the summary, or there will be a second summary"
        )
    }
}
