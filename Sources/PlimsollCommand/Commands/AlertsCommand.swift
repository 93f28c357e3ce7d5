import ArgumentParser

/// What the rules of the activity feed would do.
struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "Try the rules of the activity feed on what the archive knows.",
        discussion: """
            What is told is set in two places. 'alerts' in plimsoll.yml turns kinds of event off, limits how many \
            of a day are told and sets the least level. Content/mutes.yml mutes an app, a kind, an issue, a \
            version or a source until a day, a version or a level, with who says so and why. 'plimsoll init' \
            writes commented examples of both; 'plimsoll doctor' tells of mutes that have ended or fit nothing.
            """,
        subcommands: [BacktestCommand.self])
}
