import ArgumentParser
import Platform

/// The command `plimsoll` with its subcommands.
struct Plimsoll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plimsoll", abstract: "Static reports on app stability and usage.",
        discussion: """
            Exit codes: 0 success; 1 finished with failures (see the site); 2 usage or configuration error; \
            3 no verdict; 4 nothing done, site unchanged; 5 of run: site built, but not published everywhere, or not \
            all summaries attached. --version --verbose shows the versions of libraries too.
            """,
        version: programVersion,
        subcommands: [
            DemoCommand.self, InitCommand.self, SchemaCommand.self, ImportCommand.self, DoctorCommand.self,
            FetchCommand.self,
            BuildCommand.self,
            RunCommand.self,
            PublishCommand.self, AttachCommand.self,
            SummaryCommand.self, ShowCommand.self, VerdictCommand.self, AlertsCommand.self,
            ExplainCommand.self, ArchiveCommand.self, WarehouseCommand.self,
            CheckCommand.self, ThemeCommand.self, ServeCommand.self, CompletionsCommand.self,
        ])
}

/// Runs the program with these arguments and reports how it ended: not well where its result was lost on the way.
package func runPlimsoll(_ arguments: [String]) async -> Int32 {
    let status = await run(arguments)
    guard let lost = Console.lostResult else { return status }
    Console().report(lost)
    return status == ExitStatus.done.rawValue ? ExitStatus.doneWithFailures.rawValue : status
}

private func run(_ arguments: [String]) async -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // A file of the memory would hold tokens.
    _ = cplatform_no_core()
    cplatform_steady_memory()
    // Before all commands are looked through, which takes half of the time and a third of the memory of this answer.
    let version = arguments == ["--version"] ? programVersion + "\n" : nil
    if let text = Set(arguments) == ["--version", "--verbose"] ? verboseVersion : version {
        Console().document(text)
        return ExitStatus.done.rawValue
    }
    do {
        var command = try Plimsoll.parseAsRoot(arguments)
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
        return ExitStatus.done.rawValue
    } catch let status as ExitStatus {
        return status.rawValue
    } catch {
        let isHelp = Plimsoll.exitCode(for: error) == .success
        Console().document(Plimsoll.fullMessage(for: error) + "\n", toErrors: !isHelp)
        return isHelp ? ExitStatus.done.rawValue : ExitStatus.usage.rawValue
    }
}
