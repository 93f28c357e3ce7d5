import AppHealth
import ArgumentParser
import Diagnostics
import Providers
import Site

/// The name of a provider on the command line.
struct ProviderName: ExpressibleByArgument {
    let schema: SourceSchema

    init?(argument: String) {
        guard let found = ProviderList.all.first(where: { $0.name == argument }) else { return nil }
        schema = found.schema
    }

    static var allValueStrings: [String] { ProviderList.all.map(\.name) }
    var defaultValueDescription: String { schema.provider }
}

/// A commented configuration.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a commented plimsoll.yml.")

    @Argument(help: "The folder to write into.")
    var folder = "."

    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp("A provider to configure, repeatable (default: files).", valueName: "name"))
    var providers: [ProviderName] = []

    func run() throws {
        let console = Console()
        let file = folder + "/plimsoll.yml"
        guard pathKind(file) == .missing else {
            console.tell(
                .usage(
                    "init.exists", "'\(file)' is there already; nothing was written", at: .file(path: file),
                    hints: ["choose another folder, or remove the file first"]))
            throw ExitStatus.usage
        }
        let schemas = providers.isEmpty ? ProviderList.all.prefix(1).map(\.schema) : providers.map(\.schema)
        do throws(FileFailure) {
            try makeFolder(folder + "/Content")
            try writeFile(file, Array(configurationText(schemas).utf8))
            let index = folder + "/Content/index.md"
            if pathKind(index) == .missing { try writeFile(index, Array(firstPageText.utf8)) }
            let mutes = folder + "/Content/mutes.yml"
            if pathKind(mutes) == .missing { try writeFile(mutes, Array(mutesExample.utf8)) }
        } catch {
            console.tell(error.diagnostic)
            throw ExitStatus.nothingDone
        }
        console.result("Wrote \(file) and \(folder)/Content/index.md")
        console.result("Examples of what to mute: \(folder)/Content/mutes.yml")
        console.result("Next: fill in what is marked, then 'plimsoll run --config \(file)'")
    }
}
