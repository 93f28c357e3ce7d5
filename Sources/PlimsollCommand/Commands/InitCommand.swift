import Analysis
import AppHealth
import ArgumentParser
import Attaching
import Configuration
import Diagnostics
import Files
import Foundation
import Providers
import Publishing
import Settings
import Site

/// The text that `init` writes for the home page.
let firstPageText = """
    These pages show how stable our apps are and how much they are used.
    Edit `Content/index.md` to change this text; more Markdown files in `Content/` become pages.

    """

/// A commented configuration for some providers, publish targets and attach targets.
func configurationText(
    _ providers: [BlockSchema], targets: [BlockSchema] = [], attachments: [BlockSchema] = []
) -> String {
    let sources = distinct(providers).map { blockText("provider", $0, indent: "      ") }.joined()
    let places = distinct(targets).map { blockText("to", $0, indent: "  ") }.joined()
    let publish = places.isEmpty ? publishExample : publishHeading + places
    let readers = distinct(attachments).map { blockText("to", $0, indent: "  ") }.joined()
    let attach = readers.isEmpty ? attachExample : attachHeading + readers
    return """
        # Configuration of plimsoll. Paths are relative to this file.
        version: 1                   # of this file's format
        title: App stability
        # url: https://host/path/    # the site's URL, for links in feeds and release notes
        output: site                 # site folder; every build replaces it
        archive: archive.sqlite      # all data ever fetched; keep it
        content: Content             # your own pages, in Markdown
        theme: default               # or a folder in Themes/
        # indexing: true             # allow search engines
        # audience: public           # hide notes, names, code locations, issue titles and counts
        # markdown: commonmark       # or plain, slack: dialect of the Markdown versions (default: github)
        timeout: 60                  # seconds for one request
        timeBudget: 900              # seconds for all requests of a fetch
        # retries: {attempts: 10, seconds: 300, longestWait: 30}   # per request; seconds
        targets:                     # crash-free rates in percent; apps may have their own
          target: 99.5
          critical: 98
        \(alertsExample)

        apps:
          - id: my-app               # part of URLs: lowercase letters, digits, '.', '_' and '-'
            name: My App
            platform: ios
            sources:                 # for each kind of data, the first source that provides it is used
        \(sources)
        \(publish)
        \(attach)
        """
}

/// Each schema once.
private func distinct(_ schemas: [BlockSchema]) -> [BlockSchema] {
    var seen: Set<String> = []
    return schemas.filter { seen.insert($0.name).inserted }
}

private let publishHeading = """
    publish:                       # where 'plimsoll publish' and 'plimsoll run' send the site

    """

/// The commented example of `publish` that `init` writes when no target is named.
private let publishExample = """
    # publish:                     # where 'plimsoll publish' and 'plimsoll run' send the site
    #   - to: folder               # or: \(standardTargets.dropFirst().map(\.name).joined(separator: ", "))
    #     path: /srv/www/stability

    """

private let attachHeading = """
    attach:                        # where 'plimsoll attach' and 'plimsoll run' send summaries

    """

/// The commented example of `attach` that `init` writes when no target is named.
private let attachExample = """
    # attach:                      # where 'plimsoll attach' and 'plimsoll run' send summaries
    #   - to: github-release       # or: \(someAttachNames), and others
    #     repository: example/sketchbook
    #     token: ${GITHUB_TOKEN}

    """

private let someAttachNames = "gitlab-release, forgejo-release, github-comment, slack, mail"

/// The keys of a block with examples; optional ones are commented out.
private func blockText(_ key: String, _ schema: BlockSchema, indent: String) -> String {
    let lines = ["- \(key): \(schema.name)"] + schema.keys.map { "  " + line($0) }
    return lines.map { indent + $0 + "\n" }.joined()
}

private func line(_ key: SettingKey) -> String {
    let text = key.isRequired ? key.exampleLine : "# \(key.exampleLine)"
    let gap = String(repeating: " ", count: max(1, 30 - text.count))
    return "\(text)\(gap)# \(key.help)"
}

