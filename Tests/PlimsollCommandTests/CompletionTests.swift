import Foundation
import Testing

@testable import PlimsollCommand

/// What is asked of the program about itself.
struct CompletionTests {
    /// Each shell reads its file, where it is installed.
    @Test(arguments: ["bash", "zsh", "fish"])
    func shellsReadTheirCompletions(shell: String) async throws {
        let folder = try Folder()
        let run = try await Program.run("completions", shell, in: folder)
        #expect(run.status == 0 && run.output.contains("allow-removals"), "\(run.errors)")
        guard
            let path = ["/bin", "/usr/bin"].map({ "\($0)/\(shell)" }).first(
                where: FileManager.default.isExecutableFile)
        else { return }
        try folder.write("script", run.output)
        let check = try await Program.run(path, ["-n", "\(folder.path)/script"], in: folder.path)
        #expect(check.status == 0, "\(check.printed)")
    }

    @Test(arguments: [
        ("--provider", "appstoreconnect"), ("--publish", "rsync"), ("--attach", "github-step"),
    ])
    func namesOfInitAreCompleted(option: String, name: String) async throws {
        let run = try await Program.run("completions", "bash", in: try Folder())
        let choices = run.output.split(separator: "'\(option)')").dropFirst().map { $0.prefix { $0 != ";" } }
        #expect(choices.contains { $0.contains("'\(name)'") }, "\(choices)")
    }

    /// An option that takes a path and has an empty action takes the shell's own completion of file names away.
    @Test func pathsAreCompleted() async throws {
        let lines = try await Program.run("completions", "bash", in: try Folder()).output.split(
            separator: "\n")
        for option in ["config", "output", "site", "preview", "record", "replay", "join", "program"] {
            let places = lines.indices.filter {
                lines[$0].contains("'--\(option)'") && lines[$0].hasSuffix(")")
                    && !lines[$0].contains("=(")
            }
            #expect(!places.isEmpty, "\(option)")
            for place in places {
                let action = lines[place + 1]
                #expect(
                    action.hasSuffix("_add_completions -f") || action.hasSuffix("_add_completions -d"),
                    "\(option)")
            }
        }
    }

    /// Every option and argument whose value is named a file, a folder or a path, and those of other names.
    @Test func everyPathHasItsKind() async throws {
        let run = try await Program.run("--experimental-dump-help", in: try Folder())
        let tool = try JSONDecoder().decode(DumpedTool.self, from: Data(run.output.utf8))
        let paths = tool.command.allArguments.filter {
            $0.kind != "flag"
                && ["file", "folder", "path", "config", "program"].contains($0.valueName ?? "")
        }
        #expect(paths.count > 20)
        for path in paths {
            #expect(
                path.completionKind?.file != nil || path.completionKind?.directory != nil,
                "\(path.valueName ?? "")")
        }
        let themes = tool.command.subcommands?.first { $0.commandName == "demo" }?.arguments?.compactMap {
            $0.completionKind?.list?.values
        }
        #expect(themes == [["default", "plain"]])
    }

    @Test func namesTheVersionsOfItsLibraries() async throws {
        let short = try await Program.run("--version", in: try Folder())
        #expect(short.output == "\(programVersion)\n")
        let long = try await Program.run("--version", "--verbose", in: try Folder())
        let names = long.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(names.starts(with: ["plimsoll", "libcurl"]), "\(long.output)")
        #expect(
            Set(["zlib", "SQLite", "cmark", "expat"]).isSubset(of: names.map(String.init)), "\(long.output)")
    }
}

/// What '--experimental-dump-help' says of the commands, as far as completions need it.
private struct DumpedTool: Decodable {
    let command: Command

    struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        var allArguments: [Argument] { (arguments ?? []) + (subcommands ?? []).flatMap(\.allArguments) }
    }

    struct Argument: Decodable {
        let kind: String
        let valueName: String?
        let completionKind: Completion?
    }

    struct Completion: Decodable {
        let file: Extensions?
        let directory: Empty?
        let list: Values?
    }

    struct Extensions: Decodable { let extensions: [String] }
    struct Empty: Decodable {}
    struct Values: Decodable { let values: [String] }
}
