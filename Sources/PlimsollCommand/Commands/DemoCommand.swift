import ArgumentParser
import Configuration
import Diagnostics
import Files
import Foundation
import Site

/// A whole site from bundled data, offline.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Build a demo site from sample data, offline.",
        discussion: """
            The latest fetch of one source failed on purpose: it shows how a failure looks. The folder is a project \
            like any other: commands work in it, or with '--config <folder>/plimsoll.yml'. A folder with files that no \
            demo made is refused.
            """)

    @Option(
        help: ArgumentHelp("Folder for the demo: configuration, data, archive and site.", valueName: "folder")
    )
    var output = "plimsoll-demo"

    @Option(help: ArgumentHelp("Pages built at the same time; the output is the same.", valueName: "count"))
    var threads = usualThreads(of: ProcessInfo.processInfo.activeProcessorCount)

    @Option(help: ArgumentHelp("Installed theme: default or plain.", valueName: "name"))
    var theme: String?

    func run() async throws {
        let console = Console()
        let folder = DemoFolder(path: absolutePath(output))
        let data = try findData(ProcessInfo.processInfo.environment, console)
        do throws(Diagnostic) {
            try make(folder, from: data)
        } catch {
            throw console.stop(error)
        }
        let project = try loadProject(folder.configuration, console, data: data)
        _ = try await fetch(project, console)
        var options = try BuildOptions.parse([])
        options.threads = max(1, threads)
        _ = try await build(project, asOf: project.now, options, console)
        console.result("Next: 'plimsoll show --config \(output)/plimsoll.yml', or any command in '\(output)'")
    }

    /// Makes the folder, unless it is somebody else's or there is no such theme.
    private func make(_ folder: DemoFolder, from data: String) throws(Diagnostic) {
        if let theme {
            _ = try ThemeLayers(name: theme, roots: [folder.path + "/Themes", data + "/Themes"])
        }
        let refusal: Diagnostic?
        do throws(FileFailure) {
            refusal = try folder.refusal()
            if refusal == nil { try folder.fill(from: data, theme: theme) }
        } catch {
            throw error.diagnostic
        }
        if let refusal { throw refusal }
    }
}