/// The commented example of `alerts` that `init` writes into the configuration.
let alertsExample = """
    # alerts:                      # which activity to show; apps may have their own
    #   show: everything           # or alerts: only what needs attention
    #   newNote: false             # turn off a kind
    #   newIssue: { limit: 5 }     # at most this many a day; the rest are counted
    #   velocity: { leastShare: 2, leastUsers: 50 }   # percent of sessions; users a day
    #   stability: { leastPoints: 1 }                 # pp
    """

/// The names of the kinds of event in files.
private let kindNames = EventKind.allCases.map(\.key).joined(separator: ", ")

/// The commented example that `init` writes into `Content/mutes.yml`.
let mutesExample = """
    # Activity that needs no attention for a time: a list, reviewed like any other change.
    # Muted activity is still counted and shown folded; it is not an open alert and not in feeds.
    # If several mutes match, the first one counts.
    #
    # - app: my-app                # an app, or all; plus any of kind, issue, version, source
    #   kind: velocity             # \(kindNames)
    #   issue: 1a2b3c              # id at the source
    #   until: 2026-12-01          # the day on which it is shown again
    #   untilVersion: 4.3.0        # or until it is seen in this version or a later one
    #   untilLevel: { users: 200, share: 5 }   # or until it gets worse: users a day, percent of sessions
    #   by: Josh                   # who and why: both required
    #   why: fixed in 4.3.0, which is rolling out
    #
    # - kind: sourceTrouble
    #   source: usage
    #   forever: true              # permanently
    #   by: Josh
    #   why: a test account that comes and goes

    """

/// The name of a provider on the command line.
struct ProviderName: ExpressibleByArgument {
    let schema: BlockSchema

    init?(argument: String) {
        guard let found = ProviderList.all.first(where: { $0.name == argument }) else { return nil }
        schema = found.schema
    }

    static var allValueStrings: [String] { ProviderList.all.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    var defaultValueDescription: String { schema.name }
}

/// The name of a kind of publish target on the command line.
struct TargetName: ExpressibleByArgument {
    let schema: BlockSchema

    init?(argument: String) {
        guard let found = standardTargets.first(where: { $0.name == argument }) else { return nil }
        schema = found.schema
    }

    static var allValueStrings: [String] { standardTargets.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    var defaultValueDescription: String { schema.name }
}

/// The name of a kind of attach target on the command line.
struct AttachName: ExpressibleByArgument {
    let schema: BlockSchema

    init?(argument: String) {
        guard let found = standardAttachTargets.first(where: { $0.name == argument }) else { return nil }
        schema = found.schema
    }

    static var allValueStrings: [String] { standardAttachTargets.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    var defaultValueDescription: String { schema.name }
}

/// A commented configuration.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a commented plimsoll.yml, and files for the night's run.",
        discussion: """
            With --schedule, files for cron, systemd, GitHub Actions or GitLab CI are written too; a plimsoll.yml that \
            exists is left alone then. No file is ever replaced.
            """)

    @Argument(help: "Folder to write into.", completion: .directory)
    var folder = "."

    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp("Provider to configure, repeatable (default: files).", valueName: "name"))
    var providers: [ProviderName] = []

    @Option(
        name: .customLong("publish"),
        help: ArgumentHelp("Publish target to configure, repeatable (default: none).", valueName: "name"))
    var targets: [TargetName] = []

    @Option(
        name: .customLong("attach"),
        help: ArgumentHelp("Attach target to configure, repeatable (default: none).", valueName: "name"))
    var attachments: [AttachName] = []

    @Option(
        name: .customLong("schedule"),
        help: ArgumentHelp(
            "Schedule to write files for, repeatable: cron, systemd, github-actions or gitlab-ci.",
            valueName: "name"))
    var schedules: [Schedule] = []

    @Option(help: "Path of the program in these files (default: that of this program).", completion: .file())
    var program: String?

    func validate() throws {
        // From the root of the file system it would be a path.
        if folder.isEmpty {
            throw ValidationError("The folder has no name; for the working folder write '.'.")
        }
    }

