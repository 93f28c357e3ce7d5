import Diagnostics
import Files
import Foundation
import Site

/// Measures in one run and prints ratios: times of a shared machine say little by themselves.
@main
enum Main {
    static func main() async {
        do {
            try await run()
        } catch {
            FileHandle.standardError.write(Data("error: not measured: \(words(of: error))\n".utf8))
            exit(1)
        }
    }

    private static func words(of error: any Error) -> String {
        switch error {
        case let found as Diagnostics: found.list.map(consoleText).joined(separator: "\n")
        case let found as any DiagnosticConvertible: consoleText(of: found.diagnostic)
        default: "\(error)"
        }
    }

    private static func run() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let part = arguments.first, let child = Child(rawValue: part) {
            return try await child.run(Array(arguments.dropFirst()))
        }
        let parts = arguments.isEmpty ? Part.allCases : arguments.compactMap(Part.init(rawValue:))
        guard arguments.isEmpty || parts.count == arguments.count else {
            let names = Part.allCases.map(\.rawValue).joined(separator: "] [")
            FileHandle.standardError.write(Data("usage: plimsoll-bench [\(names)]\n".utf8))
            exit(2)
        }
        print("measured: \(try buildWords())")
        let folder = scratchFolder()
        try makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for part in parts { try await part.run(folder) }
    }

    /// A memory file system where there is one, so that the disk is not what is measured.
    private static func scratchFolder() -> String {
        let parent = pathKind("/dev/shm") == .folder ? "/dev/shm" : NSTemporaryDirectory()
        return parent + "/plimsoll-bench-\(ProcessInfo.processInfo.processIdentifier)"
    }
}

/// Which build this is: optimized or not, where Swift's runtime is, and how large the program is.
private func buildWords() throws -> String {
    #if DEBUG
        let configuration = "debug build"
    #else
        let configuration = "release build"
    #endif
    let libraries = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let runtime = libraries.contains("libswiftCore") ? "runtime in libraries" : "runtime in the program"
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let size = try FileManager.default.attributesOfItem(atPath: program)[.size] as? Int ?? 0
    return "\(configuration), \(runtime), \(size / 1_000_000) MB"
}

/// What can be measured.
enum Part: String, CaseIterable {
    case pages, charts, fetch, memory, archive, publish, warehouse, peers, growth

    func run(_ folder: String) async throws {
        switch self {
        case .pages: try await PagesBench.run(folder)
        case .charts: ChartsBench.run()
        case .fetch: try await FetchBench.run(folder)
        case .memory: try await MemoryBench.run(folder)
        case .archive: try ArchiveBench.run(folder)
        case .publish: try await PublishBench.run(folder)
        case .warehouse: try WarehouseBench.run(folder)
        case .peers: try PeersBench.run(folder)
        case .growth: try GrowthBench.run(folder)
        }
    }
}

/// What runs in a process of its own, so that its time and memory are those of nothing else.
enum Child: String {
    case get, snapshots, issues, slowServer, issueServer, bucketServer, publishSite
    /// Writes made-up apps as snapshot files of a night: the folder, apps, issues and days of each, nights ago.
    case growthSet
    /// Writes the set of a folder as snapshot files of a night: the set, the folder, and how many nights ago.
    case peerSet

    func run(_ arguments: [String]) async throws {
        switch self {
        case .get: try await getAll(arguments)
        case .snapshots: try await archiveAll(arguments)
        case .issues: try await fetchIssues(arguments)
        case .slowServer:
            let documents = try Documents.compressed(in: arguments[0])
            try LoadServer(milliseconds: 30) { path in
                documents[path].map { .init(headers: ["Content-Encoding: gzip"], body: $0) }
                    ?? .init(status: "404 Not Found", body: [])
            }.run()
        case .bucketServer: try BucketServer().run()
        case .publishSite: try await plimsoll_bench.publishSite(arguments)
        case .peerSet:
            guard arguments.count == 3, let nights = Int(arguments[2]) else {
                throw BenchError("usage: plimsoll-bench peerSet SET FOLDER NIGHTS-AGO")
            }
            try PeerSet(nightsAgo: nights).write(from: arguments[0], to: arguments[1])
        case .growthSet:
            let numbers = arguments.dropFirst().compactMap(Int.init)
            guard (4...5).contains(numbers.count) else {
                throw BenchError(
                    "usage: plimsoll-bench growthSet FOLDER APPS ISSUES DAYS NIGHTS-AGO [APPS-WITH-NEWS]")
            }
            try GrowthSet(
                apps: numbers[0], issues: numbers[1], days: numbers[2],
                withNews: numbers.dropFirst(4).first ?? 0, nightsAgo: numbers[3],
                eventDays: numbers[1] > 20_000 ? 10 : 30
            )
            .write(to: arguments[0])
        case .issueServer: try LoadServer(answer: IssuePages.answer).run()
        }
    }
}
