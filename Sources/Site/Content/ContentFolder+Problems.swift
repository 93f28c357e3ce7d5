import Analysis
package import AppHealth
package import Diagnostics
package import Pages

extension ContentFolder {
    /// What notes and fences speak of that an app does not have: a release, an issue or a day that is not known.
    package func problems(with report: AppReport) -> [Diagnostic] {
        fences.filter { $0.request.app == report.app.id }.compactMap(report.problem(with:))
            + noteProblems(with: report)
    }

    /// Whether a note or a fence speaks of an app.
    package func speaks(of app: Slug) -> Bool {
        notes.contains { $0.app == app } || fences.contains { $0.request.app == app }
    }

    /// What the notes on an app speak of that it does not have.
    func noteProblems(with report: AppReport) -> [Diagnostic] {
        notes.filter { $0.app == report.app.id }.compactMap { report.problem(with: $0.note, at: $0.place) }
    }

    private var fences: [LiveFence] {
        ([introduction, methods].compactMap(\.self) + pages.map(\.text)).flatMap(\.fences)
    }
}
