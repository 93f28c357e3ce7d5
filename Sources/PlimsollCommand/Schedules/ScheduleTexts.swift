// The files of schedules are next to this one, as the programs that read them want them, and are built into the program.

/// A line of a crontab. cron knows no profile, and takes a percent sign for the end of the line.
func cronText(folder: String, program: String) -> String {
    func word(_ path: String) -> String { shellWord(path).replacing("%", with: "\\%") }
    return filled(PackageResources.plimsoll_cron, ["folder": word(folder), "program": word(program)])
}

/// A workflow that runs every night, keeps the archive on a branch and publishes Pages.
func workflowText(of places: SchedulePlaces) -> String {
    filled(PackageResources.github_actions_yml, ["site": yamlWord(places.site)])
}

/// A pipeline that runs on its schedule, keeps the archive on a branch and publishes Pages.
func pipelineText(of places: SchedulePlaces) -> String {
    filled(PackageResources.gitlab_ci_yml, ["site": shellWord(places.site)])
}

/// Keeps the archive on a branch of the repository between runs, as one commit that replaces the one before.
///
/// A cache is no storage: its entries go after some days, and whoever opens a pull request can read them.
func archiveScript(of places: SchedulePlaces) -> String {
    filled(PackageResources.archive_sh, ["archive": shellWord(places.archive)])
}

/// When the service runs.
var timerText: String { filled(PackageResources.plimsoll_timer) }

/// The text of a file in which words take the places of their names, as of `@site@`.
func filled(_ file: [UInt8], _ words: [String: String] = [:]) -> String {
    // At once: a path may hold what looks like a name.
    String(decoding: file, as: UTF8.self).replacing(/@([a-z]+)@/) { words[String($0.1)] ?? String($0.0) }
}

/// A text as one word of a shell.
func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "/._-".utf8.contains(byte)
        }
    }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}

/// A path as one word of YAML.
private func yamlWord(_ text: String) -> String {
    shellWord(text) == text ? text : "'" + text.replacing("'", with: "''") + "'"
}
