import Analysis
import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Pages

/// Whether a release may be rolled out further, with an exit code for scripts.
struct VerdictCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verdict", abstract: "Print a release verdict.",
        discussion: """
            Exit codes: 0 go; 1 hold or roll back; 2 usage; 3 not enough data or unknown; \
            4 archive unreadable. The methods page of the site lists the rules.
            """)

    /// How the verdict is written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, markdown, json
    }

    @OptionGroup var configuration: ConfigurationOption

    @Option(help: ArgumentHelp("App id.", valueName: "id"))
    var app: String

    @Option(
        help: ArgumentHelp(
            "Version, such as 4.2.1 (default: newest).", valueName: "version"))
    var release: String?

    @Option(help: "Output format: text, markdown or json.")
    var format = Format.text

    @Option(
        help: ArgumentHelp(
            "Report time, such as 2026-11-20T06:00:00Z (default: now).", valueName: "time"))
    var asOf: Instant?

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        let document: VerdictDocument
        do throws(Diagnostics) {
            document = try verdict(project, console)
        } catch {
            throw console.stop(error)
        }
        console.document(text(of: document))
        if let status = exitStatus(of: document.verdict) { throw status }
    }

    private func verdict(_ project: Project, _ console: Console) throws(Diagnostics) -> VerdictDocument {
        let apps = project.configuration.apps
        guard let configured = apps.first(where: { $0.app.id.text == app }) else {
            throw unknownName("verdict", "app", app, among: apps.map(\.app.id.text))
        }
        let report = try project.numbers(of: configured, asOf: asOf ?? project.now, console)
        let (releases, facts) = (report.releases, report.facts)
        guard let label = release else { return VerdictDocument(releases.latest, of: releases, facts) }
        guard let found = releases.all.first(where: { $0.label == label }) else {
            throw unknownName("verdict", "release", label, among: releases.all.map(\.label))
        }
        return VerdictDocument(found, of: releases, facts)
    }

    private func text(of document: VerdictDocument) -> String {
        switch format {
        case .text: verdictText(document)
        case .markdown: verdictMarkdown(document)
        case .json: verdictJSON(document)
        }
    }
}

/// How the program ends with a verdict; nil is done.
private func exitStatus(of verdict: ReleaseVerdict) -> ExitStatus? {
    switch verdict {
    case .go: nil
    case .hold, .rollBack: .doneWithFailures
    case .notEnoughData, .unknown: .unknown
    }
}
