import Analysis
import AppHealth
import Archive
import Configuration
import Diagnostics
import Files
import Pages

extension Project {
    /// The sources of which nothing is shown, as the archive describes them; nothing where it holds none of them or cannot
    /// be read, which is reported where it is needed.
    func unusedSources() -> [Diagnostic] {
        let apps = configuration.apps.filter { $0.sources.count > 1 }
        guard !apps.isEmpty, (try? knownKind(archive)) == .file, let stored = try? openArchive(self) else {
            return []
        }
        return apps.flatMap { app -> [Diagnostic] in
            let sources = app.sources.compactMap { source in
                (try? stored.description(of: app.app.id, source: source.id, asOf: now))?.withEnd(of: app)
            }
            // What they counted is read only where it may matter.
            guard !UnusedSource.all(in: sources).isEmpty,
                let history = try? stored.history(of: app.app, sources: sources, asOf: now).history
            else { return [] }
            return unusedProblems(history.sources.map { $0.withEnd(of: app) }, of: app.app)
        }
    }
}

extension Source {
    /// With the last day that the configuration says, which no snapshot does.
    func withEnd(of app: AppConfiguration) -> Source {
        var source = self
        source.until = app.sources.first { $0.id == id }?.until
        return source
    }
}

extension SourceHistory {
    /// With the last day that the configuration says.
    func withEnd(of app: AppConfiguration) -> SourceHistory {
        var history = self
        history.source = source.withEnd(of: app)
        return history
    }
}

/// What to report of the sources of an app of which nothing is shown.
func unusedProblems(_ sources: [SourceHistory], of app: App) -> [Diagnostic] {
    UnusedSource.all(in: sources).map { unused in unused.problem(of: app.id) { $0.rawValue } }
}
