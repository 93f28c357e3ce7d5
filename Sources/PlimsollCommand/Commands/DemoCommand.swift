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
            like any other: commands work in it, or with '--config <folder>/plimsoll.yml'. It is made \
            again unless a file of it was changed. A folder without a demo must be new or empty.
            """)

    @Option(
        help: ArgumentHelp(
            "Folder for the demo: configuration, data, archive and site.", valueName: "folder"),
        completion: .directory)
    var output = "plimsoll-demo"

    @Option(help: ArgumentHelp("Pages built at the same time; the output is the same.", valueName: "count"))
    var threads = usualThreads(of: ProcessInfo.processInfo.activeProcessorCount)

    @Option(
        help: ArgumentHelp("Installed theme: default or plain.", valueName: "name"),
        completion: .list(["default", "plain"]))
    var theme: String?

    func validate() throws { try checkThreads(threads) }

    func run() async throws {
        let console = Console()
        let folder = DemoFolder(path: absolutePath(output))
        let data = try findData(ProcessInfo.processInfo.environment, console)
        do throws(Diagnostic) {
            if let warning = try make(folder, from: data) { console.report(warning) }
        } catch {
            throw console.stop(error)
        }
        let project = try loadProject(folder.configuration, console, data: data)
        _ = try await fetch(project, console)
        var options = try BuildOptions.parse([])
        options.threads = threads
        _ = try await build(project, asOf: project.now, options, console)
        console.result("Next: 'plimsoll show --config \(output)/plimsoll.yml', or any command in '\(output)'")
    }

    /// Makes the folder, unless it is somebody else's or there is no such theme; returns what to warn of.
    private func make(_ folder: DemoFolder, from data: String) throws(Diagnostic) -> Diagnostic? {
        if let theme {
            _ = try ThemeLayers(name: theme, roots: [folder.path + "/Themes", data + "/Themes"])
        }
        let refusal: Diagnostic?
        do throws(FileFailure) {
            let files = try DemoFiles(of: data, theme: theme)
            refusal = try folder.refusal(of: files)
            if refusal == nil { return try folder.fill(with: files) }
        } catch {
            throw error.diagnostic
        }
        if let refusal { throw refusal }
        return nil
    }
}
