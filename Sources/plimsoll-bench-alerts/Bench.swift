import Foundation
import Statistics

/// Runs the detectors over a folder of labeled scenarios and writes their alerts as JSON lines.
@main struct Bench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: plimsoll-bench-alerts SET-FOLDER OUT.jsonl\n".utf8))
            exit(2)
        }
        var output = ""
        for family in families {
            for file in family.files {
                let clock = ContinuousClock.now
                let lines = try lines(ofGzipFile: "\(arguments[1])/\(file).jsonl.gz")
                let alerts = try await alerts(in: lines, of: family)
                output += alerts.joined()
                print(file, alerts.count, ContinuousClock.now - clock)
            }
        }
        try Data(output.utf8).write(to: URL(fileURLWithPath: arguments[2]))
        for nights in try firstNights(ofSet: arguments[1]) { print(nights.summary) }
        var daily = DailyVelocity()
        for line in try lines(ofGzipFile: "\(arguments[1])/velocity_null.jsonl.gz") {
            daily.add(try JSONDecoder().decode(Scenario.self, from: line))
        }
        if let bounds = daily.perYear {
            print(
                "velocity_null by days: \(daily.reports) in \(daily.days) days; a year and app "
                    + "\(bounds.lower) to \(bounds.upper)")
        }
    }

    /// The first nights of the series of a folder.
    static func firstNights(ofSet folder: String) throws -> [FirstNights] {
        var all = FirstNights.all
        for file in ["stability_null", "stability_event"] {
            for line in try lines(ofGzipFile: "\(folder)/\(file).jsonl.gz") {
                let scenario = try JSONDecoder().decode(Scenario.self, from: line)
                for place in all.indices { all[place].add(scenario) }
            }
        }
        return all
    }

    /// One line for each series, in the order of the file; the series are shared out among the processors.
    static func alerts(in lines: [Data], of family: Family) async throws -> [String] {
        let parts = max(1, ProcessInfo.processInfo.activeProcessorCount)
        return try await withThrowingTaskGroup(of: [(Int, String)].self) { group in
            for part in 0..<parts {
                group.addTask { @concurrent in
                    try stride(from: part, to: lines.count, by: parts).map { index in
                        let scenario = try JSONDecoder().decode(Scenario.self, from: lines[index])
                        return (index, "{\"id\":\"\(scenario.id)\",\"alerts\":\(family.alerts(scenario))}\n")
                    }
                }
            }
            var all = [String](repeating: "", count: lines.count)
            for try await results in group { for (index, line) in results { all[index] = line } }
            return all
        }
    }
}
