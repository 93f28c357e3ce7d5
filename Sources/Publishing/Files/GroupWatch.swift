import Foundation
import Platform

/// Ends a program, with what it started, when this process is gone: one that is killed can end nothing itself, and what it
/// had started would go on, next to the program of the next publication.
///
/// It is a process of the shell, which waits for a line. The kernel closes its input when this process ends in any way.
struct GroupWatch: Sendable {
    /// What the shell waits at; it is closed when this process ends.
    let line: Int32
    /// The shell that waits.
    let shell: pid_t

    /// Watches over a program that is the first of its process group; nil where the shell cannot be started.
    init?(over number: pid_t) {
        var pair: [Int32] = [-1, -1]
        guard cplatform_socket_pair(&pair) == 0 else { return nil }
        let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer {
            close(pair[0])
            if nothing >= 0 { close(nothing) }
        }
        let script =
            "read -r line && exit 0; kill -s TERM -- -\(number); sleep 10; kill -s KILL -- -\(number)"
        let start = ProgramStart(
            path: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"], folder: "/",
            input: pair[0], output: nothing, errors: nothing)
        guard nothing >= 0, let shell = spawn(start) else {
            close(pair[1])
            return nil
        }
        (line, self.shell) = (pair[1], shell)
    }

    /// Ends the watch; what was watched has ended, and its number may soon be another's.
    func end() {
        _ = cplatform_send(line, "\n", 1)
        close(line)
        _ = endStatus(of: shell)
    }
}
