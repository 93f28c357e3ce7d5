import ArgumentParser
import Configuration
import Diagnostics
import Foundation
import Site
import SiteChecks

/// One look over the theme, the content and the built site.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check theme, content and built site. Changes nothing.",
        discussion:
            """
            Every template against every page, contrast in both palettes, links and anchors, the content security \
            policy, what screen readers need, sizes, orphaned files, well-formed XML, the parts of every chart, and \
            hidden data if the site is for the public. Exit codes: 0 no problems, or warnings only; 1 problems. With '--site' and without '--config', \
            only that site is checked.
            """)

    @Option(
        name: [.short, .customLong("config")], help: "Configuration file. (default: plimsoll.yml)",
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp("Built site to check. Overrides 'output'.", valueName: "folder"),
        completion: .directory)
    var site: String?

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    func run() throws {
        let console = Console()
        let problems = try problems(console)
        let errors = problems.count { $0.severity == .error }
        switch format {
        case .json: console.document(json: CheckDocument(problems))
        case .text:
            for problem in problems { console.report(problem) }
            let warnings = problems.count { $0.severity == .warning }
            console.result(
                errors > 0
                    ? "✗ \(counted(errors, "error")), \(counted(warnings, "warning"))"
                    : "✓ No problems found" + (warnings > 0 ? "; \(counted(warnings, "warning"))" : ""))
        }
        if errors > 0 { throw ExitStatus.doneWithFailures }
    }

    private func problems(_ console: Console) throws(ExitStatus) -> [Diagnostic] {
        if let site, file == nil { return checkSite(absolutePath(site), baseURL: nil) }
        let project = try loadProject(file ?? "plimsoll.yml", console)
        let content = project.readContent().1
        let theme: [Diagnostic]
        do throws(Diagnostic) {
            theme = checkTheme(try project.themeLayers())
        } catch {
            theme = [error]
        }
        return theme + content + project.readMutes().1 + project.unusedSources()
            + project.hiddenDays() + project.missingRates()
            + checkSite(
                site.map(absolutePath) ?? project.output, baseURL: project.configuration.url,
                for: project.configuration.audience
            ) { audience throws(Diagnostics) in
                try leakSearch(of: project, for: audience, console)
            }
    }
}

/// What `check --format json` prints.
struct CheckDocument: Encodable {
    let format = "plimsoll-check"
    let version = 1
    /// Whether there is no error; warnings may stand.
    let isWell: Bool
    let errors: Int
    let warnings: Int
    /// Each kind of fault once, with the first places.
    let problems: [Problem]

    init(_ problems: [Diagnostic]) {
        errors = problems.count { $0.severity == .error }
        warnings = problems.count { $0.severity == .warning }
        isWell = errors == 0
        self.problems = problems.map(Problem.init)
    }
}
