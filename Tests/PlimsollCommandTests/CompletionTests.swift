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
