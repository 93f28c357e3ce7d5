import Analysis
import AppHealth
import ArgumentParser
import Configuration
import Files
import Foundation
import Markup
import Site

/// Where the configuration is.
struct ConfigurationOption: ParsableArguments {
    @Option(name: [.short, .customLong("config")], help: "Configuration file.", completion: .file())
    var file = "plimsoll.yml"
}

/// How long to wait for another process.
struct WaitOption: ParsableArguments {
    /// Seconds by default.
    static let usual = 60

    @Option(
        help: ArgumentHelp(
            "Seconds to wait for the archive lock, or for another build of the site.",
            valueName: "seconds"))
    var wait = WaitOption.usual

    func validate() throws {
        guard (0...86_400).contains(wait) else {
            throw ValidationError("'--wait' must be 0 to 86400, not \(wait).")
        }
    }
}

/// How sources are fetched.
struct FetchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Save requests and responses, without secrets.",
            valueName: "folder"), completion: .directory)
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Use recorded responses; send nothing.", valueName: "folder"), completion: .directory)
    var replay: String?

    /// Where responses come from.
    var exchanges: Exchanges {
        if let replay { return .replayed(folder: replay) }
        return record.map { .recorded(folder: $0) } ?? .live
    }

    func validate() throws {
        if record != nil, replay != nil { throw ValidationError("Use '--record' or '--replay', not both.") }
    }
}

/// Which part of the apps one of several machines takes.
struct ShardOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only a part of the apps, such as 2/7 for the second of seven machines.", valueName: "i/n"))
    var shard: Shard?

    /// A project with the apps of the part; all without one.
    func part(of project: Project) -> Project {
        shard.map(project.part) ?? project
    }
}

extension Shard: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// How a site is built.
struct BuildOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Site folder, or file with '--single-file'. Overrides 'output'.",
            valueName: "path"), completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Pages built at the same time; the output is the same.", valueName: "count"))
    var threads = usualThreads(of: ProcessInfo.processInfo.activeProcessorCount)

    @Option(
        help: ArgumentHelp(
            "'team' sees all; 'public' hides notes, names, code locations, issue titles and counts. "
                + "Overrides 'audience'.", valueName: "reader"))
    var audience: Audience.Reader?

    @Option(
        help: ArgumentHelp(
            "Dialect of the Markdown versions: github, commonmark, plain or slack. "
                + "Overrides 'markdown'.", valueName: "dialect"))
    var markdown: MarkdownDialect?

    @Flag(
        help:
            "Replace the site folder even if it has files that no build made or that were changed; they are listed and removed."
    )
    var adopt = false

    @Flag(help: "Replace the site even if most pages of its apps would be gone.")
    var force = false

    @Flag(
        help: "Make every page; without it, pages whose data did not change are kept. The files are the same."
    )
    var full = false

    /// Changes the configuration as the options say.
    func apply(to settings: inout SiteConfiguration) {
        if let output {
            settings.output = absolutePath(output)
            settings.places["output"] = nil
        }
        if let audience { settings.read(by: audience) }
        if let markdown { settings.markdown = markdown }
    }

    func validate() throws { try checkThreads(threads) }
}

/// The most pages that are built at the same time.
private let mostThreads = 256

/// Refuses a number of pages that cannot be built at the same time.
func checkThreads(_ threads: Int) throws {
    guard (1...mostThreads).contains(threads) else {
        throw ValidationError("'--threads' must be 1 to \(mostThreads), not \(threads).")
    }
}

/// How many pages a machine with so many processors builds at the same time, where nothing says how many.
func usualThreads(of processors: Int) -> Int { min(max(processors, 1), mostThreads) }

/// How several machines share the building of a site.
struct PartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Build the pages of a part of the apps, for '--join': 2/7 is the part of the second of seven machines. "
                + "'--output' is the folder of the part (default: <output>.part-2-of-7).", valueName: "i/n"))
    var shard: Shard?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Folders that '--shard' made; what is not in them, or was made from other data, is built.",
            valueName: "folder"), completion: .directory)
    var join: [String] = []

    private func scope(of project: Project) -> BuildScope {
        if shard != nil { return .part(folder: splitPath(project.output).folder) }
        return join.isEmpty ? .site : .joined(folders: join.map(absolutePath))
    }

    /// Changes the configuration so that a part is written into its folder.
    func apply(to settings: inout SiteConfiguration, output: String?) {
        guard let shard else { return }
        let standard = "\(namedPath(settings.output)).part-\(shard.index)-of-\(shard.count)"
        settings.output = BuildScope.part(folder: output.map(absolutePath) ?? standard).output ?? standard
        settings.places["output"] = nil
        settings.keep = []
    }

    /// Changes what a build is made from.
    func apply(to input: inout SiteInput, of project: Project) {
        input.scope = scope(of: project)
        guard let shard else { return }
        input.apps.removeAll { !shard.contains($0.app.id) }
        input.outputPolicy.swap = .folder
    }

    func validate() throws {
        if shard != nil, !join.isEmpty { throw ValidationError("Use '--shard' or '--join', not both.") }
    }
}

/// How a command writes its result: for a person or for a program.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

extension Instant: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension CivilDate: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension CivilWeek: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Audience.Reader: ExpressibleByArgument {}

extension SiteConfiguration {
    /// Makes the site for a reader; what the configuration says of counts and titles stays for the same reader.
    mutating func read(by reader: Audience.Reader) {
        if reader != audience.reader { audience = Audience(reader) }
    }
}
