import AppHealth
import Archive
import Diagnostics
import Foundation
import Providers
import Transport

/// Measures the memory of fetching one app's issues when they come to 100 MB of JSON.
enum MemoryBench {
    static func run(_ folder: String) async throws {
        let server = try Program.child(.issueServer, [])
        defer { server.stop() }
        let text = try Program.child(.issues, [server.firstLine(), folder + "/issues.sqlite"]).finish()
        print("\nthe issues of one app, page by page, decoded and archived\n\(text)", terminator: "")
    }
}

/// Fetches and stores all issues, and prints their number, the size of the responses and the peak of memory.
func fetchIssues(_ arguments: [String]) async throws {
    let client = busyClient()
    let counter = CountingSender(client)
    guard let token = Secret("none") else { return }
    var configuration = try GlitchtipConfiguration(
        organization: "bench", project: "bench", token: token, base: arguments[0])
    (configuration.mostPages, configuration.mostRequests) = (IssuePages.count, 10_000)
    configuration.mostDetailedIssues = 0
    let provider = try GlitchtipProvider(configuration, sender: counter)
    let archive = try Archive(at: arguments[1], for: .writing)
    let app = App(id: Slug(anyText: "bench"), name: "Bench")
    let outcome = await provider.fetch(app, at: Instant(secondsSinceEpoch: 1_795_156_200))
    var issues = 0
    for snapshot in outcome.snapshots { issues += try archive.record(snapshot).issues }
    if let failure = outcome.failures.first { throw BenchError(failure.why.summary) }
    try archive.close()
    await client.close()
    line("issues", Double(issues), "")
    line("JSON", Double(counter.bytes) / 1e6, "MB")
    line("peak memory", peakMegabytes(), "MB")
}
