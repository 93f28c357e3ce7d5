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
        try writeFile(folder + "/curl.txt", Array(curlConfiguration(origin).utf8))
        var (curl, ours, archived): ([Double], [Double], [Double]) = ([], [], [])
        for run in 0..<runs {
            curl.append(
                try Program.seconds {
                    try Program(
                        "/usr/bin/env",
                        [
                            "curl", "-sS", "--no-progress-meter", "--compressed", "--noproxy", "*",
                            "--parallel", "--parallel-max", "16", "-K", folder + "/curl.txt",
                        ])
                })
            ours.append(try Program.seconds { try Program.child(.get, [origin]) })
            guard withArchive else { continue }
            let archive = folder + "/fetched-\(run).sqlite"
            archived.append(try Program.seconds { try Program.child(.snapshots, [origin, archive]) })
        }
        let (bare, fetched) = (median(curl), median(ours))
        line("curl --parallel", bare, "s")
        line("fetched", fetched, "s")
        line("ratio to curl", fetched / bare, "×")
        guard withArchive else { return }
        line("fetched, decoded and archived", median(archived), "s")
        line("ratio to curl", median(archived) / bare, "×")
    }

    private static func curlConfiguration(_ origin: String) -> String {
        (0..<Documents.count).map { "url = \"\(origin)/\($0).json\"\noutput = \"/dev/null\"\n" }.joined()
    }
}
