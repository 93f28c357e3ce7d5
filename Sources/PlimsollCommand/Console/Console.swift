import Diagnostics
import Platform
import Site
import Synchronization

/// Where the program writes: results to standard output, progress and diagnostics to standard error.
struct Console: Sendable {
    /// Whether standard error is a terminal, so that a line of progress may be written over.
    private let isLive = isatty(STDERR_FILENO) == 1

    /// What else collects the diagnostics.
    private var listener: ErrorCollector?

    /// What is not written once more.
    private var known: [Diagnostic] = []

    /// The same console, whose diagnostics are collected too.
    ///
    /// - Parameter known: what was written before and is not written once more.
    func collecting(into listener: ErrorCollector, known: [Diagnostic] = []) -> Console {
        var console = self
        (console.listener, console.known) = (listener, known)
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

    /// Writes a diagnostic for people.
    func report(_ diagnostic: Diagnostic) {
        listener?.collect(diagnostic)
        if known.contains(diagnostic) { return }
        put((isLive ? "\r\u{1B}[K" : "") + consoleText(of: diagnostic) + "\n", STDERR_FILENO)
    }

    /// A line of the result.
    func result(_ text: String) {
        put(
            text.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }
                .joined(separator: "\n") + "\n", STDOUT_FILENO)
    }

    /// A document as the result; or help for a wrong command among the errors.
    ///
    /// Its bytes are those that were made, but for what could drive a terminal: that is written as in JSON. Colors are
    /// the program's own; texts from outside have lost theirs when they were styled.
    func document(_ text: String, toErrors: Bool = false) {
        put(withSafeControls(text), toErrors ? STDERR_FILENO : STDOUT_FILENO)
    }

    /// A value as the result, in JSON for programs. One that JSON cannot hold is a result that is lost.
    func document(json value: some Encodable) {
        do throws(Diagnostics) {
            document(String(decoding: try jsonFile(value), as: UTF8.self))
        } catch {
            error.list.first.map(lose)
        }
    }

    /// Why a result did not arrive as a whole, such as a full disk; nil while all did.
    static var lostResult: Diagnostic? { resultFault.withLock { $0 } }

    private func lose(_ reason: Diagnostic) { resultFault.withLock { $0 = $0 ?? reason } }

    /// Writes whole texts, however slow who reads them is; a reader that went away is not an error of this program.
    private func put(_ text: String, _ descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&wait, 1, -1) >= 0 || errno == EINTR else { return }
                continue
            }
            guard count > 0 else {
                let code = errno
                if descriptor == STDOUT_FILENO, count < 0, code != EPIPE {
                    lose(unwritten(code))
                }
                return
            }
            bytes = bytes.dropFirst(count)
        }
    }
}

private let resultFault = Mutex<Diagnostic?>(nil)

private func unwritten(_ code: Int32) -> Diagnostic {
    let isFull = code == ENOSPC || code == EDQUOT
    return .error(
        isFull ? "output.full" : "output.failed",
        "Result is not written: \(String(cString: strerror(code)))",
        hints: [
            isFull
                ? "free some space and run it again; what was written is incomplete"
                : "check where standard output goes; what was written is incomplete"
        ])
}

/// The text with unsafe characters written as in JSON, but for colors and the line ends of mail.
func withSafeControls(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isUnsafe) else { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
        let isKept =
            switch scalar {
            case "\u{1B}": isColor(scalars[(index + 1)...])
            case "\r": index + 1 < scalars.count && scalars[index + 1] == "\n"
            default: !scalar.isUnsafe
            }
        if isKept {
            result.append(scalar)
        } else {
            result.append(contentsOf: jsonSafe(String(scalar)).unicodeScalars)
        }
    }
    return String(result)
}

/// Whether what follows an escape selects a color (ECMA-48, 8.3.117) and does nothing else.
private func isColor(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    rest.first == "[" && rest.dropFirst().drop { ("0"..."9").contains($0) || $0 == ";" }.first == "m"
}

/// What standard output can show.
struct Terminal: Equatable, Sendable {
    /// The columns of a line.
    let width: Int
    /// Whether colors may be written.
    let hasColors: Bool

    /// The columns where nothing says how many there are.
    static let usualWidth = 80

    /// Standard output of this process: `COLUMNS`, else what the terminal says; colors on a terminal alone, and
    /// never with `NO_COLOR` (no-color.org) or on a dumb one.
    init(_ environment: [String: String]) {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        self.init(environment, isTerminal: isTerminal, columns: isTerminal ? terminalColumns() : nil)
    }

    init(_ environment: [String: String], isTerminal: Bool, columns: Int?) {
        let given = environment["COLUMNS"].flatMap { Int($0) }
        width = min(max([given, columns].compactMap { $0 }.first { $0 > 0 } ?? Self.usualWidth, 20), 1000)
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        hasColors = isTerminal && !isRefused && environment["TERM"] != "dumb"
    }
}

/// The columns of the terminal behind standard output.
private func terminalColumns() -> Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}

/// How the program ends.
package enum ExitStatus: Int32, Sendable, Error {
    /// Done.
    case done = 0
    /// Done, with the failures shown in the site.
    case doneWithFailures = 1
    /// The words of the command or the configuration are wrong.
    case usage = 2
    /// There is no verdict.
    case unknown = 3
    /// Nothing could be done; the previous site is unchanged.
    case nothingDone = 4
    /// The site is built, and was not published everywhere, or not all summaries were attached.
    case notDelivered = 5
}

extension ExitStatus {
    /// How a run ends whose gravest diagnostic is this: the one place that turns gravity into an exit code.
    init(_ gravity: Gravity) {
        self =
            switch gravity {
            case .remark: .done
            case .shown: .doneWithFailures
            case .nothingDone: .nothingDone
            case .usage: .usage
            }
    }
}

extension Console {
    /// Reports why nothing could be done, and says how the program ends for it.
    func stop(_ reason: Diagnostic) -> ExitStatus { stop(Diagnostics([reason])) }

    /// Reports why nothing could be done, and says how the program ends for it.
    func stop(_ reasons: Diagnostics) -> ExitStatus {
        for diagnostic in reasons.list { report(diagnostic) }
        return ExitStatus(reasons.gravity)
    }
}

/// The errors that a console reported, for a page that shows them too.
final class ErrorCollector: Sendable {
    private let errors = Mutex<[Diagnostic]>([])

    /// Keeps what is reported.
    func collect(_ diagnostic: Diagnostic) {
        if diagnostic.severity == .error { errors.withLock { $0.append(diagnostic) } }
    }

    /// What was reported, in its order.
    var all: [Diagnostic] { errors.withLock { $0 } }

    /// The errors as a page of plain text.
    ///
    /// - Parameter hasSite: whether the site before is still there.
    func page(hasSite: Bool) -> String {
        let texts = all.map { consoleText(of: $0) }
        return
            "Build failed\(hasSite ? "; the previous site is unchanged" : ", and there is no earlier site").\n\n"
            + texts.joined(separator: "\n\n") + "\n\nFix the error and reload this page.\n"
    }
}
