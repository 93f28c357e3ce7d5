import ArgumentParser

/// Where a project has its archive and its site, from the folder of its configuration.
struct SchedulePlaces {
    var archive = "archive.sqlite"
    var site = "site"
}

/// Who starts the night's run, for whom `init` writes files that are ready to use.
enum Schedule: String, CaseIterable, ExpressibleByArgument {
    case cron, systemd
    case gitHubActions = "github-actions"
    case gitLabCI = "gitlab-ci"

    /// Whether its files name the archive and the site.
    var namesPlaces: Bool { self == .gitHubActions || self == .gitLabCI }

    /// One file of a schedule, with its path from the folder of the configuration.
    struct File: Hashable {
        let path: String
        let text: String
    }

    /// Its files.
    ///
    /// - Parameters:
    ///   - folder: the folder of the configuration on this machine.
    ///   - program: where the program is.
    ///   - places: where the configuration has the archive and the site.
    func files(folder: String, program: String, _ places: SchedulePlaces = SchedulePlaces()) -> [File] {
        switch self {
        case .cron: [File(path: "schedule/plimsoll.cron", text: cronText(folder: folder, program: program))]
        case .systemd:
            [
                File(path: "schedule/plimsoll.service", text: serviceText(program: program)),
                File(path: "schedule/plimsoll.timer", text: timerText),
            ]
        case .gitHubActions:
            [
                File(path: ".github/workflows/plimsoll.yml", text: workflowText(of: places)),
                File(path: "schedule/archive.sh", text: archiveScript(of: places)),
            ]
        case .gitLabCI:
            [
                File(path: ".gitlab-ci.yml", text: pipelineText(of: places)),
                File(path: "schedule/archive.sh", text: archiveScript(of: places)),
            ]
        }
    }

    /// What to do next, where the files were written into a folder.
    func nextStep(in folder: String) -> String {
        func written(_ path: String) -> String { shellWord("\(folder)/\(path)") }
        switch self {
        case .cron:
            let file = written("schedule/plimsoll.cron")
            return "read \(file), then: crontab -l | cat - \(file) | crontab -"
        case .systemd:
            return "read \(written("schedule/plimsoll.service")), which says where the files go"
        case .gitHubActions:
            return
                "read \(written(".github/workflows/plimsoll.yml")): name your tokens in it, then commit and push it"
        case .gitLabCI:
            return
                "read \(written(".gitlab-ci.yml")): name your tokens in it, then commit, push, and add a pipeline schedule"
        }
    }
}
