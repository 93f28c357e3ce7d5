import ArgumentParser
import Configuration
import Diagnostics
import Foundation

/// A whole site from bundled data, offline.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Make a whole site from bundled, invented data, without a network.",
        discussion: "One of its sources failed on its last night: that is part of the story it tells.")

    @Option(help: ArgumentHelp("The folder for the demo's site and archive.", valueName: "folder"))
    var output = "plimsoll-demo"

    @Option(help: ArgumentHelp("How many pages are made at once; never changes a byte.", valueName: "count"))
    var threads = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: ArgumentHelp("An installed theme: default or plain.", valueName: "name"))
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
