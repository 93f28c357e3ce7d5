import Analysis
import AppHealth
import ArgumentParser
import Configuration
import Foundation
import Markup

/// Where the configuration is.
struct ConfigurationOption: ParsableArguments {
    @Option(name: [.short, .customLong("config")], help: "Configuration file.")
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
            valueName: "folder"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Use recorded responses; send nothing.", valueName: "folder"))
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
            valueName: "path"))
    var output: String?

    @Option(help: ArgumentHelp("Pages built at the same time; the output is the same.", valueName: "count"))
    var threads = ProcessInfo.processInfo.activeProcessorCount

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
        if let output { settings.output = absolutePath(output) }
        if let audience { settings.read(by: audience) }
        if let markdown { settings.markdown = markdown }
    }

    func validate() throws {
        guard (1...256).contains(threads) else {
            throw ValidationError("'--threads' must be 1 to 256, not \(threads).")
        }
    }
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
