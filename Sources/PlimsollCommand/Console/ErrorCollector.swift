import Diagnostics
import Synchronization

/// The errors that a console reported, for a page that shows them too.
final class ErrorCollector: Sendable {
    private let errors = Mutex<[Diagnostic]>([])

    /// Keeps what is reported.
    func collect(_ diagnostic: Diagnostic) {
        if diagnostic.severity == .error { errors.withLock { $0.append(diagnostic) } }
    }

    /// The errors as a page of plain text.
    var page: String {
        let texts = errors.withLock { $0 }.map { consoleText(of: $0) }
        return "Build failed; the previous site is unchanged.\n\n"
            + texts.joined(separator: "\n\n") + "\n\nFix the error and reload this page.\n"
    }
}
