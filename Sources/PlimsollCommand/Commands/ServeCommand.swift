import Archive
import ArgumentParser
import Configuration
import Diagnostics
import Files
import Foundation
import Pages
import Preview
import Site
import Transport

/// A local preview.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Preview the site locally; rebuild on changes.",
        discussion: """
            Serves on 127.0.0.1 only. Configuration, content, theme and archive are checked every second, and the \
            site is rebuilt when one of them changes or its folder is gone. While a build fails, the pages show why; \
            the previous site is unchanged, and the build is tried again, at least about once a minute. Pages have no script, so reload them yourself. Ctrl-C ends it.
            """)

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var options: BuildOptions

    @Option(help: ArgumentHelp("Port; 0 picks a free one.", valueName: "number"))
    var port: UInt16 = 8080

    @Option(help: "Open the site in a browser: yes or no.")
    var open = Answer.no

    /// Whether something is wanted.
    enum Answer: String, ExpressibleByArgument, CaseIterable { case yes, no }

    func run() async throws {
        let console = Console()
        let project = try self.project(nil, console)
        let server: PreviewServer
        do throws(Diagnostic) {
            let root = project.configuration.url.map(pathOnHost) ?? "/"
            server = try PreviewServer.start(project.output, port: port, root: root)
        } catch {
            console.report(error)
            throw ExitStatus.nothingDone
        }
        console.result(server.address)
        if open == .yes { openBrowser(server.address, console) }
        await interruptible { [self] in await keepBuilding(project, server, console) }
        server.stop()
    }

    /// The project of the configuration as it is now; its site stays where it was.
    private func project(_ output: String?, _ console: Console) throws(ExitStatus) -> Project {
        try loadProject(configuration.file, console) { settings in
            options.apply(to: &settings)
            if let output { settings.output = output }
        }
    }

    /// Builds, and builds again after every change, until the task is canceled.
    private func keepBuilding(_ first: Project, _ server: PreviewServer, _ console: Console) async {
        var project = first
        var known: [Diagnostic] = []
        await Preview.keepBuilding(
            from: { (watched(project), project.output) },
            build: {
                let errors = ErrorCollector()
                // What a build that is tried again says once more is not news.
                let collecting = console.collecting(into: errors, known: known)
                defer { console.progress("Watching for changes (Ctrl-C to stop)") }
                do throws(ExitStatus) {
                    project = try self.project(absolutePath(first.output), collecting)
                    _ = try await build(project, asOf: project.now, options, collecting)
                    server.show(trouble: nil)
                    known = []
                    return true
                } catch {
                    known = errors.all
                    server.show(trouble: errors.page(hasSite: pathKind(project.output) == .folder))
                    return false
                }
            },
            pause: { (try? await Task.sleep(for: .seconds(1))) != nil })
        console.endProgress()
    }

    /// What a site is made from.
    private func watched(_ project: Project) -> [String] {
        let theme = (try? project.themeLayers().folders) ?? []
        return [configuration.file, project.path(project.configuration.content)]
            + ArchiveFiles.files(of: project.archive) + [project.path("Themes")] + theme
    }

    private func openBrowser(_ address: String, _ console: Console) {
        let browser = Process()
        browser.executableURL = URL(fileURLWithPath: "/usr/bin/xdg-open")
        browser.arguments = [address]
        do {
            try browser.run()
        } catch {
            console.report(
                .warning(
                    "serve.no-browser", "Couldn't open a browser", hints: ["open \(address) yourself"]))
        }
    }
}
