import Foundation

/// What the program says of its commands: `plimsoll --experimental-dump-help`.
struct CommandHelp: Decodable, Sendable {
    struct Argument: Decodable, Sendable {
        struct Name: Decodable, Sendable {
            let kind: String
            let name: String

            /// As it is written: `--app` or `-c`.
            var text: String { (kind == "short" ? "-" : "--") + name }
        }

        let kind: String
        let names: [Name]?
        let preferredName: Name?
        let valueName: String?
        let abstract: String?
        let defaultValue: String?
        let allValues: [String]?
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    let arguments: [Argument]?
    let subcommands: [CommandHelp]?

    /// The arguments of the command itself, without those that every command has.
    var ownArguments: [Argument] {
        (arguments ?? []).filter {
            $0.shouldDisplay && !["help", "version"].contains($0.preferredName?.name)
        }
    }

    /// The subcommands but `help`.
    var commands: [CommandHelp] { (subcommands ?? []).filter { $0.commandName != "help" } }

    /// The commands without subcommands, each with its words: `alerts backtest`.
    func leaves(_ above: [String] = []) -> [(words: [String], help: CommandHelp)] {
        commands.flatMap { command in
            let words = above + [command.commandName]
            return command.commands.isEmpty ? [(words, command)] : command.leaves(words)
        }
    }

    /// The command that words name, and how many of them do.
    func command(at words: [String]) -> (help: CommandHelp, count: Int)? {
        guard let first = words.first, let next = commands.first(where: { $0.commandName == first }) else {
            return nil
        }
        guard !next.commands.isEmpty else { return (next, 1) }
        return next.command(at: Array(words.dropFirst())).map { ($0.help, $0.count + 1) }
    }

    /// What the built program says.
    static let program = Task {
        struct Dump: Decodable {
            let command: CommandHelp
        }
        let run = try await Program.run("--experimental-dump-help", in: Folder())
        return try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8)).command
    }
}
