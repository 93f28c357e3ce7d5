import Diagnostics
import Glibc

/// Where the program speaks: results to standard output, progress and diagnostics to standard error.
struct Console: Sendable {
    /// Whether standard error is a terminal, so that a line of progress may be written over.
    private let isLive = isatty(STDERR_FILENO) == 1

    /// Who else hears the diagnostics.
    private var listener: ErrorCollector?

    /// The same console, whose diagnostics are heard.
    func collecting(into listener: ErrorCollector) -> Console {
        var console = self
        console.listener = listener
        return console
    }

    /// A line of progress: one live line on a terminal, plain lines elsewhere.
    func progress(_ text: String) {
        put(isLive ? "\r\u{1B}[K\(printable(text))" : printable(text) + "\n", STDERR_FILENO)
    }

    /// Ends the live line.
    func endProgress() {
        if isLive { put("\r\u{1B}[K", STDERR_FILENO) }
    }

    /// Tells a person what happened.
    func tell(_ diagnostic: Diagnostic) {
        listener?.collect(diagnostic)
        put((isLive ? "\r\u{1B}[K" : "") + consoleText(of: diagnostic) + "\n", STDERR_FILENO)
    }

    /// A line of the result.
    func result(_ text: String) {
        put(
            text.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }
                .joined(separator: "\n") + "\n", STDOUT_FILENO)
    }

    /// A document as the result, byte for byte; or help for a wrong command among the errors.
    func document(_ text: String, toErrors: Bool = false) {
        put(text, toErrors ? STDERR_FILENO : STDOUT_FILENO)
    }

    /// Writes whole texts; a reader that went away is not an error of this program.
    private func put(_ text: String, _ descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
