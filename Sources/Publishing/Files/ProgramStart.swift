import Files
import Platform

/// Where a program is: its path, or a name that is looked for in `PATH`; nil when it is not there.
func findProgram(_ program: String, _ environment: [String: String], folder: String) -> String? {
    if program.contains("/") {
        let path = program.hasPrefix("/") ? program : "\(folder)/\(program)"
        return access(path, X_OK) == 0 ? path : nil
    }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 && fileKind($0) != .folder }
}

/// A program with all that it is started with.
struct ProgramStart {
    let path: String
    let arguments: [String]
    let environment: [String: String]
    /// The folder it runs in.
    let folder: String
    /// The open file that it reads.
    let input: Int32
    /// The open file that it prints to.
    let output: Int32
    /// The open file that its errors go to.
    let errors: Int32
}

/// Starts a program as the first of a process group of its own, so that what it starts ends with it; nil when the
/// system refused.
///
/// Foundation's own way hands on the signals that threads of the concurrency pool block, SIGTERM among them.
func spawn(_ start: ProgramStart) -> pid_t? {
    var number = pid_t()
    let words = ([start.path] + start.arguments).map { strdup($0) }
    let variables = start.environment.map { strdup("\($0.key)=\($0.value)") }
    defer { for word in words + variables { free(word) } }
    // A program that was just written may still be open for writing in a process that another thread is starting.
    for _ in 0..<mostStarts {
        let code = cplatform_spawn(
            &number, start.path, words + [nil], variables + [nil], start.folder, start.input, start.output,
            start.errors)
        if code == 0 { return number }
        guard code == ETXTBSY else { return nil }
        usleep(10_000)
    }
    return nil
}

/// How often a start is tried of a program that is being written.
private let mostStarts = 100

/// Waits for the end of a program, which keeps its number until `endStatus` is taken.
func waitForEnd(of number: pid_t) {
    var end = siginfo_t()
    while waitid(P_PID, id_t(number), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
}

/// Waits for the end of a program; gives its status as a shell counts it.
func endStatus(of number: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
}
