import Analysis
import AppHealth
import ArgumentParser
import Diagnostics
import Providers
import Site

/// The words that `init` writes for the entry page.
let firstPageText = """
    These pages show how stable our apps are and how much they are used.
    Edit `Content/index.md` to change these words; more Markdown files in `Content/` become pages.

    """

/// A commented configuration for some providers.
func configurationText(_ providers: [SourceSchema]) -> String {
    var seen: Set<String> = []
    let sources = providers.filter { seen.insert($0.provider).inserted }.map(sourceText).joined()
    return """
        # What plimsoll reports on. Paths are counted from the folder of this file.
        title: App stability
        # url: https://host/path/    # where the site will stand; makes links in feeds and release notes whole
        output: site                 # the folder of the site; replaced as a whole by every build
        archive: archive.sqlite      # everything ever fetched; keep it
        content: Content             # your own pages in Markdown
        theme: default               # or the name of a folder in Themes/
        # indexing: true             # let search engines list the pages
        # audience: public           # leave out code places, notes, names, titles of issues and counts
        # markdown: commonmark       # or plain or slack: the dialect of the pages' Markdown twins; else github
        timeout: 60                  # seconds that one request may take
        timeBudget: 900              # seconds that all requests of a fetch may take together
        # retries: {attempts: 10, seconds: 300, longestWait: 30}   # for one request, in seconds
        targets:                     # crash-free rates in per cent; each app may have its own
          target: 99.5
          critical: 98
        \(alertsExample)

        apps:
          - id: my-app               # part of addresses: lowercase letters, digits and '-'
            name: My App
            platform: ios
            sources:                 # the first source that knows a thing tells it
        \(sources)
        """
}

/// The keys of a source with examples; those that may be left out are commented out.
private func sourceText(_ schema: SourceSchema) -> String {
    let lines = ["- provider: \(schema.provider)"] + schema.keys.map { "  " + line($0) }
    return lines.map { "      " + $0 + "\n" }.joined()
}

private func line(_ key: SourceKey) -> String {
    let text = key.isRequired ? key.exampleLine : "# \(key.exampleLine)"
    let gap = String(repeating: " ", count: max(1, 30 - text.count))
    return "\(text)\(gap)# \(key.help)"
}

/// The commented example of `alerts` that `init` writes into the configuration.
let alertsExample = """
    # alerts:                      # what of the activity is told; each app may have its own
    #   show: everything           # or alerts: only what asks for attention
    #   newNote: false             # a kind turned off
    #   newIssue: { limit: 5 }     # at most so many a day; what is cut is counted and told
    #   velocity: { leastShare: 2, leastUsers: 50 }   # per cent of sessions, users of a day
    #   stability: { leastPoints: 1 }                 # percentage points
    """

/// The names of the kinds of event in files.
private let kindNames = EventKind.allCases.map(\.key).joined(separator: ", ")

/// The commented example that `init` writes into `Content/mutes.yml`.
let mutesExample = """
    # What needs nobody's attention for a time: a list, of which every entry is reviewed like any other change.
    # Muted events are still counted and shown folded; they are no open alerts and stand in no feed.
    # Of two mutes that hold for an event the first counts.
    #
    # - app: my-app                # an app or all; and any of kind, issue, version, source
    #   kind: velocity             # \(kindNames)
    #   issue: 1a2b3c              # the source's id
    #   until: 2026-12-01          # the day on which it is told again
    #   untilVersion: 4.3.0        # or when it is seen in that version or a later one
    #   untilLevel: { users: 200, share: 5 }   # or when it gets worse: users a day, per cent of sessions
    #   by: Josh                   # who says so, and why: both must be given
    #   why: fixed in 4.3.0, which is rolling out
    #
    # - kind: sourceTrouble
    #   source: usage
    #   forever: true              # for good
    #   by: Josh
    #   why: a test account that comes and goes

    """

/// The name of a provider on the command line.
struct ProviderName: ExpressibleByArgument {
    let schema: SourceSchema

    init?(argument: String) {
        guard let found = ProviderList.all.first(where: { $0.name == argument }) else { return nil }
        schema = found.schema
    }

    static var allValueStrings: [String] { ProviderList.all.map(\.name) }
    var defaultValueDescription: String { schema.provider }
}

/// A commented configuration.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a commented plimsoll.yml.")

    @Argument(help: "The folder to write into.")
    var folder = "."

    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp("A provider to configure, repeatable (default: files).", valueName: "name"))
    var providers: [ProviderName] = []

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
        let schemas = providers.isEmpty ? ProviderList.all.prefix(1).map(\.schema) : providers.map(\.schema)
        do throws(FileFailure) {
            try makeFolder(folder + "/Content")
            try writeFile(file, Array(configurationText(schemas).utf8))
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
