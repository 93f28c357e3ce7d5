import Analysis
import AppHealth
import Archive
import Configuration
import Diagnostics
import Pages
import Site

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
