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
            Exit codes: 0 go; 1 hold or roll back; 2 usage; 3 not enough data or unknown, as of a release that no data \
            names yet; 4 archive unreadable. The methods page of the site lists the rules.
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
        switch format {
        case .text: console.document(verdictText(document))
        case .markdown: console.document(verdictMarkdown(document))
        case .json: console.document(json: verdictDocument(document))
        }
        if let status = exitStatus(of: document.verdict) { throw status }
    }

    private func verdict(_ project: Project, _ console: Console) throws(Diagnostics) -> VerdictDocument {
        let apps = project.configuration.apps
        guard let configured = apps.first(where: { $0.app.id.text == app }) else {
            throw unknownName("verdict", "app", app, among: apps.map(\.app.id.text))
        }
        let report = try project.numbers(of: configured, asOf: asOf ?? project.now, console)
        let (releases, activity, facts) = (report.releases, report.activity, report.facts)
        guard let label = release else {
            return VerdictDocument(releases.latest, of: releases, activity, facts)
        }
        if let found = releases.release(named: label) {
            return VerdictDocument(found, of: releases, activity, facts)
        }
        try refuseUnclear(label, among: releases)
        // A pipeline asks on the day of the release, before any source lists it: that is no slip.
        return VerdictDocument(unlisted: label, of: releases, facts)
    }

    /// Ends the command for a label that names no release, as an empty variable does, or several.
    private func refuseUnclear(_ label: String, among releases: ReleasesSection) throws(Diagnostics) {
        if label.allSatisfy(\.isWhitespace) {
            throw Diagnostics([
                .usage(
                    "verdict.empty-release", "Empty version in --release",
                    hints: ["name a version, or omit --release for the newest release"])
            ])
        }
        let several = releases.releases(ofVersion: label).map(\.label)
        if !several.isEmpty { throw Diagnostics([ambiguousRelease("verdict", label, several)]) }
    }
}

/// That a label of a command names several releases.
func ambiguousRelease(_ command: String, _ label: String, _ several: [String]) -> Diagnostic {
    .usage(
        "\(command).ambiguous-release", "Several releases are version '\(label)'",
        hints: [choiceHint(several)])
}

/// How the program ends with a verdict; nil is done.
private func exitStatus(of verdict: ReleaseVerdict) -> ExitStatus? {
    switch verdict {
    case .go: nil
    case .hold, .rollBack: .doneWithFailures
    case .notEnoughData, .unknown: .unknown
    }
}
