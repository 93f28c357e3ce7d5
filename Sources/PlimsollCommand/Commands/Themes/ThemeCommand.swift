import ArgumentParser
import Diagnostics
import Files
import Foundation
import Site

/// Themes: a start of one's own, and which there are.
struct ThemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theme", abstract: "Create or list themes.",
        subcommands: [ThemeNewCommand.self, ThemeListCommand.self])
}

/// The folder of a project, by its configuration.
struct ThemeProject {
    let folder: String
    let data: String

    /// - Throws: a usage error when there is no configuration.
    init(_ file: String, _ console: Console) throws(ExitStatus) {
        guard pathKind(file) == .file else {
            throw console.stop(
                .usage(
                    "config.missing", "Configuration file '\(file)' not found", at: .file(path: file),
                    hints: ["run 'plimsoll init', or use '--config'"]))
        }
        folder = splitPath(file).folder
        data = try findData(ProcessInfo.processInfo.environment, console)
    }

    /// The folders that hold themes, the project's own first.
    var roots: [String] { [folder + "/Themes", data + "/Themes"] }
}

/// The themes of the project and those that are installed.
struct ThemeListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List themes.")

    @OptionGroup var configuration: ConfigurationOption

    func run() throws {
        let console = Console()
        for theme in themes(in: try ThemeProject(configuration.file, console).roots) {
            console.result("\(theme.name): \(theme.description ?? "no description") (\(theme.folder))")
        }
    }
}