    func run() throws {
        let console = Console()
        let file = folder + "/plimsoll.yml"
        let hasConfiguration = pathKind(file) != .missing
        let files = distinctFiles(try hasConfiguration ? places(of: file, console) : SchedulePlaces())
        let known = files.filter { pathKind(path(of: $0)) != .missing }
        let kept = known.filter(isWritten)
        let other = known.first { !kept.contains($0) }
        if let first = other.map(path) ?? (schedules.isEmpty && hasConfiguration ? file : nil) {
            console.report(
                .usage(
                    "init.exists", "'\(first)' already exists; nothing was written", at: .file(path: first),
                    hints: ["choose another folder, or remove the file first"]))
            throw ExitStatus.usage
        }
        if !hasConfiguration { try writeConfiguration(file, console) }
        try write(files.filter { !kept.contains($0) }, console)
        for file in kept { console.result("Kept \(path(of: file))") }
        for schedule in schedules { console.result("Next: \(schedule.nextStep(in: folder))") }
    }

    private func path(of file: Schedule.File) -> String { "\(folder)/\(file.path)" }

    /// Whether a file is there as it would be written, such as by an earlier `init` for another schedule.
    private func isWritten(_ file: Schedule.File) -> Bool {
        let bytes = Array(file.text.utf8)
        return (try? readFile(path(of: file), limit: bytes.count)) == bytes
    }

    /// Where a configuration that exists has the archive and the site, if the files name them.
    private func places(of file: String, _ console: Console) throws -> SchedulePlaces {
        guard schedules.contains(where: \.namesPlaces) else { return SchedulePlaces() }
        let configuration = try readProjectConfiguration(file, console)
        return SchedulePlaces(archive: configuration.archive, site: configuration.output)
    }

    /// Two schedules may share a file.
    private func distinctFiles(_ places: SchedulePlaces) -> [Schedule.File] {
        let named = program ?? Bundle.main.executablePath ?? "plimsoll"
        // A name alone is looked for where programs are.
        let program =
            named.contains("/") ? URL(fileURLWithPath: absolutePath(named)).standardized.path : named
        var files: [Schedule.File] = []
        for file in schedules.flatMap({ $0.files(folder: absolutePath(folder), program: program, places) })
        where !files.contains(file) {
            files.append(file)
        }
        return files
    }

    private func write(_ files: [Schedule.File], _ console: Console) throws {
        do throws(FileFailure) {
            for file in files {
                let path = path(of: file)
                try makeFolder(splitPath(path).folder)
                try writeFile(path, Array(file.text.utf8))
                console.result("Wrote \(path)")
            }
        } catch {
            console.report(error.diagnostic)
            throw ExitStatus.nothingDone
        }
    }

    private func writeConfiguration(_ file: String, _ console: Console) throws {
        let schemas = providers.isEmpty ? ProviderList.all.prefix(1).map(\.schema) : providers.map(\.schema)
        let (index, mutes) = (folder + "/Content/index.md", folder + "/Content/mutes.yml")
        let (hasIndex, hasMutes) = (pathKind(index) != .missing, pathKind(mutes) != .missing)
        do throws(FileFailure) {
            try makeFolder(folder + "/Content")
            let text = configurationText(
                schemas, targets: targets.map(\.schema), attachments: attachments.map(\.schema))
            try writeFile(file, Array(text.utf8))
            if !hasIndex { try writeFile(index, Array(firstPageText.utf8)) }
            if !hasMutes { try writeFile(mutes, Array(mutesExample.utf8)) }
        } catch {
            console.report(error.diagnostic)
            throw ExitStatus.nothingDone
        }
        console.result(hasIndex ? "Wrote \(file)\nKept \(index)" : "Wrote \(file) and \(index)")
        console.result(hasMutes ? "Kept \(mutes)" : "Examples of mutes: \(mutes)")
        let command = "plimsoll run --config \(shellWord(file))"
        console.result(
            "Next: fill in your values, then " + (file == shellWord(file) ? "'\(command)'" : command))
    }
}
