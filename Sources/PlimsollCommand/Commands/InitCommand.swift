import ArgumentParser
import Configuration
import Diagnostics
import Site

extension ProviderKind: ExpressibleByArgument {}

/// A commented configuration.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a commented plimsoll.yml for the providers you name.")

    @Argument(help: "The folder to write into.")
    var folder = "."

    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp("A provider to configure; may be given more than once.", valueName: "name"))
    var providers: [ProviderKind] = [.files]

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
        do throws(FileFailure) {
            try makeFolder(folder + "/Content")
            try writeFile(file, Array(configurationText(providers).utf8))
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
