package import Analysis
package import AppHealth
package import Diagnostics
import Pages

extension ContentFolder {
    /// What notes and fences speak of that an app does not have: a release, an issue or a day that is not known.
    package func problems(with analysis: AppAnalysis) -> [Diagnostic] {
        fences.filter { $0.request.app == analysis.facts.app.id }.compactMap(analysis.problem(with:))
            + noteProblems(with: analysis)
    }

    /// Whether a note or a fence speaks of an app.
    package func speaks(of app: Slug) -> Bool {
        notes.contains { $0.app == app } || fences.contains { $0.request.app == app }
    }

    /// What the notes on an app speak of that it does not have.
    func noteProblems(with analysis: AppAnalysis) -> [Diagnostic] {
        notes.filter { $0.app == analysis.facts.app.id }.compactMap {
            analysis.problem(with: $0.note, at: $0.place)
        }
    }

    private var fences: [LiveFence] {
        ([introduction, methods].compactMap(\.self) + pages.map(\.text)).flatMap(\.fences)
    }
}
