import Analysis
import AppHealth
import Configuration
import Diagnostics
import Pages
import Site

extension Project {
    /// The report of one app at an instant, from the archive, for the audience of the configuration.
    ///
    /// - Parameter command: the command that asks, for the name of what it says about an unknown app.
    func report(
        of id: String, for command: String, asOf: Instant, _ console: Console
    ) throws(Diagnostics) -> AppAnalysis {
        guard let configured = configuration.apps.first(where: { $0.app.id.text == id }) else {
            throw unknownName(command, "app", id, among: configuration.apps.map(\.app.id.text))
        }
        let control = try alertControl()
        var history = try readHistory(
            of: configured.app, sourcesByApp[configured.app.id] ?? [], openArchive(self), asOf, console)
        history.notes = try soundContent().content.notes(of: configured.app.id)
        return AppAnalysis(
            history, targets: configured.targets, asOf: asOf, control: control,
            audience: configuration.audience)
    }
}
