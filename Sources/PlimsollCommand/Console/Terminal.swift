import Glibc

/// What standard output can show.
struct Terminal: Equatable, Sendable {
    /// The columns of a line.
    let width: Int
    /// Whether colors may be written.
    let hasColours: Bool

    /// The columns where nothing tells how many there are.
    static let usualWidth = 80

    /// Standard output of this process: `COLUMNS`, else what the terminal says; colors on a terminal alone, and
    /// never with `NO_COLOR` (no-color.org) or on a dumb one.
    init(_ environment: [String: String]) {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        self.init(environment, isTerminal: isTerminal, columns: isTerminal ? terminalColumns() : nil)
    }

    init(_ environment: [String: String], isTerminal: Bool, columns: Int?) {
        let told = environment["COLUMNS"].flatMap { Int($0) }
        width = min(max([told, columns].compactMap { $0 }.first { $0 > 0 } ?? Self.usualWidth, 20), 1000)
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        hasColours = isTerminal && !isRefused && environment["TERM"] != "dumb"
    }
}

/// The columns of the terminal behind standard output.
private func terminalColumns() -> Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}
