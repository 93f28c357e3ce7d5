import Files
import Foundation
import Site

/// Measures fetching 2,000 small compressed JSON documents, 16 at once, against curl, in one run.
enum FetchBench {
    private static let runs = 5

    static func run(_ folder: String) async throws {
        try Documents.write(to: folder + "/www")
        let nginx = try Nginx(serving: folder + "/www", scratch: folder)
        defer { nginx.stop() }
        let many = "\(Documents.count) JSON documents of 3 kB"
        print("\n\(many) from nginx on loopback, gzip, 16 at once, medians of \(runs)")
        try compare(nginx.origin, folder, withArchive: true)
        let slow = try Program.child(.slowServer, [folder + "/www"])
        defer { slow.stop() }
        let origin = slow.firstLine()
        print("the same with 30 ms before each answer")
        try compare(origin, folder, withArchive: false)
    }

    private static func compare(_ origin: String, _ folder: String, withArchive: Bool) throws {
        let curl = try curlPath()
        try writeFile(folder + "/curl.txt", Array(curlConfiguration(origin).utf8))
        var (bare, ours, archived): ([MeasuredRun], [MeasuredRun], [MeasuredRun]) = ([], [], [])
        for run in 0..<runs {
            bare.append(
                try MeasuredRun(
                    curl,
                    [
                        "-sS", "--no-progress-meter", "--compressed", "--noproxy", "*",
                        "--parallel", "--parallel-max", "16", "-K", folder + "/curl.txt",
                    ]))
            ours.append(try child(.get, [origin]))
            guard withArchive else { continue }
            archived.append(try child(.snapshots, [origin, folder + "/fetched-\(run).sqlite"]))
        }
        write("curl --parallel", bare, against: nil)
        write("fetched", ours, against: bare, goal: 1.1)
        if withArchive { write("fetched, decoded and archived", archived, against: bare, goal: 2) }
    }

    private static func child(_ role: Child, _ arguments: [String]) throws -> MeasuredRun {
        try MeasuredRun("/proc/self/exe", [role.rawValue] + arguments)
    }

    /// Elapsed time and CPU seconds; the goal is for elapsed time on a quiet machine, where CPU seconds say why.
    private static func write(
        _ name: String, _ runs: [MeasuredRun], against bare: [MeasuredRun]?, goal: Double? = nil
    ) {
        let (elapsed, cpu) = (median(runs.map(\.elapsed)), median(runs.map(\.cpu)))
        line(name, elapsed, "s")
        line("\(name), CPU", cpu, "s")
        guard let bare else { return }
        line("ratio to curl", elapsed / median(bare.map(\.elapsed)), "×", goal: goal)
        line("ratio to curl, CPU", cpu / median(bare.map(\.cpu)), "×")
    }

    private static func curlPath() throws -> String {
        let paths = ["/usr/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"]
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw BenchError("curl is not installed: install the package curl")
        }
        return path
    }

    private static func curlConfiguration(_ origin: String) -> String {
        (0..<Documents.count).map { "url = \"\(origin)/\($0).json\"\noutput = \"/dev/null\"\n" }.joined()
    }
}
