import Diagnostics
import Synchronization

/// The errors that a console told, for a page that shows them too.
final class ErrorCollector: Sendable {
    private let errors = Mutex<[Diagnostic]>([])

    /// Keeps what is told.
    func hear(_ diagnostic: Diagnostic) {
        if diagnostic.severity == .error { errors.withLock { $0.append(diagnostic) } }
    }

    /// The errors as a page of plain text.
    var page: String {
        let texts = errors.withLock { $0 }.map { consoleText(of: $0) }
        return "The newest build failed; the site of the last good one stands in its folder.\n\n"
            + texts.joined(separator: "\n\n") + "\n\nMend it and reload this page.\n"
    }
}
