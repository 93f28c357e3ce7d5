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

/// Does the work for every number below `count`, so many begun at a time as the fetch stage does with the sources of a
/// host, and takes each result as it comes; the client lets sixteen go at a time.
private func each<Value: Sendable>(
    below count: Int, _ work: @escaping @Sendable (Int) async throws -> Value,
    take: (Value) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Value.self) { group in
        var numbers = (0..<count).makeIterator()
        func begin() {
            if let number = numbers.next() { group.addTask { try await work(number) } }
        }
        for _ in 0..<64 { begin() }
        for try await value in group {
            begin()
            try take(value)
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

/// Stores snapshots while others are fetched, as the fetch stage does.
private actor Storing {
    private let archive: Archive
    private var stored = 0

    init(_ archive: Archive) { self.archive = archive }

    func take(_ snapshots: [Snapshot]) throws {
        stored += try archive.record(snapshots).reduce(0) { $0 + $1.issueDays }
    }

    /// How many counts by day of issues are new.
    func end() throws -> Int {
        try archive.close()
        return stored
    }
}

/// Fetches all documents below an address, decodes them and stores them in an archive, so many in a transaction.
func archiveAll(_ arguments: [String]) async throws {
    let (base, client) = (arguments[0], busyClient())
    let storing = Storing(try Archive(at: arguments[1], for: .writing))
    let most = 200
    var (held, runs): ([Snapshot], [Task<Void, any Error>]) = ([], [])
    func store() {
        let snapshots = held
        held = []
        runs.append(Task { try await storing.take(snapshots) })
    }
    try await each(below: Documents.count) { number in
        var place = try FilesConfiguration("\(base)/\(number).json")
        // The nights of the documents are long over.
        place.mostHours = 1_000_000
        let provider = FilesProvider(place, sender: client)
        let app = App(id: Slug(anyText: Documents.app(of: number)), name: "Bench")
        return await provider.fetch(app, at: Instant(secondsSinceEpoch: 1_795_156_200))
    } take: { outcome in
        if let failure = outcome.failures.first { throw BenchError(failure.why.summary) }
        held += outcome.snapshots
        if held.count >= most { store() }
    }
    await client.close()
    store()
    for run in runs { try await run.value }
    print(try await storing.end())
}
