import AppHealth
import Configuration
import Diagnostics

extension Project {
    /// The sources that get no more requests, as lines for a person.
    var endedLines: [String] {
        configuration.apps.flatMap { app in
            app.sources.compactMap { source -> String? in
                guard let last = source.until, !source.source.isAsked(at: now) else { return nil }
                let name = "\(app.app.id) from \(source.id) (\(source.provider))"
                return "– \(name): ended \(last); sends no request"
            }
        }
    }
}

extension [Diagnostic] {
    /// Whether none is more than worth knowing.
    var areNotes: Bool { allSatisfy { $0.severity == .note } }
}
