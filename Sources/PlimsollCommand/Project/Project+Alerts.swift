import Analysis
import AppHealth
import Archive
import Configuration
import Diagnostics
import Pages
import Site

extension Project {
    /// What the owner says of the activity: the settings of the apps and the mutes.
    ///
    /// - Throws: what is wrong with the mutes.
    func alertControl() throws(Diagnostics) -> AlertControl {
        let (mutes, problems) = readMutes()
        if !problems.isEmpty { throw Diagnostics(problems) }
        return control(mutes)
    }

    /// The mutes that can be read, and what is wrong with the others.
    func readMutes() -> ([Mute], [Diagnostic]) {
        let folder = configuration.content
        return readMutesFile(in: path(folder), shownAs: folder, apps: configuration.apps.map(\.app.id))
    }

    /// The settings of the apps with these mutes.
    func control(_ mutes: [Mute]) -> AlertControl {
        let settings = configuration.apps.map { ($0.app.id, $0.alerts) }
        return AlertControl(
            mutes: mutes, settings: Dictionary(settings, uniquingKeysWith: { first, _ in first }))
    }

    /// What is wrong with the mutes, in themselves and against what the archive knows of the apps.
    func muteProblems(_ archive: Archive, _ console: Console) throws(Diagnostics) -> [Diagnostic] {
        let (mutes, problems) = readMutes()
        guard !mutes.isEmpty else { return problems }
        let notes = readContent().0
        var uses: [MuteUse] = []
        for app in configuration.apps {
            var history = try readHistory(
                of: app.app, sourcesByApp[app.app.id] ?? [], archive, now, console)
            history.notes = notes.notes(of: app.app.id)
            let index = HistoryIndex(history, asOf: now, targets: app.targets)
            uses += Activity(of: events(in: index), in: index, under: control(mutes)).uses
        }
        return problems + Pages.muteProblems(mutes, uses)
    }
}

extension Project {
    /// What notes and fences of the owner's pages speak of that the archive does not know.
    func contentProblems(_ archive: Archive, _ console: Console) throws(Diagnostics) -> [Diagnostic] {
        let content = readContent().0
        var problems: [Diagnostic] = []
        for app in configuration.apps where content.mentions(app.app.id) {
            let history = try readHistory(
                of: app.app, sourcesByApp[app.app.id] ?? [], archive, now, console)
            let report = AppAnalysis(history, targets: app.targets, asOf: now, control: control([]))
            problems += content.problems(with: report)
        }
        return problems
    }
}
