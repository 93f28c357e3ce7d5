import Files
import Foundation
import Publishing
import Transport

/// Measures publishing 15,000 files to a bucket on loopback against `aws s3 sync` and `rclone sync`: the first time,
/// after an ordinary night, and when nothing changed.
enum PublishBench {
    private static let files = 15_000
    /// Of an ordinary night: every twentieth file changes, and a hundredth is new.
    private static let changed = files / 20
    private static let added = files / 100

    private enum Way: String, CaseIterable {
        case plimsoll, aws, rclone
    }

    static func run(_ folder: String) async throws {
        let ways = Way.allCases.filter { $0 == .plimsoll || isInstalled($0.rawValue) }
        print("\n\(files) files of 4 kB to a bucket on loopback")
        for way in Way.allCases where !ways.contains(way) { print("\(way.rawValue) is not installed") }
        var (times, costs): ([Way: [Double]], [Way: [Double]]) = ([:], [:])
        for way in ways {
            let site = folder + "/publish-\(way.rawValue)"
            try write(site, night: 0)
            // One server for each, so that none finds what another left.
            let server = try Program.child(.bucketServer, [])
            defer { server.stop() }
            let origin = server.firstLine()
            for (index, night) in [0, 1, 1].enumerated() {
                if index == 1 { try write(site, night: night) }
                costs[way, default: []].append(
                    try cpuSeconds {
                        times[way, default: []].append(try Program.seconds { try start(way, site, origin) })
                    })
            }
            try? FileManager.default.removeItem(atPath: site)
        }
        for (index, name) in ["first", "ordinary night", "nothing new"].enumerated() {
            for (kind, values) in [("CPU", costs), ("elapsed", times)] {
                for way in ways { line("\(name), \(way.rawValue), \(kind)", values[way]?[index] ?? 0, "s") }
                let others = ways.filter { $0 != .plimsoll }.compactMap { values[$0]?[index] }
                if let best = others.min(), let own = values[.plimsoll]?[index] {
                    line(
                        "\(name), \(kind), ratio to the better one", own / best, "×",
                        goal: kind == "CPU" ? 0.5 : nil)
                }
            }
        }
    }

    /// Writes a site, or what changes in it in a night; everything else keeps its dates.
    private static func write(_ site: String, night: Int) throws {
        let last = files + night * added
        for number in 0..<last where night == 0 || number % (files / changed) == 0 || number >= files {
            let path = self.path(number)
            try makeFolder(splitPath("\(site)/\(path)").folder)
            try writeFile("\(site)/\(path)", content(number, night))
        }
        let lines = try (0..<last).map { number in
            let bytes = try readFile("\(site)/\(path(number))")
            return #"{"path":"\#(path(number))","size":\#(bytes.count),"sha256":"\#(contentHash(bytes))"}"#
        }
        let list = lines.sorted().joined(separator: ",\n")
        try writeFile(
            site + "/manifest.json",
            Array(#"{"format":"plimsoll-manifest","version":1,"files":[\#(list)]}"#.utf8))
    }

    private static func path(_ number: Int) -> String {
        number == 0 ? "index.html" : "apps/app-\(number % 20)/days/\(number)/index.html"
    }

    private static func content(_ number: Int, _ night: Int) -> [UInt8] {
        let text = "<p>page \(number), night \(night)</p>\n"
        return Array(String(repeating: text, count: 4096 / text.utf8.count).utf8)
    }

    private static func isInstalled(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    private static func start(_ way: Way, _ site: String, _ origin: String) throws -> Program {
        // A bundle for aws keeps rclone from starting; the server speaks plain http.
        let keys = [
            "-u", "AWS_CA_BUNDLE", "AWS_ACCESS_KEY_ID=AKIATEST", "AWS_SECRET_ACCESS_KEY=secret",
            "AWS_DEFAULT_REGION=us-east-1",
        ]
        switch way {
        case .plimsoll: return try Program.child(.publishSite, [site, origin])
        case .aws:
            return try Program(
                "/usr/bin/env",
                keys + [
                    "AWS_REQUEST_CHECKSUM_CALCULATION=when_required", "aws", "s3", "sync", site, "s3://bench",
                    "--delete", "--only-show-errors", "--endpoint-url", origin,
                ])
        case .rclone:
            return try Program(
                "/usr/bin/env",
                keys + [
                    "rclone", "sync", site, ":s3:bench", "--s3-provider", "Other", "--s3-env-auth",
                    "--s3-endpoint", origin, "--s3-region", "us-east-1", "--s3-no-check-bucket", "--checksum",
                    "--fast-list",
                    "--transfers", "8", "--checkers", "8", "--config", "/dev/null", "--quiet",
                ])
        }
    }
}

/// Publishes a site to the bucket of a server.
func publishSite(_ arguments: [String]) async throws {
    let client = busyClient()
    let target = try TargetDescriptor.s3.make(
        TargetSetup(
            id: "bench",
            values: [
                "bucket": .text("bench"), "endpoint": .text(arguments[1]), "region": .text("us-east-1"),
                "conditions": .flag(true),
            ], folder: "/",
            environment: ["AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "secret"]
        ) { _ in client })
    let outcome = await publish(
        try SiteFolder(arguments[0]), to: target, PublicationOptions(at: "2026-11-20T06:00:00Z"))
    await client.close()
    if let failure = outcome.failure { throw failure }
    print(outcome.sentFiles)
}
