import Foundation

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

/// Prints one figure, with the most that it is to be where there is such a goal.
func line(_ name: String, _ value: Double, _ unit: String, goal: Double? = nil) {
    let bound = goal.map { "\tgoal ≤ \($0.formatted())\t\(value <= $0 ? "met" : "missed")" } ?? ""
    print("\(name)\t\((value * 100).rounded() / 100)\t\(unit)\(bound)")
}

/// The most memory that this process ever held, in megabytes of 10⁶ bytes, as Linux counts it (VmHWM).
func peakMegabytes() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Double(line.filter(\.isNumber)) ?? .nan) * 1024 / 1e6
}
