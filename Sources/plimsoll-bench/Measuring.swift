import Foundation
import Platform

func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return seconds(since: start)
}

func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return seconds(since: start)
}

private func seconds(since start: ContinuousClock.Instant) -> Double {
    let elapsed = (ContinuousClock.now - start).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
}

func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
}

/// Prints one figure, with the most or the least that it is to be where there is such a goal.
func line(_ name: String, _ value: Double, _ unit: String, goal: Double? = nil, least: Double? = nil) {
    let bound =
        if let goal {
            "\tgoal ≤ \(goal.formatted())\t\(value <= goal ? "met" : "missed")"
        } else if let least {
            "\tgoal ≥ \(least.formatted())\t\(value >= least ? "met" : "missed")"
        } else {
            ""
        }
    print("\(name)\t\((value * 100).rounded() / 100)\t\(unit)\(bound)")
}

/// The most memory that this process ever held, in megabytes of 10⁶ bytes, as Linux counts it (VmHWM).
func peakMegabytes() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Double(line.filter(\.isNumber)) ?? .nan) * 1024 / 1e6
}

/// The CPU seconds, of the user and of the system, of the programs that some work starts and waits for.
func cpuSeconds(_ work: () throws -> Void) rethrows -> Double {
    let before = childSeconds()
    try work()
    return childSeconds() - before
}

private func childSeconds() -> Double {
    var usage = rusage()
    // RUSAGE_CHILDREN, which has another type on each system.
    getrusage(-1, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
}
