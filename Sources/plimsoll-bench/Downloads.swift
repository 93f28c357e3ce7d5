import AppHealth
import Archive
import Diagnostics
import Foundation
import Providers
import Transport

/// Sixteen transfers at once, with one host too.
func busyClient() -> Client {
    var options = Client.Options(version: "bench")
    options.transfersPerHost = 16
    options.usesProxy = false
    return Client(options)
}

/// Does the work for every number below `count`, sixteen at once, and takes each result as it comes.
private func each<Value: Sendable>(
    below count: Int, _ work: @escaping @Sendable (Int) async throws -> Value,
    take: (Value) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for number in 0..<min(16, count) { group.addTask { try await work(number) } }
        var next = 16
        while let value = try await group.next() {
            try take(value)
            guard next < count else { continue }
            group.addTask { [next] in try await work(next) }
            next += 1
        }
    }
}

/// Fetches all documents below an address and prints how many bytes they had.
func getAll(_ arguments: [String]) async throws {
    let (base, client) = (arguments[0], busyClient())
    var bytes = 0
    try await each(below: Documents.count) { number in
        try await client.send(Request(.get, Address("\(base)/\(number).json"))).body.count
    } take: {
        bytes += $0
    }
    await client.close()
    print(bytes)
}

/// Fetches all documents below an address, decodes them and then stores them in an archive, as the fetch stage does.
func archiveAll(_ arguments: [String]) async throws {
    let (base, client) = (arguments[0], busyClient())
    var outcomes: [Int: FetchOutcome] = [:]
    try await each(below: Documents.count) { number in
        let provider = FilesProvider(try FilesConfiguration("\(base)/\(number).json"), sender: client)
        let app = App(id: Slug(anyText: Documents.app(of: number)), name: "Bench")
        return (number, await provider.fetch(app, at: Instant(secondsSinceEpoch: 1_795_156_200)))
    } take: { number, outcome in
        outcomes[number] = outcome
        if let failure = outcome.failures.first { throw BenchError(failure.why.summary) }
    }
    await client.close()
    let archive = try Archive(at: arguments[1], for: .writing)
    let snapshots = (0..<Documents.count).flatMap { outcomes[$0]?.snapshots ?? [] }
    let stored = try archive.record(snapshots).reduce(0) { $0 + $1.issueDays }
    try archive.close()
    print(stored)
}
