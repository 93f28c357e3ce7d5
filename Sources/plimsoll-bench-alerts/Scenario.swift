import Foundation

/// One labeled series of a scenario file; which of the counts it has depends on its family.
struct Scenario: Decodable, Sendable {
    /// The name that its alerts carry.
    let id: String
    /// Sessions: daily, or hourly for issue velocity.
    let n: [Int]?
    /// Crashed sessions a day, or for each issue its sessions an hour.
    let x: Counts?
    /// The day of the change; nil in a series in which nothing happens.
    let onset: Int?
    /// Daily counts of the old and the new release.
    let n0: [Int]?, x0: [Int]?, n1: [Int]?, x1: [Int]?

    /// One row of counts or one for each issue.
    enum Counts: Decodable, Sendable {
        case row([Int])
        case rows([[Int]])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let row = try? container.decode([Int].self) {
                self = .row(row)
            } else {
                self = .rows(try container.decode([[Int]].self))
            }
        }
    }
}

/// The lines of a gzip file, decompressed by `gzip -dc`.
func lines(ofGzipFile path: String) throws -> [Data] {
    let gzip = Process()
    let output = Pipe()
    gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-dc", "--", path]
    gzip.standardOutput = output
    try gzip.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    gzip.waitUntilExit()
    guard gzip.terminationStatus == 0 else { throw BenchError.unreadable(path) }
    return data.split(separator: UInt8(ascii: "\n"))
}

/// Why the bench could not go on.
enum BenchError: Error {
    case unreadable(String)
}
