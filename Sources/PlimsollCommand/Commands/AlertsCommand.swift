import ArgumentParser

/// What the rules of the activity feed would do.
struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "Try the alert rules on the archive.",
        discussion: """
            Two places set what is reported. 'alerts' in plimsoll.yml turns kinds of activity off, limits their \
            number per day and sets a minimum level. Content/mutes.yml mutes an app, a kind, an issue, a version or \
            a source until a day, a version or a level, with who muted it and why. 'plimsoll init' writes commented \
            examples of both; 'plimsoll doctor' lists mutes that expired or match nothing.
            """,
        subcommands: [BacktestCommand.self])
}
