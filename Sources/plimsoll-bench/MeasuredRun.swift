import Foundation
import Platform

/// What one run of a program took.
struct MeasuredRun {
    /// Seconds from its start to its end.
    let elapsed: Double
    /// Seconds of the processor, of the user and of the system.
    let cpu: Double
    /// The most memory that it held, in megabytes of 10⁶ bytes.
    let megabytes: Double

    /// Runs a program to its end; what it writes is not shown, and where it is quiet no progress either.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:], isQuiet: Bool = false)
        throws
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        let texts = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in texts + variables { free(text) } }
        var process: pid_t = 0
        let clock = ContinuousClock.now
        let refused = posix_spawn(&process, path, &actions, nil, texts, variables)
        guard refused == 0 else { throw BenchError("\(path) does not start: \(refused)") }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw BenchError("\(path) is lost: \(errno)") }
        }
        guard status == 0 else { throw BenchError("\(path) ended with \(status)") }
        elapsed = (ContinuousClock.now - clock) / .seconds(1)
        cpu = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        megabytes = Double(usage.ru_maxrss) * 1024 / 1e6
    }
}
