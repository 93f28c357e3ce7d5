import AppHealth
import Configuration
import Diagnostics
import Foundation
import Testing

/// Every example of the manual and the README works.
struct ManualExampleTests {
    private static let pages = ManualPage.allWithExamples

    /// The demo's apps with their archive, on which the examples run, made once.
    private static let project = Task {
        let folder = try Folder()
        folder.removeAtExit()
        let data = "\(bundled)/Content"
        _ = try await Program.run(
            "/bin/sh",
            [
                "-c",
                """
                cp -r "\(data)/demo/data" data && mkdir -p Content bin recording
                rm data/tidepool/2026-11-20.json
                cp -r "\(data)/notes" "\(data)/index.md" "\(data)/guide.md" "\(data)/mutes.yml" Content
                sed 's/^content: .*/content: Content/' "\(data)/demo/plimsoll.yml" > plimsoll.yml
                ln -s "\(Program.path)" bin/plimsoll
                """,
            ], in: folder.path)
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        return folder
    }

    /// The blocks of a page run one after the other in a folder of their own, as a reader types them.
    @Test(arguments: pages.filter { page in page.fences("sh").contains { $0.isRun } })
    func shellExamplesRun(page: ManualPage) async throws {
        let folder = try Folder(copyOf: try await Self.project.value)
        for fence in page.fences("sh") where fence.isRun {
            let run = try await Program.run(
                "/bin/sh", ["-euc", fence.body], in: folder.path,
                environment: ["PATH": "\(folder.path)/bin:/usr/bin:/bin", "HOME": folder.path, "TZ": "UTC"])
            #expect(run.status == 0, "\(page.path):\(fence.line)\n\(fence.body)\n\(run.printed)")
        }
    }

    /// Those that need a service or a server still name commands and options that exist.
    @Test(arguments: pages)
    func commandsOfExamplesExist(page: ManualPage) async throws {
        let program = try await CommandHelp.program.value
        let targets = try Folder.text(at: bundled + "/Makefile")
        for fence in page.fences("sh") {
            for line in fence.body.split(separator: "\n") {
                let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
                let place = "\(page.path):\(fence.line): \(line)"
                if words.first == "make", words.count > 1 {
                    #expect(targets.contains("\n\(words[1]):"), "\(place)")
                }
                for start in words.indices where words[start] == "plimsoll" {
                    let end = words[start...].firstIndex { ["|", "||", "&&", ";", ">", ">>"].contains($0) }
                    let arguments = Array(words[(start + 1)..<(end ?? words.endIndex)])
                    guard let found = program.command(at: arguments) else {
                        Issue.record("no such command: \(place)")
                        continue
                    }
                    let names = Set((found.help.arguments ?? []).flatMap { $0.names ?? [] }.map(\.text))
                    for option in arguments.dropFirst(found.count) where option.hasPrefix("-") {
                        #expect(names.contains(option), "\(option) in \(place)")
                    }
                }
            }
        }
    }

    @Test(arguments: pages)
    func yamlExamplesAreRead(page: ManualPage) async throws {
        for fence in page.fences("yaml") {
            let problems = try await problems(ofYAML: fence.body)
            #expect(problems == "", "\(page.path):\(fence.line)")
        }
    }

    /// What is wrong with an example: a whole configuration, some keys of one, a list of sources, mutes or a theme.
    private func problems(ofYAML text: String) async throws -> String {
        if text.hasPrefix("- "), !text.hasPrefix("- provider:") {
            let apps = ["sketchbook", "tidepool", "lighthouse"].compactMap { Slug($0) }
            return readMutes(text, path: "mutes.yml", apps: apps).1.map(\.summary).joined(separator: "\n")
        }
        if text.contains("\ncontrast:") {
            var (file, document) = YAMLFile.read(text, path: "theme.yml")
            if let document { _ = file.mapping(document, keys: ["name", "description", "contrast"]) }
            return file.problems.map(\.summary).joined(separator: "\n")
        }
        let folder = try Folder()
        try folder.write("plimsoll.yml", wholeConfiguration(text))
        if let content = text.firstMatch(of: /(?m)^content: (\w+)$/) {
            try folder.write("\(content.1)/index.md", "# Home\n")
        }
        let run = try await Program.run("fetch", "--plan", in: folder)
        // A missing token or key file is no fault of the example.
        return run.status == 2 ? run.errors : ""
    }

    @Test(arguments: pages)
    func dataExamplesAreFetched(page: ManualPage) async throws {
        for (language, name) in [("json", "2026-11-20.json"), ("csv", "2026-11-20.csv")] {
            for fence in page.fences(language) {
                let folder = try Folder()
                #expect(try await Program.run("init", in: folder).status == 0)
                try folder.write("data/\(name)", fence.body)
                let run = try await Program.run("fetch", in: folder)
                #expect(
                    run.status == 0 && !run.errors.contains("warning:"),
                    "\(page.path):\(fence.line) \(run.printed)")
            }
        }
    }

    /// Few examples may go untested.
    @Test func mostExamplesRun() {
        let fences = Self.pages.flatMap { $0.fences("sh") }
        #expect(
            fences.count { !$0.isRun } * 3 < fences.count, "\(fences.count { !$0.isRun }) of \(fences.count)")
        let known: Set = ["", "sh", "yaml", "json", "csv", "markdown", "sql"]
        for page in Self.pages {
            for fence in page.fences { #expect(known.contains(fence.language), "\(page.path):\(fence.line)") }
        }
    }
}

/// A configuration around some keys of one or a list of sources.
private func wholeConfiguration(_ text: String) -> String {
    if text.hasPrefix("- provider:") {
        let sources = text.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
        return "apps:\n  - id: a\n    sources:\n\(sources)\n"
    }
    return text.hasPrefix("apps:") || text.contains("\napps:") ? text : text + "apps: []\n"
}
