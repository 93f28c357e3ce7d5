import ArgumentParser
import Configuration
import Diagnostics
import Foundation

/// A whole site from bundled data, offline.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Build a demo site from sample data, offline.",
        discussion: "The latest fetch of one source failed on purpose: it shows how a failure looks.")

    @Option(help: ArgumentHelp("Folder for the demo site and archive.", valueName: "folder"))
    var output = "plimsoll-demo"

    @Option(help: ArgumentHelp("Pages built at the same time; the output is the same.", valueName: "count"))
    var threads = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: ArgumentHelp("Installed theme: default or plain.", valueName: "name"))
    var theme: String?

    func run() async throws {
        let console = Console()
        let folder = absolutePath(output)
        let data = try findData(ProcessInfo.processInfo.environment, console)
        let project = try loadProject("\(data)/Content/demo/plimsoll.yml", console, data: data) { settings in
            settings.output = folder + "/site"
            if let theme { settings.theme = theme }
            settings.archive = folder + "/archive.sqlite"
        }
        _ = try await fetch(project, console)
        var options = try BuildOptions.parse([])
        options.threads = max(1, threads)
        _ = try await build(project, asOf: project.now, options, console)
    }
}
